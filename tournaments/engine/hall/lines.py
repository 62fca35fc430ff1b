"""Matches on the director's board: which are listed, in which order and groups.

A board is read while it changes, so an order must not depend on results elsewhere: sorted by table, a match
stays at its table's place, whatever its status.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from tournaments.engine.statuses import (
    AT_TABLE,
    AWAITING_RESULT,
    HAS_RESULT,
    PLAYERS_BUSY,
    UNSETTLED,
    UPCOMING,
    MatchStatus,
)

_LATEST_TIME: Final = datetime.max.replace(tzinfo=UTC)
_EARLIEST_TIME: Final = datetime.min.replace(tzinfo=UTC)
_LAST_POSITION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class BoardFilter:
    """A filter of the board.

    ``code``: its name in an address; ``statuses``: a match is shown if it has one of these.
    """

    code: str
    statuses: tuple[MatchStatus, ...]


NOW_FILTER: Final = BoardFilter("now", AWAITING_RESULT)  # everything that can be played or awaits a report
UNSETTLED_FILTER: Final = BoardFilter("asks", UNSETTLED)  # reports that the director has to settle
DONE_FILTER: Final = BoardFilter("done", HAS_RESULT)


class BoardOrder(StrEnum):
    """How the board is sorted; sorted by state or division, it is also grouped."""

    TABLE = "table"
    TIME = "time"  # longest in its state first
    STATE = "state"
    DIVISION = "division"


# The filter of each status, in the order of groups: matches that need a decision first, later statuses before
# earlier ones. Matches that are over without a result are not listed.
STATE_FILTERS: Final[Mapping[MatchStatus, BoardFilter]] = {
    **{
        status: BoardFilter(status.value, (status,))
        for statuses in (UNSETTLED, PLAYERS_BUSY, AT_TABLE, AWAITING_RESULT, UPCOMING)
        for status in reversed(statuses)
    },
    **dict.fromkeys(HAS_RESULT, DONE_FILTER),
}
FILTERS: Final[Mapping[str, BoardFilter]] = {
    board_filter.code: board_filter
    for board_filter in (NOW_FILTER, UNSETTLED_FILTER, *STATE_FILTERS.values())
}
_GROUPS: Final = tuple(STATE_FILTERS.values())


@dataclass(frozen=True, slots=True)
class BoardMatch:
    """A match on the board, with what sorting and grouping need.

    ``key``: identifies the match for the caller; ``section_position``: position of its division, stage and
    section in the event; ``turn``: position among the matches to be called, None for others; ``since``: when
    the present status began.
    """

    key: int
    status: MatchStatus
    number: int
    section_position: int
    table: int | None = None
    turn: int | None = None
    since: datetime | None = None

    @property
    def state(self) -> BoardFilter:
        return STATE_FILTERS[self.status]


@dataclass(frozen=True, slots=True)
class BoardGroup:
    """Matches under one heading of the board.

    ``of``: the status filter or the number of the part that the heading names, None for no heading.
    """

    of: BoardFilter | int | None
    lines: tuple[BoardMatch, ...]


def is_visible(status: MatchStatus, board_filter: BoardFilter, *, searched: bool = False) -> bool:
    """Return whether a match of this status is shown with this filter.

    ``searched``: True if the user searches; with the filter for current matches, waiting and finished ones
    are then shown too.
    """
    return status in board_filter.statuses or (
        searched and board_filter is NOW_FILTER and status in STATE_FILTERS
    )


def count_by_filter(statuses: Iterable[MatchStatus]) -> Mapping[BoardFilter, int]:
    """Return how many matches each filter shows, keyed by filter."""
    counts = Counter(statuses)
    return {
        board_filter: sum(counts[status] for status in board_filter.statuses)
        for board_filter in FILTERS.values()
    }


def group_matches(lines: Iterable[BoardMatch], order: BoardOrder) -> list[BoardGroup]:
    """Return the matches sorted and grouped for the board; in an order without groups they are one group."""
    if order is BoardOrder.STATE:
        return _group_by(
            sorted(lines, key=lambda line: (_GROUPS.index(line.state), *_table_key(line))), _state_filter
        )
    if order is BoardOrder.DIVISION:
        return _group_by(
            sorted(lines, key=lambda line: (line.section_position, *_table_key(line))),
            lambda line: line.section_position,
        )
    sorted_lines = sorted(lines, key=_table_key if order is BoardOrder.TABLE else _time_key)
    return [BoardGroup(None, tuple(sorted_lines))] if sorted_lines else []


_SortKey = tuple[int, int, float, int, int]


def _table_key(line: BoardMatch) -> _SortKey:
    """Return the sort key by table: at tables, then in calling order, then waiting, then finished matches.

    Finished matches are sorted with the latest first.
    """
    is_over = line.status in HAS_RESULT
    kind = 3 if is_over else 2 if line.status not in AWAITING_RESULT else 1 if line.table is None else 0
    place = line.table if kind == 0 and line.table is not None else _turn_key(line)
    return (
        kind,
        0 if is_over else place,
        -_timestamp(line.since, _EARLIEST_TIME) if is_over else 0,
        line.section_position,
        line.number,
    )


def _time_key(line: BoardMatch) -> _SortKey:
    is_over = line.status in HAS_RESULT
    moment = _timestamp(line.since, _EARLIEST_TIME if is_over else _LATEST_TIME)
    return int(is_over), 0, -moment if is_over else moment, line.section_position, line.number


def _turn_key(line: BoardMatch) -> int:
    return _LAST_POSITION if line.turn is None else line.turn


def _timestamp(at: datetime | None, default: datetime) -> float:
    return (at or default).timestamp()


def _state_filter(line: BoardMatch) -> BoardFilter:
    return line.state


def _group_by(
    lines: Sequence[BoardMatch], group_key: Callable[[BoardMatch], BoardFilter | int]
) -> list[BoardGroup]:
    groups: dict[BoardFilter | int, list[BoardMatch]] = {}
    for line in lines:
        groups.setdefault(group_key(line), []).append(line)
    return [BoardGroup(name, tuple(group)) for name, group in groups.items()]
