"""Positions as records write them inside a game: the set-up comment of XG.

The identifiers themselves (position ID, match ID, XGID) are `games.rules.ids`; here is only what a record puts around
them.
"""

from __future__ import annotations

import re

from games.records.model import Board, Place, Setup

_SET_POS = re.compile(r"\s*set\s+pos\s*=\s*([-a-oA-O]{26})\s*(?:/\s*(-?\d{1,4}))?", re.IGNORECASE)


def setup_from_xg_comment(text: str, place: Place) -> Setup | None:
    """`Set Pos=<26 characters>/<cube>`: the board as the left player numbers it, A–O the left player's checkers."""
    said = _SET_POS.match(text)
    board = board_from_letters(said[1]) if said else None
    if said is None or board is None:
        return None
    cube = int(said[2]) if said[2] else None
    if cube is not None and (cube < 1 or cube & (cube - 1)):
        cube = None
    return Setup(board=board, cube=cube, place=place)


def board_from_letters(letters: str) -> Board | None:
    """26 letters: opponent's bar, points 1–24, own bar; capitals are the own side, here White."""
    own, other = [0] * 26, [0] * 26
    for index, letter in enumerate(letters):
        if letter == "-":
            continue
        count = ord(letter.lower()) - ord("a") + 1
        if letter.isupper():
            own[index] = count
        else:
            other[25 - index] = count
    if sum(own) > 15 or sum(other) > 15 or own[0] or other[0]:
        return None
    own[0], other[0] = 15 - sum(own), 15 - sum(other)
    return Board(tuple(own), tuple(other))
