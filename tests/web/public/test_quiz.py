"""Positions of an event: shown by a director when it is over, without names, gone when somebody minds; answered without scripts."""

import re

import pytest
from django.test import Client

from games.models import AnalysedDecision
from people.models import AuditEntry
from people.services.players import update_player
from tests.factories import an_event
from tests.support.analysed import agree
from tests.support.blunders import an_event_with_blunders
from tests.support.lanes import ON_ONE
from tests.support.tournaments import signed_in
from tournaments.models import Entry, QuizAnswer, QuizPosition

pytestmark = [pytest.mark.django_db, *ON_ONE]  # rows and pages that write no query


@pytest.fixture
def over():
    return an_event_with_blunders()


class Desk:
    def __init__(self, tournament):
        self.client, self.tournament = signed_in(tournament.director), tournament
        self.path = f"/direct/events/{tournament.event.public_id}/quiz/"

    def do(self, what, position=""):
        return self.client.post(self.path, {"do": what, "position": position})

    def page(self):
        return self.client.get(self.path).content.decode()


def overview(tournament):
    return Client().get(f"/e/{tournament.event.public_id}/quiz/")


def asked(tournament):
    """Addresses of the positions, in order."""
    return re.findall(r'href="(/q/[^"]+/)"', overview(tournament).content.decode())


def test_positions_when_nobody_shows_them_then_there_are_none_and_while_the_event_goes_on_nobody_can(over):
    tournament, _match, _row = over
    assert overview(tournament).status_code == 404
    assert (
        "Positions from this event: what would you play?"
        not in Client().get(f"/e/{tournament.event.public_id}/").content.decode()
    )
    going_on = an_event(4, name="Going on").publish()
    desk = Desk(going_on)
    assert "when the event is over" in desk.page()
    assert desk.do("show").status_code == 409
    assert overview(going_on).status_code == 404


def test_positions_when_shown_then_five_without_names_and_nothing_that_leads_to_the_match(over):
    tournament, match, row = over
    desk = Desk(tournament)
    assert desk.do("show").status_code == 302
    assert AuditEntry.objects.filter(action="quiz.open").count() == 1
    found = asked(tournament)
    assert len(found) == 5
    assert "what would you play?" in Client().get(f"/e/{tournament.event.public_id}/").content.decode()
    assert "what would you play?" in Client().get(f"/e/{tournament.event.public_id}/hall/").content.decode()
    largest = list(
        AnalysedDecision.objects.filter(analysis=row, counts=True, lost__gte=0.08)
        .order_by("-lost")
        .values_list("pk", flat=True)
    )
    assert set(QuizPosition.objects.values_list("decision_id", flat=True)) == set(largest[:5])
    names = [entry.name for entry in Entry.objects.filter(slots__match=match)]
    secrets = [*names, match.public_id, row.record.sha256, row.record.filename, *match.tokens]
    for url in [*found, f"/e/{tournament.event.public_id}/quiz/"]:
        for query in ("", "?choice=1", "?choice=shown"):
            answer = Client().get(url + query)
            assert answer.status_code == 200
            body = answer.content.decode()
            head = body.split("<main")[0]
            assert not [secret for secret in secrets if secret in body.replace(tournament.event.name, "")]
            assert "/m/" not in body
            assert "noindex" in answer["X-Robots-Tag"]
            if url in found:
                assert "og:image" in head
    assert desk.do("show").status_code == 302
    assert asked(tournament) == found  # again changes nothing
    assert AuditEntry.objects.filter(action="quiz.open").count() == 1


