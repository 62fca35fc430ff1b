"""One game as a state machine: a frozen `Game` and verbs that return the next one or raise `RuleError`.

Opening roll, turns, cube, resignation and end (R7 to R10, R31, R32, R36 to R42, F5, F8). A verb that the rules do not
allow changes nothing. Not here: the score after the game (`scoring.py`, `match.py`), notation, players' names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from games.rules import cube as cubes
from games.rules.cube import CENTRED, CubeState
from games.rules.errors import RuleError, refusal
from games.rules.formats import MatchFormat
from games.rules.plays import Play, Roll, check_play, ordered
from games.rules.position import BAR, Position
from games.rules.scoring import Score, WinKind, counted_kind, value_of
from games.rules.sides import Side


class Phase(StrEnum):
    """What the game waits for."""

    OPENING = "opening"
    TO_ROLL = "to_roll"
    TO_PLAY = "to_play"
    OFFERED = "offered"
    RESIGNING = "resigning"
    OVER = "over"


class GameEnd(StrEnum):
    """How a game ended (F8)."""

    BORE_OFF = "bore_off"
    PASSED = "passed"
    RESIGNED = "resigned"


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """Who won, how, and for how much. `kind` is what happened on the board or was resigned, `counted` what it counts as."""

    winner: Side
    end: GameEnd
    kind: WinKind
    counted: WinKind
    cube: int
    points: int


@dataclass(frozen=True, slots=True)
class Resignation:
    """An offer to lose so much; `phase` is where the game goes on if it is refused."""

    by: Side
    kind: WinKind
    phase: Phase


@dataclass(frozen=True, slots=True)
class Game:
    """A game at one moment. `position` is seen by `on_roll`; before the opening roll by White."""

    form: MatchFormat
    score: Score
    position: Position
    on_roll: Side = Side.WHITE
    phase: Phase = Phase.OPENING
    cube: CubeState = CENTRED
    roll: Roll | None = None
    rolls: tuple[int, int] = (0, 0)
    resignation: Resignation | None = None
    outcome: GameOutcome | None = None

    @property
    def to_act(self) -> Side | None:
        """Whose decision is awaited; None before the opening roll, where both roll, and after the end."""
        if self.phase in {Phase.OPENING, Phase.OVER}:
            return None
        if self.resignation is not None:
            return self.resignation.by.other
        if self.cube.offer is not None:
            return self.cube.offer.answerer
        return self.on_roll

    def seen_by(self, side: Side) -> Position:
        return self.position if side is self.on_roll else self.position.swap()


def start_game(
    form: MatchFormat, score: Score, *, position: Position | None = None, cube: CubeState | None = None
) -> Game:
    """A game before its opening roll; from a set-up position if one is given, seen by White."""
    if score.is_over:
        raise RuleError("game.match_is_over", "F1", winner=score.winner)
    begin = Position.start() if position is None else position
    return Game(form, score, begin, cube=cube or CENTRED)


def set_up(
    form: MatchFormat, score: Score, position: Position, on_roll: Side, cube: CubeState | None = None
) -> Game:
    """A game that is joined on the way: `on_roll`, who sees the position so, is to double or roll."""
    return Game(form, score, position, on_roll, Phase.TO_ROLL, cube or CENTRED)


def open_roll(game: Game, white: int, black: int) -> Game:
    """R7: one die each. Equal dice are rolled again, after an automatic double if the format has them (F5)."""
    _expect(game, Phase.OPENING)
    roll = ordered((white, black))
    if white == black:
        return replace(game, cube=cubes.automatic_double(game.form, game.cube))
    starter = Side.WHITE if white > black else Side.BLACK
    return replace(
        game,
        position=game.seen_by(starter),
        on_roll=starter,
        phase=Phase.TO_PLAY,
        roll=roll,
        rolls=_one_more(game.rolls, starter),
    )


def throw(game: Game, roll: Roll) -> Game:
    """R8: the player on roll has rolled and is to play."""
    _expect(game, Phase.TO_ROLL)
    return replace(game, phase=Phase.TO_PLAY, roll=ordered(roll), rolls=_one_more(game.rolls, game.on_roll))


def play(game: Game, steps: Play | Iterable[tuple[int, int]]) -> Game:
    """The roll is played, legally; an illegal play raises its fault. Of several readings the one without hits."""
    _expect(game, Phase.TO_PLAY)
    verdict = check_play(game.position, _roll(game), steps)
    if verdict.fault is not None:
        raise refusal(verdict.fault)
    return _after_play(game, verdict.readings[0].result)


def play_reading(game: Game, result: Position) -> Game:
    """The roll is played to this result, which `check_play` found or which both let stand (R42 F7).

    `result` is seen by the next player. Nothing is checked: whoever calls this has reported what was wrong.
    """
    _expect(game, Phase.TO_PLAY)
    return _after_play(game, result)


def skip_closed_out(game: Game) -> Game:
    """R10: a player on the bar against a closed board does not roll."""
    _expect(game, Phase.TO_ROLL)
    if not is_closed_out(game.position):
        raise RuleError("game.not_closed_out", "R10")
    return _next_turn(game, game.position.swap())


def is_closed_out(position: Position) -> bool:
    """A checker on the bar and all six points of the opponent's home board made (R10 R14)."""
    return bool(position.own[BAR]) and all(count > 1 for count in position.other[1:7])


