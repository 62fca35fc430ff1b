"""Tie-breaks by the meetings of tied entries: head-to-head (Article 6), and sums for mini tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from tournaments.engine.pairing.history import FULL_POINT
from tournaments.engine.standings.table import Crosstable, CrosstableLine, Value
from tournaments.engine.types import EntryId

Entries = Sequence[EntryId]
Tiers = list[tuple[EntryId, ...]]


def sum_among_tied(
    book: Crosstable, tied: Entries, value: Callable[[CrosstableLine], int]
) -> dict[EntryId, Value]:
    """Return sums over the played meetings of the tied with each other."""
    inside = set(tied)
    return {
        entry: sum(value(line) for line in book.lines[entry] if line.played and line.opponent in inside)
        for entry in tied
    }


def head_to_head(book: Crosstable, tied: Entries) -> Mapping[EntryId, Value]:
    """Return the points from the meetings of the tied (6.1); empty if these cannot place any of them.

    2009: only if all of them have met, and every meeting counts.
    """
    if not book.rule.allows_partial:
        met = {entry: {line.opponent for line in book.lines[entry] if line.played} for entry in tied}
        return sum_among_tied(book, tied, lambda line: line.points) if _have_all_met(met, tied) else {}
    results = _results(book, tied)
    if not _have_all_met(results, tied) and len(_place_by_results(results, tied)) == 1:
        return {}
    return _average_points(results)


def place_by_encounters(book: Crosstable, tied: Entries, found: Mapping[EntryId, Value]) -> Tiers:
    """Return the tied in the order of their head-to-head, entries that remain equal together.

    If all have met: by their points (6.2). Else the entry that will be alone at the top of these standings,
    whatever the missing meetings bring, is first, the next one second in the same way, and so on (6.3). The
    caller repeats it for entries left together.
    """
    if book.rule.allows_partial:
        results = _results(book, tied)
        if not _have_all_met(results, tied):
            return _place_by_results(results, tied)
    tiers: dict[Value, list[EntryId]] = {}
    for entry in sorted(tied):
        tiers.setdefault(found[entry], []).append(entry)
    return [tuple(tiers[points]) for points in sorted(tiers, reverse=True)]


PairResults = Mapping[EntryId, Mapping[EntryId, list[int]]]


def _results(book: Crosstable, tied: Entries) -> PairResults:
    """Return each tied entry's points from each other, by meeting.

    Opponents without a counting meeting (6.1.1) are left out.
    """
    inside = set(tied)
    results: dict[EntryId, dict[EntryId, list[int]]] = {entry: {} for entry in tied}
    for entry, own in results.items():
        for line in book.lines[entry]:
            opponent = book.met(line)
            if opponent is not None and opponent in inside:
                own.setdefault(opponent, []).append(line.points)
    return results


def _have_all_met(met: Mapping[EntryId, Collection[EntryId | None]], tied: Entries) -> bool:
    return all(b in met[a] for a, b in combinations(tied, 2))


def _average_points(results: PairResults) -> dict[EntryId, Value]:
    """Return the points, several meetings of two counting as their average (6.1.2)."""
    found: dict[EntryId, Value] = {}
    for entry, own in results.items():
        value: Value = sum(got[0] if len(got) == 1 else Fraction(sum(got), len(got)) for got in own.values())
        found[entry] = int(value) if value == int(value) else value
    return found


def _place_by_results(results: PairResults, tied: Entries) -> Tiers:
    sure = _average_points(results)
    most = {entry: sure[entry] + FULL_POINT * (len(tied) - 1 - len(results[entry])) for entry in tied}
    left, tiers = sorted(tied, key=lambda entry: (-sure[entry], entry)), []
    while len(left) > 1 and sure[left[0]] > max(most[entry] for entry in left[1:]):
        tiers.append((left.pop(0),))
    return [*tiers, tuple(sorted(left))]
