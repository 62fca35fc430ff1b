"""Play random whole events in the pure engine, and stop at the first broken invariant.

    python benchmarks/random_events.py [--events 200] [--first-seed 0]

What is played and what must hold is defined in tests/support/engine_events.py.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.engine_events import run_event


def main(events: int, first_seed: int) -> None:
    start, kinds, counts, sizes = time.perf_counter(), Counter[str](), Counter[str](), []
    for seed in range(first_seed, first_seed + events):
        try:
            summary = run_event(seed)
        except Exception:
            print(f"broken at seed {seed}")
            raise
        kinds[summary.system] += 1
        counts += summary.counts
        sizes.append(summary.entries)
    print(
        f"{events} events in {time.perf_counter() - start:.1f} s, {min(sizes)} to {max(sizes)} entries, none broken"
    )
    print(", ".join(f"{kind}: {number}" for kind, number in kinds.items()))
    print(", ".join(f"{name}: {number}" for name, number in sorted(counts.items())))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--events", type=int, default=200)
    parser.add_argument("--first-seed", type=int, default=0)
    arguments = parser.parse_args()
    main(arguments.events, arguments.first_seed)
