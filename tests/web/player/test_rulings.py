"""What a player sees of a ruling: the score to start from, the clock, where an adjourned match goes on."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import an_event
from tests.support.tournaments import first_match, link_of, text_of
from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.matches.rulings import TEAM_CLOCK, Award, AwardReason, LatenessRule
from tournaments.engine.types import Score, Side
from tournaments.events.services.stage_rules import set_conduct
from tournaments.matches.services.rulings import adjourn_match, award_points

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return an_event(entries=4, lengths=[7]).publish()


@pytest.fixture
def match(tournament):
    return first_match(tournament)


def page(tournament, match, side):
    return Client().get(reverse("player:home", args=[link_of(tournament, match, side)]))


def reports(tournament, match, side, mine, theirs, **more):
    data = {
        "mine": mine,
        "theirs": theirs,
        "submission_key": f"k-{side}",
        "kind": "played",
        "winner": "",
        **more,
    }
    url = reverse("player:report", args=[link_of(tournament, match, side), match.public_id])
    return Client().post(url, data, follow=True)


def ruled(tournament, match):
    return {
        "actor": tournament.actor,
        "event_id": tournament.event.pk,
        "match_id": match.pk,
        "seen": match.version,
    }


def award(tournament, match):
    award_points(**ruled(tournament, match), award=Award(Side.B, 2, AwardReason.PENALTY, note="Phone"))


def test_penalty_stands_on_both_pages_and_the_form_starts_from_it(tournament, match):
    award(tournament, match)
    name = tournament.entry_at(match, "b").name
    for side, start in (("a", (0, 2)), ("b", (2, 0))):
        shown = page(tournament, match, side)
        assert f"Penalty: 2 points for {name} (Phone)" in text_of(shown)
        fields = shown.context["open"][0]["form"].fields
        assert tuple(fields[points].widget.attrs["min"] for points in ("mine", "theirs")) == start


def test_report_when_it_is_below_the_start_then_said_at_the_right_field(tournament, match):
    award(tournament, match)
    answer = reports(tournament, match, "a", 7, 1)
    assert answer.status_code == 422
    errors = answer.context["match"]["form"].errors
    assert "started with 2 points" in errors["theirs"][0]
    again = reports(tournament, match, "a", "", "", winner="me", loser=1)
    assert "started with 2 points" in again.context["match"]["form"].errors["loser"][0]
    assert reports(tournament, match, "a", 7, 2).status_code == 200


def test_clock_of_the_stage_stands_beside_the_length(tournament, match):
    set_conduct(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        stage_id=tournament.stage.pk,
        lateness=LatenessRule(),
        clocks=TEAM_CLOCK,
        rated=True,
    )
    assert "Clock: 18 seconds per move, reserve 17:30 for each side" in text_of(page(tournament, match, "a"))


def test_adjourned_match_shows_the_board_from_the_own_side_and_can_be_reported(tournament, match):
    stood = Adjournment(Score(3, 2), position="4HPwATDgc/ABMA", on_roll=Side.A, clock_a=61, place="At Ann's")
    adjourn_match(**ruled(tournament, match), adjourned=stood)
    boards = []
    for side in "ab":
        shown = page(tournament, match, side)
        text = text_of(shown)
        assert "Adjourned" in text
        assert "At Ann's" in text
        assert "1:01" in text
        boards.append(shown.content.decode().split("<svg xmlns")[1].split("</svg>")[0])
    assert boards[0] != boards[1]
    assert "You lost" not in text_of(page(tournament, match, "a"))
    reports(tournament, match, "a", 7, 2)
    reports(tournament, match, "b", 2, 7)
    match.refresh_from_db()
    assert (match.status, match.winner_side) == ("confirmed", "a")
    assert "At Ann's" not in text_of(page(tournament, match, "a"))
