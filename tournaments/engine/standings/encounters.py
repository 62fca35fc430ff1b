"""Tie-breaks by the meetings of tied entries: head-to-head (Article 6), and sums for mini tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from tournaments.engine.pairing.history import FULL_POINT
from tournaments.engine.standings.table import Crosstable, CrosstableRound, Value
from tournaments.engine.types import EntryId

Entries = Sequence[EntryId]
Tiers = list[tuple[EntryId, ...]]


def sum_among_tied(
    crosstable: Crosstable, tied: Entries, value: Callable[[CrosstableRound], int]
) -> dict[EntryId, Value]:
    """Return for each tied entry the sum of ``value`` over its played matches with other tied entries."""
    tied_set = set(tied)
    return {
        entry: sum(
            value(line) for line in crosstable.lines[entry] if line.played and line.opponent in tied_set
        )
        for entry in tied
    }


def head_to_head(crosstable: Crosstable, tied: Entries) -> Mapping[EntryId, Value]:
    """Return the points of the tied entries from their matches with each other (Article 6.1).

    Empty if these cannot place any of them. Edition 2009: only if all of them have met, and every match
    counts.
    """
    if not crosstable.rule.allows_partial:
        met = {entry: {line.opponent for line in crosstable.lines[entry] if line.played} for entry in tied}
        return sum_among_tied(crosstable, tied, lambda line: line.points) if _have_all_met(met, tied) else {}
    results = _results(crosstable, tied)
    if not _have_all_met(results, tied) and len(_place_by_results(results, tied)) == 1:
        return {}
    return _average_points(results)


def place_by_encounters(crosstable: Crosstable, tied: Entries, values: Mapping[EntryId, Value]) -> Tiers:
    """Return the tied entries in the order of their head-to-head; entries that remain equal are one group.

    If all have met: by their points (6.2), given as `values`. Else the entry that will be alone at the top of
    these standings, whatever the missing meetings bring, is first, the next one second in the same way, and
    so on (6.3). The caller repeats this for entries left together.
    """
    if crosstable.rule.allows_partial:
        results = _results(crosstable, tied)
        if not _have_all_met(results, tied):
            return _place_by_results(results, tied)
    tiers: dict[Value, list[EntryId]] = {}
    for entry in sorted(tied):
        tiers.setdefault(values[entry], []).append(entry)
    return [tuple(tiers[points]) for points in sorted(tiers, reverse=True)]


PairResults = Mapping[EntryId, Mapping[EntryId, list[int]]]


def _results(crosstable: Crosstable, tied: Entries) -> PairResults:
    """Return for each tied entry its points from each other tied entry, as a list with one item per match.

    Opponents without a match that counts (6.1.1) are left out.
    """
    tied_set = set(tied)
    results: dict[EntryId, dict[EntryId, list[int]]] = {entry: {} for entry in tied}
    for entry, opponent_points in results.items():
        for line in crosstable.lines[entry]:
            opponent = crosstable.met(line)
            if opponent is not None and opponent in tied_set:
                opponent_points.setdefault(opponent, []).append(line.points)
    return results


def _have_all_met(met: Mapping[EntryId, Collection[EntryId | None]], tied: Entries) -> bool:
    return all(b in met[a] for a, b in combinations(tied, 2))


def _average_points(results: PairResults) -> dict[EntryId, Value]:
    """Return the points of each entry; several matches of two entries count as their average (6.1.2)."""
    averages: dict[EntryId, Value] = {}
    for entry, opponent_points in results.items():
        value: Value = sum(
            points[0] if len(points) == 1 else Fraction(sum(points), len(points))
            for points in opponent_points.values()
        )
        averages[entry] = int(value) if value == int(value) else value
    return averages


def _place_by_results(results: PairResults, tied: Entries) -> Tiers:
    minimum = _average_points(results)
    maximum = {entry: minimum[entry] + FULL_POINT * (len(tied) - 1 - len(results[entry])) for entry in tied}
    remaining, tiers = sorted(tied, key=lambda entry: (-minimum[entry], entry)), []
    while len(remaining) > 1 and minimum[remaining[0]] > max(maximum[entry] for entry in remaining[1:]):
        tiers.append((remaining.pop(0),))
    return [*tiers, tuple(sorted(remaining))]
