"""Score sheets as text: the score after each game, and a message on the first impossible game."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rules.sheets import Row, swap_sheet_sides
from tournaments.engine.types import Side
from tournaments.selectors.matches.sheets import ScoreSheet

_MESSAGES: Final[Mapping[str, Promise]] = {
    "sheet.falls": _(
        "Game %(game)s is not possible: a score goes down from %(before)s to %(after)s (rule %(rule)s)."
    ),
    "sheet.both_win": _(
        "Game %(game)s is not possible: from %(before)s to %(after)s both sides win points (rule "
        "%(rule)s). A score is wrong or a game is missing."
    ),
    "sheet.nobody_wins": _(
        "Game %(game)s is not possible: the score stays at %(after)s, but every game scores at least one "
        "point (rule %(rule)s)."
    ),
    "sheet.points": _(
        "Game %(game)s is not possible: from %(before)s to %(after)s is %(points)s points. A game scores "
        "1, 2 or 3 times a cube of 1, 2, 4, 8 … (rule %(rule)s)."
    ),
    "sheet.crawford": _(
        "Game %(game)s is not possible: the Crawford game is played without a cube and scores at most "
        "%(most)s points (rule %(rule)s), not %(points)s."
    ),
    "sheet.after_end": _(
        "Game %(game)s is not possible: the match to %(length)s had already ended at %(before)s (rule "
        "%(rule)s)."
    ),
    "sheet.ends_otherwise": _(
        "The games end at %(after)s, but the result is %(final)s (rule %(rule)s). Check game %(game)s."
    ),
}


def sheet_context(sheet: ScoreSheet | None, seen_by: Side = Side.A) -> dict[str, Any] | None:
    """Return the template context of a score sheet: the score after each game, and the first error.

    ``wrong`` is the message on the error, ``rule`` its rule and ``game`` its game, from 1. ``seen_by``: side
    whose points come first. None without a sheet.
    """
    if sheet is None:
        return None
    rows = sheet.rows if seen_by is Side.A else swap_sheet_sides(sheet.rows)
    finding = sheet.first_error
    return {
        "rows": [{"game": game, "score": _score(row)} for game, row in enumerate(rows, 1)],
        "audited": sheet.is_checked,
        "wrong": sheet_error_message(sheet, seen_by),
        "rule": finding.fault.rule if finding is not None else "",
        "game": finding.game if finding is not None else 0,
    }


def sheet_error_message(sheet: ScoreSheet, seen_by: Side = Side.A) -> str:
    """Return a message on the first impossible game of the sheet; empty if all are possible.

    ``seen_by``: side whose points come first.
    """
    finding = sheet.first_error
    if finding is None:
        return ""
    values: dict[str, Any] = {**finding.fault.params, "game": finding.game, "rule": finding.fault.rule}
    values |= {
        "before": _score_from_side(finding.before, seen_by),
        "after": _score_from_side(finding.after, seen_by),
    }
    if "final" in values:
        values["final"] = _score_from_side(values["final"], seen_by)
    return str(_MESSAGES[finding.fault.code]) % values


def _score_from_side(row: Row, side: Side) -> str:
    return _score(row if side is Side.A else (row[1], row[0]))


def _score(row: Row) -> str:
    return f"{row[0]}\u2013{row[1]}"
