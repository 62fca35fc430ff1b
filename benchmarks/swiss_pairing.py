"""Measure pairing one round of a Swiss, and check whole events.

    python benchmarks/swiss_pairing.py              round 5 of 100 … 5,000 entries, with reference values
    python benchmarks/swiss_pairing.py --events 200  this many events of 201 entries over 9 rounds: rematches, byes

The fields are played at random from a seed; the events have clubs (2 % of the field each), drop-outs and late entries.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tournaments.engine.chance import Chance
from tournaments.engine.pairing.history import (
    Entrant,
    PairedMatch,
    RestingEntry,
    SwissRound,
    contenders_after,
)
from tournaments.engine.pairing.swiss import Contender, Pairing, pair_round
from tournaments.engine.types import EntryId

# Round 5 in seconds: bbpPairings (FIDE Dutch with colours), py4swiss, a trial with rustworkx.
YARDSTICKS = {
    100: (0.02, 0.42, 0.002),
    500: (2.1, 6.6, None),
    1000: (20, 32, 0.048),
    5000: (None, None, 0.49),
}
GOALS = {200: 0.02, 1000: 0.1, 5000: 1.0}


def field(count: int) -> list[Entrant]:
    return [Entrant(EntryId(n), n, frozenset({f"club {n % 50}"})) for n in range(1, count + 1)]


def played(pairing: Pairing, chance: Chance, rests: tuple[RestingEntry, ...] = ()) -> SwissRound:
    """The stronger half wins 60 times of 100."""
    meetings = []
    for a, b in pairing.pairs:
        first_wins = chance.below(100) < (60 if a < b else 40)
        meetings.append(PairedMatch(a, b, 2 * first_wins, 2 - 2 * first_wins))
    bye = () if pairing.bye is None else (RestingEntry(pairing.bye, 2, is_allotted=True),)
    return SwissRound(tuple(meetings), (*rests, *bye))


def timed(contenders: tuple[Contender, ...], repeats: int) -> tuple[float, Pairing]:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        pairing = pair_round(contenders, seed=1)
        times.append(time.perf_counter() - start)
    return statistics.median(times), pairing


def bench() -> None:
    print("round 5, seconds (median)    ours    goal   bbpPairings  py4swiss  rustworkx trial")
    for count in (100, 200, 500, 1000, 2000, 5000):
        entrants, rounds, chance = field(count), [], Chance(count, "bench")
        for _ in range(4):
            rounds.append(played(pair_round(contenders_after(rounds, entrants), seed=1), chance))
        seconds, pairing = timed(contenders_after(rounds, entrants), 11 if count < 2000 else 3)
        yardsticks = "  ".join(f"{'-' if y is None else y:>10}" for y in YARDSTICKS.get(count, (None,) * 3))
        print(
            f"{count:>6} entries             {seconds:7.4f}  {GOALS.get(count, '-'):>6}  {yardsticks}   {pairing.costs}"
        )


def events(number: int) -> None:
    rematches = byes = rounds_paired = 0
    start = time.perf_counter()
    for seed in range(number):
        chance, entrants, rounds = Chance(seed, "event"), field(201), []
        playing_ids = {e.entry for e in entrants[:195]}
        late_ids = [e.entry for e in entrants[195:]]
        for round_number in range(9):
            if round_number and late_ids:
                playing_ids.add(late_ids.pop())
            playing_ids -= {entry for entry in sorted(playing_ids) if chance.below(100) == 0}
            rests = tuple(RestingEntry(entry, 1) for entry in sorted(playing_ids) if chance.below(100) == 0)
            present_ids = playing_ids - {rest.entry for rest in rests}
            pairing = pair_round(contenders_after(rounds, entrants, present_ids), seed=seed)
            rematches += pairing.costs.rematches
            byes += pairing.costs.bye_again
            rounds_paired += 1
            rounds.append(played(pairing, chance, rests))
    print(
        f"{number} events of 201 entries, {rounds_paired} rounds in {time.perf_counter() - start:.1f} s: ",
        end="",
    )
    print(f"{rematches} rematches, {byes} second byes")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--events", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.events:
        events(arguments.events)
    else:
        bench()
