"""Is the pairing the best there is? Asked of solvers that share no line with it.

To 8 entries every pairing is written down and compared. Beyond, networkx (another implementation, another language)
solves the same criteria with exact big numbers built here, level by level, from the definition.
"""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.engine.chance import Chance
from tournaments.engine.pairing import swiss
from tournaments.engine.pairing.history import (
    Entrant,
    PairedMatch,
    RestingEntry,
    SwissRound,
    contenders_after,
)
from tournaments.engine.pairing.swiss import Contender, PairingRestrictions, pair_round
from tournaments.engine.types import EntryId

SEEDS = st.integers(0, 2**32)


def random_field(count, seed, *, crowded=False):
    """A field in the middle of an event: scores, floats, byes, a few clubs, opponents met (many, if crowded)."""
    chance = Chance(seed, "field")
    entries = [EntryId(n) for n in range(1, count + 1)]
    met = {entry: set() for entry in entries}
    for _ in range(count * (2 if crowded else 1)):
        a, b = entries[chance.below(count)], entries[chance.below(count)]
        if a != b:
            met[a].add(b)
            met[b].add(a)
    return [
        Contender(
            entry,
            rank,
            points=chance.below(5),
            met=frozenset(met[entry]),
            byes=chance.below(2),
            floats_down=chance.below(3),
            floats_up=chance.below(3),
            apart=frozenset({f"club {chance.below(4)}"}),
        )
        for rank, entry in enumerate(Chance(seed, "ranks").shuffled(entries), start=1)
    ]


def levels(contenders, pairs, bye):
    """The levels 2 to 6 of a pairing, from the definition."""
    by_entry = {c.entry: c for c in contenders}
    lowest = min(c.points for c in contenders)
    steps = sorted({c.points - lowest for c in contenders} - {0})
    unit = next((u for u in range(max(steps, default=1), 0, -1) if all(s % u == 0 for s in steps)), 1)
    cost = [
        0,
        by_entry[bye].byes if bye else 0,
        (by_entry[bye].points - lowest) // unit if bye else 0,
        0,
        0,
        0,
    ]
    for pair in pairs:
        upper, lower = sorted((by_entry[e] for e in pair), key=lambda c: -c.points)
        gap = (upper.points - lower.points) // unit
        cost[0] += lower.entry in upper.met
        cost[3] += gap * gap
        cost[4] += (upper.floats_down + lower.floats_up) if gap else 0
        cost[5] += len(upper.apart & lower.apart)
    return tuple(cost)


def every_pairing(entries):
    """All ways to pair them; None stands for the bye."""
    if not entries:
        yield []
        return
    first, *rest = entries
    for i, other in enumerate(rest):
        for pairs in every_pairing(rest[:i] + rest[i + 1 :]):
            yield [(first, other), *pairs]


def best_of_all(contenders):
    entries = [c.entry for c in contenders]
    costs = []
    for pairs in every_pairing(entries if len(entries) % 2 == 0 else [*entries, None]):
        bye = next((a for a, b in pairs if b is None), None)
        costs.append(levels(contenders, [pair for pair in pairs if None not in pair], bye))
    return min(costs)


def best_by_networkx(contenders):
    """The least cost by networkx: each level a digit in a base that no sum of lower digits can reach."""
    base = 10**6
    graph = nx.Graph()
    by_entry = {c.entry: c for c in contenders}
    entries = sorted(by_entry)

    def add(a, b, cost):
        digits = 0
        for level in cost:
            digits = digits * base + level
        graph.add_edge(a, b, weight=-digits)

    low = min(contenders, key=lambda c: c.points)
    steps = [c.points - low.points for c in contenders]
    # the unit of points is that of the whole field, so every pair is costed inside it, without a level for the bye
    for i, a in enumerate(entries):
        for b in entries[i + 1 :]:
            add(a, b, pair_levels(by_entry[a], by_entry[b], steps))
        if len(entries) % 2:
            add(a, "bye", bye_levels(by_entry[a], low.points, steps))
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    bye = next((a if b == "bye" else b for a, b in matching if "bye" in (a, b)), None)
    return levels(contenders, [pair for pair in matching if "bye" not in pair], bye)


def unit_of(steps):
    positive = [s for s in steps if s]
    return next((u for u in range(max(positive, default=1), 0, -1) if all(s % u == 0 for s in positive)), 1)


def pair_levels(a, b, steps):
    upper, lower = (a, b) if a.points >= b.points else (b, a)
    gap = (upper.points - lower.points) // unit_of(steps)
    floats = upper.floats_down + lower.floats_up if gap else 0
    return (lower.entry in upper.met, 0, 0, gap * gap, floats, len(a.apart & b.apart))


