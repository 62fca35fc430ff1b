"""Measure the table of a Swiss: 1,000 entries after 9 rounds, with byes, walkovers and withdrawals.

    python benchmarks/standings.py              the default tie-breaks under every edition, then each tie-break alone
    python benchmarks/standings.py --entries 5000

Prints medians in milliseconds on one core, including preparation of the results; rounds are generated beforehand from a seed.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tournaments.engine.pairing.history import PairedMatch, RestingEntry, SwissRound
from tournaments.engine.stages.swiss import DEFAULT_TIE_BREAKS
from tournaments.engine.standings.editions import Edition
from tournaments.engine.standings.order import rank_entries
from tournaments.engine.standings.table import Crosstable
from tournaments.engine.standings.tie_breaks import TIE_BREAKS
from tournaments.engine.types import EntryId

ROUNDS = 9


def rounds_of(entries: Sequence[EntryId], rng: Random) -> list[SwissRound]:
    """One in fifty rests in a round, one match in fifty is a walk-over."""
    rounds = []
    for _round in range(ROUNDS):
        present, rests = [], []
        for entry in entries:
            if rng.random() < 0.02:
                rests.append(RestingEntry(entry, rng.choice((0, 1))))
            else:
                present.append(entry)
        rng.shuffle(present)
        if len(present) % 2:
            rests.append(RestingEntry(present.pop(), 2, is_allotted=True))
        meetings = [
            PairedMatch(a, b, *rng.choice(((2, 0), (0, 2))), rng.random() > 0.02, 5, rng.randrange(5), 5)
            for a, b in zip(present[::2], present[1::2], strict=True)
        ]
        rounds.append(SwissRound(tuple(meetings), tuple(rests)))
    return rounds


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--entries", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=9)
    options = parser.parse_args()
    rng = Random(1)
    entries = [EntryId(number) for number in range(1, options.entries + 1)]
    rounds, ratings = (
        rounds_of(entries, rng),
        {entry: float(rng.randint(1200, 2200)) for entry in entries},
    )

    def timed(edition: Edition, codes: Sequence[str]) -> float:
        times = []
        for _ in range(options.repeats):
            start = time.process_time()
            rank_entries(Crosstable(entries, rounds, edition=edition, ratings=ratings), codes)
            times.append(time.process_time() - start)
        return 1000 * statistics.median(times)

    print(f"{options.entries} entries, {ROUNDS} rounds; ms")
    for edition in Edition:
        print(f"{edition:32} {timed(edition, ('points', *DEFAULT_TIE_BREAKS)):8.1f}")
    for code in TIE_BREAKS:
        print(f"{code:32} {timed(Edition.FIDE_2026, ('points', code)):8.1f}")


if __name__ == "__main__":
    main()
