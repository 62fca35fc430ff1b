"""A director has the matches of an event analysed, follows how far it is, and calls off what waits; the analysis itself is the players'."""

import pytest

from games.models import RecordAnalysis
from games.services.analyses import request_analysis
from tests.factories import an_event
from tests.support.director import desk_of, words
from tests.support.handed_in import games_of, thought_over
from tests.support.lanes import ON_ONE

pytestmark = [pytest.mark.django_db, *ON_ONE]
State = RecordAnalysis.State


@pytest.fixture
def tournament():
    return an_event(4, lengths=[5]).publish()


def test_desk_when_it_asks_then_progress_and_calling_off_for_event_stage_and_match(tournament, engine):
    desk = desk_of(tournament)
    assert "Matches appear here once they have a confirmed result" in words(desk.get("analyses"))
    assert "No matches to analyse." in words(desk.post("analyses", do="ask"))
    match, other = tournament.playable()[:2]
    stored, second = games_of(tournament, match), games_of(tournament, other, seed=2)
    page = words(desk.get("match", match.public_id))
    assert "No analysis of this match has been requested." in page
    assert "Analyse match" in page

    asked = desk.post("analyses", do="ask", match=match.public_id)
    assert asked.url == desk.url("match", match.public_id)
    shown = words(desk.client.get(asked.url))
    assert "1 match is waiting to be analysed." in shown
    assert "This match is waiting to be analysed." in shown
    assert desk.post("analyses", do="ask").status_code == 302
    page = desk.get("analyses")
    assert page["Refresh"] == "15"
    assert "0 of 2" in words(page)
    assert "1 match is waiting to be analysed." in words(page)
    assert "Cancel 2 waiting analyses" in words(page)
    desk.post("analyses", do="ask", stage=tournament.stage.pk)
    assert "All matches are already analysed or waiting to be analysed." in words(desk.get("analyses"))
    assert RecordAnalysis.objects.filter(state=State.WAITING, behind=True).count() == 2

    request_analysis(record_id=second.pk)  # its player wants it, too
    desk.post("analyses", do="call-off")
    assert "1 analysis cancelled." in words(desk.get("analyses"))
    assert RecordAnalysis.objects.get().record == second
    RecordAnalysis.objects.update(state=State.WORKING, games=7, games_done=3)
    assert "3 of 7 games done" in words(desk.get("match", other.public_id))
    RecordAnalysis.objects.update(state=State.FAILED, failure="analysis.limit")
    assert "The analysis took too long" in words(desk.get("match", other.public_id))
    thought_over(stored)
    shown = words(desk.get("match", match.public_id))
    assert "The two players can see it" in shown
    assert "PR est." not in shown
    assert "1 of 2" in words(desk.get("analyses"))


def test_desk_when_nothing_can_be_asked_then_refused_in_words(tournament, monkeypatch):
    desk, match = desk_of(tournament), tournament.playable()[0]
    games_of(tournament, match)
    monkeypatch.setenv("GNUBG", "/nowhere/gnubg")
    refused = desk.post("analyses", do="ask")
    assert refused.status_code == 409
    assert "No analysis engine is installed on this site." in words(refused)
    for wrong in (
        {"do": "dance"},
        {"do": "ask", "match": "nonesuch"},
        {"do": "ask", "stage": "99999"},
        {"do": "call-off", "stage": "x"},
    ):
        assert desk.post("analyses", **wrong).status_code == 404
    assert not RecordAnalysis.objects.exists()
