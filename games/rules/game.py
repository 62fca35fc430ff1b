"""One game: a frozen `Game`, and verbs that return the next one or raise `RuleError`.

Turns, cube, resignation and end (R7 to R10, R31, R32, R36 to R42, F5, F8). A verb that the rules do not allow
changes nothing. What both players accepted by playing on stands (R42 F7): the verbs without checks
(`play_reading`, `end_turn`, `give_turn`, `offer_cube`, `raise_offer`, `withdraw`) record that; `replace_cube`
records what was left out. Not here: whether a play is legal (`plays.py`), the score after the game
(`scoring.py`), notation, players' names.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from games.rules import cube as cubes
from games.rules.cube import CENTRED, CubeState, Offer
from games.rules.errors import RuleError, error_from_fault
from games.rules.formats import MatchFormat
from games.rules.plays import Roll, sort_dice
from games.rules.position import BAR, Position
from games.rules.scoring import Score, WinKind, counted_kind, game_points
from games.rules.sides import Side

_START = Position.start()


class Phase(StrEnum):
    """The next action that the game needs."""

    OPENING = "opening"
    JOINED = "joined"  # a set-up board without a turn: the side that acts first
    TO_ROLL = "to_roll"
    TO_PLAY = "to_play"
    OFFERED = "offered"
    OVER = "over"


class GameEnd(StrEnum):
    """How a game ended (F8)."""

    BORE_OFF = "bore_off"
    PASSED = "passed"
    RESIGNED = "resigned"


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """Winner, kind and points. `kind` is the win on the board or resigned, `counted` what it counts as."""

    winner: Side
    end: GameEnd
    kind: WinKind
    counted: WinKind
    cube: int
    points: int


class Game(NamedTuple):
    """A game at one moment. `position` is seen by `on_roll`: White until a side has the turn.

    `rolls`: how often White and Black have rolled; `resumes`: the phase after an answer to an offer.
    """

    form: MatchFormat
    score: Score
    position: Position
    on_roll: Side = Side.WHITE
    phase: Phase = Phase.OPENING
    cube: CubeState = CENTRED
    roll: Roll | None = None
    rolls: tuple[int, int] = (0, 0)
    resumes: Phase = Phase.OPENING
    outcome: GameOutcome | None = None

    def seen_by(self, side: Side) -> Position:
        return self.position if side is self.on_roll else self.position.swap()


def start_game(form: MatchFormat, score: Score, *, cube: CubeState = CENTRED) -> Game:
    """Return a game before its opening roll. Raises after the match is won (F1)."""
    if score.is_over:
        raise RuleError("game.match_is_over", "F1", winner=score.winner)
    return Game(form, score, _START, cube=cube)


def set_up(
    game: Game,
    position: Position | None = None,
    *,
    on_roll: Side | None = None,
    cube: CubeState | None = None,
) -> Game:
    """F16: set board, turn or cube; what is left out stays. `position` is seen by the side then on turn."""
    side = on_roll or game.on_roll
    if on_roll is not None:
        resumes = Phase.TO_ROLL
    else:
        resumes = Phase.JOINED if game.resumes is Phase.OPENING else game.resumes
    cube = game.cube if cube is None else cube
    return game._replace(
        position=game.seen_by(side) if position is None else position,
        on_roll=side,
        phase=resumes if cube.offer is None else Phase.OFFERED,
        cube=cube,
        resumes=resumes,
    )


def replace_cube(game: Game, cube: CubeState) -> Game:
    """Set the cube alone, after equal opening dice (F5) or at a usual start (F16)."""
    return game._replace(cube=cube)


def throw(game: Game, roll: Roll) -> Game:
    """R8: the player on roll has rolled and is to play."""
    _require_phase(game, Phase.TO_ROLL)
    form, score, position, side, _, cube, _, rolls, resumes, _ = game
    return Game(
        form, score, position, side, Phase.TO_PLAY, cube, sort_dice(roll), _count_roll(rolls, side), resumes
    )


def play_reading(game: Game, result: Position) -> Game:
    """Play the roll to this result, found by `check_play` or accepted by both (R42 F7).

    `result` is seen by the next player. A player with nothing left on the board has won (R31).
    """
    _require_phase(game, Phase.TO_PLAY)
    next_game = _next_turn(game, result)
    if not result.other_all_off:
        return next_game
    return next_game._replace(
        phase=Phase.OVER, outcome=_outcome(next_game, game.on_roll, GameEnd.BORE_OFF, win_kind(result))
    )


def end_turn(game: Game, position: Position) -> Game:
    """R42: end the turn with this board, whatever was rolled and played, without checking for an end."""
    if game.phase is Phase.TO_ROLL:
        game = game._replace(rolls=_count_roll(game.rolls, game.on_roll))
    return _next_turn(game, position)


def give_turn(game: Game, side: Side) -> Game:
    """Give this side the turn to roll, after the opening roll or because both went on so (R42)."""
    return game._replace(
        position=game.seen_by(side), on_roll=side, phase=Phase.TO_ROLL, resumes=Phase.TO_ROLL
    )


def skip_closed_out(game: Game) -> Game:
    """R10: skip the roll of a player on the bar against a closed board."""
    _require_phase(game, Phase.TO_ROLL)
    if not is_closed_out(game.position):
        raise RuleError("game.not_closed_out", "R10")
    return _next_turn(game, game.position.swap())


def is_closed_out(position: Position) -> bool:
    """Return whether a checker is on the bar against six points of the opponent's home board (R10 R14)."""
    return bool(position.own[BAR]) and all(count > 1 for count in position.other[1:7])


