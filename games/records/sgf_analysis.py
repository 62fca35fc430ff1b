"""Reader of analysis, clocks and comments in SGF files of GNU Backgammon.

``A[1][mhxw E ver 3 …]`` holds the index of the play made, then every play with five chances and its equity.
``DA[E ver 3 …]`` holds seven numbers without a double and seven for double and take; the last of each
includes the cube: an equity in money play, a match winning chance otherwise. ``X`` in place of ``E`` is a
rollout. ``LU`` is luck, ``C`` a comment, ``WL`` and ``BL`` are seconds left.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

from gvformat.met import mwc2eq

from games.records.analysis import (
    MAX_COMMENT,
    MAX_PLAYS,
    Analysis,
    Chances,
    Clock,
    Comment,
    CubeEquities,
    Decision,
    DecisionKind,
    RankedPlay,
    is_counted_double,
    is_counted_play,
    is_counted_take,
)
from games.records.decoding import MAX_ACTIONS
from games.records.model import Action, CubeAction, CubeKind, Roll, Step
from games.records.reading import DeferredReads
from games.rules.sides import Side

PROPERTIES = frozenset(("A", "AP", "DA", "LU", "C", "GC", "KC", "KE", "KL", "WL", "BL"))  # those read here
_MAX_PLAYS_READ = 500_000  # of one file
_NUMBER = r"-?\d{1,4}\.\d{1,12}(?:e-?\d{1,2})?"
_EVALUATED = re.compile(rf"E(?: ver \d+)?((?: {_NUMBER}){{6}}) (\d)C?")
_DOUBLE = re.compile(rf"E(?: ver \d+)? (\d)C? \d {_NUMBER}(?: \d)?((?: {_NUMBER}){{14}})")
_OUTPUT = re.compile(rf"Output((?: {_NUMBER}){{7}})")
_ROLLOUT = "Rollout"
_ESCAPE = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
Node = dict[str, list[str]]


def unescape(value: str) -> str:
    """Return the value of an SGF property without its escapes."""
    return (
        _ESCAPE.sub(lambda match: "" if match[1][0] in "\r\n" else match[1], value)
        if "\\" in value
        else value
    )


def _numbers(text: str) -> list[float]:
    return [float(word) for word in text.split()]


def _seconds(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and 0 <= value <= 1_000_000 else None


class SgfAnalysis:
    """Collects the analysis of all games; the reader gives game and turn of each node.

    Properties are parsed only when ``done`` is called.
    """

    def __init__(self, points: dict[Side, dict[str, int]]) -> None:
        self._noted = DeferredReads()
        self._points = points  # letters of a side as points
        self._engine = ""
        self._decisions: list[Decision] = []
        self._comments: list[Comment] = []
        self._clocks: list[Clock] = []
        self._plays = 0
        self._game = 0
        self._length = 0
        self._score = (0, 0)
        self._cube = 1
        self._crawford = False

    def game(
        self, game: int, program: str, length: int, score: tuple[int, int], *, crawford: bool, cube: int
    ) -> None:
        """Begin a game, with the score and the cube value at its start.

        ``program``: the program that wrote it.
        """
        self._noted(self._begin_game, game, program, length, score, crawford, cube)

    def node(self, node: Node, turn: int, action: Action | None) -> None:
        """Add a node with its action, if any; ``turn``: the number of actions so far, including this one."""
        self._noted(self._read_node, node, turn, action)

    def _begin_game(
        self,
        game: int,
        program: str,
        length: int,
        score: tuple[int, int],
        crawford: bool,
        cube: int,
    ) -> None:
        self._game, self._length, self._score = game, length, score
        self._crawford, self._cube = crawford, cube
        self._engine = self._engine or " ".join(program.split(":"))[:60]

    def _read_node(self, node: Node, turn: int, action: Action | None) -> None:
        if "KE" in node:
            self._engine = " ".join(node["KE"][0].split())[:60]
        if "GC" in node and self._game == 1:
            self._comments.append(
                Comment(0, 0, node["GC"][0].replace("\\]", "]").replace("\\\\", "\\").strip()[:MAX_COMMENT])
            )
        comment = unescape(node["C"][0]) if "C" in node else ""
        if comment and len(self._comments) < MAX_ACTIONS:
            self._comments.append(Comment(self._game, turn, comment.strip()[:MAX_COMMENT]))
        if action is None:
            return
        for name, side in (("WL", Side.WHITE), ("BL", Side.BLACK)):
            seconds = _seconds(node[name][0]) if name in node else None
            if seconds is not None and len(self._clocks) < MAX_ACTIONS:
                self._clocks.append(Clock(self._game, turn, side, seconds))
        if isinstance(action, Roll):
            self._read_roll(node, turn, action)
        elif isinstance(action, CubeAction):
            self._read_cube_action(node, turn, action)
            if action.kind is CubeKind.TAKE or action.kind is CubeKind.BEAVER:
                self._cube = min(self._cube * 2, 2**24)

    def _read_roll(self, node: Node, turn: int, roll: Roll) -> None:
        evaluation = self._double_evaluation(node, roll.side)
        if evaluation is not None:
            cube, chances, level = evaluation
            lost = max(0.0, min(cube.double_take, cube.double_pass) - cube.no_double)
            self._add_double_decision(turn, roll.side, cube, chances, level, lost)
        luck = _luck(node["LU"][0]) if "LU" in node else None
        plays, played_index = self._ranked_plays(node.get("A", []), roll.side)
        levels = [level[:40] for level in node.get("KL", [])]
        if len(levels) == len(plays) + 1:
            plays = tuple(replace(play, level=level) for play, level in zip(plays, levels[1:], strict=True))
        if not plays and luck is None:
            return
        is_known = played_index is not None and played_index < len(plays)
        lost = (
            max(0.0, plays[0].equity - plays[played_index].equity)
            if is_known and played_index is not None
            else 0.0
        )
        self._decisions.append(
            Decision(
                self._game,
                turn,
                DecisionKind.CHECKER,
                roll.side,
                round(lost, 4) if is_known else None,
                counts=is_known and is_counted_play([play.equity for play in plays]),
                level=levels[0] if levels else plays[0].level if plays else "",
                plays=plays,
                played=played_index if is_known else None,
                luck=luck,
            )
        )

    def _read_cube_action(self, node: Node, turn: int, action: CubeAction) -> None:
        """Read the evaluation beside a double or its answer.

        Both have the same evaluation, from the doubler's view.
        """
        is_double = action.kind is CubeKind.DOUBLE
        evaluation = self._double_evaluation(node, action.side if is_double else action.side.other)
        if evaluation is None:
            return
        cube, chances, level = evaluation
        if is_double:
            lost = max(0.0, cube.no_double - min(cube.double_take, cube.double_pass))
            self._add_double_decision(turn, action.side, cube, chances, level, lost)
            return
        is_pass = action.kind is CubeKind.PASS
        lost = cube.double_pass - cube.double_take if is_pass else cube.double_take - cube.double_pass
        self._decisions.append(
            Decision(
                self._game,
                turn,
                DecisionKind.TAKE,
                action.side,
                round(max(0.0, lost), 4),
                is_counted_take(cube),
                level,
                cube=cube,
            )
        )

    def _add_double_decision(
        self, turn: int, side: Side, cube: CubeEquities, chances: Chances, level: str, lost: float
    ) -> None:
        lost = round(lost, 4)
        self._decisions.append(
            Decision(
                self._game,
                turn,
                DecisionKind.DOUBLE,
                side,
                lost,
                is_counted_double(cube, lost),
                level,
                cube=cube,
                chances=chances,
            )
        )

    def _double_evaluation(self, node: Node, doubler: Side) -> tuple[CubeEquities, Chances, str] | None:
        text = node["DA"][0] if "DA" in node else ""
        match = _DOUBLE.match(text)
        if match is not None:
            level, values = f"{match[1]}-ply", _numbers(match[2])
        else:
            halves = _OUTPUT.findall(text[:4_000])
            if len(halves) != 2:
                return None
            level, values = _ROLLOUT, _numbers(halves[0] + halves[1])
        no_double, double_take = self._equity(values[6], doubler), self._equity(values[13], doubler)
        cube = CubeEquities(round(no_double, 4), round(double_take, 4))
        level = node["KC"][0][:40] if "KC" in node else level
        return cube, Chances(*(round(value, 4) for value in values[:5])), level

    def _equity(self, value: float, side: Side) -> float:
        """Return a value that includes the cube as an equity; in a match the value is a chance to win."""
        if not self._length:
            return value
        own, other = self._score[side.column], self._score[side.other.column]
        away = max(1, self._length - own), max(1, self._length - other)
        return float(mwc2eq(value, *away, self._cube, self._crawford))

    def _ranked_plays(self, values: list[str], side: Side) -> tuple[tuple[RankedPlay, ...], int | None]:
        if len(values) < 2 or not values[0].strip().isdigit():
            return (), None
        points = self._points[side]
        plays: list[RankedPlay] = []
        for value in values[1 : MAX_PLAYS + 1]:
            letters, _, rest = value.partition(" ")
            match = _EVALUATED.match(rest)
            rollout = None if match else _OUTPUT.search(rest[:4_000])
            self._plays += 1
            if (match is None and rollout is None) or self._plays > _MAX_PLAYS_READ:
                break
            numbers = _numbers(match[1] if match else rollout[1] if rollout else "")
            steps = tuple(
                Step(points[letters[index]], points[letters[index + 1]])
                for index in range(0, min(len(letters), 8) - 1, 2)
                if letters[index] in points and letters[index + 1] in points
            )
            chances = Chances(*(round(number, 4) for number in numbers[:5]))
            level = f"{match[2]}-ply" if match else _ROLLOUT
            plays.append(RankedPlay(steps, round(numbers[-1], 4), chances, level))
        return tuple(plays), int(values[0].strip()[:6])

    def done(self) -> Analysis:
        """Parse everything that was collected, and return the analysis."""
        self._noted.run()
        engine = self._engine if self._decisions else ""
        return Analysis(engine, tuple(self._decisions), tuple(self._comments), tuple(self._clocks))


def _luck(text: str) -> float | None:
    """Return the luck of a roll; None if it is not a number below 100."""
    try:
        value = float(text.split(maxsplit=1)[0]) if text.split() else math.nan
    except ValueError:
        return None
    return round(value, 4) if math.isfinite(value) and abs(value) < 100 else None
