"""Any correction of any match in any weekend: each repair leaves an event that hangs together."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.engine.brackets.consolation import add_first_match_consolation, add_progressive_consolation
from tournaments.engine.brackets.correction import (
    Repair,
    award_walkovers,
    place_late_entry,
    preview_repairs,
    slots_for_late_entries,
)
from tournaments.engine.brackets.progression import SlotState, advance, opening_state
from tournaments.engine.brackets.seeding import blind_draw
from tournaments.engine.brackets.structure import single_elimination
from tournaments.engine.chance import Chance
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import EntryId, Outcome, ResultKind, Side

SEEDS = st.integers(0, 2**40)


def event(count, seed, share):
    """A weekend played to this share (in percent) of its matches."""
    chance = Chance(seed, "event")
    bracket = single_elimination(blind_draw([EntryId(n) for n in range(1, count + 1)], seed))
    if len(bracket.rounds) > 1 and seed % 3:
        bracket = (
            add_first_match_consolation(bracket) if seed % 3 == 1 else add_progressive_consolation(bracket, 2)
        )
    results, state = {}, opening_state(bracket)
    while ready := [n for n, m in state.matches.items() if m.status is MatchStatus.READY]:
        if results and chance.below(100) >= share:
            break
        kind = (ResultKind.PLAYED, ResultKind.PLAYED, ResultKind.PLAYED, ResultKind.WALKOVER)[chance.below(4)]
        results[ready[chance.below(len(ready))]] = Outcome((Side.A, Side.B)[chance.below(2)], kind)
        state = advance(bracket, results)
    return bracket, results, chance


def seats(state):
    """Who stands in matches that are still to be played."""
    return [
        match.slot(side).entry
        for match in state.matches.values()
        if not match.settled
        for side in Side
        if match.slot(side).state is SlotState.ENTRY
    ]


@settings(max_examples=120, deadline=None)
@given(st.integers(2, 24), SEEDS, st.integers(80, 100))
def test_each_repair_of_any_correction_leaves_an_event_that_hangs_together(count, seed, share):
    bracket, results, chance = event(count, seed, share)
    match = sorted(results)[chance.below(len(results))]
    outcome = (Outcome(Side.A), Outcome(Side.B), Outcome(None, ResultKind.DOUBLE_WALKOVER))[chance.below(3)]
    before = advance(bracket, results)
    repairs = preview_repairs(bracket, results, match, outcome)
    for repair, consequence in repairs.items():
        after = advance(bracket, consequence.results, consequence.manual_slots)
        assert consequence.results[match] == outcome
        moved = {(m.match, m.side): (m.before, m.after) for m in consequence.moves}
        for number, state in before.matches.items():
            for side in Side:
                was, is_now = state.slot(side), after.matches[number].slot(side)
                assert ((was.state, was.entry) != (is_now.state, is_now.entry)) is ((number, side) in moved)
        if repair is Repair.KEEP:
            assert consequence.results == results | {match: outcome}
            continue
        here = seats(after)
        assert len(here) == len(set(here))
        assert set(consequence.cancelled_matches) == results.keys() - consequence.results.keys()
        for number, kept in consequence.results.items():  # what counts was played by those who stand there
            assert number == match or results[number] == kept
            old, new = before.matches[number], after.matches[number]
            assert (old.a.entry, old.b.entry) == (new.a.entry, new.b.entry)
    if Repair.REPLACE in repairs:  # and taking it back gives the event as it was
        back = preview_repairs(bracket, repairs[Repair.REPLACE].results, match, results[match])
        assert advance(bracket, back[Repair.REPLACE].results) == before


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 24), SEEDS, st.integers(0, 90))
def test_late_entries_fill_free_byes_without_touching_a_result(count, seed, share):
    bracket, results, _chance = event(count, seed, share)
    by_hand, entry = {}, 100
    while free := slots_for_late_entries(bracket, results, by_hand):
        placed = place_late_entry(bracket, results, EntryId(entry), free[-1], by_hand)
        assert placed.cancelled_matches == ()
        assert placed.results == results
        by_hand, entry = placed.manual_slots, entry + 1
        state = advance(bracket, results, by_hand)
        here = seats(state)
        assert len(here) == len(set(here))
        assert entry - 1 in here


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 24), SEEDS, st.integers(0, 90))
def test_without_those_who_are_gone_nobody_waits_for_them_and_no_result_changes(count, seed, share):
    bracket, results, chance = event(count, seed, share)
    gone = {EntryId(1 + chance.below(count)) for _ in range(1 + chance.below(3))}
    done = award_walkovers(bracket, results, gone)
    assert results.items() <= done.results.items()
    assert {outcome.kind for number, outcome in done.results.items() if number not in results} <= {
        ResultKind.WALKOVER,
        ResultKind.DOUBLE_WALKOVER,
    }
    for state in advance(bracket, done.results).matches.values():
        if state.status is MatchStatus.READY:
            assert not {state.a.entry, state.b.entry} & gone
    assert award_walkovers(bracket, done.results, gone).results == done.results
