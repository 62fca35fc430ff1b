"""Addresses for players: their personal link and the registration link. The token is the key, so nothing else guards them."""

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
    path("my/<str:token>/manifest.webmanifest", installing.own_manifest, name="manifest"),
    path("my/<str:token>/report/<slug:match>/", pages.report, name="report"),
    path("my/<str:token>/agree/<slug:match>/", pages.agree, name="agree"),
    path("my/<str:token>/record/<slug:match>/", their_record.their_record, name="record"),
    path("my/<str:token>/analyses/", analysis.own_play, name="own-play"),
    path("my/<str:token>/analysis/<slug:match>/", analysis.analysis, name="analysis"),
    path(
        "my/<str:token>/analysis/<slug:match>/analysed.sgf", analysed_file.analysed_file, name="analysis-file"
    ),
    path("my/<str:token>/matches.zip", games_file.by_link, name="games-file"),
    path("my/<str:token>/record/<slug:match>/<int:version>/", corrected.by_link, name="record-copies"),
    path(
        "my/<str:token>/record/<slug:match>/<int:version>/copies/<int:number>/",
        corrected.own_copy,
        name="record-copy",
    ),
    path("my/<str:token>/key/", hand_over.key, name="key"),
    path("my/<str:token>/hand-over/<slug:match>/", hand_over.take, name="hand-over"),
    path("my/<str:token>/object/<slug:match>/", pages.object_to, name="object"),
    path("my/<str:token>/answer/<slug:match>/", answering.answer, name="answer"),
    path("my/<str:token>/arrange/<slug:match>/", arranging.arrange, name="arrange"),
    path("my/<str:token>/here/", check_in.here, name="here"),
    path("my/<str:token>/arrange/<slug:match>/match.ics", calendars.one, name="match-ics"),
    path("calendar/<str:token>.ics", calendars.feed, name="calendar"),
    path("my/<str:token>/phone/", phones.phone, name="phone"),
    path("my/<str:token>/code/", phones.code, name="code"),
    path("my/<str:token>/notices/", choices.by_link, name="link-notices"),
    path("my/<str:token>/notices/opened/", push_phones.opened, name="link-opened"),
    path("my/<str:token>/push/", push_phones.by_link, name="link-push"),
    path("my/<str:token>/leave/", leaving.leave, name="leave"),
    path("my/<str:token>/return/", reinstate.by_link, name="return"),
    path("my/<str:token>/account/", claims.by_link, name="keep"),
    path("me/by-mail/", claims.by_mail, name="claim-mail"),
    path("invitation/<str:token>/", invitations.answer, name="invitation"),
    path("me/", me.me, name="me"),
    path("me.json", me.me_json, name="me-json"),
    path("me/matches.zip", games_file.mine, name="my-games-file"),
    path("me/analyses/", analyses.own, name="own-analyses"),
    path("me/analyses/<slug:match>/", analysis.signed_in, name="my-analysis"),
    path("me/analyses/<slug:match>/analysed.sgf", analysed_file.signed_in, name="my-analysis-file"),
    path("me/notices/", choices.by_account, name="notices"),
    path("me/notices/<slug:event>/", choices.by_account, name="event-notices"),
    path("me/push/", push_phones.by_account, name="push"),
    path("notices/renewed/", push_phones.renewed, name="push-renewed"),
    path("notices/removed/", push_phones.removed, name="push-removed"),
    path("notices/off/<str:token>/", choices.off, name="notices-off"),
    path("me/here/", check_in.here_signed_in, name="here-signed-in"),
    path("me/withdraw/", me.withdraw, name="withdraw"),
    path("me/return/", reinstate.signed_in, name="return-signed-in"),
    path("me/entries/<slug:entry>/answers/", answers.answers, name="answers"),
    path("me/agree/", me.agree, name="agree-signed-in"),
    path("my/<str:token>/agreements/", agreements.own, name="agreements"),
    path("claim/<str:token>/", me.claim, name="claim"),
    path("join/<str:token>/", join.join, name="join"),
    path("registered/<str:token>/", join.registered, name="registered"),
]