def test_position_when_answered_then_counted_and_the_answer_says_what_each_is_worth(over):
    tournament, _match, _row = over
    Desk(tournament).do("show")
    url = asked(tournament)[0]
    question = Client().get(url).content.decode()
    assert "played" not in question
    client = Client(enforce_csrf_checks=True)  # no token on a page that is the same for everybody
    for _ in range(2):
        sent = client.post(url, {"choice": "1"})
        assert (sent.status_code, sent["Location"]) == (302, f"{url}?choice=1#answer")
        assert not sent.cookies
    assert QuizAnswer.objects.get().count == 2
    shown = Client().get(f"{url}?choice=1").content.decode()
    for words in ("your answer", "played", "2 answers so far", "GNU Backgammon 9.9, 2-ply"):
        assert words in shown
    assert "your answer" not in Client().get(f"{url}?choice=shown").content.decode()
    for odd in ("", "0", "99", "x", "\0", "²"):
        refused = Client().post(url, {"choice": odd})
        assert refused.status_code == 422
        assert "Choose one of the answers." in refused.content.decode()
        assert Client().get(url, {"choice": odd}).status_code == 200
    assert QuizAnswer.objects.get().count == 2
    etag = Client().get(url)["ETag"]
    assert Client().get(url, headers={"If-None-Match": etag}).status_code == 304


def test_position_when_left_out_then_the_next_comes_and_back_it_may_be_asked_again(over):
    tournament, _match, _row = over
    desk = Desk(tournament)
    desk.do("show")
    before = asked(tournament)
    out = before[0].rstrip("/").rpartition("/")[2]
    assert desk.do("out", out).status_code == 302
    after = asked(tournament)
    assert before[0] not in after
    assert after[:4] == before[1:]
    assert len(after) == 5
    assert Client().get(before[0]).status_code == 404
    assert "Left-out positions" in desk.page()
    desk.do("back", out)
    assert asked(tournament) == before
    assert desk.do("out", "nonesuch").status_code == 404
    assert desk.do("nonsense").status_code == 404
    desk.do("hide")
    assert overview(tournament).status_code == 404
    assert Client().get(before[0]).status_code == 404
    trail = desk.client.get(f"/direct/events/{tournament.event.public_id}/audit/").content.decode()
    assert "Positions of the event hidden." in trail


def test_position_when_a_player_objects_then_gone_at_once_and_a_yes_of_both_is_not_needed(over):
    tournament, match, _row = over
    desk = Desk(tournament)
    desk.do("show")
    url = asked(tournament)[0]
    own = Client().get(f"/my/{match.tokens[0]}/analysis/{match.public_id}/").content.decode()
    assert "among the event positions" in own
    etag = Client().get(url)["ETag"]
    agree(match, analysis="no")
    assert asked(tournament) == []
    assert Client().get(url, headers={"If-None-Match": etag}).status_code == 404
    assert Client().post(url, {"choice": "1"}).status_code == 404
    assert desk.do("show").status_code == 409
    agree(match, analysis="yes")
    assert len(asked(tournament)) == 5
    agree(match, record="no")
    assert asked(tournament) == []
    agree(match, record="ask")
    assert len(asked(tournament)) == 5
    player = Entry.objects.filter(slots__match=match).first().players.get()
    type(player).objects.filter(pk=player.pk).update(minor=True)
    assert len(asked(tournament)) == 5  # who said yes
    agree_row = Entry.objects.filter(slots__match=match, players=player).first().details.get(player=player)
    agree_row.analysis = ""
    agree_row.save()
    desk.do("out", url.rstrip("/").rpartition("/")[2])
    assert asked(tournament) == []


def test_position_when_a_player_is_marked_as_a_minor_then_no_reader_is_answered_that_nothing_has_changed(
    over,
):
    tournament, match, _row = over
    Desk(tournament).do("show")
    url = asked(tournament)[0]
    pages = [
        url,
        f"/e/{tournament.event.public_id}/quiz/",
        f"/api/v1/positions/{url.rstrip('/').rpartition('/')[2]}/",
        f"/api/v1/events/{tournament.event.public_id}/positions/",
    ]
    kept = {path: Client().get(path)["ETag"] for path in pages}
    player = Entry.objects.filter(slots__match=match).first().players.get()
    update_player(
        actor=tournament.actor,
        club_id=tournament.event.club_id,
        player_id=player.pk,
        name=player.name,
        minor=True,
    )
    statuses = [
        Client().get(path, headers={"If-None-Match": etag}).status_code for path, etag in kept.items()
    ]
    assert statuses == [404, 200, 404, 200]
    assert asked(tournament) == []
