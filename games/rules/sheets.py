"""Check score sheets without moves: whether games can lead from each score to the next.

A sheet has only the score after each game, hence winner and points of each. These are checked against the
rules: a score never falls (F1), one side wins a game (R31) and gets at least a point (R32), a game is worth a
cube of 1, 2, 4 … times one, two or three (R35 R39), the cube is not used in the Crawford game (F2), and no
game follows the one in which a side reaches the length (F9).

The first impossible game is reported. Where a score is wrong, that is the game before it or the one after;
where a score is missing, the one across the gap. A sheet that passes may still be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from faults import Fault, Invalid
from games.rules.formats import MatchFormat
from games.rules.scoring import Score, WinKind, first_score, score_after
from games.rules.sides import Side

Row = tuple[int, int]
MAX_ROWS: Final = 200  # of a sheet


_ROW: Final = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")
_SEPARATOR: Final = re.compile(r"\s*[-\u2013\u2014:]\s*")
_POINTS: Final = (1, 2, 3, 4, 6, 8, 12, 16)  # what a game is worth in practice


@dataclass(frozen=True, slots=True)
class SheetFinding:
    """The first impossible game of a sheet; `game` counts from 1.

    `before` and `after` are the scores before and after that game.
    """

    game: int
    fault: Fault
    before: Row
    after: Row


def audit_sheet(
    form: MatchFormat, rows: Sequence[Row], *, start: Row = (0, 0), final: Row | None = None
) -> SheetFinding | None:
    """Return the first impossible game of a sheet, None if all are possible.

    `rows`: the score after each game, `start`: before the first game; `final`: the result of the match, if
    known.

    >>> form = MatchFormat(length=5)
    >>> audit_sheet(form, [(1, 0), (1, 2), (5, 2)], final=(5, 2)) is None
    True
    >>> found = audit_sheet(form, [(1, 0), (2, 2), (5, 2)])  # both have won game 2
    >>> found.game, found.fault.rule
    (2, 'R31')
    """
    score = first_score(form, *start)
    for game, row in enumerate(rows, 1):
        points_before = score.points
        fault = _fault(form, score, row)
        if fault is not None:
            return SheetFinding(game, fault, points_before, row)
        side = Side.WHITE if row[0] > points_before[0] else Side.BLACK
        score = score_after(form, score, side, row[side.column] - points_before[side.column])
    if rows and final is not None and _capped(score.points, form) != _capped(final, form):
        fault = Fault("sheet.ends_otherwise", rule="F1", params={"final": final, "score": score.points})
        return SheetFinding(len(rows), fault, rows[-2] if len(rows) > 1 else start, rows[-1])
    return None


def _fault(form: MatchFormat, score: Score, row: Row) -> Fault | None:
    """Return why no game leads from the score to the score ``row``, or None."""
    white, black = (after - before for after, before in zip(row, score.points, strict=True))
    if score.is_over:
        return Fault("sheet.after_end", rule="F9", params={"length": form.length})
    if min(white, black) < 0:
        return Fault("sheet.falls", rule="F1")
    if white and black:
        return Fault("sheet.both_win", rule="R31")
    if not white and not black:
        return Fault("sheet.nobody_wins", rule="R32")
    side, points = (Side.WHITE, white) if white else (Side.BLACK, black)
    if can_be_worth(form, score, side, points):
        return None
    if score.is_crawford and can_be_worth(form, first_score(form), side, points):
        return Fault("sheet.crawford", rule="F2", params={"points": points, "most": int(_max_win_kind(form))})
    return Fault("sheet.points", rule="R39", params={"points": points})


def can_be_worth(form: MatchFormat, score: Score, side: Side, points: int) -> bool:
    """Return whether `side` can win so many points in a game from this score (rule F1).

    A sheet may state all points of a game, or only those that the side needs.
    """
    max_kind = int(_max_win_kind(form))
    is_cube_live = form.cube and not score.is_crawford
    points_needed = score.needs(side)
    if points == points_needed:
        return is_cube_live or points <= max_kind  # cut to the points needed
    kinds = range(1, max_kind + 1)
    if not is_cube_live:
        return points in kinds
    return any(points % kind == 0 and _is_cube(points // kind) for kind in kinds)


def _is_cube(value: int) -> bool:
    """Return whether the value is one of the cube: 1, 2, 4, 8 … (rule R35)."""
    return value > 0 and value & (value - 1) == 0


def _max_win_kind(form: MatchFormat) -> WinKind:
    """Return the most that a game can be worth without a cube (rule R33)."""
    if not form.gammons:
        return WinKind.SINGLE
    return WinKind.BACKGAMMON if form.backgammons else WinKind.GAMMON


def points_to_win(form: MatchFormat) -> tuple[int, ...]:
    """Return the usual values of a game in this match format, up to the first that wins the match alone."""
    possible_points = [
        points for points in _POINTS if can_be_worth(form, Score(0, 0, None), Side.WHITE, points)
    ]
    winning_points = next(
        (points for points in possible_points if form.length and points >= form.length), possible_points[-1]
    )
    return tuple(points for points in possible_points if points <= winning_points)


def read_sheet(text: str) -> tuple[Row, ...]:
    """Return the scores of a sheet as typed: `1-0 1-2, 5-2`. Raises `Invalid` with the text that is no score.

    >>> read_sheet("1-0, 1 – 2 5:2")
    ((1, 0), (1, 2), (5, 2))
    """
    rows: list[Row] = []
    for row_text in re.split(r"[\s,;/|]+", _SEPARATOR.sub("-", text)):
        if not row_text:
            continue
        match = _ROW.fullmatch(row_text)
        if match is None:
            raise Invalid("sheet.unreadable", field="sheet", words=row_text[:20])
        rows.append((int(match[1]), int(match[2])))
        if len(rows) > MAX_ROWS:
            raise Invalid("sheet.too_long", field="sheet", limit=MAX_ROWS)
    return tuple(rows)


def format_sheet(rows: Sequence[Row]) -> str:
    """Return the scores of a sheet as one text: `1-0 1-2 5-2`."""
    return " ".join(f"{white}-{black}" for white, black in rows)


def swap_sheet_sides(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return the same sheet with the other side first."""
    return tuple((black, white) for white, black in rows)


def _capped(points: Row, form: MatchFormat) -> Row:
    length = form.length
    return points if length is None else (min(points[0], length), min(points[1], length))
