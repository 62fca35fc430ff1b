"""The director's board line by line: which matches stand on it, in which order, in which groups.

A board is read while it changes, so an order never depends on anything that a result elsewhere changes: by table a
match stands where its table is, whatever its state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from tournaments.engine.statuses import AHEAD, AT_TABLE, IN_PLAY, PAIRED, PLAYED, UNSETTLED, MatchStatus

_NEVER: Final = datetime.max.replace(tzinfo=UTC)
_EARLIEST: Final = datetime.min.replace(tzinfo=UTC)
_LAST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Shown:
    """What the board can be narrowed to: its ``code`` in an address, and the statuses that then stand there."""

    code: str
    statuses: tuple[MatchStatus, ...]


NOW: Final = Shown("now", PAIRED)  # everything that can be played or waits for a word
ASKS: Final = Shown("asks", UNSETTLED)  # somebody said something that the director has to look at
DONE: Final = Shown("done", PLAYED)


class Order(StrEnum):
    """How lines follow one another; by state and by division they stand in groups."""

    TABLE = "table"
    TIME = "time"  # who has been so for the longest, first
    STATE = "state"
    DIVISION = "division"


# The state of each status, in the order of their groups: what needs a decision stands first, in each the later status.
# What is over without a result stands nowhere: nobody looks for it.
STATES: Final[Mapping[MatchStatus, Shown]] = {
    **{
        status: Shown(status.value, (status,))
        for statuses in (UNSETTLED, IN_PLAY, AT_TABLE, PAIRED, AHEAD)
        for status in reversed(statuses)
    },
    **dict.fromkeys(PLAYED, DONE),
}
SHOWN: Final[Mapping[str, Shown]] = {shown.code: shown for shown in (NOW, ASKS, *STATES.values())}
_GROUPS: Final = tuple(STATES.values())


@dataclass(frozen=True, slots=True)
class Line:
    """What the order needs to know of a match.

    ``part`` is the place of its division, stage and section in the event; ``turn`` its place among those that wait to be
    called, None for others; ``since`` from when on its state has been what it is.
    """

    key: int
    status: MatchStatus
    number: int
    part: int
    table: int | None = None
    turn: int | None = None
    since: datetime | None = None

    @property
    def state(self) -> Shown:
        return STATES[self.status]


@dataclass(frozen=True, slots=True)
class Group:
    """Lines under one heading: a state, the place of a part, or None for no heading at all."""

    of: Shown | int | None
    lines: tuple[Line, ...]


def is_shown(status: MatchStatus, shown: Shown, *, searched: bool = False) -> bool:
    """Whether a match of this status stands on a board narrowed to ``shown``; who searches finds what waits and is over, too."""
    return status in shown.statuses or (searched and shown is NOW and status in STATES)


def counts(statuses: Iterable[MatchStatus]) -> Mapping[Shown, int]:
    """How many matches each narrowing would show."""
    each = Counter(statuses)
    return {shown: sum(each[status] for status in shown.statuses) for shown in SHOWN.values()}


def in_order(lines: Iterable[Line], order: Order) -> list[Group]:
    """``lines`` as they stand on the board."""
    if order is Order.STATE:
        return _grouped(sorted(lines, key=lambda line: (_GROUPS.index(line.state), *_by_table(line))), _state)
    if order is Order.DIVISION:
        return _grouped(sorted(lines, key=lambda line: (line.part, *_by_table(line))), lambda line: line.part)
    found = sorted(lines, key=_by_table if order is Order.TABLE else _by_time)
    return [Group(None, tuple(found))] if found else []


_Key = tuple[int, int, float, int, int]


def _by_table(line: Line) -> _Key:
    """At the tables, then in the order of calling, then what waits, then what is over, the last one first."""
    over = line.status in PLAYED
    kind = 3 if over else 2 if line.status not in PAIRED else 1 if line.table is None else 0
    place = line.table if kind == 0 and line.table is not None else _turn(line)
    return kind, 0 if over else place, -_moment(line.since, _EARLIEST) if over else 0, line.part, line.number


def _by_time(line: Line) -> _Key:
    over = line.status in PLAYED
    moment = _moment(line.since, _EARLIEST if over else _NEVER)
    return int(over), 0, -moment if over else moment, line.part, line.number


def _turn(line: Line) -> int:
    return _LAST if line.turn is None else line.turn


def _moment(at: datetime | None, otherwise: datetime) -> float:
    return (at or otherwise).timestamp()


def _state(line: Line) -> Shown:
    return line.state


def _grouped(lines: Sequence[Line], of: Callable[[Line], Shown | int]) -> list[Group]:
    found: dict[Shown | int, list[Line]] = {}
    for line in lines:
        found.setdefault(of(line), []).append(line)
    return [Group(name, tuple(group)) for name, group in found.items()]
