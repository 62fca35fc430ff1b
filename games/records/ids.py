"""Positions set up inside the games of records: the comment that XG writes for them.

The identifiers themselves (position ID, match ID, XGID) are in ``games.rules.ids``.
"""

from __future__ import annotations

import re

from games.records.boards import board_from_letters
from games.records.model import Place, Setup

_SET_POS = re.compile(r"\s*set\s+pos\s*=\s*([-a-oA-O]{26})\s*(?:/\s*(-?\d{1,4}))?", re.IGNORECASE)


def setup_from_xg_comment(text: str, place: Place) -> Setup | None:
    """Return the set-up in a comment `Set Pos=<26 characters>/<cube>`, or None if the text has none.

    Points are in the left player's numbering; A–O are the left player's checkers.
    """
    match = _SET_POS.match(text)
    board = board_from_letters(match[1]) if match else None
    if match is None or board is None:
        return None
    cube = int(match[2]) if match[2] else None
    if cube is not None and (cube < 1 or cube & (cube - 1)):
        cube = None
    return Setup(board=board, cube=cube, place=place)
