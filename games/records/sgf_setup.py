"""Reader of positions set up by hand in SGF: AE AW AB, CV, CP/CO, PL."""

from __future__ import annotations

from games.records.model import Board, Place, Setup
from games.rules.sides import Side

_LETTERS = "abcdefghijklmnopqrstuvwxyz"  # a–x points by White's numbering, y bar, z off


def setup_from(node: dict[str, list[str]], place: Place, *, with_turn: bool) -> Setup | None:
    """Return the position that a node sets up; None if there is none or it cannot be understood.

    ``with_turn``: True also reads which side is to play.
    """
    board = _board(node) if "AW" in node or "AB" in node or "AE" in node else None
    cube = _cube(node)
    owner: Side | None = None
    is_centred = False
    for value in node.get("CP", node.get("CO", [])):
        letter = value.strip().lower()[:1]
        owner = {"w": Side.WHITE, "b": Side.BLACK}.get(letter)
        is_centred = letter in ("c", "n")
    turn = None
    if with_turn and "PL" in node:
        turn = Side.WHITE if node["PL"][0].strip().upper().startswith("W") else Side.BLACK
    if board is None and cube is None and owner is None and not is_centred and turn is None:
        return None
    return Setup(board, cube, owner, is_centred, turn, place)


def _cube(node: dict[str, list[str]]) -> int | None:
    value = node.get("CV", [""])[0].strip()
    if not value.isascii() or not value.isdigit() or len(value) > 9:
        return None
    cube = int(value)
    return cube if cube >= 1 and not cube & (cube - 1) else None


def _spots(values: list[str]) -> list[str] | None:
    letters: list[str] = []
    for value in values:
        text = value.strip().lower()
        if len(text) == 3 and text[1] == ":" and text[0] in _LETTERS and text[2] in _LETTERS:
            letters += _LETTERS[_LETTERS.index(text[0]) : _LETTERS.index(text[2]) + 1]
        elif len(text) == 1 and text in _LETTERS:
            letters.append(text)
        else:
            return None
    return letters


def _board(node: dict[str, list[str]]) -> Board | None:
    white, black = _start(), _start()
    for letter in _spots(node.get("AE", [])) or ():
        index = _LETTERS.index(letter)
        if index < 24:
            white[index + 1], black[24 - index] = 0, 0
        else:
            white[25 if index == 24 else 0] = black[25 if index == 24 else 0] = 0
    for name, counts, is_white in (("AW", white, True), ("AB", black, False)):
        for letter in _spots(node.get(name, [])) or ():
            index = _LETTERS.index(letter)
            point = {24: 25, 25: 0}.get(index, index + 1 if is_white else 24 - index)
            counts[point] += 1
    for counts in (white, black):
        on_board = sum(counts[1:])
        if on_board > 15:
            return None
        counts[0] = 15 - on_board
    return Board(tuple(white), tuple(black))


def _start() -> list[int]:
    counts = [0] * 26
    counts[24], counts[13], counts[8], counts[6] = 2, 5, 3, 5
    return counts
