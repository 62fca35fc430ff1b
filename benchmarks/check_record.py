"""Measure the time from bytes to verdict: `python benchmarks/check_record.py [--matches 40] [--seed 1]`.

Every match is different and is checked once, so no cache is warm for it. With CRAWFORD_CORPUS the real 7-point matches in that folder are
measured; otherwise (or with --made) random matches from the seed, of 200 to 300 plays each. Target: a mean of at most 10 ms on one core.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from games.records.checking import check_record
from games.records.model import Roll
from games.records.registry import read_record, write_record
from games.rules import position
from games.rules.formats import MatchFormat
from tests.support.random_matches import random_match

LENGTH = 7
TARGET_MS = 10.0


def plays_in(record) -> int:
    return sum(isinstance(action, Roll) for game in record.games for action in game.actions)


def made(count: int, seed: int, code: str) -> list[bytes]:
    files = []
    rng = Random(seed)
    while len(files) < count:
        record = random_match(rng, MatchFormat(length=LENGTH), quick=0.0)
        if 200 <= plays_in(record) <= 300:
            files.append(write_record(record, code).data)
    return files


def real(folder: str) -> list[bytes]:
    files = []
    for path in sorted(Path(folder).glob("*/*")):
        if path.suffix in {".mat", ".txt"}:
            data = path.read_bytes()
            if b"\n7 point match" in data or b"\n 7 point match" in data:
                record = read_record(data).record
                if 150 <= plays_in(record) <= 400:
                    files.append(data)
    return files


def measure(name: str, files: list[bytes]) -> float:
    times = []
    plays = 0
    for data in files:
        position._counts.cache_clear()
        start = time.process_time()
        checked = check_record(data)
        times.append(1000 * (time.process_time() - start))
        plays += plays_in(checked.record)
    mean = statistics.mean(times)
    print(
        f"{name}: {len(files)} matches, {plays / len(files):.0f} plays each: mean {mean:.2f} ms, "
        f"median {statistics.median(times):.2f} ms, slowest {max(times):.2f} ms, {1000 * sum(times) / plays:.1f} µs a play"
    )
    return mean


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--made", action="store_true", help="use random matches even if CRAWFORD_CORPUS is set"
    )
    options = parser.parse_args()
    corpus = os.environ.get("CRAWFORD_CORPUS")
    if corpus and not options.made:
        means = [measure("real 7-point matches", real(corpus))]
    else:
        means = [
            measure(f"made, {code}", made(options.matches, options.seed + index, code))
            for index, code in enumerate(("mat", "sgf"))
        ]
    return 0 if max(means) <= TARGET_MS else 1


if __name__ == "__main__":
    sys.exit(main())
