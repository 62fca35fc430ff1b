"""GNU Backgammon as an engine: Debian's program, run as a process that exchanges files, never imported.

It is free software under the GPL. Each match is analysed by one process with a temporary home folder. The
input is match text, the output SGF, whose numbers are plain and independent of the language.
"""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from games.analysis.aligning import align_analysis, record_for_engine
from games.analysis.bounded import ProcessLimits, run_limited
from games.analysis.folders import file_counter, working_folder
from games.analysis.limits import bare_environment, limits_for
from games.analysis.port import BROKEN, MISREAD, EngineError, Progress
from games.records.analysis import Analysis
from games.records.errors import UnreadableRecord
from games.records.model import Record
from games.records.registry import read_record, write_record
from games.records.replaying import Replay

CODE: Final = "gnubg"
NAME: Final = "GNU Backgammon"
FOLDERS: Final = "/usr/games:/usr/local/games"
PLIES: Final = 2
_VERSION: Final = re.compile(rf"{NAME} ([0-9][0-9.]*)")


def program_path() -> str | None:
    """Return the path of the program, or None if it is not installed.

    Looks at the setting `GNUBG`, the search path and Debian's folder for games.
    """
    configured_name = os.environ.get("GNUBG")
    return shutil.which(configured_name or CODE) or (
        None if configured_name else shutil.which(CODE, path=FOLDERS)
    )


@dataclass(frozen=True)
class GnuBackgammon:
    """The program at ``path``, which looks ``plies`` ahead.

    ``limits``: replace those that depend on the number of turns.
    """

    path: str
    plies: int = PLIES
    rates: bool = True
    limits: ProcessLimits | None = None  # replaces those by the number of rolls

    code = CODE

    @property
    def level(self) -> str:
        return f"{self.plies}-ply"

    @property
    def version(self) -> str:
        return _version(self.path, Path(self.path).stat().st_mtime_ns)

    def analyse(self, record: Record, replay: Replay, progress: Progress) -> Analysis:
        engine_record = record_for_engine(record, replay)
        with working_folder() as folder:
            (folder / "given.mat").write_bytes(write_record(engine_record, "mat").data)
            (folder / "commands.txt").write_text(self._commands(replay))
            run_limited(
                [self.path, "-t", "-q", "-r", "-c", "commands.txt"],
                folder=folder,
                environment=bare_environment(folder),
                limits=self.limits or limits_for(replay),
                on_poll=file_counter(folder, "game-*.sgf", progress),
            )
            answer = folder / "answer.sgf"
            if not answer.exists():
                raise EngineError(BROKEN, reason="no answer")
            try:
                result = read_record(answer.read_bytes(), answer.name)
            except UnreadableRecord as error:
                raise EngineError(MISREAD, reason=error.code) from error
        analysis = align_analysis(result.analysis, result.record, replay)
        return Analysis(f"{NAME} {self.version}", analysis.decisions)

    def _commands(self, replay: Replay) -> str:
        form = replay.form
        lines = [
            "set threads 1",
            "set automatic roll off",
            "set automatic game off",
            f"set jacoby {'on' if form.jacoby else 'off'}",
            f"set beavers {3 if form.beavers else 0}",
            f"set analysis chequerplay evaluation plies {self.plies}",
            f"set analysis cubedecision evaluation plies {self.plies}",
            "set analysis luck on",
            'import mat "given.mat"',
            "first game",
        ]
        for number in range(1, len(replay.games) + 1):
            lines += ["next game"] if number > 1 else []
            lines += ["analyse game", f'save game "game-{number}.sgf"']
        return "\n".join([*lines, 'save match "answer.sgf"', "quit", ""])


@lru_cache(maxsize=4)
def _version(path: str, modified_at: int) -> str:
    """Return the program's version, read once for each path and time of the program file."""
    with working_folder() as folder:
        output = run_limited(
            [path, "--version"],
            folder=folder,
            environment=bare_environment(folder),
            limits=ProcessLimits(10, 60),
        )
    version_match = _VERSION.search(output)
    if version_match is None:
        raise EngineError(BROKEN, reason="no version", changed=modified_at)
    return version_match[1]
