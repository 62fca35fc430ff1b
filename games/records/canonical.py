"""The canonical version of a record: what every format can hold and every program understands.

Joined steps are split (`24/14` → `24/18 18/14`), hits marked, cube values filled in, a resignation always
written in the same way, and what follows from play (the Crawford game, the end of the match) is set. Illegal
plays stay as they were written.
"""

from __future__ import annotations

from dataclasses import replace

from games.records.model import Action, CubeAction, CubeKind, Game, Record, Result, Roll, RollMark
from games.records.replaying import End, Replay, ReplayedGame, TurnState
from games.records.validation import replay
from games.rules.formats import MatchFormat


def canonical(record: Record, form: MatchFormat | None = None) -> Record:
    """Return the canonical version of a record; games after the end of the match are unchanged.

    ``form``: the match format, None for that of the file.
    """
    replayed = replay(record, form)
    games = tuple(
        _canonical_game(game, replayed_game, replayed)
        for game, replayed_game in zip(record.games, replayed.games, strict=False)
    )
    return replace(record, games=games + record.games[len(games) :])


def _canonical_game(game: Game, replayed_game: ReplayedGame, replayed: Replay) -> Game:
    states = {state.turn: state for state in replayed_game.states}
    actions: list[Action] = []
    for turn, action in enumerate(game.actions, 1):
        state = states.get(turn)
        cleaned = action if state is None else _canonical_action(action, state)
        if cleaned is not None:
            actions.append(cleaned)
    automatic_doubles = max((state.cube.automatic_doubles for state in replayed_game.states), default=0)
    return replace(
        game,
        actions=tuple(actions),
        result=_canonical_result(game, replayed_game, replayed),
        crawford=True if replayed_game.crawford else None,
        automatic_doubles=automatic_doubles or None,
    )


def _canonical_action(action: Action, state: TurnState) -> Action | None:
    if isinstance(action, Roll):
        return replace(action, steps=state.steps) if action.mark is RollMark.PLAYED else action
    if isinstance(action, CubeAction):
        offer = state.cube.offer
        if action.kind is CubeKind.PASS and offer is None:
            return None  # another form of a resignation: the result has it
        value = None
        if action.kind is CubeKind.DOUBLE:
            value = state.cube.value * 2
        elif action.kind is CubeKind.BEAVER and offer is not None:
            value = offer.value * 2
        return replace(action, value=value)
    return action


def _canonical_result(game: Game, replayed_game: ReplayedGame, replayed: Replay) -> Result | None:
    ending = replayed_game.ending
    if ending.winner is None:
        return game.result
    points = ending.points if ending.stated is None else ending.stated
    return Result(
        winner=game.result.winner if game.result is not None and game.result.winner else ending.winner,
        points=points,
        resigned=ending.end is End.RESIGNED,
        wins_match=replayed.form.length is not None and replayed_game.score_after.is_over,
        place=game.result.place if game.result is not None else game.place,
    )
