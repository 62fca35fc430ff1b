"""URLs of the director's pages."""

from django.urls import path

from tournaments.check_in.web import acting as check_in_acting
from tournaments.check_in.web import page as check_in
from tournaments.desk.web import help as line_words
from tournaments.desk.web import line as desk_line
from tournaments.draws.web import director as draw
from tournaments.entries.web import (
    agreements,
    applicants,
    consents,
    entry,
    links,
    list_out,
    merge_players,
    paste,
    phones,
    seeds,
    together,
)
from tournaments.entries.web import director as entries
from tournaments.events.web import columns as own_columns
from tournaments.events.web import divisions, how_long, stage_rules
from tournaments.events.web import new as new_event
from tournaments.hall.web import board, calling, holdups, screens
from tournaments.leagues.web import arranging
from tournaments.leagues.web import director as seasons
from tournaments.matches.web import analysing, answering, corrected, games_file, quiz_director, rulings
from tournaments.matches.web import director as match
from tournaments.matrix.web import page as matrix
from tournaments.money_play.web import director as money
from tournaments.notices.web import director as notices
from tournaments.notices.web import previews
from tournaments.prizes.web import page as prizes
from tournaments.repairs.web import (
    correct,
    late_entry,
    length,
    reentry,
    reinstate,
    substitute,
    undo,
    withdraw,
)
from tournaments.series.web import club as series
from tournaments.series.web import copying
from tournaments.series.web import days as series_days
from tournaments.series.web import templates as own_templates
from tournaments.site.web import (
    at_desk,
    claims,
    helpers,
    home,
    invitations,
    me,
    paper,
    results,
    settings,
    trail,
)
from tournaments.site.web import dashboard as events

app_name = "director"

EVENT_PATH = "events/<slug:event>/"
MATCH_PATH = f"{EVENT_PATH}matches/<slug:match>/"

