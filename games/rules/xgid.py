"""XGID: one text with board, cube, turn, dice, score and rule, read and written as exact inverses.

`XGID=<26>:cube:owner:turn:dice:score X:score O:rule:length:max cube`. The board is seen by X, who is White
here: opponent's bar, points 1 to 24, own bar; A to O are X's checkers, a to o those of O.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from games.rules.errors import RuleError, UnreadableId
from games.rules.position import BAR, CHECKERS, Position
from games.rules.sides import Side

PREFIX = "XGID="
_FIELDS = 10
_OWNERS = {"1": Side.WHITE, "0": None, "-1": Side.BLACK}
_TURNS = {"1": Side.WHITE, "-1": Side.BLACK}
_NUMBER = re.compile(r"(?:0|[1-9][0-9]{0,4})\Z")
_DICE = re.compile(r"[1-6][1-6]\Z")
_MAX_NUMBER = 99_999
_MONEY_RULES = 3  # bit 0 Jacoby, bit 1 beaver


class XgidAction(StrEnum):
    """What the player on turn does or has done, where the XGID has no dice."""

    TO_ROLL = "00"
    DOUBLED = "D"
    BEAVERED = "B"
    RACCOONED = "R"


@dataclass(frozen=True, slots=True)
class XgId:
    """The content of an XGID. `position` is seen by the player on roll; if `dice` is None, `action` counts."""

    position: Position
    cube_log2: int = 0
    owner: Side | None = None
    turn: Side = Side.WHITE
    dice: tuple[int, int] | None = None
    action: XgidAction = XgidAction.TO_ROLL
    score: tuple[int, int] = (0, 0)
    rule: int = 0
    length: int = 0
    max_cube_log2: int = 10

    def __post_init__(self) -> None:
        if self.dice is not None and (
            self.action is not XgidAction.TO_ROLL or not all(0 < die < 7 for die in self.dice)
        ):
            raise RuleError("xgid.dice", "R8", dice=self.dice)
        numbers = (self.cube_log2, *self.score, self.rule, self.length, self.max_cube_log2)
        if not all(0 <= number <= _MAX_NUMBER for number in numbers):
            raise RuleError("xgid.number", None, numbers=numbers)
        if self.rule > (1 if self.length else _MONEY_RULES):
            raise RuleError("xgid.rule", "R40", rule=self.rule)

    @property
    def cube(self) -> int:
        return 1 << self.cube_log2

    @property
    def crawford(self) -> bool:
        return bool(self.length and self.rule)

    @property
    def jacoby(self) -> bool:
        return not self.length and bool(self.rule & 1)

    @property
    def beavers(self) -> bool:
        return not self.length and bool(self.rule & 2)

    @classmethod
    def from_id(cls, text: str) -> XgId:
        if not text.startswith(PREFIX):
            raise UnreadableId("xgid.prefix", 0)
        fields = text[len(PREFIX) :].split(":")
        if len(fields) != _FIELDS:
            raise UnreadableId("xgid.fields", len(text), fields=len(fields), expected=_FIELDS)
        places = [len(PREFIX) + sum(len(field) + 1 for field in fields[:index]) for index in range(_FIELDS)]

        def number(index: int) -> int:
            if not _NUMBER.match(fields[index]):
                raise UnreadableId("xgid.number", places[index], text=fields[index])
            return int(fields[index])

        owner, turn, dice = fields[2], fields[3], fields[4]
        if owner not in _OWNERS:
            raise UnreadableId("xgid.owner", places[2], text=owner)
        if turn not in _TURNS:
            raise UnreadableId("xgid.turn", places[3], text=turn)
        is_rolled = bool(_DICE.match(dice))
        if not is_rolled and dice not in set(XgidAction):
            raise UnreadableId("xgid.dice", places[4], text=dice)
        position = board_from_xgid(fields[0], place=places[0])
        rule, length = number(7), number(8)
        if rule > (1 if length else _MONEY_RULES):
            raise UnreadableId("xgid.rule", places[7], rule=rule)
        return cls(
            position=position if _TURNS[turn] is Side.WHITE else position.swap(),
            cube_log2=number(1),
            owner=_OWNERS[owner],
            turn=_TURNS[turn],
            dice=(int(dice[0]), int(dice[1])) if is_rolled else None,
            action=XgidAction.TO_ROLL if is_rolled else XgidAction(dice),
            score=(number(5), number(6)),
            rule=rule,
            length=length,
            max_cube_log2=number(9),
        )

    @property
    def id(self) -> str:
        position = self.position if self.turn is Side.WHITE else self.position.swap()
        fields = (
            board_to_xgid(position),
            self.cube_log2,
            next(code for code, side in _OWNERS.items() if side is self.owner),
            next(code for code, side in _TURNS.items() if side is self.turn),
            f"{self.dice[0]}{self.dice[1]}" if self.dice else self.action.value,
            *self.score,
            self.rule,
            self.length,
            self.max_cube_log2,
        )
        return PREFIX + ":".join(str(field) for field in fields)


def board_from_xgid(text: str, *, place: int = 0) -> Position:
    """Return the position as X sees it from the 26 characters. Raises `UnreadableId`.

    `place`: where they begin in the XGID, for errors.
    """
    if len(text) != BAR + 1:
        raise UnreadableId("xgid.board_length", place, length=len(text), expected=BAR + 1)
    own = [0] * (BAR + 1)
    other = [0] * (BAR + 1)
    for index, character in enumerate(text):
        if character == "-":
            continue
        if "A" <= character <= "O" and index > 0:
            own[index] = ord(character) - ord("A") + 1
        elif "a" <= character <= "o" and index < BAR:
            other[BAR - index] = ord(character) - ord("a") + 1
        else:
            raise UnreadableId("xgid.character", place + index, character=character)
    for counts in (own, other):
        if sum(counts) > CHECKERS:
            raise UnreadableId("xgid.checkers", place, checkers=sum(counts))
    return Position.from_counts(own, other)


def board_to_xgid(position: Position) -> str:
    """Return the 26 characters of a position, in which the player on roll is X."""

    def character(count: int) -> str:
        if count > 0:
            return chr(ord("A") + count - 1)
        return chr(ord("a") - count - 1) if count < 0 else "-"

    return "".join(map(character, position.board()))
