"""One game of backgammon: a frozen `Game`, and functions that return the next one or raise `RuleError`.

Turns, cube, resignation and end (rules R7 to R10, R31, R32, R36 to R42, F5, F8). A call that the rules do not
allow changes nothing. What both players accepted by playing on stands (rules R42 and F7): the functions
without checks (`play_reading`, `end_turn`, `give_turn`, `offer_cube`, `raise_offer`, `withdraw`) record that;
`replace_cube` records what was left out. Not here: whether a play is legal (`plays.py`), the score after the
game (`scoring.py`), notation, players' names.
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
    """What the game needs next."""

    OPENING = "opening"
    JOINED = "joined"  # a set-up board without a turn: the side that acts first
    TO_ROLL = "to_roll"
    TO_PLAY = "to_play"
    OFFERED = "offered"
    OVER = "over"


class GameEnd(StrEnum):
    """How a game ended (rule F8)."""

    BORE_OFF = "bore_off"
    PASSED = "passed"
    RESIGNED = "resigned"


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The winner and points of a game.

    `kind`: the win on the board or as resigned; `counted`: what it counts as.
    """

    winner: Side
    end: GameEnd
    kind: WinKind
    counted: WinKind
    cube: int
    points: int


class Game(NamedTuple):
    """A game at one moment. `position` is seen by `on_roll`, which is White until a side has the turn.

    `rolls`: how often White and Black have rolled; `resumes`: the phase after an offer is answered.
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
    """Return a game before its opening roll. Raises `RuleError` after the match is won (rule F1)."""
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
    """Return the game with another board, turn or cube, set up by hand (rule F16); what is left out stays.

    `position` is seen by the side that is then on turn.
    """
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
    """Return the game with another cube: after equal opening dice (rule F5), at a usual start (rule F16)."""
    return game._replace(cube=cube)


def roll_dice(game: Game, roll: Roll) -> Game:
    """Return the game after the player on roll has rolled and is to play (rule R8)."""
    _require_phase(game, Phase.TO_ROLL)
    form, score, position, side, _, cube, _, rolls, resumes, _ = game
    return Game(
        form, score, position, side, Phase.TO_PLAY, cube, sort_dice(roll), _count_roll(rolls, side), resumes
    )


def play_reading(game: Game, result: Position) -> Game:
    """Return the game after the roll was played to `result`, legal or accepted by both (rules R42 and F7).

    `result` is seen by the next player. A player with nothing left on the board has won (rule R31).
    """
    _require_phase(game, Phase.TO_PLAY)
    next_game = _next_turn(game, result)
    if not result.other_all_off:
        return next_game
    return next_game._replace(
        phase=Phase.OVER, outcome=_outcome(next_game, game.on_roll, GameEnd.BORE_OFF, win_kind(result))
    )


def end_turn(game: Game, position: Position) -> Game:
    """Return the game after a turn that leads to this board, whatever was rolled and played (rule R42).

    The next player sees `position`. Whether the game has ended is not checked.
    """
    if game.phase is Phase.TO_ROLL:
        game = game._replace(rolls=_count_roll(game.rolls, game.on_roll))
    return _next_turn(game, position)


def give_turn(game: Game, side: Side) -> Game:
    """Return the game with this side to roll, after the opening roll or as both went on so (rule R42)."""
    return game._replace(
        position=game.seen_by(side), on_roll=side, phase=Phase.TO_ROLL, resumes=Phase.TO_ROLL
    )


def skip_closed_out(game: Game) -> Game:
    """Return the game after a player on the bar against a closed board skipped the roll (rule R10).

    Raises `RuleError` if the player is not closed out.
    """
    _require_phase(game, Phase.TO_ROLL)
    if not is_closed_out(game.position):
        raise RuleError("game.not_closed_out", "R10")
    return _next_turn(game, game.position.swap())


def is_closed_out(position: Position) -> bool:
    """Return whether the player on roll is on the bar against six closed points (rules R10 and R14)."""
    return bool(position.own[BAR]) and all(count > 1 for count in position.other[1:7])


def double(game: Game, by: Side | None = None) -> Game:
    """Return the game after the player on roll offers a double instead of rolling (rule R36).

    `by`: the side that doubles, by default the player on roll. Raises `RuleError` if the double is not
    allowed.
    """
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
    """Return the game after this side offers the cube, legal or not (rules R42 and F2)."""
    return game._replace(phase=Phase.OFFERED, cube=cubes.double(game.cube, side))


def take(game: Game, by: Side | None = None) -> Game:
    """Return the game after an offer of any kind is accepted; the doubler rolls (rule R38).

    `by`: the side that accepts, if known. Raises `RuleError` if this side has no offer to answer.
    """
    _pending_offer(game, by, "R38")
    return game._replace(phase=game.resumes, cube=cubes.take(game.cube))


def drop(game: Game, by: Side | None = None) -> Game:
    """Return the game after an offer is passed (rules R38 and R41).

    The side that made the offer wins the previous stake. `by`: the side that passes, if known. Raises
    `RuleError` if this side has no offer to answer.
    """
    offer = _pending_offer(game, by, "R38")
    outcome = GameOutcome(
        offer.by, GameEnd.PASSED, WinKind.SINGLE, WinKind.SINGLE, offer.value_if_passed, offer.value_if_passed
    )
    return game._replace(phase=Phase.OVER, outcome=outcome)


def withdraw(game: Game) -> Game:
    """Return the game with the offer withdrawn, as play went on without an answer (rule R42)."""
    return game._replace(phase=game.resumes, cube=cubes.withdraw(game.cube))


def beaver(game: Game, by: Side | None = None) -> Game:
    """Return the game after the taker turns the cube further (rule R41).

    The doubler may take, pass or, if allowed, raccoon.
    """
    _pending_offer(game, by, "R41")
    return game._replace(cube=cubes.beaver(game.form, game.cube))


def raccoon(game: Game, by: Side | None = None) -> Game:
    """Return the game after the doubler answers a beaver by turning the cube again (rule F5)."""
    _pending_offer(game, by, "R41")
    return game._replace(cube=cubes.raccoon(game.form, game.cube))


def raise_offer(game: Game) -> Game:
    """Return the game after the cube is turned once more instead of an answer, legal or not (rule R42)."""
    return game._replace(cube=cubes.raise_offer(game.cube))


def resign(game: Game, side: Side, kind: WinKind) -> GameOutcome:
    """Return the outcome if `side` gives the game up for 1, 2 or 3 times the cube (rule F8).

    The points are counted by the match format (rules R33 and R40).
    """
    if game.phase is Phase.OVER:
        raise RuleError("game.wrong_phase", "F8", phase=game.phase)
    return _outcome(game, side.other, GameEnd.RESIGNED, kind)


def max_loss(game: Game, loser: Side) -> WinKind:
    """Return the most that `loser` can still lose (rule F8): by whether a checker is off, not by positions.

    A resignation worth more than this is a note, and not rejected.
    """
    return WinKind.SINGLE if game.seen_by(loser).own_off else WinKind.BACKGAMMON


def win_kind(position: Position) -> WinKind:
    """Return how the player who sees this position has lost to a side with all checkers off (rule R32)."""
    if position.own_off:
        return WinKind.SINGLE
    return WinKind.BACKGAMMON if any(position.own[19 : BAR + 1]) else WinKind.GAMMON


def _next_turn(game: Game, position: Position) -> Game:
    form, score, _, side, _, cube, _, rolls, _, _ = game
    return Game(form, score, position, side.other, Phase.TO_ROLL, cube, None, rolls, Phase.TO_ROLL)


def _outcome(game: Game, winner: Side, end: GameEnd, kind: WinKind) -> GameOutcome:
    doubled, value = game.cube.was_doubled, game.cube.value
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
    """Return the offer that waits for an answer, by this side if given.

    Raises `RuleError` with this rule if there is none.
    """
    offer = game.cube.offer
    if offer is None or game.phase is not Phase.OFFERED or (by is not None and offer.answerer is not by):
        raise RuleError("cube.nothing_offered", rule)
    return offer


def _count_roll(rolls: tuple[int, int], side: Side) -> tuple[int, int]:
    white, black = rolls
    return (white + 1, black) if side is Side.WHITE else (white, black + 1)
