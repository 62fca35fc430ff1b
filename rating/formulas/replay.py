"""Replay: turns facts into changes, in the one loop that computes all ratings of a list. PURE.

The same function rates the newest result, a tail after a correction and a whole list, so these cannot differ:
ratings are floats that pass from fact to fact unrounded, in one order (by moment, then by ledger number; a
replacement has the place of what it replaces).

*Row*: (ledger number, moment, kind, player, other, length); the moment is the time played in microseconds
since 1970. For a result ``player`` won and ``other`` lost; an opening rating and a place have no ``other``
(0) and no length (0). *Step*: (ledger number, moment, player, before, after, experience before, other,
before, after, experience before); for an opening or a place the other half is 0.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import Any

from rating.formulas.base import PlaceRate, Rate, System


class RowKind(IntEnum):
    """The kind of a row: a result, an opening rating or a final place."""

    RESULT = 0
    OPENING = 1
    PLACE = 2


Row = tuple[int, int, int, int, int, int]
Step = tuple[int, int, int, float, float, int, int, float, float, int]

# [rating, experience, matches, wins, moment of the last match, that before the first one of the last row]: a plain list for speed.
State = list[float | int]
STATE_RATING, EXPERIENCE, MATCHES, WINS, MOMENT = range(5)


@dataclass(frozen=True, slots=True)
class RareAttributes:
    """Rare attributes of a fact.

    The weight of a result or place; an opening rating with its experience and deviation (Glicko-2); a final
    ``place``, shared by ``tied`` players, among ``field`` players.
    """

    weight: float = 1.0
    rating: float | None = None
    deviation: float | None = None
    experience: int = 0
    place: int = 0
    tied: int = 0
    field: int = 0


_NO_EXTRA = RareAttributes()


def reorder_moved_rows(rows: list[Row], places: Mapping[int, int]) -> list[Row]:
    """Return ``rows`` with each row named in ``places`` moved to the position of another fact.

    ``rows`` are sorted by moment and ledger number. ``places``: the ledger number of the fact whose position
    a row takes, keyed by the row's ledger number.

    >>> reorder_moved_rows([(1, 9, 0, 1, 2, 5), (2, 9, 0, 3, 4, 5), (3, 9, 0, 2, 1, 5)], {3: 1})
    [(3, 9, 0, 2, 1, 5), (1, 9, 0, 1, 2, 5), (2, 9, 0, 3, 4, 5)]
    """
    if not places:
        return rows
    moved = sorted((row for row in rows if row[0] in places), key=lambda row: (row[1], places[row[0]]))
    unmoved_rows = [row for row in rows if row[0] not in places]
    ordered: list[Row] = []
    start = 0
    for row in moved:
        place = (row[1], places[row[0]])
        index = bisect_left(unmoved_rows, place, lo=start, key=lambda other: (other[1], other[0]))
        ordered += unmoved_rows[start:index]
        ordered.append(row)
        start = index
    return ordered + unmoved_rows[start:]


def rate_rows(
    rows: Iterable[Row],
    states: MutableMapping[int, State],
    *,
    rate: Rate,
    start: float,
    weighted: bool,
    extras: Mapping[int, RareAttributes],
    place: PlaceRate | None = None,
) -> list[Step]:
    """Rate ``rows`` in order and return the steps; ``states`` (keyed by player id) is updated in place.

    ``rate``: computes both changes of a result; ``start``: the rating of a new player. ``weighted``: True if
    results have weights, which are in ``extras`` (keyed by ledger number). ``place``: computes points of
    final places; None if places earn none.
    """
    steps: list[Step] = []
    add = steps.append
    get_state = states.get
    for number, moment, row_kind, player, other, length in rows:
        if row_kind or weighted:
            extra = extras.get(number, _NO_EXTRA)
            if row_kind:
                step = _rate_single(
                    states, (number, moment, row_kind, player, other, length), start, extra, place
                )
                if step is not None:
                    add(step)
                continue
            weight = extra.weight
        else:
            weight = 1.0
        winner = get_state(player)
        if winner is None:
            winner = states[player] = [start, 0, 0, 0, 0]
        loser = get_state(other)
        if loser is None:
            loser = states[other] = [start, 0, 0, 0, 0]
        winner_before, winner_experience = winner[0], winner[1]
        loser_before, loser_experience = loser[0], loser[1]
        winner_change, loser_change = rate(
            winner_before,
            winner_experience,  # type: ignore[arg-type]
            loser_before,
            loser_experience,  # type: ignore[arg-type]
            length,
            weight,
        )
        winner[0] = winner_after = winner_before + winner_change
        loser[0] = loser_after = loser_before + loser_change
        winner[1] += length
        loser[1] += length
        winner[2] += 1
        loser[2] += 1
        winner[3] += 1
        winner[4] = loser[4] = moment
        add(
            (
                number,
                moment,
                player,
                winner_before,
                winner_after,
                winner_experience,
                other,
                loser_before,
                loser_after,
                loser_experience,
            )  # type: ignore[arg-type]
        )
    return steps


def rater_for_system(system: System, parameters: Mapping[str, Any], *, start: float) -> "partial[list[Step]]":
    """Return ``rate_rows`` with the arguments that a system and its parameters determine.

    Call the result with rows, states and extras. Raises ``TypeError`` for a system that does not rate match
    by match.
    """
    if system.rate is None:
        raise TypeError(f"{system.code} is not rated match by match")
    return partial(
        rate_rows,
        rate=system.rate(parameters),
        start=start,
        weighted=system.uses_weights,
        place=system.place_rate_for(parameters),
    )


def _rate_single(
    states: MutableMapping[int, State], row: Row, start: float, extra: RareAttributes, place: PlaceRate | None
) -> Step | None:
    """Apply a row that concerns one player: set an opening rating, or add the points of a final place.

    Returns None for a final place in a system where places earn no points.
    """
    number, moment, row_kind, player, _other, _length = row
    if row_kind == RowKind.PLACE and place is None:
        return None
    state = states.setdefault(player, [start, 0, 0, 0, 0])
    before, experience = float(state[STATE_RATING]), int(state[EXPERIENCE])
    if row_kind == RowKind.OPENING:
        after = before if extra.rating is None else extra.rating
        state[EXPERIENCE] = extra.experience
    else:
        assert place is not None
        after = before + place(extra.place, extra.tied, extra.field, extra.weight)
    state[STATE_RATING] = after
    if not state[MATCHES]:
        state[MOMENT] = moment
    return (number, moment, player, before, after, experience, 0, 0.0, 0.0, 0)
