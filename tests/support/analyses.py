"""What a program might think of a record: made by chance, in the shape that readers hand over."""

from __future__ import annotations

from random import Random

from games.records.analysis import (
    Analysis,
    Chances,
    Comment,
    CubeEquities,
    Decision,
    DecisionKind,
    RankedPlay,
    is_counted_double,
    is_counted_play,
    is_counted_take,
)
from games.records.model import CubeAction, CubeKind, Record, Roll, RollMark


def _chances(rng: Random) -> Chances:
    win = round(rng.uniform(0.05, 0.95), 4)
    return Chances(
        win, round(win / 3, 4), round(win / 9, 4), round((1 - win) / 4, 4), round((1 - win) / 16, 4)
    )


def _cube(rng: Random) -> CubeEquities:
    return CubeEquities(round(rng.uniform(-1, 1.2), 4), round(rng.uniform(-1.5, 1.8), 4), 1.0)


def random_analysis(
    rng: Random, record: Record, engine: str = "eXtreme Gammon", level: str = "3-ply"
) -> Analysis:
    """Decisions of all kinds for a record in plain form, and a comment here and there."""
    decisions: list[Decision] = []
    comments = [Comment(0, 0, "A final, Schönberg's [first]: 5\\7")]
    for number, game in enumerate(record.games, 1):
        comments.append(Comment(number, 0, "Game\nof two lines"))
        offered = _cube(rng)
        before = None
        for turn, action in enumerate(game.actions, 1):
            last, before = before, action
            if isinstance(action, Roll) and action.mark is RollMark.PLAYED:
                if rng.random() < 0.3:
                    cube = _cube(rng)
                    lost = round(max(0.0, min(cube[1:]) - cube.no_double), 4)
                    decisions.append(
                        Decision(number, turn, DecisionKind.DOUBLE, action.side, lost, is_counted_double(cube, lost), level, cube=cube, chances=_chances(rng))
                    )  # fmt: skip
                steps = tuple(step._replace(hit=False) for step in action.steps)
                equities = sorted(
                    (round(rng.uniform(-1, 1), 4) for _ in range(rng.randint(1, 5))), reverse=True
                )
                played = rng.randrange(len(equities))
                plays = tuple(RankedPlay(steps, equity, _chances(rng), level) for equity in equities)
                lost = round(equities[0] - equities[played], 4)
                luck = round(rng.uniform(-0.5, 0.5), 4)
                decisions.append(
                    Decision(number, turn, DecisionKind.CHECKER, action.side, lost, is_counted_play(equities), level, plays, played, luck=luck)
                )  # fmt: skip
                if rng.random() < 0.1:
                    comments.append(Comment(number, turn, "Too bold?"))
            elif isinstance(action, CubeAction) and action.kind is CubeKind.DOUBLE:
                offered = _cube(rng)
                lost = round(max(0.0, offered.no_double - min(offered[1:])), 4)
                decisions.append(
                    Decision(number, turn, DecisionKind.DOUBLE, action.side, lost, is_counted_double(offered, lost), level, cube=offered, chances=_chances(rng))
                )  # fmt: skip
            elif isinstance(action, CubeAction) and action.kind in (CubeKind.TAKE, CubeKind.PASS):
                if not isinstance(last, CubeAction) or last.kind is not CubeKind.DOUBLE:
                    continue  # the answer to a beaver
                gap = offered.double_pass - offered.double_take
                lost = round(max(0.0, gap if action.kind is CubeKind.PASS else -gap), 4)
                decisions.append(
                    Decision(
                        number,
                        turn,
                        DecisionKind.TAKE,
                        action.side,
                        lost,
                        is_counted_take(offered),
                        level,
                        cube=offered,
                    )
                )
    return Analysis(engine, tuple(decisions), tuple(comments))
