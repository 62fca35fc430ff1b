"""Sage (`bgsage`) as an engine: an optional library under the Mozilla Public License.

It is used where GNU Backgammon is not installed. At the level that takes as long as GNU Backgammon's, it
looks one roll less far ahead, so its errors and luck are less accurate and no rating is computed from them.
It runs in a process with limits, because it is large and native code.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from games.analysis.aligning import record_for_engine
from games.analysis.bounded import ProcessLimits, run_limited
from games.analysis.folders import file_counter, working_folder
from games.analysis.limits import bare_environment, limits_for
from games.analysis.port import BROKEN, MISREAD, EngineError, Progress
from games.records.analysis import (
    Analysis,
    Chances,
    CubeEquities,
    Decision,
    DecisionKind,
    RankedPlay,
    is_counted_double,
    is_counted_play,
    is_counted_take,
)
from games.records.model import CubeAction, CubeKind, Record, Roll, RollMark, Step
from games.records.replaying import Replay, ReplayedGame, TurnState
from games.rules.cube import HOLLAND_ROLLS, why_no_double
from games.rules.plays import legal_plays
from games.rules.position import BAR, Position

CODE: Final = "bgsage"
NAME: Final = "Sage"
LEVEL: Final = "2-ply"
MEMORY_BYTES: Final = (
    2_000_000_000  # of address space: of its 130 MB most are weights, and NumPy reserves more than it uses
)
_PROCESS: Final = Path(__file__).with_name("sage_process.py")
_ANSWERS: Final = (CubeKind.TAKE, CubeKind.PASS, CubeKind.BEAVER)


def is_installed() -> bool:
    """Return whether the library is installed, without loading it."""
    return importlib.util.find_spec(CODE) is not None


@dataclass(frozen=True)
class Sage:
    """The library, run with the Python interpreter at ``python``.

    ``limits``: replace those that depend on the number of turns.
    """

    python: str = sys.executable
    limits: ProcessLimits | None = None  # replaces those by the number of rolls

    code = CODE
    level = LEVEL
    rates = False

    @property
    def version(self) -> str:
        return importlib.metadata.version(CODE) if is_installed() else ""

    def analyse(self, record: Record, replay: Replay, progress: Progress) -> Analysis:
        record_for_engine(record, replay)  # rejects what no engine reads correctly
        default_limits = limits_for(replay)
        with working_folder() as folder:
            questions = [
                [_question(state, game, replay) for state in _judged_states(game)] for game in replay.games
            ]
            (folder / "asked.json").write_text(json.dumps(questions))
            run_limited(
                [self.python, "-P", str(_PROCESS), str(folder)],
                folder=folder,
                environment=bare_environment(folder),
                limits=self.limits
                or ProcessLimits(default_limits.cpu_seconds, default_limits.clock, MEMORY_BYTES),
                on_poll=file_counter(folder, "game-*.json", progress),
            )
            try:
                answers = [
                    json.loads((folder / f"game-{number}.json").read_text())
                    for number in range(1, len(replay.games) + 1)
                ]
            except FileNotFoundError as error:
                raise EngineError(BROKEN, reason="no answer") from error
        return Analysis(f"{NAME} {self.version}".strip(), build_decisions(answers, replay))


def _judged_states(game: ReplayedGame) -> list[TurnState]:
    """Return the turns to be analysed: known rolls, and doubles that do not answer another offer."""
    return [
        state
        for state in game.states
        if state.dice is not None
        or (
            isinstance(state.action, CubeAction)
            and state.action.kind is CubeKind.DOUBLE
            and state.cube.offer is None
        )
    ]


def sage_board(position: Position) -> list[int]:
    """Return a position as Sage's 26 numbers, as the player on roll sees it.

    >>> sage_board(Position.start())[:9], sage_board(Position.start())[24]
    ([0, -2, 0, 0, 0, 0, 5, 0, 3], 2)
    """
    own, other = position.own, position.other
    point_counts = [own[point] - other[BAR - point] for point in range(1, BAR)]
    return [other[BAR], *point_counts, own[BAR]]


def _question(state: TurnState, game: ReplayedGame, replay: Replay) -> dict[str, Any]:
    action, side = state.action, state.side
    away = [game.score.needs(player) or 0 for player in (side, side.other)]
    owner = state.cube.owner
    is_roll = isinstance(action, Roll)
    return {
        "board": sage_board(state.before),
        "dice": list(action.dice) if isinstance(action, Roll) else None,
        "played": sage_board(state.after.swap()) if _is_played(state) else None,
        "opening": is_roll and state.turn == _first_roll(game),
        "cube": state.cube.value,
        "owner": "centered" if owner is None else "player" if owner is side else "opponent",
        "away": away,
        "crawford": game.score.is_crawford,
        "jacoby": replay.form.jacoby,
        "beaver": replay.form.beavers,
    }


def _is_played(state: TurnState) -> bool:
    return isinstance(state.action, Roll) and state.action.mark is RollMark.PLAYED


def _first_roll(game: ReplayedGame) -> int:
    return next((state.turn for state in game.states if isinstance(state.action, Roll)), 0)


def build_decisions(answers: list[Any], replay: Replay) -> tuple[Decision, ...]:
    """Return Sage's answers, which are grouped by game, as decisions.

    Raises ``EngineError`` if the answers do not fit this match.
    """
    decisions: list[Decision] = []
    try:
        for number, (game, rows) in enumerate(zip(replay.games, answers, strict=True), 1):
            for state, row in zip(_judged_states(game), rows, strict=True):
                decisions += _decisions(state, row, number, game, replay)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise EngineError(MISREAD, reason=type(error).__name__) from error
    return tuple(decisions)


def _decisions(
    state: TurnState, row: dict[str, Any], number: int, game: ReplayedGame, replay: Replay
) -> list[Decision]:
    cube, chances = (
        CubeEquities(*map(_finite_number, row["cube"])),
        Chances(*map(_finite_number, row["chances"])),
    )
    if not isinstance(state.action, Roll):
        lost = max(0.0, cube.no_double - min(cube.double_take, cube.double_pass))
        return [
            _double_decision(state, number, cube, chances, lost),
            *_answer_decisions(state, number, cube, game),
        ]
    decisions: list[Decision] = []
    if _can_double(state, game, replay) and not _follows_a_double(state, game):
        lost = max(0.0, min(cube.double_take, cube.double_pass) - cube.no_double)
        decisions.append(_double_decision(state, number, cube, chances, lost))
    luck = None if row["luck"] is None else _finite_number(row["luck"])
    if _is_played(state) or luck is not None:
        decisions.append(_checker_decision(state, number, row["plays"], luck))
    return decisions


def _finite_number(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(value)
    return round(number, 4)


def _double_decision(
    state: TurnState, number: int, cube: CubeEquities, chances: Chances, lost: float
) -> Decision:
    lost = round(lost, 4)
    is_counted = is_counted_double(cube, lost)
    kind = DecisionKind.DOUBLE
    return Decision(number, state.turn, kind, state.side, lost, is_counted, LEVEL, cube=cube, chances=chances)


def _answer_decisions(
    state: TurnState, number: int, cube: CubeEquities, game: ReplayedGame
) -> list[Decision]:
    """Return the decision on the answer to a double as a list; empty if the double was not answered."""
    answer_state = next((candidate for candidate in game.states if candidate.turn == state.turn + 1), None)
    if (
        answer_state is None
        or not isinstance(answer_state.action, CubeAction)
        or answer_state.action.kind not in _ANSWERS
    ):
        return []
    gap = cube.double_pass - cube.double_take
    lost = round(max(0.0, gap if answer_state.action.kind is CubeKind.PASS else -gap), 4)
    kind = DecisionKind.TAKE
    return [
        Decision(
            number, answer_state.turn, kind, state.side.other, lost, is_counted_take(cube), LEVEL, cube=cube
        )
    ]


def _can_double(state: TurnState, game: ReplayedGame, replay: Replay) -> bool:
    """Return whether the side had the choice to double: a double is legal and would have an effect."""
    rolls = (HOLLAND_ROLLS, HOLLAND_ROLLS)
    opening = state.turn == _first_roll(game)
    if why_no_double(replay.form, game.score, state.cube, state.side, opening=opening, rolls=rolls):
        return False
    points_needed = game.score.needs(state.side)
    return points_needed is None or state.cube.value < points_needed


def _follows_a_double(state: TurnState, game: ReplayedGame) -> bool:
    earlier_states = [candidate for candidate in game.states if candidate.turn < state.turn]
    return bool(earlier_states) and isinstance(earlier_states[-1].action, CubeAction)


def _checker_decision(state: TurnState, number: int, rows: list[Any], luck: float | None) -> Decision:
    """Return the decision about a play, with all plays in Sage's order; Sage's boards become plays.

    ``rows``: for each play the board, equity, chances and level.
    """
    assert isinstance(state.action, Roll)
    play_by_board = {
        tuple(sage_board(play.result.swap())): play for play in legal_plays(state.before, state.action.dice)
    }
    plays: list[RankedPlay] = []
    played_index = None
    played_board = sage_board(state.after.swap())
    for board, equity, chances, level in rows:
        if board == played_board and played_index is None:
            played_index = len(plays)
        steps = tuple(Step(step.origin, step.target) for step in play_by_board[tuple(board)].steps)
        plays.append(
            RankedPlay(steps, _finite_number(equity), Chances(*map(_finite_number, chances)), str(level)[:20])
        )
    lost = None if played_index is None else round(max(0.0, plays[0].equity - plays[played_index].equity), 4)
    is_counted = lost is not None and is_counted_play([play.equity for play in plays])
    kind, side = DecisionKind.CHECKER, state.side
    return Decision(
        number, state.turn, kind, side, lost, is_counted, LEVEL, tuple(plays), played_index, luck=luck
    )
