"""Read a pasted position: XGID, OGID, GNU Backgammon ID, or a program's text around one of these.

eXtreme Gammon, BGBlitz and GNU Backgammon all write an identifier beside the board drawn in letters; the
identifier is read and not the drawing. The result is an `XgId`; White is X, `W` of an OGID, player 0 of a
match ID.
"""

from __future__ import annotations

import re

from gvformat.ogid import parse_ogid

from games.records.errors import UnreadableRecord
from games.rules.errors import RuleError
from games.rules.ids import MatchId
from games.rules.position import BAR, Position
from games.rules.sides import Side
from games.rules.xgid import PREFIX, XgId, XgidAction

MAX_TEXT = 20_000  # a position with all of a program's analysis
_LARGEST_CUBE_LOG2 = 20
_XGID = re.compile(r"(?<![\w-])(?:XGID\s?[=:]\s?)?([-A-Oa-o]{26}(?::-?\w{1,5}){9})(?![\w:])")
_OGID = re.compile(
    r"(?<![\w:])(?:OGID\s?[=:]\s?)?([0-9a-p]{0,15}:[0-9a-p]{0,15}:[BWND?]\d[OTPN]:(?:[1-6][1-6])?:[WB](?::[A-Za-z0-9]{0,8}){0,6})(?![\w:])"
)
_IDS = re.compile(r"(?<![\w+/])([A-Za-z0-9+/]{14}):([A-Za-z0-9+/]{12})(?![\w+/=])")
_POSITION = re.compile(r"position[ -]?id\s*[:=]\s*([A-Za-z0-9+/]{14})(?![\w+/=])", re.IGNORECASE)
_MATCH = re.compile(r"match[ -]?id\s*[:=]\s*([A-Za-z0-9+/]{12})(?![\w+/=])", re.IGNORECASE)
_BARE_ID = re.compile(r"\s*([A-Za-z0-9+/]{14})\s*")


def read_position(text: str) -> XgId:
    """Return the position in a text.

    Raises `UnreadableRecord` (`position.…`) if the text has none or an invalid one.

    >>> read_position("4HPwATDgc/ABMA").id
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10'
    """
    text = text[:MAX_TEXT]
    try:
        xgid = _find_position(text)
        if xgid is None:
            raise UnreadableRecord("position.none")
        if xgid.cube_log2 > _LARGEST_CUBE_LOG2:
            raise UnreadableRecord("position.cube")
    except (RuleError, ValueError) as error:
        raise UnreadableRecord("position.impossible") from error
    return xgid


def contains_position(text: str) -> bool:
    """Return whether a text contains the identifier of a position, valid or not."""
    text = text[:MAX_TEXT]
    return any(form.search(text) for form in (_XGID, _OGID, _IDS, _POSITION)) or bool(
        _BARE_ID.fullmatch(text)
    )


def _find_position(text: str) -> XgId | None:
    if id_match := _XGID.search(text):
        return XgId.from_id(PREFIX + id_match[1])
    if id_match := _OGID.search(text):
        return _from_ogid(id_match[1])
    if id_match := _IDS.search(text):
        return _from_ids(id_match[1], id_match[2])
    if id_match := _POSITION.search(text):
        match = _MATCH.search(text)
        return _from_ids(id_match[1], match[1] if match else None)
    if id_match := _BARE_ID.fullmatch(text):
        return _from_ids(id_match[1], None)
    return None


def _from_ids(position_id: str, match_id: str | None) -> XgId:
    """Convert GNU Backgammon IDs; without ``match_id`` only the position is known.

    The position is that seen by the player on roll, also while a double waits for an answer.
    """
    position = Position.from_id(position_id)
    if match_id is None:
        return XgId(position)
    match = MatchId.from_id(match_id)
    is_rolled = 0 not in match.dice and not match.doubled
    return XgId(
        position=position,
        cube_log2=match.cube.bit_length() - 1,
        owner=match.owner,
        turn=match.roller,
        dice=match.dice if is_rolled else None,
        action=XgidAction.DOUBLED if match.doubled else XgidAction.TO_ROLL,
        score=match.score,
        rule=int(match.crawford) if match.length else int(match.jacoby),
        length=match.length,
    )


def _from_ogid(text: str) -> XgId:
    """Convert an OGID. Raises ``ValueError`` if it is impossible.

    An OGID names the side that acted last, so the other side is on roll, but a doubler stays on turn.
    """
    white, black = text.split(":")[:2]
    if set(white) & set(black):  # two colours on a point
        raise ValueError(text)
    state = parse_ogid(text)
    is_doubled = state.cube_action == "O"
    turn = Side.WHITE if state.mover_is_white else Side.BLACK
    own = [max(0, count) for count in state.board]
    other = [max(0, -count) for count in reversed(state.board)]
    own[0], own[BAR], other[0], other[BAR] = 0, state.board[BAR], 0, state.board[0]
    if max(sum(own), sum(other)) > 15:
        raise ValueError(text)
    owner = {"player": turn, "opponent": turn.other}.get(state.cube_owner)
    position = Position.from_counts(own, other)
    if is_doubled:
        doubler = Side.WHITE if state.color == "W" else Side.BLACK
        position, turn = (position if doubler is turn else position.swap()), doubler
    is_rolled = bool(state.die1 and state.die2) and not is_doubled
    return XgId(
        position=position,
        cube_log2=state.cube_value.bit_length() - 1,
        owner=owner,
        turn=turn,
        dice=(state.die1, state.die2) if is_rolled else None,
        action=XgidAction.DOUBLED if is_doubled else XgidAction.TO_ROLL,
        score=(state.score_white, state.score_black),
        rule=int(state.crawford) if state.match_length else 0,
        length=state.match_length,
    )
