"""URLs of the public pages. They contain random public ids, never database ids."""

from django.urls import path

from tournaments.draws.web import public as draws
from tournaments.entries.web import join
from tournaments.hall.web import public as hall
from tournaments.leagues.web import public as leagues
from tournaments.matches.web import hand_over, measuring, quiz, quiz_card, rules
from tournaments.matches.web import public as matches
from tournaments.money_play.web import public as money
from tournaments.prizes.web import file as prizes
from tournaments.series.web import calendar as series_calendar
from tournaments.series.web import public as series
from tournaments.site.web import (
    about,
    analyses,
    clubs,
    front,
    installing,
    lists,
    players,
    search,
    tables,
    trail_head,
)
from tournaments.site.web import event as events

app_name = "public"

urlpatterns = [
    path("", front.home, name="home"),
    path("search/", search.search, name="search"),
    path("search/found.json", search.search_json, name="search-json"),
    path("events/", lists.events, name="events"),
    path("c/", lists.clubs, name="clubs"),
    path("players/", lists.players, name="players"),
    path("ratings/", lists.ratings, name="ratings"),
    path("c/<slug:club>/", clubs.club, name="club"),
    path("series/<slug:series>/", series.series, name="series"),
    path("series/<slug:series>/dates.ics", series_calendar.series_calendar, name="series-calendar"),
    path("c/<slug:club>/players/", clubs.club_players, name="club-players"),
    path("c/<slug:club>/analyses/", analyses.club_analyses, name="club-analyses"),
    path("e/<slug:event>/", events.event, name="event"),
    path("e/<slug:event>/bracket/", events.bracket, name="bracket"),
    path("e/<slug:event>/hall/", hall.display, name="hall"),
    path("e/<slug:event>/entries/", events.entries, name="entries"),
    path("e/<slug:event>/enter/", join.registration_redirect, name="enter"),
    path("e/<slug:event>/rules/", events.rules, name="rules"),
    path("e/<slug:event>/way/<slug:entry>/", events.entry_path, name="way"),
    path("e/<slug:event>/draws/", events.draws, name="draws"),
    path("e/<slug:event>/draws.json", draws.draws_json, name="draws-json"),
    path("e/<slug:event>/analyses/", analyses.event_analyses, name="analyses"),
    path("e/<slug:event>/editions/", events.editions, name="editions"),
    path("e/<slug:event>/tables.csv", tables.standings_csv, name="tables-csv"),
    path("e/<slug:event>/trail-head/", trail_head.audit_log_head, name="trail-head"),
    path("e/<slug:event>/points.csv", money.points_csv, name="points-csv"),
    path("e/<slug:event>/prizes.csv", prizes.prizes_csv, name="prizes-csv"),
    path("e/<slug:event>/quiz/", quiz.quiz, name="quiz"),
    path("q/<slug:position>/", quiz.position, name="quiz-position"),
    path("q/<slug:position>/card.png", quiz_card.card, name="quiz-card"),
    path("e/<slug:event>/seasons/", leagues.seasons, name="seasons"),
    path("m/<slug:match>/", matches.match, name="match"),
    path("privacy/", about.privacy, name="privacy"),
    path("imprint/", about.imprint, name="imprint"),
    path("help/results/", matches.result_counting, name="counting"),
    path("help/play/", measuring.rating_explanation, name="measuring"),
    path("h/", hand_over.signed_result_page, name="handed-over"),
    path("start/", installing.start_page, name="start"),
    path("manifest.webmanifest", installing.manifest, name="manifest"),
    path("worker.js", installing.service_worker, name="worker"),
    path("favicon.ico", installing.favicon, name="favicon"),
    path("help/rules/", rules.rules, name="rules-help"),
    path("verify/", draws.verify, name="verify"),
    path("verify/verify_draw.py", draws.verify_script, name="verify-script"),
    path("p/<slug:player>/", players.player, name="player"),
]
