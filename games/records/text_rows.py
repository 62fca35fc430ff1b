"""Split the numbered lines of match text into cells and read these.

A line holds up to two cells. They are split where a cell begins (``64:`` or a keyword), never by fixed width:
programs differ by a column or two, and long cells push the next one along. Only a single cell is assigned to
a side by its column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from games.records.boards import board_from_signed
from games.records.model import Action, Board, CubeAction, CubeKind, Place, Result, Roll, RollMark
from games.records.steps import UnreadableSteps, read_steps
from games.rules.numbering import Numbering
from games.rules.sides import Side

ROW = re.compile(r"\s*(\d{1,5})\)")
# The ignore-case flag covers the words alone: for the whole pattern it is three times as slow.
_CELL = re.compile(
    r"(?<!\S)(?:(?P<dice>[0-6][0-6])\s?:"
    r"|(?P<dash>[1-6]-[1-6])\s?:"
    r"|(?P<bare>[1-6][1-6])(?=\s+(?:\d{1,2}|(?i:bar|b))\s?(?:[/\u2192\u2013-]|=>)|\s+(?i:\(?no |can|fan|dance|pass))"
    r"|\((?P<loose>[1-6][ ,-]{1,2}[1-6])\)\s?:?"
    r"|(?P<gone>\?{2,8})"
    r"|(?=[A-Wa-w])(?P<word>(?i:doubles?|redoubles?|takes?|accepts?|drops?|pass(?:es)?|rejects?|beavers?|raccoons?"
    r"|wins?|loss(?:es)?|loses?|concedes?|resigns?|time[ -]?outs?|timed out|connection lost|lost connection|disconnects?|disconnected))(?!\w))"
)
_NUMBER = re.compile(r"\s*(?:=>|to|at|:)?\s*(\d{1,9})")
_WINS = re.compile(r"\s*(\d{1,9})?\s*(?:points?)?\s*(and\s+(?:the\s+)?match)?", re.IGNORECASE)
_NO_PLAY = re.compile(
    r"\(?(?:(?:cannot|can't|can\s?not|could not|no(?: legal)?)\s+(?:move|play)s?\.?|pass(?:es)?|dance[sd]?|fan(?:s|ned)?|0/0)\)?|-+",
    re.IGNORECASE,
)
_NOT_PLAYED_WORDS = ("pass", "time", "connection", "lost", "disconnect")  # cells of their own elsewhere
_LEFT_GAME = re.compile(
    r"\(?(?:time[ -]?outs?|timed out|connection lost|lost connection|disconnects?|disconnected)\b.*",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\{([^{}]{0,400})\}|\(\s?(\d{1,3}(?::\d\d){1,2}(?:[.,]\d{1,3})?)\s?\)")
_CLOCK = re.compile(r"\s*(?:(\d{1,2}):)?(\d{1,3}):(\d\d)(?:[.,](\d{1,3}))?\s*")
_ILLEGAL = re.compile(r"illegal\s+(?:play|move)\s*(?:\(([^()]{0,600})\))?", re.IGNORECASE)

_KINDS = {
    "double": CubeKind.DOUBLE,
    "redouble": CubeKind.DOUBLE,
    "take": CubeKind.TAKE,
    "accept": CubeKind.TAKE,
    "drop": CubeKind.PASS,
    "pass": CubeKind.PASS,
    "reject": CubeKind.PASS,
    "beaver": CubeKind.BEAVER,
    "raccoon": CubeKind.BEAVER,
}


@dataclass(frozen=True, slots=True)
class Cell:
    """Part of a line from the beginning of one cell to the next. ``at`` is the offset in the line, from 0."""

    at: int
    dice: str | None
    word: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """Text in braces or a time in brackets: ``{0:05:12}``, ``(1:59)``, ``{too bold}``.

    ``at`` is the offset in the line.
    """

    at: int
    text: str
    seconds: float | None


@dataclass(frozen=True, slots=True)
class StatedLoss:
    """A cell that names the loser: ``Losses 2 points`` (Galaxy) or ``Timeout``.

    It counts only if no winner is named.
    """

    side: Side | None
    points: int | None
    place: Place


@dataclass(frozen=True, slots=True)
class UnreadableCell:
    """A cell that is not empty and cannot be understood."""

    place: Place
    words: str


def split_remarks(line: str) -> tuple[str, list[Remark]]:
    """Return the line with every remark replaced by spaces, so that columns stay, and the remarks.

    >>> split_remarks("64: 24/14 (1:59)")
    ('64: 24/14       ', [Remark(at=10, text='1:59', seconds=119.0)])
    """
    remarks = []
    for match in _REMARK.finditer(line):
        text = match[1] if match[2] is None else match[2]
        clock = _CLOCK.fullmatch(text)
        seconds = None
        if clock is not None:
            hours, minutes, full_seconds, fraction = clock.groups()
            seconds = (
                int(hours or 0) * 3600.0 + int(minutes) * 60 + int(full_seconds) + float(f"0.{fraction or 0}")
            )
        remarks.append(Remark(match.start(), text.strip(), seconds))
        line = line[: match.start()] + " " * len(match[0]) + line[match.end() :]
    return line, remarks


def drop_second_number(line: str, row: re.Match[str]) -> str:
    """Return the line with a repeated number replaced by spaces, so that columns stay.

    Galaxy repeats it in the last line: ``24) 43: 6/2   24)  Losses 2 point``.
    """
    number_text = f"{row[1]})"
    offset = line.find(number_text, row.end())
    if (
        offset < 0
        or not line[offset - 1].isspace()
        or line[offset + len(number_text) : offset + len(number_text) + 1].strip()
    ):
        return line
    return line[:offset] + " " * len(number_text) + line[offset + len(number_text) :]


def split_cells(line: str, start: int) -> list[Cell]:
    """Return the cells of a line from offset ``start`` on; text before the first cell is left out."""
    cells: list[Cell] = []
    matches = list(_CELL.finditer(line, start))
    index = 0
    while index < len(matches):
        match = matches[index]
        stop = matches[index + 1].start() if index + 1 < len(matches) else len(line)
        dice_text = match["dice"] or match["bare"] or match["dash"] or match["loose"]
        if dice_text:
            illegal = _ILLEGAL.match(
                line, match.end() + len(line[match.end() :]) - len(line[match.end() :].lstrip())
            )
            if illegal:  # its forty fields may hold words that look like cells
                stop = max(stop, illegal.end())
                while index + 1 < len(matches) and matches[index + 1].start() < illegal.end():
                    index += 1
                stop = matches[index + 1].start() if index + 1 < len(matches) else len(line)
            elif index + 1 < len(matches) and not line[match.end() : stop].strip():
                next_match = matches[index + 1]
                is_near = next_match.start() - match.end() <= 2
                if next_match["gone"] or (
                    is_near and (next_match["word"] or "").lower().startswith(_NOT_PLAYED_WORDS)
                ):
                    index += 1
                    stop = matches[index + 1].start() if index + 1 < len(matches) else len(line)
        dice = dice_text and dice_text[0] + dice_text[-1]
        word = match["gone"] or match["word"]
        cells.append(
            Cell(match.start(), dice, word.lower() if word else None, line[match.end() : stop].strip())
        )
        index += 1
    return cells


def read_cell(
    cell: Cell, side: Side, line_number: int, numbering: Numbering
) -> Action | Result | StatedLoss | UnreadableCell | None:
    """Return what a cell means.

    None for a word without a meaning of its own (``Concedes``, ``Connection lost``).
    """
    place = Place(line_number, cell.at + 1)
    if cell.dice is not None:
        return _read_roll(cell, side, place, numbering)
    word = cell.word or ""
    if word.startswith("?"):
        return Roll(side, (0, 0), (), RollMark.UNPLAYED, place=place)
    if word.startswith("win"):
        points_match = _WINS.match(cell.text)
        points = int(points_match[1]) if points_match and points_match[1] else None
        return Result(side, points, wins_match=bool(points_match and points_match[2]), place=place)
    if word.startswith("time"):
        return StatedLoss(side, None, place)
    if word.startswith("los") and word != "lost connection":
        points_match = _WINS.match(cell.text)
        return StatedLoss(side, int(points_match[1]) if points_match and points_match[1] else None, place)
    kind = _KINDS.get(word[:-2] if word == "passes" else word.rstrip("s") if word != "pass" else word)
    if kind is None:
        return None
    number_match = _NUMBER.match(cell.text)
    return CubeAction(side, kind, int(number_match[1]) if number_match else None, place)


def _read_roll(cell: Cell, side: Side, place: Place, numbering: Numbering) -> Roll | UnreadableCell:
    dice = (int((cell.dice or "")[0]), int((cell.dice or "")[1]))
    text = cell.text
    if not text:
        return _roll(side, dice, place) or UnreadableCell(place, cell.dice or "")
    if text.startswith("??"):
        return Roll(side, dice, (), RollMark.UNPLAYED, place=place)
    if 0 in dice:
        return UnreadableCell(place, cell.dice or "")
    if text[0].isalpha() or text[0] in "-(0":
        illegal = _ILLEGAL.match(text)
        if illegal:
            return Roll(
                side, dice, (), RollMark.ILLEGAL, board_from_snowie(illegal[1] or "", side), place=place
            )
        if _NO_PLAY.fullmatch(text):
            return Roll(side, dice, (), place=place)
        if _LEFT_GAME.fullmatch(text):
            return Roll(side, dice, (), RollMark.UNPLAYED, place=place)
    try:
        return Roll(side, dice, read_steps(text, side, numbering), place=place)
    except UnreadableSteps as error:
        return UnreadableCell(place, error.words)


def _roll(side: Side, dice: tuple[int, int], place: Place) -> Roll | None:
    if dice == (0, 0):
        return Roll(side, dice, (), RollMark.UNPLAYED, place=place)
    return None if 0 in dice else Roll(side, dice, (), place=place)


def board_from_snowie(fields: str, mover: Side) -> Board | None:
    """Return the board of a Snowie position text, or None: its fields are separated by semicolons.

    The board is the roller's bar, 24 points as the roller sees them, the other bar.
    """
    parts = [part.strip() for part in fields.split(";")]
    if len(parts) < 38:
        return None
    try:
        counts = [int(part) for part in parts[12:38]]
    except ValueError:
        return None
    return board_from_signed(counts, mover)