def double(game: Game) -> Game:
    """R36: the player on roll offers a double instead of rolling."""
    opening = game.phase is Phase.OPENING
    if not opening:
        _expect(game, Phase.TO_ROLL)
    fault = cubes.why_no_double(
        game.form, game.score, game.cube, game.on_roll, opening=opening, rolls=game.rolls
    )
    if fault is not None:
        raise refusal(fault)
    return replace(game, phase=Phase.OFFERED, cube=cubes.double(game.cube, game.on_roll))


def take(game: Game) -> Game:
    """R38: the offer, whatever it is, is accepted; the doubler rolls."""
    _expect(game, Phase.OFFERED)
    return replace(game, phase=Phase.TO_ROLL, cube=cubes.take(game.cube))


def drop(game: Game) -> Game:
    """R38 R41: the offer is passed; whoever made it wins what was at stake before it."""
    _expect(game, Phase.OFFERED)
    offer = cubes.pending(game.cube)
    outcome = GameOutcome(
        offer.by, GameEnd.PASSED, WinKind.SINGLE, WinKind.SINGLE, offer.refused, offer.refused
    )
    return replace(game, phase=Phase.OVER, outcome=outcome)


def beaver(game: Game) -> Game:
    """R41: the taker turns the cube further; the doubler is to take, pass or, if the format allows it, raccoon."""
    _expect(game, Phase.OFFERED)
    return replace(game, cube=cubes.beaver(game.form, game.cube))


def raccoon(game: Game) -> Game:
    """F5: the doubler's answer to a beaver."""
    _expect(game, Phase.OFFERED)
    return replace(game, cube=cubes.raccoon(game.form, game.cube))


def resign(game: Game, side: Side, kind: WinKind) -> Game:
    """F8: a side offers to lose the game at 1, 2 or 3 times the cube; the other must accept."""
    if game.phase in {Phase.OVER, Phase.RESIGNING}:
        raise RuleError("game.wrong_phase", "F8", phase=game.phase)
    return replace(game, phase=Phase.RESIGNING, resignation=Resignation(side, kind, game.phase))


def refuse_resignation(game: Game) -> Game:
    """F8: the game goes on where it was."""
    resignation = _resignation(game)
    return replace(game, phase=resignation.phase, resignation=None)


def accept_resignation(game: Game) -> Game:
    """F8: the game is over at what was resigned, counted as the format counts (R33 R40)."""
    resignation = _resignation(game)
    return replace(
        game,
        phase=Phase.OVER,
        resignation=None,
        outcome=_outcome(game, resignation.by.other, GameEnd.RESIGNED, resignation.kind),
    )


def most_possible(game: Game, loser: Side) -> WinKind:
    """The most that `loser` can still lose (F8): judged by whether a checker is off, not by where the others stand.

    A resignation worth more than this is a note, never a refusal.
    """
    return WinKind.SINGLE if game.seen_by(loser).own_off else WinKind.BACKGAMMON


def win_kind(position: Position) -> WinKind:
    """R32: how the player whose view this is has lost, the other having borne off everything."""
    if position.own_off:
        return WinKind.SINGLE
    return WinKind.BACKGAMMON if any(position.own[19 : BAR + 1]) else WinKind.GAMMON


def _after_play(game: Game, result: Position) -> Game:
    if result.other_all_off:  # R31
        outcome = _outcome(game, game.on_roll, GameEnd.BORE_OFF, win_kind(result))
        return replace(_next_turn(game, result), phase=Phase.OVER, outcome=outcome)
    return _next_turn(game, result)


def _next_turn(game: Game, position: Position) -> Game:
    return Game(
        game.form,
        game.score,
        position,
        game.on_roll.other,
        Phase.TO_ROLL,
        game.cube,
        None,
        game.rolls,
    )


def _outcome(game: Game, winner: Side, end: GameEnd, kind: WinKind) -> GameOutcome:
    doubled, value = game.cube.doubled, game.cube.value
    return GameOutcome(
        winner,
        end,
        kind,
        counted_kind(game.form, kind, doubled=doubled),
        value,
        value_of(game.form, kind, value, doubled=doubled),
    )


def _expect(game: Game, phase: Phase) -> None:
    if game.phase is not phase:
        raise RuleError("game.wrong_phase", "R8", phase=game.phase, expected=phase)


def _roll(game: Game) -> Roll:
    if game.roll is None:
        raise RuleError("game.not_rolled", "R8")
    return game.roll


def _resignation(game: Game) -> Resignation:
    if game.resignation is None:
        raise RuleError("game.nothing_resigned", "F8")
    return game.resignation


def _one_more(rolls: tuple[int, int], side: Side) -> tuple[int, int]:
    white, black = rolls
    return (white + 1, black) if side is Side.WHITE else (white, black + 1)
