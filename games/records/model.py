"""The content of a record with its places in the file: the common model of all readers and writers.

Frozen values: record, games, actions, results. The rules, legality and points are in `replay` and
`validation`, formats in their readers.

Terms: White is the left column of match text, `W` of SGF, player 1 of XG (`games.rules.sides`). A *step* is
one movement as it was written, in the mover's own numbering (rule R2): 25 is the bar, 0 is off; a step may
stand for several dice (`24/14`). Places are not compared: two records are equal if their content is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from games.rules.sides import Side

BAR = 25
OFF = 0


class Place(NamedTuple):
    """A place in a file: line and column, both counted from 1; in a binary file, data record and byte in it.

    A named tuple for speed, because there is one for every cell of a file.
    """

    line: int
    column: int


NO_PLACE = Place(0, 0)


class Step(NamedTuple):
    """The movement of a checker as written, in the mover's numbering; `hit`: the file marks a hit."""

    source: int
    target: int
    hit: bool = False


class RollMark(StrEnum):
    """What a record states about a roll beside the dice."""

    PLAYED = "played"  # steps, or nothing where nothing could be played
    UNPLAYED = "unplayed"  # "????": rolled (or about to), then the game was given up
    ILLEGAL = "illegal"  # "Illegal play (…)": condoned at the table, the board after it is given (R42)


class CubeKind(StrEnum):
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"  # noqa: S105 - a word of the game
    BEAVER = "beaver"  # also the raccoon, a beaver that answers a beaver (F5)


class Variation(StrEnum):
    """Variants with other starting positions, as programs name them. Only backgammon can be checked."""

    BACKGAMMON = "backgammon"
    NACKGAMMON = "nackgammon"
    HYPERGAMMON = "hypergammon"
    LONGGAMMON = "longgammon"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Board:
    """The checkers of both sides, as counts in each side's own numbering.

    Index 0 is off, 1–24 the points, 25 the bar.
    """

    white: tuple[int, ...]
    black: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll and its play; dice are (0, 0) where the record has none.

    `after`: the board after an illegal play, if the record states it.
    """

    side: Side
    dice: tuple[int, int]
    steps: tuple[Step, ...]
    mark: RollMark = RollMark.PLAYED
    after: Board | None = None
    place: Place = field(default=NO_PLACE, compare=False)


@dataclass(frozen=True, slots=True)
class CubeAction:
    """A double, take, pass or beaver; `value` is the number on the cube if recorded."""

    side: Side
    kind: CubeKind
    value: int | None = None
    place: Place = field(default=NO_PLACE, compare=False)


@dataclass(frozen=True, slots=True)
class Setup:
    """A position set up by hand; values that are None are unchanged.

    `centred`: True puts the cube in the middle.
    """

    board: Board | None = None
    cube: int | None = None
    owner: Side | None = None
    centred: bool = False
    turn: Side | None = None
    place: Place = field(default=NO_PLACE, compare=False)


@dataclass(frozen=True, slots=True)
class Result:
    """The recorded result of a game. `resigned` is None where the format does not state it."""

    winner: Side | None
    points: int | None
    resigned: bool | None = None
    wins_match: bool = False
    place: Place = field(default=NO_PLACE, compare=False)


Action = Roll | CubeAction | Setup


@dataclass(frozen=True, slots=True)
class Game:
    number: int
    score_before: tuple[int, int]
    actions: tuple[Action, ...]
    result: Result | None = None
    crawford: bool | None = None  # where the record says it of this game
    automatic_doubles: int | None = None  # where the record counts them
    place: Place = field(default=NO_PLACE, compare=False)


@dataclass(frozen=True, slots=True)
class Tag:
    """One entry of the record's header, as written."""

    key: str
    value: str
    place: Place = field(default=NO_PLACE, compare=False)


@dataclass(frozen=True, slots=True)
class Options:
    """The rules that the record states; None if not stated."""

    crawford: bool | None = None
    jacoby: bool | None = None
    beavers: bool | None = None
    automatic_doubles: bool | None = None
    variation: Variation = Variation.BACKGAMMON
    variation_name: str = ""  # what the file calls another one


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded match or money session. `length` 0 is money play, None is not stated.

    `players`: left, then right; `format`: the code of the file's format.
    """

    players: tuple[str, str]
    length: int | None
    games: tuple[Game, ...]
    tags: tuple[Tag, ...] = ()
    options: Options = Options()
    format: str = field(default="", compare=False)

    @property
    def game_numbers(self) -> tuple[int, ...]:
        """Return the number of each game in the file if these numbers rise, else each game's position from 1.

        A file may begin with a later game, or leave one out.
        """
        numbers = tuple(game.number for game in self.games)
        is_rising = all(lower < higher for lower, higher in pairwise((0, *numbers)))
        return numbers if is_rising else tuple(range(1, len(numbers) + 1))

    def tag(self, key: str) -> str | None:
        """Return the value of the first header entry with this key, ignoring case, or None."""
        folded_key = key.casefold()
        return next((tag.value for tag in self.tags if tag.key.casefold() == folded_key), None)
