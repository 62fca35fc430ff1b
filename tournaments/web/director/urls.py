"""Addresses of the director's pages."""

from django.urls import path

from tournaments.web.director import (
    board,
    correcting,
    draw,
    entries,
    events,
    home,
    links,
    match,
    pasting,
    players,
    seeds,
    trail,
)

app_name = "director"

EVENT = "events/<slug:event>/"
MATCH = f"{EVENT}matches/<slug:match>/"

urlpatterns = [
    path("", home.home, name="home"),
    path("clubs/new/", home.club_new, name="club-new"),
    path("clubs/<slug:club>/", home.club, name="club"),
    path("clubs/<slug:club>/events/new/", events.event_new, name="event-new"),
    path("clubs/<slug:club>/duplicates/", players.duplicates, name="duplicates"),
    path("clubs/<slug:club>/merge/", players.merge, name="merge"),
    path("clubs/<slug:club>/merge/undo/", players.undo, name="undo-merge"),
    path(EVENT, events.dashboard, name="event"),
    path(f"{EVENT}settings/", events.settings, name="settings"),
    path(f"{EVENT}open/", events.open_event, name="open"),
    path(f"{EVENT}close/", events.close_event, name="close"),
    path(f"{EVENT}cancel/", events.cancel, name="cancel"),
    path(f"{EVENT}restore/", events.restore, name="restore"),
    path(f"{EVENT}entries/", entries.entries, name="entries"),
    path(f"{EVENT}entries/players.json", entries.players_json, name="players-json"),
    path(f"{EVENT}entries/add/", entries.add, name="add-entry"),
    path(f"{EVENT}entries/paste/", pasting.paste, name="paste"),
    path(f"{EVENT}entries/seeds/", seeds.seeds, name="seeds"),
    path(f"{EVENT}entries/withdraw/", entries.withdraw, name="withdraw"),
    path(f"{EVENT}entries/return/", entries.give_back, name="return"),
    path(f"{EVENT}entries/registration/", entries.registration, name="registration"),
    path(f"{EVENT}draw/", draw.draw, name="draw"),
    path(f"{EVENT}draw/make/", draw.make, name="make-draw"),
    path(f"{EVENT}draw/<slug:deed>/", draw.change, name="change-draw"),
    path(f"{EVENT}matches/", board.board, name="board"),
    path(MATCH, match.match, name="match"),
    path(f"{MATCH}result/", match.result, name="result"),
    path(f"{MATCH}decide/", match.decide, name="decide"),
    path(f"{MATCH}correct/", correcting.correct, name="correct"),
    path(f"{MATCH}objection/", match.settle, name="settle"),
    path(f"{MATCH}table/", board.table, name="table"),
    path(f"{MATCH}act/<slug:deed>/", board.act, name="match-act"),
    path(f"{EVENT}links/", links.links, name="links"),
    path(f"{EVENT}links/sheet/", links.sheet, name="sheet"),
    path(f"{EVENT}links/revoke/", links.revoke, name="revoke"),
    path(f"{EVENT}audit/", trail.audit, name="audit"),
]
