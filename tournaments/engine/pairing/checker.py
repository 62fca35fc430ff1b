"""Check of the pairings of a Swiss, round by round, which lists every criterion that they break.

A criterion is broken if a better pairing existed in that round, with what was known then; different earlier
pairings are not considered. Pairings by hand or by another program are judged by the same levels as our own
(`swiss`), except the fold, which is a matter of taste.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournaments.engine.pairing.history import Entrant, SwissRound, contenders_after
from tournaments.engine.pairing.swiss import (
    NO_RESTRICTIONS,
    Contender,
    Pairing,
    PairingRestrictions,
    pair_round,
    pairing_costs,
)
from tournaments.engine.types import EntryId


class Criterion(StrEnum):
    ENTRY_TWICE = "entry_twice"  # the same entry in two places of one round
    FORBIDDEN = "forbidden"  # a forbidden pair, or one club where clubs must not meet
    REMATCH = "rematch"
    BYE_AGAIN = "bye_again"
    BYE_POINTS = "bye_points"
    SCORE_GAP = "score_gap"
    FLOATS = "floats"
    PREFERENCES = "preferences"


@dataclass(frozen=True, slots=True)
class BrokenCriterion:
    """A criterion that the pairing of a round breaks.

    `round`: counted from 1; `found`: the cost of the pairing in this criterion; `best`: the lowest possible
    cost; `entries`: those concerned.
    """

    round: int
    criterion: Criterion
    found: int
    best: int
    entries: tuple[EntryId, ...] = ()


def check_swiss(
    rounds: Sequence[SwissRound],
    entrants: Collection[Entrant],
    *,
    restrictions: PairingRestrictions = NO_RESTRICTIONS,
    floats: int = 0,
) -> tuple[BrokenCriterion, ...]:
    """Return all broken criteria, round by round; empty if no better pairing existed in any round.

    `floats`: in how many previous rounds floats count, 0 for all (see `contenders_after`).
    """
    broken: list[BrokenCriterion] = []
    for number, swiss_round in enumerate(rounds, start=1):
        seats = [entry for m in swiss_round.meetings for entry in (m.a, m.b)] + [
            r.entry for r in swiss_round.rests
        ]
        duplicates = sorted({entry for entry in seats if seats.count(entry) > 1})
        if duplicates:
            broken.append(
                BrokenCriterion(number, Criterion.ENTRY_TWICE, len(duplicates), 0, tuple(duplicates))
            )
            continue  # not a valid pairing, so there is nothing to compare
        resting = {rest.entry for rest in swiss_round.rests if not rest.is_allotted}
        contenders = contenders_after(rounds[: number - 1], entrants, set(seats) - resting, floats=floats)
        if len(contenders) > 1:
            pairs = [(meeting.a, meeting.b) for meeting in swiss_round.meetings]
            best = pair_round(contenders, seed=number, restrictions=restrictions)
            broken += compare_with_best(
                number, contenders, pairs, swiss_round.bye, best, restrictions=restrictions
            )
    return tuple(broken)


def compare_with_best(
    number: int,
    contenders: Collection[Contender],
    pairs: Sequence[tuple[EntryId, EntryId]],
    bye: EntryId | None,
    best: Pairing,
    *,
    restrictions: PairingRestrictions = NO_RESTRICTIONS,
) -> list[BrokenCriterion]:
    """Return the criteria that this pairing of round `number` breaks in comparison with the best pairing.

    `bye`: the entry that has the bye, if any.
    """
    by_entry = {c.entry: c for c in contenders}
    forbidden = [pair for pair in pairs if restrictions.forbids(by_entry[pair[0]], by_entry[pair[1]])]
    broken = []
    if forbidden:
        broken.append(
            BrokenCriterion(number, Criterion.FORBIDDEN, len(forbidden), 0, _entries_of_pairs(forbidden))
        )
    costs = pairing_costs(contenders, pairs, bye, restrictions=restrictions)
    uneven = _entries_of_pairs(
        [pair for pair in pairs if by_entry[pair[0]].points != by_entry[pair[1]].points]
    )
    avoided_pairs = [
        (a, b)
        for a, b in pairs
        if by_entry[a].apart & by_entry[b].apart or frozenset((a, b)) in restrictions.avoided
    ]
    resting = () if bye is None else (bye,)
    entries_by_criterion = {
        Criterion.REMATCH: _entries_of_pairs([(a, b) for a, b in pairs if b in by_entry[a].met]),
        Criterion.BYE_AGAIN: resting,
        Criterion.BYE_POINTS: resting,
        Criterion.SCORE_GAP: uneven,
        Criterion.FLOATS: uneven,
        Criterion.PREFERENCES: _entries_of_pairs(avoided_pairs),
    }
    levels = zip(entries_by_criterion, costs.without_fold, best.costs.without_fold, strict=True)
    broken += [
        BrokenCriterion(number, criterion, cost, lowest, entries_by_criterion[criterion])
        for criterion, cost, lowest in levels
        if cost > lowest
    ]
    return broken


def _entries_of_pairs(pairs: Sequence[tuple[EntryId, EntryId]]) -> tuple[EntryId, ...]:
    return tuple(entry for pair in pairs for entry in pair)
