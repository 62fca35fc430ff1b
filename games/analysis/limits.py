"""Limits of an engine for a match, and the environment variables of its process."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from games.analysis.bounded import ProcessLimits
from games.records.replaying import Replay

# GNU Backgammon takes 0.05 s of one processor for a roll at 2-ply, cube and luck included, and Sage as much; the slowest took ten times as long.
BASE_SECONDS: Final = 30
SECONDS_PER_ROLL: Final = 0.6
MAX_SECONDS: Final = 400
WALL_SECONDS: Final = 3_600  # at the lowest priority it waits for all other processes


def limits_for(replay: Replay) -> ProcessLimits:
    """Return the limits for analysing a match: more turns get more processor time."""
    turns = sum(len(game.states) for game in replay.games)
    seconds = min(int(BASE_SECONDS + SECONDS_PER_ROLL * turns), MAX_SECONDS)
    return ProcessLimits(cpu_seconds=seconds, clock=WALL_SECONDS)


def bare_environment(folder: Path) -> dict[str, str]:
    """Return environment variables with ``folder`` as home, the usual search path and one thread."""
    return {
        "HOME": str(folder),
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "OPENBLAS_NUM_THREADS": "1",
        "BGBOT_MULTIPLY_THREADS": "1",
        "MALLOC_ARENA_MAX": "1",  # short-lived threads get no memory of their own
    }
