"""Check verdicts on real records, intact and with one slip each: `CRAWFORD_CORPUS=… python benchmarks/record_verdicts.py [--slips 100] [--seed 1]`.

First gives the verdict on every file in the folder; no genuine one may be doubtful or rejected. Then makes slips of each kind in finished
matches, one at a time: verdicts, number of findings for each slip, and how many are reported at its turn.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from games.records.checking import check_record
from games.records.errors import UnreadableRecord
from games.records.model import Record, Roll
from games.records.reading import ReadResult
from games.records.registry import read_record
from games.records.validation import Decision, Verdict, validate

SUFFIXES = {".mat", ".txt", ".sgf", ".xg"}
KINDS = ("wrong pip", "wrong origin", "wrong die", "turn left out", "play left out", "wrong star")


def files_of(folder: str) -> list[Path]:
    return [path for path in sorted(Path(folder).rglob("*")) if path.suffix in SUFFIXES]


def verdicts(paths: list[Path]) -> Counter[str]:
    return Counter(check_record(path.read_bytes(), path.name).verdict.decision.value for path in paths)


def finished(paths: list[Path]) -> list[ReadResult]:
    found = []
    for path in paths:
        try:
            read = read_record(path.read_bytes(), path.name)
        except UnreadableRecord:
            continue
        if read.record.length and validate(read.record, read_findings=read.findings).complete:
            found.append(read)
    return found


def with_slip(rng: Random, record: Record, kind: str) -> tuple[Record, int, int] | None:
    """The record with one slip, and its game and turn; None where the place that chance has chosen cannot have one."""
    places = [
        (number, index)
        for number, game in enumerate(record.games)
        for index, action in enumerate(game.actions[:-1])
        if isinstance(action, Roll) and action.steps
    ]
    if not places:
        return None
    number, index = rng.choice(places)
    game = record.games[number]
    roll = game.actions[index]
    assert isinstance(roll, Roll)
    at = rng.randrange(len(roll.steps))
    step = roll.steps[at]
    if kind == "wrong pip":
        step = step._replace(target=step.target + rng.choice((-2, -1, 1, 2)))
    elif kind == "wrong origin":
        step = step._replace(source=step.source + rng.choice((-1, 1)))
    elif kind == "wrong star":
        step = step._replace(hit=not step.hit)
    if not 0 <= step.target < step.source <= 25:
        return None
    instead: tuple[Roll, ...] = (replace(roll, steps=(*roll.steps[:at], step, *roll.steps[at + 1 :])),)
    if kind == "wrong die":
        first, second = roll.dice
        instead = (replace(roll, dice=(rng.choice([die for die in range(1, 7) if die != first]), second)),)
    elif kind == "play left out":
        instead = (replace(roll, steps=()),)
    elif kind == "turn left out":
        instead = ()
    actions = game.actions[:index] + instead + game.actions[index + 1 :]
    games = (*record.games[:number], replace(game, actions=actions), *record.games[number + 1 :])
    return replace(record, games=games), number + 1, index + 1


def news(verdict: Verdict, before: Verdict) -> list[tuple[int, int]]:
    known = {(found.code, found.game) for found in before.findings}
    return [(found.game, found.turn) for found in verdict.findings if (found.code, found.game) not in known]


def slips(rng: Random, reads: list[ReadResult], kind: str, count: int) -> str:
    decisions: Counter[str] = Counter()
    one = there = 0
    seconds = []
    for _ in range(count):
        made = None
        while made is None:
            read = rng.choice(reads)
            made = with_slip(rng, read.record, kind)
        started = time.process_time()
        verdict = validate(made[0], read_findings=read.findings)
        seconds.append(time.process_time() - started)
        found = news(verdict, validate(read.record, read_findings=read.findings))
        decisions[verdict.decision.value] += 1
        one += len(found) <= 1
        there += made[1:] in found
    shown = ", ".join(f"{decisions[each.value]} {each.value}" for each in Decision if decisions[each.value])
    return (
        f"{kind}: {shown}; one finding at most {one} of {count}, told at its turn {there}; "
        f"mean {1000 * sum(seconds) / count:.0f} ms, slowest {1000 * max(seconds):.0f} ms"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slips", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    corpus = os.environ.get("CRAWFORD_CORPUS")
    if not corpus:
        print("CRAWFORD_CORPUS names no folder of records")
        return 0
    paths = files_of(corpus)
    counted = verdicts(paths)
    print(f"{len(paths)} files: " + ", ".join(f"{counted[each.value]} {each.value}" for each in Decision))
    rng, reads = Random(options.seed), finished(paths)
    for kind in KINDS:
        print(slips(rng, reads, kind, options.slips))
    return 1 if counted[Decision.DOUBTFUL.value] or counted[Decision.REJECT.value] else 0


if __name__ == "__main__":
    sys.exit(main())
