"""Schedules of round robins, single or double, and of groups before a knockout.

The schedule is the Berger table (FIDE Handbook C.05, Annex 1: "Details of Berger Table"), for any number of
entries. With an odd number the last place is empty and its opponent rests. Sides follow the table; in a
double round robin the second half repeats the first with the sides swapped. (The handbook's advice to swap
the last two rounds of the first half is about colours, which backgammon does not have.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.engine.errors import BadInput
from tournaments.engine.types import EntryId

MAX_GROUP_SIZE: Final = 40  # a group has about as many rounds as entries

MIN_ENTRIES: Final = 2


@dataclass(frozen=True, slots=True)
class ScheduledRound:
    """A round of the schedule.

    `number`: counted from 1; `pairs`: side a first, in the order of the Berger table; `rests`: entries
    without an opponent.
    """

    number: int
    pairs: tuple[tuple[EntryId, EntryId], ...]
    rests: tuple[EntryId, ...] = ()


def berger_table(places: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the Berger table for an even number of places: for each round its pairs of places, from 1.

    The last place meets 1, n/2+1, 2, n/2+2 … in turn, first on the second side, then on the first. Of the
    others, those meet whose numbers are equally far on both sides of the last place's opponent, counted round
    a circle. Raises ``BadInput`` for an odd number of places.

    >>> berger_table(4)
    (((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1)))
    """
    if places < MIN_ENTRIES or places % 2:
        raise BadInput("round_robin.places_not_even", places=places)
    circle, half = places - 1, places // 2
    rounds: list[tuple[tuple[int, int], ...]] = []
    for turn in range(circle):
        middle = turn // 2 + (half if turn % 2 else 0)  # the last place's opponent, counted from 0
        last_pair = (middle + 1, places) if turn % 2 == 0 else (places, middle + 1)
        other_pairs = [((middle + k) % circle + 1, (middle - k) % circle + 1) for k in range(1, half)]
        rounds.append((last_pair, *other_pairs))
    return tuple(rounds)


def round_robin(entries: Sequence[EntryId], *, double: bool = False) -> tuple[ScheduledRound, ...]:
    """Return the rounds of a round robin; places in the Berger table follow the order of `entries`.

    `double`: every two entries meet twice. Raises ``BadInput`` for fewer than two entries or an entry named
    twice.
    """
    if len(set(entries)) != len(entries):
        raise BadInput("draw.entry_twice")
    if len(entries) < MIN_ENTRIES:
        raise BadInput("draw.too_few_entries", count=len(entries), minimum=MIN_ENTRIES)
    seated: list[EntryId | None] = [*entries, None] if len(entries) % 2 else [*entries]
    table = berger_table(len(seated))
    if double:
        table += tuple(tuple((b, a) for a, b in pairs) for pairs in table)
    schedule: list[ScheduledRound] = []
    for number, pairs in enumerate(table, start=1):
        rests: tuple[EntryId, ...] = ()
        meetings: list[tuple[EntryId, EntryId]] = []
        for i, j in pairs:
            a, b = seated[i - 1], seated[j - 1]
            if a is not None and b is not None:
                meetings.append((a, b))
            else:
                rests = tuple(entry for entry in (a, b) if entry is not None)
        schedule.append(ScheduledRound(number, tuple(meetings), rests))
    return tuple(schedule)


def group_schedules(
    groups: Sequence[Sequence[EntryId]], *, double: bool = False
) -> tuple[ScheduledRound, ...]:
    """Return the rounds of all groups, played side by side; smaller groups finish earlier."""
    schedules = [round_robin(group, double=double) for group in groups]
    rounds = []
    for number in range(1, max(map(len, schedules), default=0) + 1):
        parallel_rounds = [schedule[number - 1] for schedule in schedules if number <= len(schedule)]
        rounds.append(
            ScheduledRound(
                number,
                tuple(pair for scheduled in parallel_rounds for pair in scheduled.pairs),
                tuple(entry for scheduled in parallel_rounds for entry in scheduled.rests),
            )
        )
    return tuple(rounds)


def serpentine_groups(best_first: Sequence[EntryId], groups: int) -> tuple[tuple[EntryId, ...], ...]:
    """Return groups of about equal strength, dealt in serpentine order.

    For three groups the order is 1 2 3 | 6 5 4 | 7 8 9. Sizes differ by one at most. Raises ``BadInput`` if a
    group would have fewer than two entries.

    >>> serpentine_groups([EntryId(number) for number in range(1, 7)], groups=2)
    ((1, 4, 5), (2, 3, 6))
    """
    if groups < 1 or len(best_first) < MIN_ENTRIES * groups:
        raise BadInput("groups.too_few_entries", count=len(best_first), groups=groups)
    dealt: list[list[EntryId]] = [[] for _ in range(groups)]
    for place, entry in enumerate(best_first):
        row, column = divmod(place, groups)
        dealt[column if row % 2 == 0 else groups - 1 - column].append(entry)
    return tuple(tuple(group) for group in dealt)


def qualifiers(tables: Sequence[Sequence[EntryId]], per_group: int) -> tuple[EntryId, ...]:
    """Return the entries that advance from the groups, in seeding order.

    All winners come first, then all seconds, and so on. `tables`: the final order of each group. In every
    second rank neighbours change places, so that with two from each group, and a power of two of groups,
    those from one group are in different halves and can meet in the final only. Raises ``BadInput`` if a
    group has fewer than `per_group` entries.
    """
    short_groups = [number for number, table in enumerate(tables, start=1) if len(table) < per_group]
    if short_groups or per_group < 1:
        raise BadInput("groups.too_few_qualify", groups=short_groups, each=per_group)
    return interleave_tables([table[:per_group] for table in tables])


def interleave_tables(tables: Sequence[Sequence[EntryId]]) -> tuple[EntryId, ...]:
    """Return the entries of all tables: all first ones, then all second ones, and so on.

    In every second rank neighbours change places (see `qualifiers`); the tables may differ in length.
    """
    order: list[EntryId] = []
    for rank in range(max(map(len, tables), default=0)):
        row = [table[rank] for table in tables if rank < len(table)]
        order += row if rank % 2 == 0 else _swap_neighbours(row)
    return tuple(order)


def _swap_neighbours(row: list[EntryId]) -> list[EntryId]:
    """Return the entries with neighbours swapped, which in standard seeding moves them to the other half.

    With two groups these are in different halves already, so nothing is swapped.
    """
    if len(row) <= 2:
        return row
    return [row[place ^ 1] if place ^ 1 < len(row) else row[place] for place in range(len(row))]
