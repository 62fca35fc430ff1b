"""URLs of players' pages: personal link, registration link, and pages of the signed-in player.

A token in the URL is the only authorization of its page.
"""

from django.urls import path

from tournaments.check_in.web import own as check_in
from tournaments.entries.web import agreements, answers, join, leaving
from tournaments.leagues.web import arranging, calendars
from tournaments.matches.web import (
    analysed_file,
    analysis,
    answering,
    corrected,
    games_file,
    hand_over,
    phones,
    their_record,
)
from tournaments.matches.web import player as pages
from tournaments.notices.web import choices
from tournaments.notices.web import phones as push_phones
from tournaments.repairs.web import reinstate
from tournaments.site.web import analyses, claims, installing, invitations, me

app_name = "player"

urlpatterns = [
    path("my/<str:token>/", pages.home, name="home"),
    path("my/<str:token>/manifest.webmanifest", installing.entry_manifest, name="manifest"),
    path("my/<str:token>/report/<slug:match>/", pages.report, name="report"),
    path("my/<str:token>/agree/<slug:match>/", pages.confirm_opponent_report, name="agree"),
    path("my/<str:token>/record/<slug:match>/", their_record.opponent_record, name="record"),
    path("my/<str:token>/analyses/", analysis.entry_analyses, name="own-play"),
    path("my/<str:token>/analysis/<slug:match>/", analysis.analysis, name="analysis"),
    path(
        "my/<str:token>/analysis/<slug:match>/analysed.sgf",
        analysed_file.player_analysis_file,
        name="analysis-file",
    ),
    path("my/<str:token>/matches.zip", games_file.entry_games_file, name="games-file"),
    path("my/<str:token>/record/<slug:match>/<int:version>/", corrected.player_record, name="record-copies"),
    path(
        "my/<str:token>/record/<slug:match>/<int:version>/copies/<int:number>/",
        corrected.player_record_copy,
        name="record-copy",
    ),
    path("my/<str:token>/key/", hand_over.certify_key, name="key"),
    path("my/<str:token>/hand-over/<slug:match>/", hand_over.receive_signed_result, name="hand-over"),
    path("my/<str:token>/object/<slug:match>/", pages.report_mistake, name="object"),
    path("my/<str:token>/answer/<slug:match>/", answering.save_answer, name="answer"),
    path("my/<str:token>/arrange/<slug:match>/", arranging.arrange_match, name="arrange"),
    path("my/<str:token>/here/", check_in.check_in_own, name="here"),
    path("my/<str:token>/arrange/<slug:match>/match.ics", calendars.match_calendar, name="match-ics"),
    path("calendar/<str:token>.ics", calendars.calendar_feed, name="calendar"),
    path("my/<str:token>/phone/", phones.allow_phone, name="phone"),
    path("my/<str:token>/code/", phones.show_phone_code, name="code"),
    path("my/<str:token>/notices/", choices.entry_choices, name="link-notices"),
    path("my/<str:token>/notices/opened/", push_phones.record_notice_opened, name="link-opened"),
    path("my/<str:token>/push/", push_phones.subscribe_entry, name="link-push"),
    path("my/<str:token>/leave/", leaving.withdraw, name="leave"),
    path("my/<str:token>/return/", reinstate.by_link, name="return"),
    path("my/<str:token>/account/", claims.request_claim_by_link, name="keep"),
    path("me/by-mail/", claims.request_claim_by_mail, name="claim-mail"),
    path("invitation/<str:token>/", invitations.answer_invitation, name="invitation"),
    path("me/", me.me, name="me"),
    path("me.json", me.me_json, name="me-json"),
    path("me/matches.zip", games_file.player_games_file, name="my-games-file"),
    path("me/analyses/", analyses.own_analyses, name="own-analyses"),
    path("me/analyses/<slug:match>/", analysis.analysis_by_account, name="my-analysis"),
    path(
        "me/analyses/<slug:match>/analysed.sgf", analysed_file.account_analysis_file, name="my-analysis-file"
    ),
    path("me/notices/", choices.account_choices, name="notices"),
    path("me/notices/<slug:event>/", choices.account_choices, name="event-notices"),
    path("me/push/", push_phones.subscribe_account, name="push"),
    path("notices/renewed/", push_phones.renew_address, name="push-renewed"),
    path("notices/removed/", push_phones.remove_browser, name="push-removed"),
    path("notices/off/<str:token>/", choices.unsubscribe, name="notices-off"),
    path("me/here/", check_in.check_in_signed_in, name="here-signed-in"),
    path("me/withdraw/", me.withdraw_entry, name="withdraw"),
    path("me/return/", reinstate.reinstate_by_account, name="return-signed-in"),
    path("me/entries/<slug:entry>/answers/", answers.own_custom_fields, name="answers"),
    path("me/agree/", me.update_consents, name="agree-signed-in"),
    path("my/<str:token>/agreements/", agreements.own_agreements, name="agreements"),
    path("claim/<str:token>/", me.claim_player, name="claim"),
    path("join/<str:token>/", join.join, name="join"),
    path("registered/<str:token>/", join.registration_status, name="registered"),
]
