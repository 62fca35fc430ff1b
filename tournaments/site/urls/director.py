"""Addresses of the director's pages."""

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

EVENT = "events/<slug:event>/"
MATCH = f"{EVENT}matches/<slug:match>/"

urlpatterns = [
    path("", home.home, name="home"),
    path("notice-texts/", previews.texts, name="notice-texts"),
    path("clubs/new/", home.club_new, name="club-new"),
    path("clubs/<slug:club>/", home.club, name="club"),
    path("clubs/<slug:club>/results/", results.results, name="club-results"),
    path("clubs/<slug:club>/results.csv", results.results_csv, name="club-results-csv"),
    path("clubs/<slug:club>/events/new/", new_event.event_new, name="event-new"),
    path("clubs/<slug:club>/series/", series.all_series, name="series"),
    path("clubs/<slug:club>/series/<slug:series>/", series.one_series, name="one-series"),
    path("clubs/<slug:club>/templates/<slug:template>/", own_templates.template, name="template"),
    path("clubs/<slug:club>/templates/<slug:template>/event/", own_templates.use, name="use-template"),
    path(
        "clubs/<slug:club>/templates/<slug:template>/stages/<int:division>/<int:number>/",
        own_templates.template_stage,
        name="template-stage",
    ),
    path("clubs/<slug:club>/duplicates/", merge_players.duplicates, name="duplicates"),
    path("clubs/<slug:club>/merge/", merge_players.merge, name="merge"),
    path("clubs/<slug:club>/consents/", consents.consents, name="consents"),
    path("clubs/<slug:club>/consents/give/", consents.consent, name="consent"),
    path("clubs/<slug:club>/consents/merges/<slug:asked>/", consents.answer, name="answer-merge"),
    path("clubs/<slug:club>/merge/undo/", merge_players.undo, name="undo-merge"),
    path("clubs/<slug:club>/players/<slug:player>/claim/", me.offer, name="offer-claim"),
    path("clubs/<slug:club>/players/<slug:player>/release/", claims.release, name="release-player"),
    path("clubs/<slug:club>/claims/", claims.answer, name="answer-claim"),
    path("clubs/<slug:club>/invite/", invitations.invite, name="invite"),
    path(
        "clubs/<slug:club>/invitations/<slug:invitation>/withdraw/",
        invitations.withdraw,
        name="withdraw-invitation",
    ),
    path(EVENT, events.dashboard, name="event"),
    path(f"{EVENT}settings/", settings.settings, name="settings"),
    path(f"{EVENT}settings/rules/", settings.rules, name="rules"),
    path(f"{EVENT}settings/<slug:section>/", settings.settings, name="settings-section"),
    path(f"{EVENT}divisions/", divisions.divisions, name="divisions"),
    path(f"{EVENT}divisions/new/", divisions.division_new, name="division-new"),
    path(f"{EVENT}divisions/<int:division>/", divisions.division, name="division"),
    path(f"{EVENT}divisions/<int:division>/change/", divisions.change_division, name="change-division"),
    path(f"{EVENT}divisions/<int:division>/stages/new/", divisions.stage_new, name="stage-new"),
    path(f"{EVENT}stages/<int:stage>/", divisions.stage, name="stage"),
    path(f"{EVENT}stages/<int:stage>/remove/", divisions.stage_remove, name="remove-stage"),
    path(f"{EVENT}again/", copying.again, name="again"),
    path(f"{EVENT}again/days/", series_days.days, name="days"),
    path(f"{EVENT}again/series/", copying.series_of, name="event-series"),
    path(f"{EVENT}again/template/", copying.template_of, name="save-template"),
    path(f"{EVENT}how-long/", how_long.how_long, name="how-long"),
    path(f"{EVENT}open/", events.open_event, name="open"),
    path(f"{EVENT}close/", events.close_event, name="close"),
    path(f"{EVENT}cancel/", events.cancel, name="cancel"),
    path(f"{EVENT}restore/", events.restore, name="restore"),
    path(f"{EVENT}entries/", entries.entries, name="entries"),
    path(f"{EVENT}entries/players.json", entries.players_json, name="players-json"),
    path(f"{EVENT}entries/add/", entries.add, name="add-entry"),
    path(f"{EVENT}entries/paste/", paste.paste, name="paste"),
    path(f"{EVENT}entries/list.csv", list_out.entries_file, {"kind": "csv"}, name="entries-csv"),
    path(f"{EVENT}entries/list.xlsx", list_out.entries_file, {"kind": "xlsx"}, name="entries-xlsx"),
    path(f"{EVENT}entries/seeds/", seeds.seeds, name="seeds"),
    path(f"{EVENT}entries/withdraw/", entry.withdraw, name="withdraw"),
    path(f"{EVENT}entries/return/", reinstate.give_back, name="return"),
    path(f"{EVENT}entries/several/", entry.several, name="several-entries"),
    path(f"{EVENT}entries/undo/", together.undo, name="undo-entries"),
    path(f"{EVENT}entries/buy-back/", reentry.buy_in, name="buy-back"),
    path(f"{EVENT}entries/of/<slug:entry>/", entry.entry, name="entry"),
    path(f"{EVENT}entries/of/<slug:entry>/leave/", withdraw.leave, name="leave"),
    path(f"{EVENT}entries/of/<slug:entry>/player/", substitute.player, name="wrong-player"),
    path(f"{EVENT}entries/late/", late_entry.late, name="late-entry"),
    path(f"{EVENT}entries/late/close/", reentry.close, name="close-lines"),
    path(f"{EVENT}agreements/", agreements.list_of, name="agreements"),
    path(f"{EVENT}entries/expected/", applicants.expected, name="expected"),
    path(f"{EVENT}entries/approve/", applicants.approve, name="approve-entries"),
    path(f"{EVENT}entries/turn-away/", applicants.refuse, name="turn-away"),
    path(f"{EVENT}entries/admit/", applicants.admit, name="admit"),
    path(f"{EVENT}entries/off-waiting/", applicants.forget, name="off-waiting"),
    path(f"{EVENT}entries/approval/", applicants.policy, name="approval"),
    path(f"{EVENT}entries/phones/", phones.phones, name="phones"),
    path(f"{EVENT}entries/registration/", entries.registration, name="registration"),
    path(f"{EVENT}check-in/", check_in.check_in, name="check-in"),
    path(f"{EVENT}check-in/<slug:action>/", check_in_acting.act, name="check-in-act"),
    path(f"{EVENT}matrix/", matrix.matrix, name="matrix"),
    path(f"{EVENT}matrix/columns/", own_columns.columns, name="columns"),
    path(f"{EVENT}matrix/save/", matrix.save, name="matrix-save"),
    path(f"{EVENT}matrix/undo/", matrix.undo, name="matrix-undo"),
    path(f"{EVENT}draw/", draw.draw, name="draw"),
    path(f"{EVENT}draw/make/", draw.make, name="make-draw"),
    path(f"{EVENT}draw/name-number/", draw.name_number, name="name-number"),
    path(f"{EVENT}draw/<slug:action>/", draw.change, name="change-draw"),
    path(f"{EVENT}money/", money.money, name="money"),
    path(f"{EVENT}money/<slug:action>/", money.change, name="change-money"),
    path(f"{EVENT}season/", seasons.season, name="season"),
    path(f"{EVENT}season/unplayed/", seasons.unplayed, name="unplayed"),
    path(f"{EVENT}season/next/", seasons.following, name="next-season"),
    path(f"{EVENT}matches/", board.board, name="board"),
    path(f"{EVENT}matches/call/", calling.call, name="call"),
    path(f"{EVENT}matches/tables/", calling.table_use, name="table-use"),
    path(f"{EVENT}screens/", screens.screens, name="screens"),
    path(f"{EVENT}analyses/", analysing.analyses, name="analyses"),
    path(f"{EVENT}announcements/", notices.notices, name="notices"),
    path(f"{EVENT}announcements/<slug:notice>/", notices.notice, name="notice"),
    path(f"{EVENT}announcements/<slug:notice>/<slug:action>/", notices.act, name="notice-act"),
    path(f"{EVENT}line/", desk_line.line, name="line"),
    path(f"{EVENT}line/help/", line_words.line_help, name="line-help"),
    path(f"{EVENT}desk/", at_desk.at_desk, name="at-desk"),
    path(f"{EVENT}desk/<slug:note>/", at_desk.settle, name="settle-note"),
    path(f"{EVENT}hold-ups/", holdups.holdups, name="holdups"),
    path(MATCH, match.match, name="match"),
    path(f"{MATCH}result/", match.result, name="result"),
    path(f"{MATCH}decide/", match.decide, name="decide"),
    path(f"{MATCH}correct/", correct.correct, name="correct"),
    path(f"{MATCH}length/", length.length, name="match-length"),
    path(f"{MATCH}records/<int:version>/", corrected.at_desk, name="record-copies"),
    path(f"{MATCH}records/<int:version>/copies/<int:number>/", corrected.copy_at_desk, name="record-copy"),
    path(f"{MATCH}record/", match.settle_record, name="settle-record"),
    path(f"{MATCH}objection/", match.settle, name="settle"),
    path(f"{MATCH}answer/", answering.set_aside, name="set-aside"),
    path(f"{MATCH}talk/", arranging.settle, name="settle-talk"),
    path(f"{MATCH}table/", calling.table, name="table"),
    path(f"{MATCH}late/", rulings.late, name="late"),
    path(f"{MATCH}slow/", rulings.slow, name="slow"),
    path(f"{MATCH}clock/", rulings.clock, name="clock"),
    path(f"{MATCH}clock/off/", rulings.clock_off, name="clock-off"),
    path(f"{MATCH}award/", rulings.award, name="award"),
    path(f"{MATCH}award/take-back/", rulings.take_back, name="take-back-award"),
    path(f"{MATCH}adjourn/", rulings.adjourn, name="adjourn"),
    path(f"{MATCH}resume/", rulings.resume, name="resume"),
    path(f"{MATCH}act/<slug:action>/", calling.act, name="match-act"),
    path(f"{EVENT}conduct/<int:stage>/", stage_rules.conduct, name="conduct"),
    path(f"{EVENT}links/", links.links, name="links"),
    path(f"{EVENT}links/sheet/", links.sheet, name="sheet"),
    path(f"{EVENT}links/revoke/", links.revoke, name="revoke"),
    path(f"{EVENT}repairs/<int:repair>/undo/", undo.undo, name="undo-repair"),
    path(f"{EVENT}prizes/", prizes.prizes, name="prizes"),
    path(f"{EVENT}prizes/<int:change>/take-back/", prizes.take_back, name="take-back-prizes"),
    path(f"{EVENT}quiz/", quiz_director.quiz, name="quiz"),
    path(f"{EVENT}matches.zip", games_file.of_event, name="games-file"),
    path(f"{EVENT}print/", paper.papers, name="papers"),
    path(f"{EVENT}print/<slug:kind>/", paper.paper, name="paper"),
    path(f"{EVENT}helpers/", helpers.helpers, name="helpers"),
    path(f"{EVENT}helpers/end/", helpers.end, name="end-help"),
    path(f"{EVENT}audit/", trail.audit, name="audit"),
]