urlpatterns = [
    path("", home.home, name="home"),
    path("notice-texts/", previews.notification_texts, name="notice-texts"),
    path("clubs/new/", home.club_new, name="club-new"),
    path("clubs/<slug:club>/", home.club_events, name="club"),
    path("clubs/<slug:club>/results/", results.results, name="club-results"),
    path("clubs/<slug:club>/results.csv", results.results_csv, name="club-results-csv"),
    path("clubs/<slug:club>/events/new/", new_event.event_new, name="event-new"),
    path("clubs/<slug:club>/series/", series.all_series, name="series"),
    path("clubs/<slug:club>/series/<slug:series>/", series.one_series, name="one-series"),
    path("clubs/<slug:club>/templates/<slug:template>/", own_templates.template, name="template"),
    path(
        "clubs/<slug:club>/templates/<slug:template>/event/", own_templates.use_template, name="use-template"
    ),
    path(
        "clubs/<slug:club>/templates/<slug:template>/stages/<int:division>/<int:number>/",
        own_templates.template_stage,
        name="template-stage",
    ),
    path("clubs/<slug:club>/duplicates/", merge_players.duplicates, name="duplicates"),
    path("clubs/<slug:club>/merge/", merge_players.merge, name="merge"),
    path("clubs/<slug:club>/consents/", consents.consents, name="consents"),
    path("clubs/<slug:club>/consents/give/", consents.set_page_consent, name="consent"),
    path(
        "clubs/<slug:club>/consents/merges/<slug:asked>/", consents.answer_merge_request, name="answer-merge"
    ),
    path("clubs/<slug:club>/merge/undo/", merge_players.undo, name="undo-merge"),
    path("clubs/<slug:club>/players/<slug:player>/claim/", me.offer_link, name="offer-claim"),
    path(
        "clubs/<slug:club>/players/<slug:player>/release/",
        claims.release_linked_player,
        name="release-player",
    ),
    path("clubs/<slug:club>/claims/", claims.answer_claim_request, name="answer-claim"),
    path("clubs/<slug:club>/invite/", invitations.invite, name="invite"),
    path(
        "clubs/<slug:club>/invitations/<slug:invitation>/withdraw/",
        invitations.withdraw_invitation,
        name="withdraw-invitation",
    ),
    path(EVENT_PATH, events.dashboard, name="event"),
    path(f"{EVENT_PATH}settings/", settings.settings, name="settings"),
    path(f"{EVENT_PATH}settings/rules/", settings.rules, name="rules"),
    path(f"{EVENT_PATH}settings/<slug:section>/", settings.settings, name="settings-section"),
    path(f"{EVENT_PATH}divisions/", divisions.divisions, name="divisions"),
    path(f"{EVENT_PATH}divisions/new/", divisions.division_new, name="division-new"),
    path(f"{EVENT_PATH}divisions/<int:division>/", divisions.division, name="division"),
    path(f"{EVENT_PATH}divisions/<int:division>/change/", divisions.change_division, name="change-division"),
    path(f"{EVENT_PATH}divisions/<int:division>/stages/new/", divisions.stage_new, name="stage-new"),
    path(f"{EVENT_PATH}stages/<int:stage>/", divisions.stage, name="stage"),
    path(f"{EVENT_PATH}stages/<int:stage>/remove/", divisions.stage_remove, name="remove-stage"),
    path(f"{EVENT_PATH}again/", copying.duplicate_event, name="again"),
    path(f"{EVENT_PATH}again/days/", series_days.days, name="days"),
    path(f"{EVENT_PATH}again/series/", copying.set_series, name="event-series"),
    path(f"{EVENT_PATH}again/template/", copying.save_as_template, name="save-template"),
    path(f"{EVENT_PATH}how-long/", how_long.schedule_preview, name="how-long"),
    path(f"{EVENT_PATH}open/", events.open_event, name="open"),
    path(f"{EVENT_PATH}close/", events.close_event, name="close"),
    path(f"{EVENT_PATH}cancel/", events.cancel_event, name="cancel"),
    path(f"{EVENT_PATH}restore/", events.restore_event, name="restore"),
    path(f"{EVENT_PATH}entries/", entries.entries, name="entries"),
    path(f"{EVENT_PATH}entries/players.json", entries.players_json, name="players-json"),
    path(f"{EVENT_PATH}entries/add/", entries.add, name="add-entry"),
    path(f"{EVENT_PATH}entries/paste/", paste.import_list, name="paste"),
    path(f"{EVENT_PATH}entries/list.csv", list_out.entries_file, {"kind": "csv"}, name="entries-csv"),
    path(f"{EVENT_PATH}entries/list.xlsx", list_out.entries_file, {"kind": "xlsx"}, name="entries-xlsx"),
    path(f"{EVENT_PATH}entries/seeds/", seeds.seeds, name="seeds"),
    path(f"{EVENT_PATH}entries/withdraw/", entry.withdraw, name="withdraw"),
    path(f"{EVENT_PATH}entries/return/", reinstate.reinstate_entry, name="return"),
    path(f"{EVENT_PATH}entries/several/", entry.bulk_action, name="several-entries"),
    path(f"{EVENT_PATH}entries/undo/", together.undo, name="undo-entries"),
    path(f"{EVENT_PATH}entries/buy-back/", reentry.reenter_at_random, name="buy-back"),
    path(f"{EVENT_PATH}entries/of/<slug:entry>/", entry.entry, name="entry"),
    path(f"{EVENT_PATH}entries/of/<slug:entry>/leave/", withdraw.withdraw_entry, name="leave"),
    path(f"{EVENT_PATH}entries/of/<slug:entry>/player/", substitute.replace_player, name="wrong-player"),
    path(f"{EVENT_PATH}entries/late/", late_entry.late_entry, name="late-entry"),
    path(f"{EVENT_PATH}entries/late/close/", reentry.close_lines, name="close-lines"),
    path(f"{EVENT_PATH}agreements/", agreements.agreement_list, name="agreements"),
    path(f"{EVENT_PATH}entries/expected/", applicants.pending_entries, name="expected"),
    path(f"{EVENT_PATH}entries/approve/", applicants.approve, name="approve-entries"),
    path(f"{EVENT_PATH}entries/turn-away/", applicants.decline, name="turn-away"),
    path(f"{EVENT_PATH}entries/admit/", applicants.admit, name="admit"),
    path(f"{EVENT_PATH}entries/off-waiting/", applicants.remove_from_waiting_list, name="off-waiting"),
    path(f"{EVENT_PATH}entries/approval/", applicants.approval_policy, name="approval"),
    path(f"{EVENT_PATH}entries/phones/", phones.phone_action, name="phones"),
    path(f"{EVENT_PATH}entries/registration/", entries.registration, name="registration"),
    path(f"{EVENT_PATH}check-in/", check_in.check_in, name="check-in"),
    path(f"{EVENT_PATH}check-in/<slug:action>/", check_in_acting.check_in_action, name="check-in-act"),
    path(f"{EVENT_PATH}matrix/", matrix.players_table, name="matrix"),
    path(f"{EVENT_PATH}matrix/columns/", own_columns.custom_fields, name="columns"),
    path(f"{EVENT_PATH}matrix/save/", matrix.save, name="matrix-save"),
    path(f"{EVENT_PATH}matrix/undo/", matrix.undo, name="matrix-undo"),
    path(f"{EVENT_PATH}draw/", draw.draw, name="draw"),
    path(f"{EVENT_PATH}draw/make/", draw.make_draw, name="make-draw"),
    path(f"{EVENT_PATH}draw/name-number/", draw.choose_public_number, name="name-number"),
    path(f"{EVENT_PATH}draw/<slug:action>/", draw.draw_action, name="change-draw"),
    path(f"{EVENT_PATH}money/", money.money, name="money"),
    path(f"{EVENT_PATH}money/<slug:action>/", money.league_action, name="change-money"),
    path(f"{EVENT_PATH}season/", seasons.season, name="season"),
    path(f"{EVENT_PATH}season/unplayed/", seasons.unplayed_page, name="unplayed"),
    path(f"{EVENT_PATH}season/next/", seasons.next_season, name="next-season"),
    path(f"{EVENT_PATH}matches/", board.board, name="board"),
    path(f"{EVENT_PATH}matches/call/", calling.call_matches, name="call"),
    path(f"{EVENT_PATH}matches/tables/", calling.change_table_use, name="table-use"),
    path(f"{EVENT_PATH}screens/", screens.displays, name="screens"),
    path(f"{EVENT_PATH}analyses/", analysing.analyses, name="analyses"),
    path(f"{EVENT_PATH}announcements/", notices.notices, name="notices"),
    path(f"{EVENT_PATH}announcements/<slug:notice>/", notices.notice, name="notice"),
    path(f"{EVENT_PATH}announcements/<slug:notice>/<slug:action>/", notices.apply_action, name="notice-act"),
    path(f"{EVENT_PATH}line/", desk_line.command_bar, name="line"),
    path(f"{EVENT_PATH}line/help/", line_words.command_help, name="line-help"),
    path(f"{EVENT_PATH}desk/", at_desk.staff_page, name="at-desk"),
    path(f"{EVENT_PATH}desk/<slug:note>/", at_desk.set_note_done, name="settle-note"),
    path(f"{EVENT_PATH}hold-ups/", holdups.delays, name="holdups"),
    path(MATCH_PATH, match.match, name="match"),
    path(f"{MATCH_PATH}result/", match.record_result, name="result"),
    path(f"{MATCH_PATH}decide/", match.accept_report, name="decide"),
    path(f"{MATCH_PATH}correct/", correct.correct, name="correct"),
    path(f"{MATCH_PATH}length/", length.change_length, name="match-length"),
    path(f"{MATCH_PATH}records/<int:version>/", corrected.staff_record, name="record-copies"),
    path(
        f"{MATCH_PATH}records/<int:version>/copies/<int:number>/",
        corrected.staff_record_copy,
        name="record-copy",
    ),
    path(f"{MATCH_PATH}record/", match.change_record_visibility, name="settle-record"),
    path(f"{MATCH_PATH}objection/", match.resolve_objection, name="settle"),
    path(f"{MATCH_PATH}answer/", answering.dismiss_player_answer, name="set-aside"),
    path(f"{MATCH_PATH}talk/", arranging.settle_conversation, name="settle-talk"),
    path(f"{MATCH_PATH}table/", calling.assign_table, name="table"),
    path(f"{MATCH_PATH}late/", rulings.penalize_lateness, name="late"),
    path(f"{MATCH_PATH}slow/", rulings.penalize_slow_play, name="slow"),
    path(f"{MATCH_PATH}clock/", rulings.add_match_clock, name="clock"),
    path(f"{MATCH_PATH}clock/off/", rulings.remove_match_clock, name="clock-off"),
    path(f"{MATCH_PATH}award/", rulings.award_match_points, name="award"),
    path(f"{MATCH_PATH}award/take-back/", rulings.delete_award, name="take-back-award"),
    path(f"{MATCH_PATH}adjourn/", rulings.adjourn, name="adjourn"),
    path(f"{MATCH_PATH}resume/", rulings.resume, name="resume"),
    path(f"{MATCH_PATH}act/<slug:action>/", calling.match_action, name="match-act"),
    path(f"{EVENT_PATH}conduct/<int:stage>/", stage_rules.conduct, name="conduct"),
    path(f"{EVENT_PATH}links/", links.links, name="links"),
    path(f"{EVENT_PATH}links/sheet/", links.link_sheet, name="sheet"),
    path(f"{EVENT_PATH}links/revoke/", links.revoke, name="revoke"),
    path(f"{EVENT_PATH}repairs/<int:repair>/undo/", undo.undo, name="undo-repair"),
    path(f"{EVENT_PATH}prizes/", prizes.prizes, name="prizes"),
    path(f"{EVENT_PATH}prizes/<int:change>/take-back/", prizes.undo_change, name="take-back-prizes"),
    path(f"{EVENT_PATH}quiz/", quiz_director.quiz, name="quiz"),
    path(f"{EVENT_PATH}matches.zip", games_file.event_games, name="games-file"),
    path(f"{EVENT_PATH}print/", paper.papers, name="papers"),
    path(f"{EVENT_PATH}print/<slug:kind>/", paper.paper, name="paper"),
    path(f"{EVENT_PATH}helpers/", helpers.helpers, name="helpers"),
    path(f"{EVENT_PATH}helpers/end/", helpers.remove_helper, name="end-help"),
    path(f"{EVENT_PATH}audit/", trail.audit_log, name="audit"),
]
