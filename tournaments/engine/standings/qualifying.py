"""Where a table is cut: who goes on to the next stage, and what decided it at the border.

The director's tie-breaks come first, a play-off where one was recorded; who is tied across the border even then is told
apart by lot, drawn from the stored seed. The lot that is drawn is always said.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tournaments.engine.standings.order import Row, standings
from tournaments.engine.standings.table import Book
from tournaments.engine.types import EntryId


@dataclass(frozen=True, slots=True)
class Cut:
    """The final order of one table and how many of it go on.

    `decided_by`: the tie-break that told the last who goes on from the first who does not, where it took more than the
    first criterion; "lot" if nothing else did, and then `tied` are those who were equal. `drawn`: others who were equal and
    all go on, group by group; a lot says in which order.
    """

    order: tuple[EntryId, ...]
    takes: int
    decided_by: str = ""
    tied: tuple[EntryId, ...] = ()
    drawn: tuple[tuple[EntryId, ...], ...] = ()

    @property
    def going_on(self) -> tuple[EntryId, ...]:
        return self.order[: self.takes]


def cut(book: Book, codes: Sequence[str], takes: int, out: Collection[EntryId] = ()) -> Cut:
    """The first `takes` of the table that these tie-breaks make. Who is `out` (withdrawn) is passed over."""

    def table(by: Sequence[str]) -> list[Row]:
        return [row for row in standings(book, by) if row.entry not in out]

    order = tuple(row.entry for row in table([*codes, "lot"]))
    going_on = set(order[:takes])
    drawn = tuple(group for group in tied_groups(table(codes)) if going_on.issuperset(group))
    if not 0 < takes < len(order):
        return Cut(order, takes, drawn=drawn)
    tied: tuple[EntryId, ...] = order
    for number, code in enumerate(codes, start=1):
        before, tied = tied, _across(table(codes[:number]), takes)
        if not tied and code == "lot":
            return Cut(order, takes, code, before, drawn)
        if not tied:
            return Cut(order, takes, code if number > 1 else "", drawn=drawn)
    return Cut(order, takes, "lot", tied, drawn)


def _across(rows: Sequence[Row], takes: int) -> tuple[EntryId, ...]:
    """Who shares places on both sides of the border."""
    last, next_one = rows[takes - 1], rows[takes]
    return tuple(row.entry for row in rows if row.first == last.first) if last.first == next_one.first else ()


def tied_groups(rows: Sequence[Row]) -> tuple[tuple[EntryId, ...], ...]:
    """Those who share places, group by group, best first."""
    groups: dict[int, list[EntryId]] = {}
    for row in rows:
        groups.setdefault(row.first, []).append(row.entry)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)
