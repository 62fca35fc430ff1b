"""A decision as a quiz question: the position without names, the choices, and their equities.

The deciding player is White here and at the bottom of the board, whatever the column in the file. Equities
are those of that player.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from games.records.analysis import Decision, DecisionKind
from games.records.model import Step
from games.records.replaying import Replay, ReplayedGame, TurnState
from games.rules.cube import CubeState, OfferKind
from games.rules.position import Position
from games.rules.sides import Side
from games.rules.xgid import XgId, XgidAction

MAX_BEST_PLAYS: Final = 4  # the actual play is added if it is none of them
_OFFER_ACTIONS: Final = {
    OfferKind.DOUBLE: XgidAction.DOUBLED,
    OfferKind.BEAVER: XgidAction.BEAVERED,
    OfferKind.RACCOON: XgidAction.RACCOONED,
}
_MAX_XGID_NUMBER: Final = 99_999  # a score in an XGID
CUBE_CODES: Final = {DecisionKind.DOUBLE: ("no_double", "double"), DecisionKind.TAKE: ("take", "pass")}


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible action in a question: ``code`` is "play" or one of `CUBE_CODES`.

    ``less``: the equity that it loses against the best choice, 0 for the best; ``played``: the actual choice.
    """

    code: str
    equity: float
    less: float
    played: bool
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A quiz question: a position and the choices, in the order in which they are shown."""

    kind: DecisionKind
    position: XgId
    choices: tuple[Choice, ...]

    @property
    def best(self) -> int:
        """Return the index of the best choice; of equal choices the first."""
        return min(range(len(self.choices)), key=lambda index: self.choices[index].less)

    @property
    def played(self) -> int:
        return next(index for index, choice in enumerate(self.choices) if choice.played)


def build_xgid(
    position: Position,
    side: Side,
    dice: tuple[int, int] | None,
    cube: CubeState,
    game: ReplayedGame,
    replayed: Replay,
) -> XgId:
    """Return a position of a game as an XGID for other programs; ``position`` is as ``side`` sees it.

    While an offer waits for an answer, the doubler is on turn and the cube not yet turned.
    """
    form, offer = replayed.form, cube.offer
    turn = side if offer is None else offer.taker.other
    rule = int(game.crawford) if form.length else int(form.jacoby) + 2 * int(form.beavers)
    white, black = game.score.points
    return XgId(
        position=position if turn is side else position.swap(),
        cube_log2=cube.log2,
        owner=cube.owner,
        turn=turn,
        dice=None if offer is not None else dice,
        action=XgidAction.TO_ROLL if offer is None else _OFFER_ACTIONS[offer.kind],
        score=(min(white, _MAX_XGID_NUMBER), min(black, _MAX_XGID_NUMBER)),
        rule=rule,
        length=form.length or 0,
    )


def decision_position(decision: Decision, replay: Replay) -> XgId | None:
    """Return the position of a decision with the deciding side as White; None if the replay does not fit."""
    game = replay.games[decision.game - 1] if 0 < decision.game <= len(replay.games) else None
    state = _state_of(decision, game) if game is not None else None
    if game is None or state is None or state.side is not decision.side:
        return None
    dice = state.dice if decision.kind is DecisionKind.CHECKER else None
    xgid = build_xgid(state.before, state.side, dice, state.cube, game, replay)
    expected_action = XgidAction.DOUBLED if decision.kind is DecisionKind.TAKE else XgidAction.TO_ROLL
    if xgid.action is not expected_action or (decision.kind is DecisionKind.CHECKER) is not (
        xgid.dice is not None
    ):
        return None
    return xgid if decision.side is Side.WHITE else swap_xgid_sides(xgid)


def _state_of(decision: Decision, game: ReplayedGame) -> TurnState | None:
    return next((state for state in game.states if state.turn == decision.turn), None)


def swap_xgid_sides(xgid: XgId) -> XgId:
    """Return the position with the colours and scores of the two sides exchanged."""
    owner = xgid.owner.other if xgid.owner is not None else None
    return replace(xgid, turn=xgid.turn.other, owner=owner, score=(xgid.score[1], xgid.score[0]))


def build_question(decision: Decision, position: XgId, seed: str) -> Question | None:
    """Return the question on a wrong decision, or None if too little is known.

    ``position``: that of the decision; ``seed``: decides the order of plays.
    """
    choices = _play_choices(decision) if decision.kind is DecisionKind.CHECKER else _cube_choices(decision)
    if len(choices) < 2 or sum(choice.played for choice in choices) != 1:
        return None
    if next(choice.less for choice in choices if choice.played) <= 0:
        return None
    if decision.kind is DecisionKind.CHECKER:
        choices = sorted(choices, key=lambda choice: _shuffle_key(seed, choice))
    return Question(decision.kind, position, tuple(choices))


def _play_choices(decision: Decision) -> list[Choice]:
    if decision.played is None or not 0 <= decision.played < len(decision.plays):
        return []
    play_indexes = [*range(min(MAX_BEST_PLAYS, len(decision.plays)))]
    play_indexes += [] if decision.played in play_indexes else [decision.played]
    best_equity = max(play.equity for play in decision.plays)
    return [
        Choice("play", play.equity, best_equity - play.equity, play_index == decision.played, play.steps)
        for play_index, play in ((play_index, decision.plays[play_index]) for play_index in play_indexes)
    ]


def _cube_choices(decision: Decision) -> list[Choice]:
    """Return both choices of a wrong cube decision, of which the actual one is the worse.

    Empty if the decision was not wrong or its equities are unknown.
    """
    if decision.cube is None or not decision.lost:
        return []
    no_double, double_take, double_pass = decision.cube
    values = (
        (no_double, min(double_take, double_pass))
        if decision.kind is DecisionKind.DOUBLE
        else (-double_take, -double_pass)
    )
    best_value = max(values)
    return [
        Choice(code, value, best_value - value, value < best_value)
        for code, value in zip(CUBE_CODES[decision.kind], values, strict=True)
    ]


def _shuffle_key(seed: str, choice: Choice) -> bytes:
    """Return a sort key that is random but reproducible, so that the order gives nothing away."""
    return sha256(f"{seed}:{choice.steps}".encode()).digest()
