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
from games.records.validation import Verdict, VerdictDecision, validate

SUFFIXES = {".mat", ".txt", ".sgf", ".xg"}
KINDS = ("wrong pip", "wrong origin", "wrong die", "turn left out", "play left out", "wrong star")


def files_of(folder: str) -> list[Path]:
    return [path for path in sorted(Path(folder).rglob("*")) if path.suffix in SUFFIXES]


def verdicts(paths: list[Path]) -> Counter[str]:
    return Counter(check_record(path.read_bytes(), path.name).verdict.decision.value for path in paths)


def finished(paths: list[Path]) -> list[ReadResult]:
    results = []
    for path in paths:
        try:
            result = read_record(path.read_bytes(), path.name)
        except UnreadableRecord:
            continue
        if result.record.length and validate(result.record, read_findings=result.findings).complete:
            results.append(result)
    return results


def with_slip(rng: Random, record: Record, kind: str) -> tuple[Record, int, int] | None:
    """The record with one slip, and its game and turn; None where the place that chance has chosen cannot have one."""
    positions = [
        (number, index)
        for number, game in enumerate(record.games)
        for index, action in enumerate(game.actions[:-1])
        if isinstance(action, Roll) and action.steps
    ]
    if not positions:
        return None
    number, index = rng.choice(positions)
    game = record.games[number]
    roll = game.actions[index]
    assert isinstance(roll, Roll)
    step_index = rng.randrange(len(roll.steps))
    step = roll.steps[step_index]
    if kind == "wrong pip":
        step = step._replace(target=step.target + rng.choice((-2, -1, 1, 2)))
    elif kind == "wrong origin":
        step = step._replace(source=step.source + rng.choice((-1, 1)))
    elif kind == "wrong star":
        step = step._replace(hit=not step.hit)
    if not 0 <= step.target < step.source <= 25:
        return None
    replacement: tuple[Roll, ...] = (
        replace(roll, steps=(*roll.steps[:step_index], step, *roll.steps[step_index + 1 :])),
    )
    if kind == "wrong die":
        first, second = roll.dice
        replacement = (
            replace(roll, dice=(rng.choice([die for die in range(1, 7) if die != first]), second)),
        )
    elif kind == "play left out":
        replacement = (replace(roll, steps=()),)
    elif kind == "turn left out":
        replacement = ()
    actions = game.actions[:index] + replacement + game.actions[index + 1 :]
    games = (*record.games[:number], replace(game, actions=actions), *record.games[number + 1 :])
    return replace(record, games=games), number + 1, index + 1


def news(verdict: Verdict, before: Verdict) -> list[tuple[int, int]]:
    known_keys = {(finding.code, finding.game) for finding in before.findings}
    return [
        (finding.game, finding.turn)
        for finding in verdict.findings
        if (finding.code, finding.game) not in known_keys
    ]


def slips(rng: Random, results: list[ReadResult], kind: str, count: int) -> str:
    decisions: Counter[str] = Counter()
    single_count = placed_count = 0
    seconds = []
    for _ in range(count):
        slipped = None
        while slipped is None:
            result = rng.choice(results)
            slipped = with_slip(rng, result.record, kind)
        start = time.process_time()
        verdict = validate(slipped[0], read_findings=result.findings)
        seconds.append(time.process_time() - start)
        new_findings = news(verdict, validate(result.record, read_findings=result.findings))
        decisions[verdict.decision.value] += 1
        single_count += len(new_findings) <= 1
        placed_count += slipped[1:] in new_findings
    decision_text = ", ".join(
        f"{decisions[decision.value]} {decision.value}"
        for decision in VerdictDecision
        if decisions[decision.value]
    )
    return (
        f"{kind}: {decision_text}; one finding at most {single_count} of {count}, told at its turn {placed_count}; "
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
    counts = verdicts(paths)
    print(
        f"{len(paths)} files: "
        + ", ".join(f"{counts[decision.value]} {decision.value}" for decision in VerdictDecision)
    )
    rng, results = Random(options.seed), finished(paths)
    for kind in KINDS:
        print(slips(rng, results, kind, options.slips))
    return 1 if counts[VerdictDecision.DOUBTFUL.value] or counts[VerdictDecision.REJECT.value] else 0


if __name__ == "__main__":
    sys.exit(main())