def bye_levels(contender, lowest, steps):
    return (0, contender.byes, (contender.points - lowest) // unit_of(steps), 0, 0, 0)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 8), SEEDS, st.booleans())
def test_pair_round_when_every_pairing_is_tried_then_none_is_better(count, seed, crowded):
    contenders = random_field(count, seed, crowded=crowded)
    found = pair_round(contenders, seed=seed)
    assert levels(contenders, found.pairs, found.bye) == found.costs.without_fold == best_of_all(contenders)
    points = {one.entry: one.points for one in contenders}
    tables = [(points[a] + points[b], points[a]) for a, b in found.pairs]
    assert tables == sorted(tables, reverse=True)  # the leaders meet at the first table


@settings(max_examples=15, deadline=None)
@given(st.integers(9, 24), SEEDS, st.booleans())
def test_pair_round_when_another_solver_is_asked_then_it_finds_nothing_better(count, seed, crowded):
    contenders = random_field(count, seed, crowded=crowded)
    found = pair_round(contenders, seed=seed)
    assert (
        levels(contenders, found.pairs, found.bye) == found.costs.without_fold == best_by_networkx(contenders)
    )


@pytest.mark.slow
@pytest.mark.parametrize("count", [63, 100])
def test_pair_round_of_a_hundred_is_what_another_solver_finds(count):
    contenders = random_field(count, seed=count)
    found = pair_round(contenders, seed=1)
    assert found.costs.without_fold == best_by_networkx(contenders)


@pytest.mark.parametrize("count", [101, 150, 241])
@pytest.mark.parametrize("crowded", [False, True])
def test_the_narrow_search_costs_what_the_whole_one_costs_but_for_the_fold(count, crowded):
    contenders = random_field(count, seed=count, crowded=crowded)
    found = pair_round(contenders, seed=1)
    whole = swiss._search_pairing(
        swiss.PairingField(contenders, PairingRestrictions(), 1), None, rematches=False
    )
    assert found.costs.without_fold == whole.costs.without_fold


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 60), SEEDS)
def test_the_bound_is_never_above_what_is_possible(count, seed):
    contenders = random_field(count, seed)
    assert (
        swiss.PairingField(contenders, PairingRestrictions(), 1).lower_bound()
        <= pair_round(contenders, seed=1).costs.without_fold
    )


def play_swiss(count, rounds, seed):
    """A whole event with drop-outs, late entries and half-point byes; yields every round's pairing."""
    chance = Chance(seed, "event")
    entrants = [Entrant(EntryId(n), n, frozenset({f"club {n % 12}"})) for n in range(1, count + 1)]
    playing = {e.entry for e in entrants[: count - 3]}
    waiting = [e.entry for e in entrants[count - 3 :]]
    played = []
    for number in range(rounds):
        rests = []
        if number and waiting and chance.below(2):
            playing.add(waiting.pop())
        for entry in sorted(playing):
            if chance.below(60) == 0:
                playing.discard(entry)
            elif chance.below(60) == 0:
                rests.append(RestingEntry(entry, 1))
        contenders = contenders_after(played, entrants, playing - {r.entry for r in rests})
        if len(contenders) < 2:
            return  # nearly everybody has gone home
        found = pair_round(contenders, seed=seed)
        yield contenders, found
        meetings = []
        for a, b in found.pairs:
            first = chance.below(100) < 50 + (b - a) // 8
            meetings.append(PairedMatch(a, b, 2 * first, 2 - 2 * first, played=chance.below(50) > 0))
        if found.bye:
            rests.append(RestingEntry(found.bye, 2, is_allotted=True))
        played.append(SwissRound(tuple(meetings), tuple(rests)))


@pytest.mark.parametrize("seed", range(4))
def test_an_event_of_201_over_nine_rounds_has_no_avoidable_rematch_and_no_second_bye(seed):
    for contenders, found in play_swiss(201, 9, seed):
        seats = [e for pair in found.pairs for e in pair] + ([found.bye] if found.bye else [])
        assert sorted(seats) == sorted(c.entry for c in contenders)
        assert found.costs.rematches == 0
        assert found.costs.bye_again == 0


@settings(max_examples=15, deadline=None)
@given(st.integers(4, 14), SEEDS)
def test_an_event_with_more_rounds_than_opponents_never_gets_stuck(count, seed):
    for contenders, found in play_swiss(count, count + 3, seed):
        assert len(found.pairs) == len(contenders) // 2
