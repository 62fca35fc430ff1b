"""Feed broken game records to the reader: `python tools/fuzz_records.py --inputs 1000000 --seed 1`.

Prints how many inputs were read, checked and rejected, every crash with its seed and number, and the slowest input. Exit status 1 if
anything crashed or took longer than a second. The same seed gives the same inputs.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.fuzzed_records import exercise, inputs

TOO_SLOW = 1.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="save inputs that crashed or were slow to this folder")
    options = parser.parse_args()

    verdicts: Counter[str] = Counter()
    crashes = slow_count = 0
    slowest = 0.0
    started_at = time.monotonic()
    for number, data in enumerate(inputs(options.seed, options.inputs)):
        cpu_start = time.process_time()
        is_bad = False
        try:
            verdicts[exercise(data)] += 1
        except Exception:  # noqa: BLE001 - that is what we are looking for
            crashes += 1
            is_bad = True
            print(f"crash: seed {options.seed}, input {number}")
            traceback.print_exc(file=sys.stdout)
        cpu_seconds = time.process_time() - cpu_start
        slowest = max(slowest, cpu_seconds)
        if cpu_seconds > TOO_SLOW:
            slow_count += 1
            is_bad = True
            print(f"slow: seed {options.seed}, input {number}: {cpu_seconds:.2f} s")
        if is_bad and options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"{options.seed}-{number}.record").write_bytes(data)
    total = time.monotonic() - started_at
    verdict_text = ", ".join(f"{name} {count}" for name, count in sorted(verdicts.items()))
    print(
        f"{options.inputs} inputs, seed {options.seed}, {total:.0f} s: {crashes} crashes, {slow_count} slow, slowest {slowest:.2f} s"
    )
    print(verdict_text)
    return 1 if crashes or slow_count else 0


if __name__ == "__main__":
    sys.exit(main())
