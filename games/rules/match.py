"""A match or a money session as a state machine over games: a frozen `Match` and verbs that return the next one.

Not here: the adding of points (`scoring.py`), appointments, clocks and reports (the tournament's business).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from games.rules.cube import CubeState
from games.rules.errors import RuleError
from games.rules.formats import MatchFormat
from games.rules.game import Game, GameOutcome, start_game
from games.rules.position import Position
from games.rules.scoring import Score, award, first_score
from games.rules.sides import Side


class MatchEnd(StrEnum):
    """Why a match is over."""

    LENGTH_REACHED = "length_reached"
    PENALTY_POINTS = "penalty_points"
    LOST_ON_TIME = "lost_on_time"
    RETIRED = "retired"
    FORFEITED = "forfeited"
    SETTLED = "settled"
    SESSION_CLOSED = "session_closed"


# Ends that may come at any time, decided by people and not by points (F11 F12).
DECIDED = frozenset({MatchEnd.LOST_ON_TIME, MatchEnd.RETIRED, MatchEnd.FORFEITED, MatchEnd.SETTLED})


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """An end with its reason; a closed session and a settlement may have no winner."""

    winner: Side | None
    end: MatchEnd


@dataclass(frozen=True, slots=True)
class Match:
    """A match at one moment. `played` holds the outcome of every finished game, `game` the one going on."""

    form: MatchFormat
    score: Score
    game: Game | None = None
    played: tuple[GameOutcome, ...] = ()
    outcome: MatchOutcome | None = None

    @property
    def is_over(self) -> bool:
        return self.outcome is not None


def start_match(form: MatchFormat, white: int = 0, black: int = 0) -> Match:
    """A match before its first game, perhaps with starting points (F10)."""
    score = first_score(form, white, black)
    return _judged(Match(form, score), MatchEnd.PENALTY_POINTS)


def next_game(match: Match, *, position: Position | None = None, cube: CubeState | None = None) -> Match:
    """The next game begins, from the start position unless another is set up."""
    _going_on(match)
    if match.game is not None:
        raise RuleError("match.game_going_on", "F1", game=len(match.played) + 1)
    return replace(match, game=start_game(match.form, match.score, position=position, cube=cube))


def with_game(match: Match, game: Game) -> Match:
    """The game going on has moved on. Its end is counted, and the match with it (F1)."""
    _going_on(match)
    if match.game is None:
        raise RuleError("match.no_game", "F1")
    outcome = game.outcome
    if outcome is None:
        return replace(match, game=game)
    after = replace(
        match,
        game=None,
        played=(*match.played, outcome),
        score=award(match.form, match.score, outcome.winner, outcome.points),
    )
    return _judged(after, MatchEnd.LENGTH_REACHED)


def award_points(match: Match, side: Side, points: int) -> Match:
    """F10: points without a game, between two games: Crawford is judged by the score before a game (F2)."""
    _going_on(match)
    if match.game is not None:
        raise RuleError("match.game_going_on", "F10", game=len(match.played) + 1)
    score = award(match.form, match.score, side, points, game_played=False)
    return _judged(replace(match, score=score), MatchEnd.PENALTY_POINTS)


def conclude(match: Match, winner: Side | None, end: MatchEnd) -> Match:
    """The match ends by a decision and not by points (F11 F12), or a session without a length is closed."""
    _going_on(match)
    if end is MatchEnd.SESSION_CLOSED:
        if match.form.length is not None or winner is not None or match.game is not None:
            raise RuleError("match.not_a_session", "R34", winner=winner, length=match.form.length)
    elif end not in DECIDED or (winner is None and end is not MatchEnd.SETTLED):
        raise RuleError("match.wrong_end", "F12", end=end, winner=winner)
    return replace(match, game=None, outcome=MatchOutcome(winner, end))


def _judged(match: Match, end: MatchEnd) -> Match:
    winner = match.score.winner
    return match if winner is None else replace(match, outcome=MatchOutcome(winner, end))


def _going_on(match: Match) -> None:
    if match.outcome is not None:
        raise RuleError("match.is_over", "F1", winner=match.outcome.winner, end=match.outcome.end)
