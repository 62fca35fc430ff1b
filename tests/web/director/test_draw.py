"""Draw, look, draw again, throw away, publish, take back."""

import re

import pytest
from django.http import HttpResponse

from tests.factories import an_event
from tests.support.director import desk_of, words
from tournaments.engine.chance import MAX_SEED
from tournaments.engine.stages.elimination import BracketSettings, Flight, FlightKind
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.models import Match

pytestmark = pytest.mark.django_db


def test_draw_when_made_then_shown_with_its_seed_to_directors_alone() -> None:
    tournament = an_event(5)
    desk = desk_of(tournament)
    assert desk.post("make-draw", stage="1").status_code == 302
    page = desk.get("draw")
    assert tournament.stage.draw_seed in words(page)
    assert "bracket-match" in page.content.decode()
    assert tournament.fresh().status == "draft"


def test_draw_when_replayed_from_its_seed_then_the_same() -> None:
    tournament = an_event(9)
    desk = desk_of(tournament)

    def lines() -> list[object]:
        return list(
            Match.objects.filter(stage=tournament.stage)
            .order_by("number", "slots__side")
            .values_list("slots__entry", flat=True)
        )

    desk.post("make-draw", stage="1", seed="12345")
    first = lines()
    desk.post("make-draw", stage="1", seed="54321")
    assert lines() != first
    desk.post("make-draw", stage="1", seed="12345")
    assert lines() == first


@pytest.mark.parametrize("seed", ["x", "-1", str(MAX_SEED + 1), "9" * 50, "٣", "1.5"])
def test_seed_when_odd_then_refused_and_kept(seed: str) -> None:
    tournament = an_event(4)
    answer = desk_of(tournament).post("make-draw", stage="1", seed=seed)
    assert answer.status_code == 422
    assert seed[:40] in answer.content.decode()
    assert tournament.stage.status == "setup"


def test_draw_when_there_are_too_few_then_says_how_many_it_needs() -> None:
    tournament = an_event(1)
    desk = desk_of(tournament)
    assert "A draw needs between 2 and 1024 entries" in words(desk.get("draw")).replace(",", "")
    assert desk.post("make-draw", stage="1").status_code == 422


def test_draw_when_thrown_away_then_entries_are_open_again() -> None:
    tournament = an_event(4).draw()
    desk = desk_of(tournament)
    assert desk.post("change-draw", "discard", stage="1").status_code == 302
    assert desk.post("change-draw", "discard", stage="1").status_code == 409
    assert desk.post("add-entry", name="Zoe").status_code == 302


def test_draw_when_published_twice_then_once_and_the_second_is_told() -> None:
    tournament = an_event(4).draw()
    desk = desk_of(tournament)
    answer = desk.post("change-draw", "publish", stage="1")
    assert answer["Location"] == desk.url("board")
    again = desk.post("change-draw", "publish", stage="1")
    assert again.status_code == 409
    assert "Current state: Published" in words(again)


def test_draw_when_taken_back_then_possible_until_play_begins() -> None:
    tournament = an_event(4).publish()
    desk = desk_of(tournament)
    assert desk.post("change-draw", "take-back", stage="1").status_code == 302
    assert tournament.fresh().status == "open"
    tournament.publish()
    desk.post("match-act", tournament.playable()[0].public_id, "call")
    assert desk.post("change-draw", "take-back", stage="1").status_code == 409


def test_draw_when_the_action_or_stage_is_unknown_then_missing() -> None:
    tournament = an_event(4).draw()
    desk = desk_of(tournament)
    assert desk.post("change-draw", "shuffle", stage="1").status_code == 404
    assert desk.post("change-draw", "publish", stage="2").status_code == 404
    assert tournament.stage.status == "drawn"


def test_draw_page_of_a_family_previews_every_section_before_anybody_sees_it() -> None:
    flights = (Flight(FlightKind.PROGRESSIVE, (3,), rounds=2), Flight(FlightKind.LAST_CHANCE, (1,)))
    tournament = an_event(8, bracket=BracketSettings(flights=flights)).draw()
    desk = desk_of(tournament)
    page = words(desk.get("draw"))
    for part in ("Main draw", "Consolation", "Last chance", "Publish the draw", "Draw again"):
        assert part in page
    assert "Consolation losers of the first 2 rounds, lengths 3" in page
    assert "/m/" not in desk.get("draw").content.decode()
    tournament.publish()
    match = tournament.playable()[0].public_id
    assert f'href="{desk.url("match", match)}"' in desk.get("draw").content.decode()


def test_draw_page_of_several_stages_is_open_where_something_is_to_be_done() -> None:
    tournament = an_event(4)
    plan = DivisionDetails(
        name="Side event",
        stages=(
            StageDetails(name="Groups", system="round_robin", lengths=[3]),
            StageDetails(name="Knockout", lengths=[5], fed_by=1, takes=2),
        ),
    )
    add_division(actor=tournament.actor, event_id=tournament.event.pk, division=plan, first_name="Masters")
    desk = desk_of(tournament)

    def open_parts() -> list[str]:
        return re.findall(r'id="part-(\d)" open', desk.get("draw").content.decode())

    assert open_parts() == ["1", "2"]
    page = words(desk.get("draw"))
    assert "Drawn from the places in Side event · Groups once it has finished." in page
    assert desk.post("make-draw", stage="1").status_code == 302
    assert "bracket-match" in desk.get("draw").content.decode()
    assert desk.post("change-draw", "publish", stage="1").status_code == 302
    assert open_parts() == ["2"]
    assert "bracket-match" not in desk.get("draw").content.decode()


def test_draw_page_of_many_divisions_tells_one_whole_and_leads_to_the_others() -> None:
    tournament = an_event(4)
    for name in "BCD":
        plan = DivisionDetails(name=name, stages=(StageDetails(lengths=[3]),))
        add_division(actor=tournament.actor, event_id=tournament.event.pk, division=plan, first_name="A")
    desk = desk_of(tournament)

    def shown(page: HttpResponse) -> list[int]:
        return [part["place"] for part in page.context["parts"]]

    first, *_others, last = tournament.event.divisions.order_by("position").values_list("pk", flat=True)
    page = desk.get("draw")
    assert shown(page) == [1]
    assert f'href="{desk.url("draw")}?division={last}"' in page.content.decode()
    assert shown(desk.get("draw", division=str(last))) == shown(desk.get("draw", other="4")) == [4]
    assert desk.get("draw", division="1000000").status_code == 404
    made = desk.post("make-draw", stage="1")
    assert made.url == f"{desk.url('draw')}?division={first}"
    desk.post("change-draw", "publish", stage="1")
    assert shown(desk.get("draw")) == [2]
    refused = desk.post("make-draw", stage="3")
    assert (refused.status_code, shown(refused)) == (422, [3])
