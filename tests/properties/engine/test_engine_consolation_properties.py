"""Whole weekends, played at random: main draw with its consolation and last chance, and double eliminations."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.engine.brackets.consolation import (
    CONSOLATION,
    LAST_CHANCE,
    PLAYED_KINDS,
    PLAYED_OR_WALKOVER,
    add_first_match_consolation,
    add_last_chance,
    add_progressive_consolation,
)
from tournaments.engine.brackets.double import DOUBLE_ELIMINATION_SECTIONS, double_elimination
from tournaments.engine.brackets.progression import advance, opening_state, result_effects
from tournaments.engine.brackets.seeding import blind_draw
from tournaments.engine.brackets.structure import MAIN, SlotTarget, Source, SourceKind, single_elimination
from tournaments.engine.chance import Chance
from tournaments.engine.standings.ranking import elimination_places
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import EntryId, Outcome, ResultKind, Side

SEEDS = st.integers(0, 2**40)
KINDS = [ResultKind.PLAYED] * 12 + [ResultKind.WALKOVER, ResultKind.RETIRED, ResultKind.DISQUALIFIED]


def weekend(count, form, seed):
    """`form` 0-3: first-match losers, the same with last chance, progressive, the same with last chance."""
    main = single_elimination(blind_draw([EntryId(n) for n in range(1, count + 1)], seed))
    after = PLAYED_OR_WALKOVER if seed % 2 else PLAYED_KINDS
    if form < 2:
        bracket = add_first_match_consolation(main, admitted_kinds=after)
    else:
        bracket = add_progressive_consolation(main, 1 + seed % len(main.rounds), admitted_kinds=after)
    can_go_on = len(bracket.section(CONSOLATION)[0].matches) > 1
    return add_last_chance(bracket, admitted_kinds=after) if form % 2 and can_go_on else bracket


def play(bracket, seed, *, checked=False, double_walkovers=True):
    """Ready matches in random order. With `checked`, each step must give what the whole computation gives."""
    chance = Chance(seed, "play")
    state = opening_state(bracket)
    results = {}
    ready = [n for n, m in state.matches.items() if m.status is MatchStatus.READY]
    while ready:
        number = ready.pop(chance.below(len(ready)))
        winner = (Side.A, Side.B)[chance.below(2)]
        outcome = Outcome(winner, KINDS[chance.below(len(KINDS))])
        if double_walkovers and chance.below(30) == 0:
            outcome = Outcome(None, ResultKind.DOUBLE_WALKOVER)
        step = result_effects(state.matches, number, outcome)
        results[number] = outcome
        after = advance(bracket, results)
        if checked:
            filled = {(f.match, f.side): (f.entry, f.has_won) for f in step.fills}
            for m, match in after.matches.items():
                for side in Side:
                    slot, before = match.slot(side), state.matches[m].slot(side)
                    changed = filled.get((m, side), (before.entry, before.has_won))
                    assert (slot.entry, slot.has_won) == changed
            settled = {s.match for s in step.settled} | {number}
            for n, match in after.matches.items():
                assert (match.settled and not state.matches[n].settled) is (n in settled)
        state = after
        ready += step.ready
    return results, state


def busy_twice(bracket, results):
    """Replays in the order of play and looks for an entry in two unsettled matches at once."""
    done = {}
    for number, outcome in results.items():
        open_now = [
            m.slot(side).entry
            for m in advance(bracket, done).matches.values()
            if not m.settled
            for side in Side
            if m.slot(side).entry is not None
        ]
        if len(open_now) != len(set(open_now)):
            return True
        done[number] = outcome
    return False


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 40), st.integers(0, 3), SEEDS)
def test_a_weekend_is_linked_both_ways_and_plays_to_its_end(count, form, seed):
    bracket = weekend(count, form, seed)
    for match in bracket.matches:
        for side, source in ((Side.A, match.a), (Side.B, match.b)):
            if source.match is not None:
                assert source.match < match.number
                before = bracket.match(source.match)
                link = before.winner_to if source.kind is SourceKind.WINNER_OF else before.loser_to
                assert (link.match, link.side) == (match.number, side)
        for kind, target in ((SourceKind.WINNER_OF, match.winner_to), (SourceKind.LOSER_OF, match.loser_to)):
            if target is not None:
                after = bracket.match(target.match)
                assert (after.a if target.side is Side.A else after.b) == Source(kind, match=match.number)
                assert isinstance(target, SlotTarget)
    results, state = play(bracket, seed, checked=count < 14)
    assert state.finished
    assert sorted(elimination_places(bracket, results)) == list(range(1, count + 1))


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 14), st.integers(0, 3), SEEDS)
def test_in_a_weekend_nobody_is_in_two_matches_at_once(count, form, seed):
    bracket = weekend(count, form, seed)
    results, _state = play(bracket, seed)
    assert not busy_twice(bracket, results)


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 32), st.integers(0, 3), SEEDS)
def test_consolation_places_cover_exactly_those_who_came(count, form, seed):
    bracket = weekend(count, form, seed)
    results, state = play(bracket, seed)
    for section in (MAIN, CONSOLATION, LAST_CHANCE):
        numbers = [n for r in bracket.section(section) for n in r.matches]
        came = {state.matches[n].slot(side).entry for n in numbers for side in Side} - {None}
        places = elimination_places(bracket, results, [section])
        assert set(places) == came
        taken = sorted(n for p in set(places.values()) for n in range(p.first, p.last + 1))
        assert taken == list(range(1, len(came) + 1))


@settings(max_examples=20, deadline=None)
@given(st.integers(3, 33), SEEDS)
def test_first_match_losers_are_exactly_those_who_lost_the_first_match_they_played(count, seed):
    bracket = add_first_match_consolation(weekend_main(count, seed))
    results, state = play(bracket, seed, double_walkovers=False)
    first = {}
    for n in (n for r in bracket.section(MAIN) for n in r.matches):
        match = state.matches[n]
        if match.outcome.kind is ResultKind.BYE:
            continue
        for side in Side:
            entry = match.slot(side).entry
            if entry is not None:
                first.setdefault(entry, (match.outcome, side))
    expected = {
        entry
        for entry, (outcome, side) in first.items()
        if outcome.winner is side.other and outcome.kind in PLAYED_KINDS
    }
    assert set(elimination_places(bracket, results, [CONSOLATION])) == expected


def weekend_main(count, seed):
    return single_elimination(blind_draw([EntryId(n) for n in range(1, count + 1)], seed))


@settings(max_examples=20, deadline=None)
@given(st.integers(3, 33), SEEDS, st.booleans())
def test_double_elimination_everybody_but_the_winner_loses_twice(count, seed, recharge):
    bracket = double_elimination(
        blind_draw([EntryId(n) for n in range(1, count + 1)], seed), recharge=recharge
    )
    chance, results, state = Chance(seed, "play"), {}, opening_state(bracket)
    losses = dict.fromkeys(range(1, count + 1), 0)
    while not state.finished:
        ready = [n for n, m in state.matches.items() if m.status is MatchStatus.READY]
        number = ready[chance.below(len(ready))]
        winner = (Side.A, Side.B)[chance.below(2)]
        losses[state.matches[number].slot(winner.other).entry] += 1
        results[number] = Outcome(winner)
        state = advance(bracket, results)
    places = elimination_places(bracket, results, DOUBLE_ELIMINATION_SECTIONS)
    (champion,) = [entry for entry, place in places.items() if place.first == 1]
    assert losses.pop(champion) <= 1
    runner_up = next(entry for entry, place in places.items() if place.first == 2)
    if not recharge:
        assert losses.pop(runner_up) in (1, 2)
    assert set(losses.values()) <= {2}
    assert sorted(places) == list(range(1, count + 1))
    taken = sorted(n for p in set(places.values()) for n in range(p.first, p.last + 1))
    assert taken == list(range(1, count + 1))
