"""Measure the speed of legal plays and of checking a play on one core.

    python benchmarks/legal_plays.py

Uses the positions in CRAWFORD_ORACLE, or the golden sample in the tests. Every `.result` is read. For comparison, on the same kind of
machine with 20,000 positions: a simple Python generator 23,700 positions/s; OpenSpiel's C++ about 110,000 calls/s; GNU Backgammon's C core
330,000/s. Target: 25,000.
"""

import gzip
import json
import os
import random
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from games.rules.plays import check_play, legal_plays
from games.rules.position import Position

GOLDEN = ROOT / "tests/golden/rules/plays_gnubg.jsonl.gz"
ROUNDS = 5


def best(call, rounds=ROUNDS):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    path = Path(os.environ.get("CRAWFORD_ORACLE") or GOLDEN)
    with gzip.open(path, "rt", encoding="ascii") as lines:
        rows = [json.loads(line) for line in lines]
    cases = [(Position.from_id(row["pid"]), tuple(row["dice"])) for row in rows]
    expected = sum(len(row["legal"]) for row in rows)

    def generate():
        count = 0
        for position, roll in cases:
            for play in legal_plays(position, roll):
                if play.result is not None:
                    count += 1
        if count != expected:
            raise SystemExit(f"{count} results instead of {expected}")

    chance = random.Random(1)
    shuffled = []
    for position, roll in cases:
        steps = list(chance.choice(legal_plays(position, roll)).steps)
        chance.shuffle(steps)
        shuffled.append((position, roll, steps))

    def check():
        for position, roll, steps in shuffled:
            if not check_play(position, roll, steps).legal:
                raise SystemExit(f"refused: {position!r} {roll} {steps}")

    seconds = best(generate)
    print(f"{path.name}: {len(cases)} positions, {expected} results")
    print(f"legal_plays, every result read: {len(cases) / seconds:,.0f} positions/s (wanted 25,000)")
    seconds = best(check)
    print(
        f"check_play of a legal play:     {len(cases) / seconds:,.0f} plays/s, {seconds / len(cases) * 1e6:.1f} us each"
    )


if __name__ == "__main__":
    main()