def double(game: Game, by: Side | None = None) -> Game:
    """R36: the player on roll offers a double instead of rolling."""
    side = game.on_roll if by is None else by
    opening = game.phase is Phase.OPENING
    fault = cubes.why_no_double(game.form, game.score, game.cube, side, opening=opening, rolls=game.rolls)
    if fault is not None:
        raise error_from_fault(fault)
    if game.phase is not Phase.JOINED:
        _require_phase(game, Phase.TO_ROLL)
        if side is not game.on_roll:
            raise RuleError("cube.not_your_turn", "R36")
    return offer_cube(game, side)


def offer_cube(game: Game, side: Side) -> Game:
    """Offer the cube by this side, legal or not (R42 F2)."""
    return game._replace(phase=Phase.OFFERED, cube=cubes.double(game.cube, side))


def take(game: Game, by: Side | None = None) -> Game:
    """R38: accept the offer of any kind; the doubler rolls."""
    _pending_offer(game, by, "R38")
    return game._replace(phase=game.resumes, cube=cubes.take(game.cube))


def drop(game: Game, by: Side | None = None) -> Game:
    """R38 R41: pass the offer; the side that made it wins the previous stake."""
    offer = _pending_offer(game, by, "R38")
    outcome = GameOutcome(
        offer.by, GameEnd.PASSED, WinKind.SINGLE, WinKind.SINGLE, offer.refused, offer.refused
    )
    return game._replace(phase=Phase.OVER, outcome=outcome)


def withdraw(game: Game) -> Game:
    """Withdraw the offer: play went on without an answer (R42)."""
    return game._replace(phase=game.resumes, cube=cubes.withdraw(game.cube))


def beaver(game: Game, by: Side | None = None) -> Game:
    """R41: the taker turns the cube further; the doubler may take, pass or, if allowed, raccoon."""
    _pending_offer(game, by, "R41")
    return game._replace(cube=cubes.beaver(game.form, game.cube))


def raccoon(game: Game, by: Side | None = None) -> Game:
    """F5: the doubler answers a beaver by turning the cube again."""
    _pending_offer(game, by, "R41")
    return game._replace(cube=cubes.raccoon(game.form, game.cube))


def raise_offer(game: Game) -> Game:
    """Turn the cube once more instead of an answer, legal or not (R42)."""
    return game._replace(cube=cubes.raise_offer(game.cube))


def resignation(game: Game, side: Side, kind: WinKind) -> GameOutcome:
    """F8: return the outcome of an accepted resignation at 1, 2 or 3 times the cube.

    Counted as the format counts (R33 R40).
    """
    if game.phase is Phase.OVER:
        raise RuleError("game.wrong_phase", "F8", phase=game.phase)
    return _outcome(game, side.other, GameEnd.RESIGNED, kind)


def max_loss(game: Game, loser: Side) -> WinKind:
    """Return the most that `loser` can still lose (F8): by whether a checker is off, not by positions.

    A resignation worth more than this is a note, and not rejected.
    """
    return WinKind.SINGLE if game.seen_by(loser).own_off else WinKind.BACKGAMMON


def win_kind(position: Position) -> WinKind:
    """R32: return how the player whose view this is has lost to a side that has borne off everything."""
    if position.own_off:
        return WinKind.SINGLE
    return WinKind.BACKGAMMON if any(position.own[19 : BAR + 1]) else WinKind.GAMMON


def _next_turn(game: Game, position: Position) -> Game:
    form, score, _, side, _, cube, _, rolls, _, _ = game
    return Game(form, score, position, side.other, Phase.TO_ROLL, cube, None, rolls, Phase.TO_ROLL)


def _outcome(game: Game, winner: Side, end: GameEnd, kind: WinKind) -> GameOutcome:
    doubled, value = game.cube.doubled, game.cube.value
    return GameOutcome(
        winner,
        end,
        kind,
        counted_kind(game.form, kind, doubled=doubled),
        value,
        game_points(game.form, kind, value, doubled=doubled),
    )


def _require_phase(game: Game, phase: Phase) -> None:
    if game.phase is not phase:
        raise RuleError("game.wrong_phase", "R8", phase=game.phase, expected=phase)


def _pending_offer(game: Game, by: Side | None, rule: str) -> Offer:
    """Return the offer that waits for an answer, of this side if given."""
    offer = game.cube.offer
    if offer is None or game.phase is not Phase.OFFERED or (by is not None and offer.answerer is not by):
        raise RuleError("cube.nothing_offered", rule)
    return offer


def _count_roll(rolls: tuple[int, int], side: Side) -> tuple[int, int]:
    white, black = rolls
    return (white + 1, black) if side is Side.WHITE else (white, black + 1)
