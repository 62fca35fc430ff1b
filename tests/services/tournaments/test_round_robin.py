"""A round robin through the services: drawn once, published round by round, everybody meets everybody."""

from collections import Counter

import pytest

from faults import Conflict, Invalid
from tests.factories import an_event
from tests.support.lanes import the_few_or
from tournaments.engine.types import Claim
from tournaments.entries.services.entries import NewEntry, add_entry, withdraw_entry
from tournaments.models import Match, MatchSlot
from tournaments.repairs.services.correct import correct_result
from tournaments.rounds.services.requests import sit_out
from tournaments.rounds.services.rounds import (
    discard_pairing,
    end_stage,
    pair_next_round,
    publish_round,
    unpublish_round,
)
from tournaments.selectors.arranged import drawn_groups
from tournaments.selectors.draws import load_draw
from tournaments.selectors.events.detail import places_by_stage
from tournaments.selectors.rounds.next import drawn_schedule, next_round
from tournaments.selectors.standings.tables import standings_table

pytestmark = pytest.mark.django_db


def a_round_robin(entries, *, double=False, **changes):
    system = "double_round_robin" if double else "round_robin"
    return an_event(entries, system=system, **{"lengths": [5], **changes})


def where(tournament):
    return {"actor": tournament.actor, "event_id": tournament.event.pk, "stage_id": tournament.stage.pk}


def publish_next(tournament):
    made = publish_round(
        **where(tournament), seen=next_round(tournament.stage, load_draw(tournament.stage)).version
    )
    tournament.fresh()
    return made


def play_all(tournament):
    pair_next_round(**where(tournament), seed=1)
    while tournament.fresh().status in {"draft", "running"}:
        publish_next(tournament)
        tournament.play_out()
    return tournament


@pytest.mark.parametrize(
    ("entries", "double"),
    [(2, False), (3, False), (4, True), (5, False), *the_few_or([(5, True), (6, False)], [])],
)
def test_round_robin_when_played_out_then_everybody_met_everybody_and_is_placed(entries, double):
    tournament = play_all(a_round_robin(entries, double=double))
    met = Counter(
        frozenset(MatchSlot.objects.filter(match=match).values_list("entry", flat=True))
        for match in Match.objects.all()
    )
    times = 2 if double else 1
    assert len(met) == entries * (entries - 1) // 2
    assert set(met.values()) == {times}
    assert (tournament.event.status, tournament.stage.status) == ("finished", "finished")
    rows = standings_table(load_draw(tournament.stage)).rows
    assert sum(row.values["points"] for row in rows) == 2 * Match.objects.count()
    (places,) = places_by_stage([tournament.stage]).values()
    assert len(places) == entries
    assert all(place.settled for place in places.values())
    assert not Match.objects.filter(result_kind="bye").exists()


def test_schedule_when_drawn_then_all_rounds_are_known_and_nothing_is_published():
    tournament = a_round_robin(5)
    pair_next_round(**where(tournament), seed=4)
    first = drawn_schedule(tournament.stage)
    assert len(first) == tournament.stage.rounds_settled == 5
    assert not Match.objects.exists()
    pair_next_round(**where(tournament), seed=5)
    assert drawn_schedule(tournament.stage) != first
    pair_next_round(**where(tournament), seed=4)
    assert drawn_schedule(tournament.stage) == first
    discard_pairing(**where(tournament))
    assert drawn_schedule(tournament.stage) == ()
    with pytest.raises(Conflict) as refused:
        publish_round(**where(tournament), seen="x")
    assert refused.value.code == "round.none_paired"


def test_schedule_when_published_then_it_is_not_drawn_again_and_entries_stay():
    tournament = a_round_robin(4)
    pair_next_round(**where(tournament), seed=1)
    publish_next(tournament)
    tournament.play_out()
    with pytest.raises(Conflict) as refused:
        pair_next_round(**where(tournament))
    assert refused.value.code == "round.fixed"
    with pytest.raises(Conflict):
        sit_out(**where(tournament), entry_id=tournament.entry("Ann").pk, points=1)
    with pytest.raises(Conflict) as refused:
        add_entry(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            division_id=tournament.division.pk,
            entry=NewEntry(name="Zoe Late"),
        )
    assert refused.value.code == "entry.too_late"
    with pytest.raises(Conflict):
        withdraw_entry(
            actor=tournament.actor, event_id=tournament.event.pk, entry_id=tournament.entry("Ann").pk
        )


def test_take_back_when_a_later_round_has_not_begun_then_it_comes_again_as_it_was():
    tournament = a_round_robin(4)
    pair_next_round(**where(tournament), seed=1)
    publish_next(tournament)
    tournament.play_out()
    publish_next(tournament)
    before = list(MatchSlot.objects.order_by("match__number", "side").values_list("entry", flat=True))
    unpublish_round(**where(tournament))
    assert Match.objects.count() == 2
    publish_next(tournament)
    assert before == list(MatchSlot.objects.order_by("match__number", "side").values_list("entry", flat=True))


def test_seeded_when_drawn_then_the_seeds_take_the_first_places_of_the_berger_table():
    tournament = a_round_robin(4, draw_method="seeded")
    for seed, name in enumerate(["Dan", "Bob"], start=1):
        tournament.division.entries.filter(name=name).update(seed=seed)
    pair_next_round(**where(tournament), seed=1)
    assert list(drawn_groups(tournament.stage)[0][:2]) == [
        tournament.entry("Dan").pk,
        tournament.entry("Bob").pk,
    ]


def test_table_when_two_are_tied_then_the_match_between_them_decides():
    tournament = play_all(a_round_robin(3))
    for name, other in (("Ann", "Bob"), ("Ann", "Cleo"), ("Bob", "Cleo")):
        match = tournament.match(name, other)
        side = MatchSlot.objects.get(match=match, entry__name=name).side
        claim = Claim(5, 2) if side == "a" else Claim(2, 5)
        correct_result(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            match_id=match.pk,
            claim=claim,
            submission_key=tournament.key(),
        )
    names = dict(tournament.division.entries.values_list("pk", "name"))
    rows = standings_table(load_draw(tournament.stage)).rows
    assert [(names[row.entry], row.first, row.values["points"]) for row in rows] == [
        ("Ann", 1, 4),
        ("Bob", 2, 2),
        ("Cleo", 3, 0),
    ]


def test_end_when_rounds_are_left_then_the_table_stands_as_it_is():
    tournament = a_round_robin(4)
    pair_next_round(**where(tournament), seed=1)
    publish_next(tournament)
    tournament.play_out()
    end_stage(**where(tournament))
    assert tournament.fresh().status == "finished"
    assert len(standings_table(load_draw(tournament.stage)).rows) == 4


@pytest.mark.parametrize("entries", [1, 41])
def test_draw_when_too_few_or_too_many_then_refused(entries):
    tournament = a_round_robin(entries)
    with pytest.raises(Invalid) as refused:
        pair_next_round(**where(tournament))
    assert refused.value.code == "draw.entries_odd"
