"""Convert a record for an engine, and the engine's answer back to the turns of the stored record.

Engines get the simplest record: neutral names, no header, games numbered from 1, only what was played.
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
    """Return the record as an engine gets it. Raises ``EngineError`` if no engine would read it correctly."""
    _require_playable(record, replay)
    canonical_record = canonical(record, replay.form)
    games = tuple(
        replace(game, number=number, score_before=replayed_game.score.points)
        for number, (game, replayed_game) in enumerate(
            zip(canonical_record.games, replay.games, strict=False), 1
        )
    )
    length = replay.form.length or 0
    return replace(
        canonical_record,
        players=PLAYER_NAMES,
        length=length,
        games=games,
        tags=(),
        options=Options(),
        format="",
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


def align_analysis(answer: Analysis, engine_record: Record, replay: Replay) -> Analysis:
    """Return the engine's ``answer`` with the turns of ``replay``, the stored record's.

    ``engine_record``: the record as the engine wrote it. Raises ``EngineError`` if the two do not fit.
    """
    if len(engine_record.games) != len(replay.games):
        raise EngineError(MISREAD, games=len(engine_record.games), expected=len(replay.games))
    turns: dict[tuple[int, int], int] = {}
    for number, (engine_game, replayed_game) in enumerate(
        zip(engine_record.games, replay.games, strict=True), 1
    ):
        for turn, own_turn in _turn_pairs(engine_game.actions, replayed_game, number):
            turns[number, turn] = own_turn
    decisions = tuple(
        replace(row, turn=turns[row.game, row.turn])
        for row in answer.decisions
        if (row.game, row.turn) in turns
    )
    return Analysis(answer.engine, decisions)


def _turn_pairs(
    engine_actions: tuple[Action, ...], replayed_game: ReplayedGame, game: int
) -> Iterator[tuple[int, int]]:
    """Yield (turn in the engine's record, turn in the stored record) of a game.

    An engine may leave out a roll that was not played, and may add nothing; otherwise raises ``EngineError``.
    """
    unmatched_states = [
        state
        for state in replayed_game.states
        if not _is_resignation(state.action, offered=state.cube.offer is not None)
    ]
    state_index = 0
    for turn, action in enumerate(engine_actions, 1):
        while state_index < len(unmatched_states) and not _is_same_action(
            action, unmatched_states[state_index].action
        ):
            skipped_action = unmatched_states[state_index].action
            if not isinstance(skipped_action, Roll) or skipped_action.mark is not RollMark.UNPLAYED:
                raise EngineError(MISREAD, game=game, turn=turn)
            state_index += 1
        if state_index == len(unmatched_states):
            raise EngineError(MISREAD, game=game, turn=turn)
        yield turn, unmatched_states[state_index].turn
        state_index += 1
    if any(
        isinstance(state.action, Roll) and state.action.mark is RollMark.PLAYED
        for state in unmatched_states[state_index:]
    ):
        raise EngineError(MISREAD, game=game, turn=len(engine_actions))


def _is_resignation(action: Action, *, offered: bool) -> bool:
    return isinstance(action, CubeAction) and action.kind is CubeKind.PASS and not offered


def _is_same_action(engine_action: Action, own_action: Action) -> bool:
    if isinstance(engine_action, Roll) and isinstance(own_action, Roll):
        return engine_action.side is own_action.side and sorted(engine_action.dice) == sorted(own_action.dice)
    if isinstance(engine_action, CubeAction) and isinstance(own_action, CubeAction):
        return engine_action.side is own_action.side and engine_action.kind is own_action.kind
    return False
