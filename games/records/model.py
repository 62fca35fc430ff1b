"""What a record says, and where it says it: the common shape that every reader makes and every writer takes.

Here: frozen values (record, games, actions, results) with the place of each in the file. Nothing here knows the rules,
decides what was legal or adds points: that is `replay` and `validation`. Nothing here knows a format either.

Words: White is the left column of match text, `W` of SGF, player 1 of XG (`games.rules.sides`). A *step* is one movement as it was
written, in the mover's own numbering (R2): 25 is the bar, 0 is off; a step may stand for several dice (`24/14`).
Places do not take part in equality: two records are equal when they say the same thing.
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
    """Line and column, both counted from 1. In a binary file: record and byte within it.

    A named tuple, because there is one for every cell of a file that is read while somebody waits.
    """

    line: int
    column: int


NOWHERE = Place(0, 0)


class Step(NamedTuple):
    """One movement as written, own numbering; `hit` tells whether the writer marked a hit."""

    source: int
    target: int
    hit: bool = False


class RollMark(StrEnum):
    """What a record says besides the dice."""

    PLAYED = "played"  # steps, or nothing where nothing could be played
    UNPLAYED = "unplayed"  # "????": rolled (or about to), then the game was given up
    ILLEGAL = "illegal"  # "Illegal play (…)": condoned at the table, the board after it is given (R42)


class CubeKind(StrEnum):
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"  # noqa: S105 - a word of the game
    BEAVER = "beaver"  # also the raccoon, a beaver that answers a beaver (F5)


class Variation(StrEnum):
    """Starting positions that programs name. Only the first is checked."""

    BACKGAMMON = "backgammon"
    NACKGAMMON = "nackgammon"
    HYPERGAMMON = "hypergammon"
    LONGGAMMON = "longgammon"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Board:
    """Checkers as counts by each side's own numbering: index 0 is off, 1–24 the points, 25 the bar."""

    white: tuple[int, ...]
    black: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Roll:
    """Two dice and what was done with them; dice are (0, 0) where the record gives none."""

    side: Side
    dice: tuple[int, int]
    steps: tuple[Step, ...]
    mark: RollMark = RollMark.PLAYED
    after: Board | None = None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class CubeAction:
    """A double, take, pass or beaver; `value` is the number on the cube where the record names it."""

    side: Side
    kind: CubeKind
    value: int | None = None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Setup:
    """A position that was put on the board by hand; everything left out is as it was."""

    board: Board | None = None
    cube: int | None = None
    owner: Side | None = None
    centred: bool = False
    turn: Side | None = None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Result:
    """What the record says about the end of a game. `resigned` is None where the format cannot tell."""

    winner: Side | None
    points: int | None
    resigned: bool | None = None
    wins_match: bool = False
    place: Place = field(default=NOWHERE, compare=False)


Action = Roll | CubeAction | Setup


@dataclass(frozen=True, slots=True)
class Game:
    number: int
    score_before: tuple[int, int]
    actions: tuple[Action, ...]
    result: Result | None = None
    crawford: bool | None = None  # where the record says it of this game
    automatic_doubles: int | None = None  # where the record counts them
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Tag:
    """One line of the header, as written."""

    key: str
    value: str
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Options:
    """The rules the record names. None means that it does not say."""

    crawford: bool | None = None
    jacoby: bool | None = None
    beavers: bool | None = None
    automatic_doubles: bool | None = None
    variation: Variation = Variation.BACKGAMMON
    variation_name: str = ""  # what the file calls another one


@dataclass(frozen=True, slots=True)
class Record:
    """A match or a money session. `length` 0 is money, None is a record that does not say."""

    players: tuple[str, str]
    length: int | None
    games: tuple[Game, ...]
    tags: tuple[Tag, ...] = ()
    options: Options = Options()
    format: str = field(default="", compare=False)

    @property
    def game_numbers(self) -> tuple[int, ...]:
        """What each game is called: as the file counts, where its numbers rise from 1 or above; else by its place.

        A file may begin with a later game, or leave one out.
        """
        numbers = tuple(game.number for game in self.games)
        rising = all(one < two for one, two in pairwise((0, *numbers)))
        return numbers if rising else tuple(range(1, len(numbers) + 1))

    def tag(self, key: str) -> str | None:
        """The value of the first header line with this key, whatever its case."""
        wanted = key.casefold()
        return next((tag.value for tag in self.tags if tag.key.casefold() == wanted), None)
