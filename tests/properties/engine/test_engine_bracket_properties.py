"""Whole single eliminations, played in any order with any results: what must always be true."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.engine.brackets.progression import (
    VACANT_SLOT,
    Slot,
    SlotState,
    advance,
    opening_state,
    result_effects,
)
from tournaments.engine.brackets.seeding import blind_draw, seeded_draw
from tournaments.engine.brackets.structure import single_elimination
from tournaments.engine.chance import Chance
from tournaments.engine.standings.ranking import elimination_places
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import EntryId, Outcome, ResultKind, Side

COUNTS = st.one_of(st.integers(2, 40), st.integers(41, 130))
SEEDS = st.integers(0, 2**63 - 1)


def drawn(count, seed, third_place):
    entries = [EntryId(n) for n in range(1, count + 1)]
    lines = blind_draw(entries, seed) if seed % 2 else seeded_draw(entries)
    return single_elimination(lines, third_place=third_place and count > 2)


def play_on(bracket, chance, *, double_walkovers=False, stop_after=None):
    """Plays ready matches in random order, step by step as the services do; returns results and the filled slots."""
    state = opening_state(bracket)
    matches = dict(state.matches)
    ready = [n for n, m in matches.items() if m.status is MatchStatus.READY]
    results = {}
    while ready and (stop_after is None or len(results) < stop_after):
        number = ready.pop(chance.below(len(ready)))
        winner = list(Side)[chance.below(2)]
        outcome = Outcome(winner)
        if double_walkovers and chance.below(8) == 0:
            outcome = Outcome(None, ResultKind.DOUBLE_WALKOVER)
        step = result_effects(matches, number, outcome)
        before = advance(bracket, results).matches if len(matches) < 40 else None
        results[number] = outcome
        if before is not None:
            assert all(
                before[f.match].slot(f.side).state is SlotState.OPEN for f in step.fills
            )  # never filled twice
        matches = (
            dict(advance(bracket, results).matches)
            if len(matches) < 40
            else patched(matches, number, outcome, step)
        )
        ready += step.ready
    return results, matches


def patched(matches, number, outcome, step):
    """The services' own writing down: one slot after the other, nothing computed again."""
    after = dict(matches)
    after[number] = replace(after[number], status=MatchStatus.CONFIRMED, outcome=outcome)
    for fill in step.fills:
        slot = VACANT_SLOT if fill.entry is None else Slot(SlotState.ENTRY, fill.entry, fill.has_won)
        after[fill.match] = replace(after[fill.match], **{fill.side.value: slot})
    for settled in step.settled:
        after[settled.match] = replace(after[settled.match], status=settled.status, outcome=settled.outcome)
    for match in step.ready:
        after[match] = replace(after[match], status=MatchStatus.READY)
    return after


@settings(max_examples=60, deadline=None)
@given(COUNTS, SEEDS, st.booleans())
def test_an_event_played_to_its_end_has_one_winner_and_places_everybody(count, seed, third_place):
    bracket = drawn(count, seed, third_place)
    results, matches = play_on(bracket, Chance(seed, "play"))
    state = advance(bracket, results)
    assert state.finished
    assert state.matches == matches
    places = elimination_places(bracket, results)
    assert sorted(places) == list(range(1, count + 1))
    assert all(place.settled for place in places.values())
    assert [entry for entry, place in places.items() if place.first == 1] == [
        state.matches[bracket.final.number].winner().entry
    ]
    covered = {}  # every range is as wide as the number of entries that share it, and they follow without gap
    for place in places.values():
        covered[place.first, place.last] = covered.get((place.first, place.last), 0) + 1
    assert all(last - first + 1 == shared for (first, last), shared in covered.items())
    assert sum(covered.values()) == count


@settings(max_examples=40, deadline=None)
@given(COUNTS, SEEDS, st.booleans())
def test_one_result_after_the_other_gives_what_the_whole_computation_gives(count, seed, third_place):
    bracket = drawn(count, seed, third_place)
    results, matches = play_on(bracket, Chance(seed, "play"), double_walkovers=True)
    state = advance(bracket, results)
    assert state.matches == matches
    assert state.finished
    assert sorted(elimination_places(bracket, results)) == list(range(1, count + 1))
    for (
        match
    ) in state.matches.values():  # nobody out of nowhere: who stands here won (or lost) where the slot says
        source = bracket.match(match.number)
        for slot, origin in ((match.a, source.a), (match.b, source.b)):
            if slot.state is SlotState.ENTRY and origin.match is not None:
                before = state.matches[origin.match]
                assert slot.entry in (before.a.entry, before.b.entry)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 40), SEEDS, st.integers(0, 40))
def test_places_narrow_as_the_event_goes_on(count, seed, stop):
    bracket = drawn(count, seed, third_place=True)
    early, _ = play_on(bracket, Chance(seed, "play"), stop_after=stop)
    late, _ = play_on(bracket, Chance(seed, "play"), stop_after=stop + 3)
    assert early.items() <= late.items()
    before, after = elimination_places(bracket, early), elimination_places(bracket, late)
    for entry, place in before.items():
        assert place.first <= after[entry].first <= after[entry].last <= place.last
        assert not place.settled or after[entry] == place
