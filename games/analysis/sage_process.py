"""The process in which Sage analyses positions: `python sage_process.py FOLDER` reads and writes files there.

It imports nothing of this project, so that only numbers are exchanged. Boards are Sage's: 26 numbers, the
mover's own points from 1 to 24 with the opponent's checkers negative, the own bar at 25, the opponent's at 0.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

LEVEL = "2ply"  # as Sage and eXtreme Gammon count: one roll ahead


def main(folder: Path) -> None:
    sage = importlib.import_module("bgsage")
    # 0 means `BGBOT_MULTIPLY_THREADS` threads: one. 1 would be two, each with tables of its own.
    engine = sage.BgBotAnalyzer(eval_level=LEVEL, parallel_threads=0)
    questions = json.loads((folder / "asked.json").read_text())
    for number, turns in enumerate(questions, 1):
        answers = [analyse_turn(sage, engine, turn) for turn in turns]
        unfinished = folder / "unfinished.json"
        unfinished.write_text(json.dumps(answers))
        unfinished.rename(folder / f"game-{number}.json")


def analyse_turn(sage: Any, engine: Any, turn: dict[str, Any]) -> dict[str, Any]:
    """Return Sage's analysis of a turn: the cube before the roll, the luck of the roll, and the plays.

    ``turn``: the board, dice and other values of the turn that ``sage.py`` wrote.
    """
    state = {
        "cube_value": turn["cube"],
        "cube_owner": turn["owner"],
        "away1": turn["away"][0],
        "away2": turn["away"][1],
        "is_crawford": turn["crawford"],
        "jacoby": turn["jacoby"],
        "beaver": turn["beaver"],
    }
    dice = turn["dice"]
    cube = engine.cube_action(turn["board"], incl_2ply_details=dice is not None, **state)
    result: dict[str, Any] = {
        "cube": [cube.equity_nd, cube.equity_dt, cube.equity_dp],
        "chances": cube.probs.to_list(),
        "luck": None,
        "plays": [],
    }
    if dice is None:
        return result
    luck = sage.roll_luck(cube, *dice, is_opening_roll=turn["opening"])
    result["luck"] = luck.luck if luck is not None else None
    if turn["played"] is not None:
        plays = engine.checker_play(turn["board"], *dice, force_boards=[turn["played"]], **state).moves
        result["plays"] = [
            [list(play.board), play.equity, play.probs.to_list(), play.eval_level] for play in plays
        ]
    return result


if __name__ == "__main__":
    main(Path(sys.argv[1]))
