"""The results of a replay: board, cube and texts of every action, and the end of every game.

Values only; `replay.py` creates them. A position is always seen by the side that acts (`before`) or by the
other side (`after`), as in `games.rules`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from games.records.boards import mark_hits
from games.records.model import BAR, OFF, Action, CubeAction, CubeKind, Place, Roll, RollMark, Step
from games.rules.cube import CubeState
from games.rules.formats import MatchFormat
from games.rules.game import GameEnd
from games.rules.position import Position
from games.rules.scoring import Score, WinKind
from games.rules.sides import Side


class End(StrEnum):
    """How a recorded game ended."""

    BORE_OFF = GameEnd.BORE_OFF.value
    PASSED = GameEnd.PASSED.value
    RESIGNED = GameEnd.RESIGNED.value
    FORFEITED = "forfeited"  # more points than play can give: time, no-show, a program's code (F12)
    UNKNOWN = "unknown"  # points went to a side, and the record does not state why
    UNFINISHED = "unfinished"


class TurnState(NamedTuple):
    """One action of a replayed game with the board before and after it. `turn` counts from 1 as in findings.

    `played`: the play as pairs of points; `legal`: False for an illegal play.
    """

    turn: int
    action: Action
    side: Side
    before: Position
    after: Position
    cube: CubeState
    played: tuple[tuple[int, ...], ...]
    legal: bool

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return the play, with a step for each die if it was legal, and hits marked."""
        return mark_hits(self.before, self.played)

    @property
    def place(self) -> Place:
        return self.action.place

    @property
    def position_id(self) -> str:
        """Return the GNU Backgammon position ID before the action, seen by the side that acts."""
        return self.before.id

    @property
    def dice(self) -> tuple[int, int] | None:
        return self.action.dice if isinstance(self.action, Roll) and self.action.dice != (0, 0) else None

    @property
    def notation(self) -> str:
        """Return the play or cube action as text that is the same in all languages."""
        action = self.action
        if isinstance(action, Roll):
            dice = f"{action.dice[0]}{action.dice[1]}: " if self.dice else ""
            if action.mark is RollMark.UNPLAYED:
                return f"{dice}????"
            return (dice + format_steps(self.steps)).strip()
        if isinstance(action, CubeAction):
            symbols = {CubeKind.DOUBLE: "2×", CubeKind.TAKE: "✓", CubeKind.PASS: "✗", CubeKind.BEAVER: "2×2×"}
            return symbols[action.kind]
        return ""

    def seen_by(self, side: Side, *, after: bool = False) -> Position:
        """Return the board before the action, or with ``after`` after it, as this side sees it."""
        position, viewer = (self.after, self.side.other) if after else (self.before, self.side)
        return position if viewer is side else position.swap()


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended. `points` is what counts for the score, `stated` what the record states.

    `cube`: the value of the cube; `winner` is None for an unfinished game.
    """

    end: End
    winner: Side | None
    kind: WinKind
    cube: int
    points: int
    stated: int | None


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """One replayed game. `start` is the position before the first action, seen by White."""

    number: int
    score: Score
    start: Position
    states: tuple[TurnState, ...]
    ending: Ending
    score_after: Score

    @property
    def crawford(self) -> bool:
        return self.score.is_crawford


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed record. `form` is the match format that was assumed or given."""

    form: MatchFormat
    games: tuple[ReplayedGame, ...]
    score: Score

    @property
    def is_complete(self) -> bool:
        """Return whether the match is won, or the last game of a money session is over."""
        if not self.games:
            return False
        if self.form.length is not None:
            return self.score.is_over
        return self.games[-1].ending.end is not End.UNFINISHED


def format_steps(steps: tuple[Step, ...]) -> str:
    """Return a play as people write it: `24/22(2) 13/11*`, `bar/20/16`, `6/off`."""
    chains: list[list[Step]] = []
    for step in sorted(steps, key=lambda step: -step.source):
        chain = next((chain for chain in chains if chain[-1].target == step.source), None)
        if chain is not None:
            chain.append(step)
        else:
            chains.append([step])
    count_by_text: dict[str, int] = {}
    for chain in chains:
        text = "bar" if chain[0].source == BAR else str(chain[0].source)
        for index, step in enumerate(chain):
            if step.hit or index == len(chain) - 1:
                text += f"/{'off' if step.target == OFF else step.target}{'*' if step.hit else ''}"
        count_by_text[text] = count_by_text.get(text, 0) + 1
    return " ".join(text if times == 1 else f"{text}({times})" for text, times in count_by_text.items())
