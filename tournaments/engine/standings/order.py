"""Ranking of the table of a Swiss or round robin by the director's list of tie-breaks.

Tie-break by tie-break, the groups that are still tied are split; entries that remain together at the end
share their places (rule F13: the list is published before the start).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from tournaments.engine.standings.table import Crosstable, Value
from tournaments.engine.standings.tie_breaks import TieBreak, get_tie_break
from tournaments.engine.types import EntryId


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A row of the table: an entry with its place and the values of its tie-breaks, keyed by code.

    Places `first` to `last` are shared; they are equal if not. A tie-break among tied entries has no value
    for an entry that was not tied, or where it is not defined; a tie-break that needs ratings has none if an
    entry has no rating. `repeated_values`: its value when repeated for entries that it had left tied, if that
    separated them.
    """

    entry: EntryId
    first: int
    last: int
    values: Mapping[str, Value]
    repeated_values: Mapping[str, Value] = field(default_factory=dict)


def rank_entries(crosstable: Crosstable, tie_breaks: Sequence[str]) -> tuple[StandingsRow, ...]:
    """Return the rows of the table, ranked by these tie-breaks in order (rule F13).

    Usually the first tie-break is `points`. Cid and Dan have won once each, but Dan's opponents have more
    points (all are half points):

    >>> from tournaments.engine.pairing.history import PairedMatch, SwissRound
    >>> from tournaments.engine.standings.table import Crosstable
    >>> ann, bob, cid, dan = map(EntryId, (1, 2, 3, 4))
    >>> rounds = [
    ...     SwissRound((PairedMatch(ann, bob, 2, 0), PairedMatch(cid, dan, 0, 2))),
    ...     SwissRound((PairedMatch(ann, dan, 2, 0), PairedMatch(bob, cid, 0, 2))),
    ... ]
    >>> table = rank_entries(Crosstable((ann, bob, cid, dan), rounds), ("points", "buchholz"))
    >>> [(row.entry, row.first, row.values["buchholz"]) for row in table]
    [(1, 1, 2), (4, 2, 6), (3, 3, 2), (2, 4, 6)]
    """
    values: dict[EntryId, dict[str, Value]] = {entry: {} for entry in crosstable.entries}
    later_values: dict[EntryId, dict[str, Value]] = {entry: {} for entry in crosstable.entries}
    groups: list[tuple[EntryId, ...]] = [crosstable.entries] if crosstable.entries else []
    for code in tie_breaks:
        breaker = get_tie_break(code)
        if not breaker.is_among_tied:
            computed = breaker.compute(crosstable, crosstable.entries)
            for entry, value in computed.items():
                values[entry][code] = value
            if computed:
                groups = [part for group in groups for part in _split_by_value(group, values, code)]
            continue
        groups = [
            part for group in groups for part in _split_tied(group, values, later_values, breaker, crosstable)
        ]
    rows: list[StandingsRow] = []
    for group in groups:
        first = len(rows) + 1
        rows += [
            StandingsRow(entry, first, first + len(group) - 1, values[entry], later_values[entry])
            for entry in group
        ]
    return tuple(rows)


TieBreakValues = Mapping[EntryId, dict[str, Value]]


def _split_by_value(
    group: tuple[EntryId, ...], values: TieBreakValues, code: str
) -> list[tuple[EntryId, ...]]:
    """Return the group split into groups with equal values of a tie-break, best first."""
    return _cut_by_value(group, {entry: values[entry][code] for entry in group})


def _split_tied(
    group: tuple[EntryId, ...],
    values: TieBreakValues,
    later_values: TieBreakValues,
    breaker: TieBreak,
    crosstable: Crosstable,
) -> list[tuple[EntryId, ...]]:
    """Return the group split by a tie-break among tied entries.

    Stores its values in `values`, and those of a repetition that split more in `later_values`.
    """
    if len(group) == 1:
        return [group]
    computed = breaker.compute(crosstable, group)
    if not computed:
        return [group]
    parts = breaker.tiers(crosstable, group, computed) if breaker.tiers else _cut_by_value(group, computed)
    for entry, value in computed.items():
        if breaker.code not in values[entry]:
            values[entry][breaker.code] = value
        elif len(parts) > 1:
            later_values[entry][breaker.code] = value
    if not breaker.again or len(parts) == 1:
        return parts
    return [
        subgroup
        for part in parts
        for subgroup in _split_tied(part, values, later_values, breaker, crosstable)
    ]


def _cut_by_value(group: tuple[EntryId, ...], values: Mapping[EntryId, Value]) -> list[tuple[EntryId, ...]]:
    ordered = sorted(group, key=lambda entry: (-values[entry], entry))
    return [tuple(tied) for _value, tied in groupby(ordered, key=values.__getitem__)]
