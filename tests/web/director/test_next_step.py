"""The overview's next step while several divisions are played: who waits for the director is named, with the way there."""

import pytest

from tests.factories import Tournament, an_event
from tests.support.director import desk_of, words
from tests.support.rounds import publish_next, then
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.entries.services.entries import NewEntry, add_entries
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.models import Division, Match
from tournaments.rounds.services.rounds import pair_next_round, publish_round

pytestmark = pytest.mark.django_db


def another_division(tournament: Tournament, name: str, players: int, **stage: object) -> Division:
    """One more division of the night, with so many players of its own, not drawn."""
    details = DivisionDetails(name=name, stages=[StageDetails(**{"lengths": [3], **stage})])
    made = add_division(
        actor=tournament.actor, event_id=tournament.event.pk, division=details, first_name="Open"
    )
    entries = [NewEntry(name=f"{name} {number}") for number in range(players)]
    if entries:
        add_entries(
            actor=tournament.actor, event_id=tournament.event.pk, division_id=made.pk, entries=entries
        )
    return made


def test_dashboard_when_one_division_plays_then_another_that_can_be_drawn_is_named() -> None:
    tournament = an_event(4).publish()
    desk = desk_of(tournament)

    def step():
        return desk.get("event").context["step"]

    empty = another_division(tournament, "Jackpot", 1)
    assert step().title == "Follow the matches"  # one player is no draw
    waiting = another_division(tournament, "Intermediate", 4)
    assert step().title == "Make the draw: Intermediate"
    assert "while the others play" in words(desk.get("event"))
    assert step().url.endswith(f"/draw/?division={waiting.pk}")
    assert "Intermediate 1" in words(desk.client.get(step().url.replace("draw/", "entries/")))
    tournament.says(tournament.playable()[0], "a", 7, 3)
    attention = desk.get("event").context["attention"]
    assert attention[0]["title"] == "1 result to confirm"  # people wait for that
    tournament.settle(tournament.playable()[0], "a")
    draw_stage(actor=tournament.actor, event_id=tournament.event.pk, stage_id=waiting.stages.get().pk, seed=1)
    assert (step().title, step().url[-len(f"{waiting.pk}") :]) == (
        "Publish the draw: Intermediate",
        f"{waiting.pk}",
    )
    publish_draw(actor=tournament.actor, event_id=tournament.event.pk, stage_id=waiting.stages.get().pk)
    assert step().title == "Follow the matches"
    for match in iter(lambda: next(iter(tournament.playable()), None), None):
        tournament.settle(match, "a")
    assert step().title == "Draw the next stage"
    assert empty.entries.count() == 1


def test_dashboard_when_one_division_plays_then_a_round_of_another_that_can_be_paired_is_named() -> None:
    tournament = an_event(4).publish()
    desk = desk_of(tournament)
    swiss = another_division(tournament, "Swiss", 4, system="swiss", swiss=SwissSettings(rounds=2))
    where = {"actor": tournament.actor, "event_id": tournament.event.pk, "stage_id": swiss.stages.get().pk}

    def step() -> str:
        return desk.get("event").context["step"].title

    assert step() == "Pair round 1: Swiss"
    found = pair_next_round(**where, seed=1)
    assert step() == "Publish the draw: Swiss"
    publish_round(**where, seen=found.version)
    assert step() == "Follow the matches"
    for match in Match.objects.filter(stage__division=swiss):
        tournament.settle(match, "a")
    assert step() == "Pair the next round: Swiss"
    pair_next_round(**where, seed=1)
    assert step() == "Publish the next round: Swiss"


def test_dashboard_when_a_stage_waits_for_another_then_it_is_named_once_that_is_over() -> None:
    tournament = an_event(4, system="round_robin", lengths=[3], swiss=SwissSettings(all_at_once=True))
    then(tournament, name="Final", system="single_elimination", fed_by=1, takes=2)
    other = another_division(tournament, "Side", 2)
    publish_next(tournament)
    draw_stage(actor=tournament.actor, event_id=tournament.event.pk, stage_id=other.stages.get().pk, seed=1)
    publish_draw(actor=tournament.actor, event_id=tournament.event.pk, stage_id=other.stages.get().pk)
    desk = desk_of(tournament)
    assert desk.get("event").context["step"].title == "Follow the matches"
    for match in Match.objects.filter(stage__division__name="Open"):
        tournament.settle(match, "a")
    assert desk.get("event").context["step"].title == "Make the draw: Open · Final"


def test_steps_when_one_division_plays_and_another_is_set_up_then_its_draw_is_still_to_make() -> None:
    tournament = an_event(4).publish()
    desk = desk_of(tournament)

    def behind() -> list[str]:
        return [str(step["name"]) for step in desk.get("event").context["trail"] if step["done"]]

    assert behind() == ["Entries", "Draw", "Publish"]
    waiting = another_division(tournament, "Intermediate", 4)
    assert behind() == ["Entries"]
    page = desk.get("draw", division=str(waiting.pk))
    assert [part["open"] for part in page.context["parts"]] == [False, True]
    draw_stage(actor=tournament.actor, event_id=tournament.event.pk, stage_id=waiting.stages.get().pk, seed=1)
    assert behind() == ["Entries", "Draw"]


def test_draw_page_when_one_of_many_divisions_can_be_drawn_then_that_one_before_a_swiss_that_goes_on() -> (
    None
):
    tournament = an_event(4, system="swiss", lengths=[3], swiss=SwissSettings(rounds=2))
    publish_next(tournament)
    for name, entries in (("Empty", 0), ("Also empty", 0), ("Side", 2)):
        last = another_division(tournament, name, entries)
    (part,) = desk_of(tournament).get("draw").context["parts"]
    assert part["stage"].division_id == last.pk
