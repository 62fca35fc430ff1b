"""Convert a record for an engine, and its answer to turns of the stored record.

Engines get the simplest form: neutral names, no header, games numbered from 1, only what was played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from games.analysis.port import MISREAD, NOT_FIT, EngineError
from games.records.analysis import Analysis
from games.records.canonical import canonical
from games.records.model import (
    Action,
    CubeAction,
    CubeKind,
    Options,
    Record,
    Roll,
    RollMark,
    Setup,
    Variation,
)
from games.records.replaying import Replay, ReplayedGame

PLAYER_NAMES = ("white", "black")


def record_for_engine(record: Record, replay: Replay) -> Record:
    """Return the record for an engine. Raises ``EngineError`` if no engine would read it correctly."""
    _require_playable(record, replay)
    plain = canonical(record, replay.form)
    games = tuple(
        replace(game, number=number, score_before=played.score.points)
        for number, (game, played) in enumerate(zip(plain.games, replay.games, strict=False), 1)
    )
    length = replay.form.length or 0
    return replace(
        plain, players=PLAYER_NAMES, length=length, games=games, tags=(), options=Options(), format=""
    )


def _require_playable(record: Record, replay: Replay) -> None:
    if not replay.games or len(replay.games) != len(record.games):
        raise EngineError(NOT_FIT, reason="games")
    if (
        record.options.variation is not Variation.BACKGAMMON
        or not replay.form.cube
        or not replay.form.gammons
    ):
        raise EngineError(NOT_FIT, reason="rules")
    for game in replay.games:
        for state in game.states:
            action = state.action
            if isinstance(action, Setup) or not state.legal:
                raise EngineError(NOT_FIT, reason="play", game=game.number, turn=state.turn)
            if not isinstance(action, Roll) or action.mark is RollMark.UNPLAYED:
                continue
            if action.mark is RollMark.ILLEGAL or action.dice == (0, 0):
                raise EngineError(NOT_FIT, reason="dice", game=game.number, turn=state.turn)


def align_analysis(answer: Analysis, read: Record, replay: Replay) -> Analysis:
    """Return the engine's ``answer`` to the record ``read``, with turns of ``replay``."""
    if len(read.games) != len(replay.games):
        raise EngineError(MISREAD, games=len(read.games), expected=len(replay.games))
    turns: dict[tuple[int, int], int] = {}
    for number, (theirs, ours) in enumerate(zip(read.games, replay.games, strict=True), 1):
        for turn, own in _turn_pairs(theirs.actions, ours, number):
            turns[number, turn] = own
    decisions = tuple(
        replace(row, turn=turns[row.game, row.turn])
        for row in answer.decisions
        if (row.game, row.turn) in turns
    )
    return Analysis(answer.engine, decisions)


def _turn_pairs(theirs: tuple[Action, ...], ours: ReplayedGame, game: int) -> Iterator[tuple[int, int]]:
    """Yield their turn and ours; an engine omits a roll that was not played, and may add nothing."""
    waiting = [
        state
        for state in ours.states
        if not _is_resignation(state.action, offered=state.cube.offer is not None)
    ]
    at = 0
    for turn, action in enumerate(theirs, 1):
        while at < len(waiting) and not _is_same_action(action, waiting[at].action):
            left_out = waiting[at].action
            if not isinstance(left_out, Roll) or left_out.mark is not RollMark.UNPLAYED:
                raise EngineError(MISREAD, game=game, turn=turn)
            at += 1
        if at == len(waiting):
            raise EngineError(MISREAD, game=game, turn=turn)
        yield turn, waiting[at].turn
        at += 1
    if any(isinstance(state.action, Roll) and state.action.mark is RollMark.PLAYED for state in waiting[at:]):
        raise EngineError(MISREAD, game=game, turn=len(theirs))


def _is_resignation(action: Action, *, offered: bool) -> bool:
    return isinstance(action, CubeAction) and action.kind is CubeKind.PASS and not offered


def _is_same_action(theirs: Action, ours: Action) -> bool:
    if isinstance(theirs, Roll) and isinstance(ours, Roll):
        return theirs.side is ours.side and sorted(theirs.dice) == sorted(ours.dice)
    if isinstance(theirs, CubeAction) and isinstance(ours, CubeAction):
        return theirs.side is ours.side and theirs.kind is ours.kind
    return False
