"""Tie-breaks from ratings: those of FIDE (C.07, Article 10) by FIDE's tables, and one by match length.

Ratings are those with which players entered. Only matches at the board count, in every edition. If any entry
has no rating, none of these tie-breaks is defined (Article 10). Averages are rounded to whole numbers, a half
upwards.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from math import floor, sqrt
from typing import Final, cast

from rating.formulas.elo import lose_chance
from tournaments.engine.pairing.history import FULL_POINT
from tournaments.engine.standings.table import Crosstable, CrosstableRound, Value
from tournaments.engine.types import EntryId

Entries = Sequence[EntryId]
Values = Mapping[EntryId, Value]

# FIDE Rating Regulations B.02, 8.1 (first table): rating difference by share of points, in hundredths from
# 50.
_DIFFERENCES_BY_SCORE: Final = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184),
    *(193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501),
    *(538, 589, 677, 800),
)  # fmt: skip
# Second table: the least difference at which one hundredth more is expected, from 50.
_SCORE_STEPS: Final = (
    *(0, 4, 11, 18, 26, 33, 40, 47, 54, 62, 69, 77, 84, 92, 99, 107, 114, 122, 130, 138, 146, 154, 163, 171, 180, 189),
    *(198, 207, 216, 226, 236, 246, 257, 268, 279, 291, 303, 316, 329, 345, 358, 375, 392, 412, 433, 457, 485, 518),
    *(560, 620, 736),
)  # fmt: skip
MAX_RATING_DIFFERENCE: Final = 800  # no entry is rated farther than this from its opponents
_DIVISOR: Final = 2000.0
_TOLERANCE: Final = 1e-9


def requires_ratings(value: Callable[[Crosstable, EntryId], int]) -> Callable[[Crosstable, Entries], Values]:
    """Return a tie-break made from a function for one entry.

    The tie-break has no values at all if any entry of the crosstable has no rating.
    """

    def compute(crosstable: Crosstable, entries: Entries) -> Values:
        if any(entry not in crosstable.ratings for entry in crosstable.entries):
            return {}
        return {entry: value(crosstable, entry) for entry in entries}

    return compute


def rounded_rating(crosstable: Crosstable, entry: EntryId) -> int:
    """Return the rating of an entry as a whole number, a half rounded upwards."""
    return floor(crosstable.ratings[entry] + 0.5)


def average_opponents_rating(cut: int = 0) -> Callable[[Crosstable, EntryId], int]:
    """Return a function for the average rating of an entry's opponents (ARO, Articles 10.1 and 14.1.1.b).

    The `cut` lowest ratings are left out. The average is 0 without opponents.
    """
    return lambda crosstable, entry: _average(
        sorted(r for _line, r in _rated_opponents(crosstable, entry))[cut:]
    )


def performance(crosstable: Crosstable, entry: EntryId) -> int:
    """Return an entry's tournament performance rating (TPR, Article 10.2); 0 without opponents.

    It is the average rating of the opponents plus the difference that FIDE's table gives for the score.
    """
    rated_lines = _rated_opponents(crosstable, entry)
    if not rated_lines:
        return 0
    hundredths = (100 * sum(line.points for line, _r in rated_lines) + len(rated_lines)) // (
        FULL_POINT * len(rated_lines)
    )
    return _average([r for _line, r in rated_lines]) + (
        _DIFFERENCES_BY_SCORE[hundredths - 50]
        if hundredths >= 50
        else -_DIFFERENCES_BY_SCORE[50 - hundredths]
    )


def perfect_performance(crosstable: Crosstable, entry: EntryId) -> int:
    """Return an entry's perfect tournament performance (PTP, Article 10.3); 0 without opponents.

    It is the lowest rating with which at least as many points are expected.
    """
    rated_lines = _rated_opponents(crosstable, entry)
    if not rated_lines:
        return 0
    ratings, points = [r for _line, r in rated_lines], 50 * sum(line.points for line, _r in rated_lines)
    lowest, highest = min(ratings) - MAX_RATING_DIFFERENCE, max(ratings) + MAX_RATING_DIFFERENCE
    if points == 0:
        return lowest
    offset = bisect_left(
        range(lowest, highest),
        points,
        key=lambda rating: sum(_expected_hundredths(rating - r) for r in ratings),
    )
    return lowest + offset


def performance_by_length(crosstable: Crosstable, entry: EntryId) -> int:
    """Return the lowest rating with which as many wins are expected, by match lengths; 0 without opponents.

    Expectations follow the formula of FIBS.
    """
    rated_lines = _rated_opponents(crosstable, entry)
    if not rated_lines:
        return 0
    ratings, points = (
        [r for _line, r in rated_lines],
        sum(line.points for line, _r in rated_lines) / FULL_POINT,
    )
    lowest, highest = min(ratings) - MAX_RATING_DIFFERENCE, max(ratings) + MAX_RATING_DIFFERENCE

    def expected(rating: int) -> float:
        return sum(1.0 - lose_chance(rating - r, sqrt(line.length), _DIVISOR) for line, r in rated_lines)

    return lowest + bisect_left(range(lowest, highest), points - _TOLERANCE, key=expected)


def average_of_opponents(value: Callable[[Crosstable, EntryId], int]) -> Callable[[Crosstable, EntryId], int]:
    """Return a function for the average of ``value`` over an entry's opponents.

    Articles 10.4 and 10.5 (APRO and APPO).
    """

    def average(crosstable: Crosstable, entry: EntryId) -> int:
        cache = cast("dict[EntryId, int]", crosstable.kept.setdefault(value.__name__, {}))
        opponents = [cast("EntryId", line.opponent) for line, _r in _rated_opponents(crosstable, entry)]
        for opponent in opponents:
            if opponent not in cache:
                cache[opponent] = value(crosstable, opponent)
        return _average([cache[opponent] for opponent in opponents])

    return average


def _rated_opponents(crosstable: Crosstable, entry: EntryId) -> list[tuple[CrosstableRound, int]]:
    """Return the matches that an entry played at the board, each with the opponent's rating."""
    return [
        (line, rounded_rating(crosstable, line.opponent))
        for line in crosstable.lines[entry]
        if line.played and line.opponent is not None
    ]


def _average(numbers: Sequence[int]) -> int:
    return (2 * sum(numbers) + len(numbers)) // (2 * len(numbers)) if numbers else 0


def _expected_hundredths(difference: int) -> int:
    """Return the expected score, in hundredths, against an opponent rated lower by ``difference``."""
    hundredths = 49 + bisect_right(_SCORE_STEPS, abs(difference))
    return hundredths if difference >= 0 else 100 - hundredths
