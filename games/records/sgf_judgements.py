"""Writer of evaluations as GNU Backgammon's SGF properties ``A``, ``DA`` and ``LU``.

Properties of Crawford's own hold what those cannot express: ``KE`` in the first node names the engine; where
a level is not a number of plies, ``KC`` is the level of a cube decision, and ``KL`` that of the play made,
then of each play.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from gvformat.met import eq2mwc

from games.records.analysis import Analysis, Chances, Decision, DecisionKind
from games.records.model import CubeAction, CubeKind, Game, Record, Step
from games.rules.cube import MAX_CUBE_TURNS
from games.rules.sides import Side

_PLIES = re.compile(r"(\d)-ply")
_NO_CHANCES = Chances(0, 0, 0, 0, 0)
LetterFunction = Callable[[int, Side], str]


class EvaluationWriter:
    """The evaluations of a record as text of SGF properties, for each game and turn."""

    def __init__(self, record: Record, analysis: Analysis, letter: LetterFunction) -> None:
        self.record = record
        self.engine = analysis.engine
        self.letter = letter
        self.by_turn: dict[tuple[int, int], list[Decision]] = {}
        for decision in analysis.decisions:
            self.by_turn.setdefault((decision.game, decision.turn), []).append(decision)

    def of(self, game: int, turn: int) -> str:
        return "".join(self._format_decision(decision) for decision in self.by_turn.get((game, turn), ()))

    def _format_decision(self, decision: Decision) -> str:
        levels = [decision.level, *(play.level for play in decision.plays)]
        text = ""
        if decision.kind is not DecisionKind.CHECKER:
            text = self._cube(decision)
        else:
            if decision.plays and decision.played is not None:
                text = f"A[{decision.played}]" + "".join(
                    f"[{self._letters(play.steps, decision.side)} E ver 3 {_numbers(play.chances)} {play.equity:.6f} {_plies(play.level)}C 0 1 0.000000 1]"
                    for play in decision.plays
                )
            if decision.luck is not None:
                text += f"LU[{decision.luck:.4f}]"
        if (
            text
            and decision.kind is DecisionKind.CHECKER
            and any(not _PLIES.fullmatch(level) for level in levels)
        ):
            text += "KL" + "".join(f"[{level.replace(']', ' ')}]" for level in levels)
        return text

    def _letters(self, steps: tuple[Step, ...], side: Side) -> str:
        return "".join(self.letter(step.source, side) + self.letter(step.target, side) for step in steps)

    def _cube(self, decision: Decision) -> str:
        if decision.cube is None:
            return ""
        side = decision.side.other if decision.kind is DecisionKind.TAKE else decision.side
        no_double, double_take = (self._value(value, decision, side) for value in decision.cube[:2])
        chances = _numbers(decision.chances)
        level = "" if _PLIES.fullmatch(decision.level) else f"KC[{decision.level.replace(']', ' ')}]"
        return f"DA[E ver 3 {_plies(decision.level)}C 1 0.000000 1 {chances} 0.000000 {no_double:.9f} {chances} 0.000000 {double_take:.9f}]{level}"

    def _value(self, equity: float, decision: Decision, side: Side) -> float:
        """Return an equity in GNU Backgammon's unit: equity in money play, chance to win in a match."""
        length = self.record.length
        if not length:
            return equity
        game = self.record.games[decision.game - 1]
        away = [max(1, length - game.score_before[player.column]) for player in (side, side.other)]
        return float(eq2mwc(equity, *away, _cube_before(game, decision.turn), bool(game.crawford)))


def _cube_before(game: Game, turn: int) -> int:
    cube_turns = sum(
        isinstance(action, CubeAction) and action.kind in (CubeKind.TAKE, CubeKind.BEAVER)
        for action in game.actions[: turn - 1]
    )
    return int(2 ** min(MAX_CUBE_TURNS, cube_turns + (game.automatic_doubles or 0)))


def _plies(level: str) -> str:
    match = _PLIES.fullmatch(level)
    return match[1] if match else "0"


def _numbers(chances: Chances | None) -> str:
    return " ".join(f"{chance:.6f}" for chance in chances or _NO_CHANCES)
