"""What an engine may take for a match, and what it is told of the machine it runs on."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from games.analysis.bounded import ProcessLimits
from games.records.replaying import Replay

# GNU Backgammon takes 0.05 s of one processor for a roll at 2-ply, cube and luck included, and Sage as much; the slowest were ten times as slow.
BASE_SECONDS: Final = 30
SECONDS_PER_ROLL: Final = 0.6
MAX_SECONDS: Final = 400
WALL_SECONDS: Final = 3_600  # seconds by the clock: at the lowest priority it waits for everybody else


def limits_for(replay: Replay) -> ProcessLimits:
    """What a match of this many turns may take."""
    turns = sum(len(game.states) for game in replay.games)
    seconds = min(int(BASE_SECONDS + SECONDS_PER_ROLL * turns), MAX_SECONDS)
    return ProcessLimits(cpu_seconds=seconds, clock=WALL_SECONDS)


def bare_environment(folder: Path) -> dict[str, str]:
    """An empty home, the usual folders of programs, one thread, and nothing else."""
    return {
        "HOME": str(folder),
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "OPENBLAS_NUM_THREADS": "1",
        "BGBOT_MULTIPLY_THREADS": "1",
        "MALLOC_ARENA_MAX": "1",  # a thread that comes and goes gets no memory of its own
    }
