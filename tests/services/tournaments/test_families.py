"""Consolation, last chance and double elimination through the services: what is stored is what the engine says."""

import pytest

from tests.factories import an_event
from tests.support.lanes import the_few_or
from tournaments.engine.brackets.progression import SlotState, advance
from tournaments.engine.stages.elimination import BracketSettings, Flight, FlightKind, SeparateBy
from tournaments.engine.stages.feeding import Admission
from tournaments.engine.statuses import EventStatus, MatchStatus
from tournaments.engine.types import ResultKind, Side
from tournaments.models import Match, MatchSlot, Stage
from tournaments.selectors.draws import Draw, load_draw

pytestmark = [pytest.mark.django_db, pytest.mark.by_turns]

WEEKEND = BracketSettings(
    flights=(
        Flight(FlightKind.PROGRESSIVE, (5, 7), rounds=2),
        Flight(FlightKind.LAST_CHANCE, (3,), rounds=1),
    )
)
FIRST_MATCH = BracketSettings(
    third_place=False, flights=(Flight(FlightKind.FIRST_MATCH, (3,), admission=Admission.ALSO_WALKOVERS),)
)
THIRD = BracketSettings(third_place=True)
FAMILIES = [
    ("single_elimination", WEEKEND),
    ("single_elimination", FIRST_MATCH),
    ("single_elimination", THIRD),
    ("double_elimination", BracketSettings()),
    ("double_elimination", BracketSettings(recharge=False)),
]


def stored_as_the_engine_says(draw: Draw) -> None:
    states = advance(draw.bracket(), draw.outcomes(), draw.entries_placed_by_hand()).matches
    assert len(states) == len(draw.matches)
    settled = {MatchStatus.WAITING: MatchStatus.WAITING, MatchStatus.READY: MatchStatus.READY}
    for match in draw.matches:
        state = states[match.number]
        assert match.status == settled.get(state.status, state.status), match
        for drawn, slot in zip(match.sides, (state.a, state.b), strict=True):
            assert drawn.entry_id == slot.entry
            assert drawn.vacant == (slot.state is SlotState.VACANT)
            assert drawn.has_won == slot.has_won or slot.entry is None


@pytest.mark.parametrize(("system", "settings"), FAMILIES)
@pytest.mark.parametrize("entries", the_few_or([8, 11], [7]))
def test_a_family_when_played_out_then_every_step_is_stored_as_the_engine_says(system, settings, entries):
    tournament = an_event(entries=entries, system=system, bracket=settings).publish(seed=3)
    stored_as_the_engine_says(load_draw(tournament.stage))
    step = 0
    while matches := tournament.playable():
        match = matches[tournament.rng.randrange(len(matches))]
        step += 1
        if step % 7 == 3:
            tournament.says(match, None, 0, 0, kind="walkover", winner="a")
        elif step % 11 == 5:
            tournament.says(match, None, 0, 0, kind="double_walkover")
        else:
            tournament.settle(match, tournament.rng.choice(list(Side)), 1)
        stored_as_the_engine_says(load_draw(tournament.stage))
    assert tournament.fresh().status == EventStatus.FINISHED


def test_a_weekend_when_drawn_then_each_section_has_its_lengths_counted_back_from_its_final():
    tournament = an_event(entries=16, lengths=[7, 9, 11], bracket=WEEKEND).publish()
    draw = load_draw(tournament.stage)
    assert draw.sections == ("main", "consolation", "last_chance")
    lengths = {s: [r.length for r in draw.rounds if r.section == s] for s in draw.sections}
    assert lengths["main"] == [7, 7, 9, 11]
    assert lengths["consolation"][-1] == 7
    assert set(lengths["consolation"][:-1]) == {5}
    assert set(lengths["last_chance"]) == {3}


def test_who_loses_by_a_walk_over_when_only_the_beaten_are_admitted_then_their_place_stays_vacant():
    tournament = an_event(
        entries=4, bracket=BracketSettings(flights=(Flight(FlightKind.PROGRESSIVE),))
    ).publish()
    first, second = tournament.playable()
    absent = tournament.entry_at(first, Side.B)
    beaten = tournament.entry_at(second, Side.B)
    tournament.says(first, None, 0, 0, kind="walkover", winner="a")
    tournament.settle(second, Side.A, 2)
    consolation = Match.objects.get(stage=tournament.stage, round__section="consolation", position=1)
    assert not MatchSlot.objects.filter(match=consolation, entry=absent).exists()
    assert MatchSlot.objects.get(match=consolation, entry=beaten)
    assert consolation.result_kind == ResultKind.BYE


def test_a_loser_who_won_before_when_only_first_match_losers_are_admitted_then_stays_out():
    tournament = an_event(entries=8, bracket=FIRST_MATCH).publish()
    for match in tournament.playable():
        tournament.settle(match, Side.A, 2)
    semifinal = next(match for match in tournament.playable() if match.round.section == "main")
    out = tournament.entry_at(semifinal, Side.B)
    tournament.settle(semifinal, Side.A, 1)
    assert not MatchSlot.objects.filter(entry=out, match__round__section="consolation").exists()


def test_a_double_elimination_when_the_upper_winner_loses_once_then_the_final_is_played_again():
    tournament = an_event(entries=4, system=Stage.System.DOUBLE_ELIMINATION).publish()
    while True:
        (match, *_) = tournament.playable()
        if match.round.section == "grand_final":
            break
        tournament.settle(match, Side.A, 0)
    tournament.settle(match, Side.B, 3)
    again = tournament.playable()
    assert [m.round.code for m in again] == ["recharge"]
    tournament.settle(again[0], Side.A, 3)
    draw = load_draw(tournament.stage)
    assert draw.champion is not None
    places = draw.places()
    assert [str(place) for place in places.values()] == ["1", "2", "3", "4"]
    assert places[draw.champion.entry_id].first == 1


def test_entries_of_one_party_when_kept_apart_then_they_meet_in_the_final_at_the_earliest():
    tournament = an_event(entries=8, bracket=BracketSettings(apart=(SeparateBy.PARTY,)))
    for name in ("Ann", "Bob"):
        entry = tournament.entry(name)
        entry.party = "car 7"
        entry.save()
    for seed in range(6):
        tournament.draw(seed)
        lines = [side.name for match in load_draw(tournament.stage).rounds[0].matches for side in match.sides]
        assert (lines.index("Ann") < 4) != (lines.index("Bob") < 4)


def test_a_semifinal_that_nobody_wins_when_there_is_a_third_place_then_its_losers_come_in_behind():
    tournament = an_event(entries=4, bracket=THIRD).publish()
    first, second = tournament.playable()
    beaten = tournament.entry_at(first, Side.B)
    tournament.settle(first, Side.A, 1)
    tournament.says(second, None, 0, 0, kind="double_walkover")
    places = load_draw(tournament.stage).places()
    assert sorted((place.first, place.last) for place in places.values()) == [(1, 1), (2, 2), (3, 4), (3, 4)]
    assert places[beaten.pk].first == 2
