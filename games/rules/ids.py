"""Position ID and match ID of GNU Backgammon: short texts, read and written as exact inverses.

A position ID holds the checkers only, a match ID the cube, score, dice and turn. XGID is in `xgid.py`. A text
is read only if writing its content gives the same text: nothing is silently corrected.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from enum import IntEnum

from games.rules.errors import RuleError, UnreadableId
from games.rules.sides import Side

POSITION_ID_LENGTH = 14
MATCH_ID_LENGTH = 12
PLACES = 25  # points 1 to 24 and the bar
CHECKERS = 15

_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/]")


def _decode_number(text: str, length: int, id_kind: str) -> int:
    if bad_character := _NOT_BASE64.search(text):
        raise UnreadableId(f"{id_kind}.character", bad_character.start(), character=bad_character.group())
    if len(text) != length:
        raise UnreadableId(f"{id_kind}.length", min(len(text), length), length=len(text), expected=length)
    padded = text + "=" * (-length % 4)
    try:
        data = base64.b64decode(padded, validate=True)
    except binascii.Error as error:  # pragma: no cover - the alphabet and the length were just checked
        raise UnreadableId(f"{id_kind}.character", 0) from error
    if base64.b64encode(data).decode().rstrip("=") != text:
        raise UnreadableId(f"{id_kind}.spare_bits", length - 1)
    return int.from_bytes(data, "little")


def _encode_number(number: int, size: int) -> str:
    return base64.b64encode(number.to_bytes(size, "little")).decode().rstrip("=")


def counts_from_position_id(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the opponent's and the roller's 26 counts, each in the side's own numbering.

    Index 0 (off) is computed, 25 is the bar. Raises `UnreadableId`.
    """
    bits = f"{_decode_number(text, POSITION_ID_LENGTH, 'position_id'):080b}"[::-1]
    runs = bits.split("0")
    if len(runs) <= 2 * PLACES or any(runs[2 * PLACES :]):
        raise UnreadableId("position_id.places", POSITION_ID_LENGTH - 1)
    points = tuple(map(len, runs))
    other, own = points[:PLACES], points[PLACES : 2 * PLACES]
    for side in (other, own):
        if sum(side) > CHECKERS:
            raise UnreadableId("position_id.checkers", 0, checkers=sum(side))
    for point, (own_count, other_count) in enumerate(zip(own[:-1], other[-2::-1], strict=True), 1):
        if own_count and other_count:
            raise UnreadableId("position_id.shared_point", 0, point=point)
    return (CHECKERS - sum(other), *other), (CHECKERS - sum(own), *own)


_UNARY = {ord(f"{count:x}"): "0" + "1" * count for count in range(CHECKERS + 1)}


def position_id_from_digits(digits: str) -> str:
    """Return the position ID of 50 hexadecimal digits, one for each place.

    They are the roller's counts from the bar down to point 1, then the opponent's.
    """
    return _encode_number(int(digits.translate(_UNARY), 2), 10)


class PlayState(IntEnum):
    """The state field of a match ID: whether and how the game has ended."""

    NONE = 0
    PLAYING = 1
    OVER = 2
    RESIGNED = 3
    DROPPED = 4


_OWNER_CODES = {0: Side.WHITE, 1: Side.BLACK, 3: None}
_OWNERS = {side: code for code, side in _OWNER_CODES.items()}
_SIDES = (Side.WHITE, Side.BLACK)

# name, first bit, width
_FIELDS = (
    ("cube_log2", 0, 4),
    ("owner", 4, 2),
    ("roller", 6, 1),
    ("crawford", 7, 1),
    ("state", 8, 3),
    ("turn", 11, 1),
    ("doubled", 12, 1),
    ("resigned", 13, 2),
    ("die_1", 15, 3),
    ("die_2", 18, 3),
    ("length", 21, 15),
    ("score_0", 36, 15),
    ("score_1", 51, 15),
    ("no_jacoby", 66, 1),
)
_MATCH_ID_BITS = 67


@dataclass(frozen=True, slots=True)
class MatchId:
    """The content of a match ID. `length` 0 is money play; dice (0, 0) mean not rolled; White is player 0.

    `roller`: the side on roll; `turn`: the side that has to act.
    """

    cube: int = 1
    owner: Side | None = None
    roller: Side = Side.WHITE
    crawford: bool = False
    state: PlayState = PlayState.PLAYING
    turn: Side = Side.WHITE
    doubled: bool = False
    resigned: int = 0
    dice: tuple[int, int] = (0, 0)
    length: int = 0
    score: tuple[int, int] = (0, 0)
    jacoby: bool = False

    def __post_init__(self) -> None:
        if self.cube not in {1 << power for power in range(16)}:
            raise RuleError("match_id.cube", "R35", cube=self.cube)
        if not 0 <= self.resigned <= 3:
            raise RuleError("match_id.resigned", "F8", resigned=self.resigned)
        if not all(0 <= die <= 6 for die in self.dice):
            raise RuleError("match_id.dice", "R8", dice=self.dice)
        for name, value in (("length", self.length), ("score", self.score[0]), ("score", self.score[1])):
            if not 0 <= value < 1 << 15:
                raise RuleError(f"match_id.{name}", "F1", value=value)

    @classmethod
    def from_id(cls, text: str) -> MatchId:
        number = _decode_number(text, MATCH_ID_LENGTH, "match_id")
        if number >> _MATCH_ID_BITS:
            raise UnreadableId("match_id.spare_bits", MATCH_ID_LENGTH - 1)
        raw = {name: number >> shift & (1 << width) - 1 for name, shift, width in _FIELDS}
        if raw["owner"] not in _OWNER_CODES:
            raise UnreadableId("match_id.owner", 0, owner=raw["owner"])
        if raw["state"] > PlayState.DROPPED:
            raise UnreadableId("match_id.state", 1, state=raw["state"])
        dice = raw["die_1"], raw["die_2"]
        if max(dice) > 6:
            raise UnreadableId("match_id.dice", 2, dice=dice)
        return cls(
            cube=1 << raw["cube_log2"],
            owner=_OWNER_CODES[raw["owner"]],
            roller=_SIDES[raw["roller"]],
            crawford=bool(raw["crawford"]),
            state=PlayState(raw["state"]),
            turn=_SIDES[raw["turn"]],
            doubled=bool(raw["doubled"]),
            resigned=raw["resigned"],
            dice=dice,
            length=raw["length"],
            score=(raw["score_0"], raw["score_1"]),
            jacoby=not raw["no_jacoby"],
        )

    @property
    def id(self) -> str:
        raw = {
            "cube_log2": self.cube.bit_length() - 1,
            "owner": _OWNERS[self.owner],
            "roller": self.roller.column,
            "crawford": self.crawford,
            "state": self.state,
            "turn": self.turn.column,
            "doubled": self.doubled,
            "resigned": self.resigned,
            "die_1": self.dice[0],
            "die_2": self.dice[1],
            "length": self.length,
            "score_0": self.score[0],
            "score_1": self.score[1],
            "no_jacoby": not self.jacoby,
        }
        return _encode_number(sum(int(raw[name]) << shift for name, shift, _ in _FIELDS), 9)
