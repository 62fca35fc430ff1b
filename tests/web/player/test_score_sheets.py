"""A claim with the score game by game: tapped or typed, kept, shown to those who see the claim, and held against the rules."""

import pytest
from django.test import Client
from django.urls import reverse

from people.models import AuditEntry
from tests.factories import an_event
from tests.support.described import described
from tests.support.tournaments import link_of, signed_in, text_of
from tournaments.engine.matches.rulings import Award, AwardReason
from tournaments.engine.types import Claim, Side
from tournaments.models import Report
from tournaments.selectors.access.links import entry_token
from tournaments.selectors.matches.sheets import build_score_sheet

pytestmark = pytest.mark.django_db
GOOD = ((1, 0), (1, 2), (5, 2))
BAD = ((1, 0), (2, 2), (5, 2))  # both have won game 2
WHY = "Game 2 is not possible: from 1–0 to 2–2 both sides win points (rule R31)"


@pytest.fixture
def tournament():
    return an_event(entries=4, lengths=[5]).publish()


@pytest.fixture
def match(tournament):
    return tournament.playable()[0]


def report(tournament, match, side="a", **data):
    page = reverse("player:report", args=[link_of(tournament, match, Side(side)), match.public_id])
    fields = {"mine": 5, "theirs": 2, "kind": "played", "winner": "", "submission_key": "k", **data}
    return Client().post(page, fields, follow=True)


def desk(tournament, match):
    return signed_in(tournament.director).get(
        reverse("director:match", args=[tournament.event.public_id, match.public_id])
    )


def test_typed_sheet_is_kept_with_the_claim_and_in_the_trail(tournament, match):
    assert report(tournament, match, sheet="1-0, 1:2 5 – 2").status_code == 200
    assert Report.objects.get().sheet == [list(row) for row in GOOD]
    assert AuditEntry.objects.get(action="match.report").data["sheet"] == "1-0 1-2 5-2"
    page = text_of(desk(tournament, match))
    assert "Score after each game" in page
    assert "cannot be" not in page


def test_own_points_come_first_on_the_phone_and_side_a_at_the_desk(tournament, match):
    report(tournament, match, "b", sheet="1-0 2-2 5-2")
    assert Report.objects.get().sheet == [[0, 1], [2, 2], [2, 5]]
    assert "Game 2 is not possible: from 0–1 to 2–2" in text_of(desk(tournament, match))
    own = Client().get(reverse("player:home", args=[link_of(tournament, match, Side.B)]))
    assert "Game 2 is not possible: from 1–0 to 2–2" in text_of(own)
    theirs = Client().get(reverse("player:home", args=[link_of(tournament, match, Side.A)]))
    assert "Game 2 is not possible: from 0–1 to 2–2" in text_of(theirs)


def test_first_game_that_cannot_be_is_named_and_the_claim_stands_all_the_same(tournament, match):
    tournament.says(match, "a", 5, 2, sheet=BAD)
    assert WHY in text_of(desk(tournament, match))
    public = Client().get(reverse("public:match", args=[match.public_id]))
    assert "Score after each game" not in text_of(public)
    tournament.says(match, "b", 5, 2)
    match.refresh_from_db()
    assert match.status == "confirmed"
    public = Client().get(reverse("public:match", args=[match.public_id]))
    assert WHY in text_of(public)


def test_one_tap_a_game_needs_no_script(tournament, match):
    page = report(tournament, match, mine=0, theirs=0, sheet="1-0 1-2", game="me:4")
    body = page.content.decode()
    assert "1-0 1-2 5-2</textarea>" in body
    assert 'value="5"' in body
    assert not Report.objects.exists()
    page = report(tournament, match, sheet="1-0 1-2 5-2", game="back")
    assert "1-0 1-2</textarea>" in page.content.decode()
    for odd in ("me:5", "them:999", "them:", "x", "\0"):
        page = report(tournament, match, sheet="1-0", game=odd)
        assert "1-0</textarea>" in page.content.decode()


@pytest.mark.parametrize("text", ["1-0 two-2", "1-0-1", "1-0 " * 300, "\0"])
def test_what_is_no_sheet_is_refused_at_its_field(tournament, match, text):
    page = report(tournament, match, sheet=text)
    assert page.status_code == 422
    assert not Report.objects.exists()


def test_director_writes_a_sheet_with_the_result(tournament, match):
    page = reverse("director:result", args=[tournament.event.public_id, match.public_id])
    fields = {"score_a": 5, "score_b": 2, "kind": "played", "submission_key": "d", "sheet": "1-0 1-2 5-2"}
    signed_in(tournament.director).post(page, fields)
    assert Report.objects.get().sheet == [list(row) for row in GOOD]
    assert "Score after each game" in text_of(desk(tournament, match))


def test_sheet_is_held_against_nothing_where_points_were_given_meanwhile(match):
    claim = Claim(5, 2)
    assert build_score_sheet(match, BAD, claim).first_error.game == 2
    match.awards = [Award(Side.A, 1, AwardReason.PENALTY).data()]
    found = build_score_sheet(match, BAD, claim)
    assert (found.is_checked, found.first_error) == (False, None)


def test_programs_send_a_sheet_and_are_told_which_game_cannot_be(tournament, match):
    address = reverse("api:report", args=[match.public_id])
    link = {"Authorization": f"Link {entry_token(tournament.entry_at(match, Side.A))}"}
    body = {"score_a": 5, "score_b": 2, "submission_key": "k", "sheet": "1-0 2-2 5-2"}
    answer = described(Client().post(address, body, "application/json", headers=link))
    assert answer.status_code == 202
    assert answer.json()["sheet_found"] == {
        "game": 2,
        "code": "sheet.both_win",
        "rule": "R31",
        "before": [1, 0],
        "after": [2, 2],
    }
    odd = described(
        Client().post(
            address, {**body, "submission_key": "l", "sheet": "x"}, "application/json", headers=link
        )
    )
    assert (odd.status_code, odd.json()["faults"][0]["code"]) == (422, "sheet.unreadable")
