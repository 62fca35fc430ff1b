"""Compare our estimate of a performance rating with eXtreme Gammon's: `python benchmarks/analysis.py [FOLDER] [--plies 2] [--engine bgsage]`.

Every `.xg` file in FOLDER (default: CRAWFORD_CORPUS) that contains an analysis is given to GNU Backgammon, or to Sage, as plain plays, and
both ratings of each match are compared with those in the file. CPU seconds and the memory of the engine are measured. Target: at most 25 s
and 150 MB per match; a trial with nine other matches had a mean difference of 0.36 and none above 1.13.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from games.analysis.gnubg import GnuBackgammon, program_path
from games.analysis.port import Engine
from games.analysis.sage import Sage, is_installed
from games.records.performance import luck_adjusted_result, performances
from games.records.registry import read_record
from games.records.validation import validate
from games.rules.sides import SIDES

SECONDS, MEGABYTES = 25, 150


def seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def chosen(code: str, plies: int) -> Engine:
    """The engine that was asked for; Sage has one level."""
    path = program_path()
    if code == "bgsage" and is_installed():
        return Sage()
    if code == "bgsage" or path is None:
        sys.exit(
            "GNU Backgammon is not installed; GNUBG names it. Sage: pip install -r requirements/analysis.txt"
        )
    return GnuBackgammon(path, plies=plies)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(os.environ.get("CRAWFORD_CORPUS", ".")))
    parser.add_argument("--plies", type=int, default=2)
    parser.add_argument("--engine", choices=["gnubg", "bgsage"], default="gnubg")
    options = parser.parse_args()
    engine = chosen(options.engine, options.plies)
    gaps: list[float] = []
    for file in sorted(options.folder.rglob("*.xg")):
        result = read_record(file.read_bytes(), file.name)
        replay = validate(result.record).replay
        if replay is None or not result.analysis.decisions:
            print(f"{file.name}: holds no analysis")
            continue
        start_seconds = seconds()
        analysis = engine.analyse(result.record, replay, lambda _done: None)
        cpu_seconds = seconds() - start_seconds
        stated_performances = performances(result.analysis.decisions, replay)
        own_performances = performances(analysis.decisions, replay)
        for side in SIDES:
            own_rating, stated_rating = own_performances[side].rating, stated_performances[side].rating
            if own_rating is not None and stated_rating is not None:
                gaps.append(abs(own_rating - stated_rating))
                print(
                    f"{file.name} {side.value}: {own_rating:.2f}, eXtreme Gammon {stated_rating:.2f}, gap {gaps[-1]:.2f};"
                    f" luck {own_performances[side].luck:+.2f}, eXtreme Gammon {stated_performances[side].luck:+.2f}"
                )
        adjusted_results = [
            row.adjusted
            for row in (luck_adjusted_result(analysis, replay), luck_adjusted_result(result.analysis, replay))
            if row
        ]
        print(
            f"{file.name}: {cpu_seconds:.1f} s of the processor (at most {SECONDS}); without luck {adjusted_results}"
        )
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    if gaps:
        print(f"mean gap {sum(gaps) / len(gaps):.2f}, largest {max(gaps):.2f}, {len(gaps)} ratings")
    print(f"memory of the engine at most {peak:.0f} MB (at most {MEGABYTES})")


if __name__ == "__main__":
    main()
