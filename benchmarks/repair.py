"""Check whether the repair finds what was written before a slip: `python benchmarks/repair.py [FOLDER] [--slips 150] [--seed 1]`.

Records in FOLDER (default: CRAWFORD_CORPUS, otherwise random matches) that replay without a wrong play get one slip each, of the kinds
below. Only slips that the check notices by an impossible play are counted. Found: the truth is among the proposals; alone: it is the only
one. Target: plays found 95 %, alone 75 %; dice found 85 %; at most 0.1 s each.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from games.records.errors import UnreadableRecord
from games.records.model import Game, Record, Roll, RollMark, Step
from games.records.registry import read_record
from games.records.repair import apply_changes, find_repairs
from games.records.replaying import TurnState
from games.records.validation import VerdictDecision, replay, validate
from games.rules.formats import MatchFormat
from games.rules.plays import legal_plays
from tests.support.random_matches import random_match

Slip = Callable[[Random, Roll, TurnState], Roll | None]


def near(rng: Random, number: int) -> int:
    """Another number: mostly a neighbour, as a slip of the pen or of the eye has it."""
    offset = rng.choice((-3, -2, -1, -1, 1, 1, 2, 3)) if rng.random() < 0.7 else rng.randint(-23, 23)
    return min(max(number + offset, 0), 25)


def one_number(rng: Random, roll: Roll, _state: TurnState) -> Roll | None:
    """13/7 for 13/8."""
    index = rng.randrange(len(roll.steps))
    step = roll.steps[index]
    if rng.random() < 0.5:
        step = Step(near(rng, step.source), step.target)
    else:
        step = Step(step.source, near(rng, step.target))
    return replace(roll, steps=(*roll.steps[:index], step, *roll.steps[index + 1 :]))


def other_checker(rng: Random, roll: Roll, _state: TurnState) -> Roll | None:
    """One step is written from another point, by the same number."""
    index = rng.randrange(len(roll.steps))
    step = roll.steps[index]
    source = rng.randint(1, 24)
    moved_step = Step(source, max(source - (step.source - step.target), 0))
    return replace(roll, steps=(*roll.steps[:index], moved_step, *roll.steps[index + 1 :]))


def step_left_out(rng: Random, roll: Roll, _state: TurnState) -> Roll | None:
    index = rng.randrange(len(roll.steps))
    return replace(roll, steps=roll.steps[:index] + roll.steps[index + 1 :])


def other_play(rng: Random, roll: Roll, state: TurnState) -> Roll | None:
    """Another legal play of the roll: noticed only when the checkers are not where they should be."""
    plays = [play for play in legal_plays(state.before, roll.dice) if play.result != state.after]
    if not plays:
        return None
    play = rng.choice(plays)
    return replace(roll, steps=tuple(Step(step.origin, step.target) for step in play.steps))


def one_die(rng: Random, roll: Roll, _state: TurnState) -> Roll | None:
    index = rng.randrange(2)
    dice = list(roll.dice)
    dice[index] = rng.choice([die for die in range(1, 7) if die != dice[index]])
    return replace(roll, dice=(dice[0], dice[1]))


def both_dice(rng: Random, roll: Roll, _state: TurnState) -> Roll | None:
    dice = rng.randint(1, 6), rng.randint(1, 6)
    return replace(roll, dice=dice) if sorted(dice) != sorted(roll.dice) else None


PLAYS: dict[str, Slip] = {
    "one number": one_number,
    "other checker": other_checker,
    "step left out": step_left_out,
    "other legal play": other_play,
}
DICE: dict[str, Slip] = {"one die": one_die, "both dice": both_dice}


def sound(folder: str | None, seed: int, max_records: int) -> list[Record]:
    """Records without a wrong play."""
    rng = Random(seed)
    if folder:
        records = []
        paths = sorted(path for path in Path(folder).glob("*/*") if path.is_file())
        for path in sorted(rng.sample(paths, min(max_records, len(paths)))):
            try:
                records.append(read_record(path.read_bytes(), path.name).record)
            except UnreadableRecord:
                continue
    else:
        records = [random_match(rng, MatchFormat(length=5), quick=0.0) for _ in range(min(max_records, 30))]
    sound_records = []
    for record in records:
        verdict = validate(record)
        is_wrong = any(f.code.startswith(("play.", "turn.", "start.")) for f in verdict.findings)
        if not is_wrong and verdict.decision is not VerdictDecision.REJECT and verdict.replay is not None:
            sound_records.append(record)
    return sound_records


def boards(game: Game, record: Record, index: int) -> list[object]:
    games = (*record.games[:index], game, *record.games[index + 1 :])
    states = replay(replace(record, games=games)).games[index].states
    return [(state.before, state.after) for state in states]


def with_slips(rng: Random, record: Record, slip: Slip, times: int) -> tuple[Record, int] | None:
    """The record with so many slips in one game, and the place of that game."""
    index = rng.randrange(len(record.games))
    game = record.games[index]
    states = {state.turn: state for state in replay(record).games[index].states}
    rolls = [
        (turn, action)
        for turn, action in enumerate(game.actions, 1)
        if isinstance(action, Roll)
        and action.mark is RollMark.PLAYED
        and action.steps
        and 0 not in action.dice
    ]
    if len(rolls) < times:
        return None
    actions = list(game.actions)
    for turn, roll in rng.sample(rolls, times):
        slipped = slip(rng, roll, states[turn])
        if slipped is None or slipped == roll:
            return None
        actions[turn - 1] = slipped
    games = (*record.games[:index], replace(game, actions=tuple(actions)), *record.games[index + 1 :])
    return replace(record, games=games), index


def measure(
    name: str, slip: Slip, records: list[Record], target_count: int, rng: Random, times: int = 1
) -> Counter[str]:
    counts: Counter[str] = Counter()
    spans = []
    while counts["noticed"] < target_count and counts["tried"] < 20 * target_count:
        counts["tried"] += 1
        record = rng.choice(records)
        slipped = with_slips(rng, record, slip, times)
        if slipped is None:
            continue
        broken, index = slipped
        replayed = replay(broken)
        start = time.process_time()
        repairs = [repair for repair in find_repairs(broken, replayed=replayed) if repair.game == index + 1]
        seconds = time.process_time() - start
        if not repairs:
            counts["unnoticed"] += 1
            continue
        spans.append(seconds)
        counts["noticed"] += 1
        truth = boards(record.games[index], record, index)
        proposals = repairs[0].proposals
        right_places = [
            place
            for place, proposal in enumerate(proposals)
            if boards(apply_changes(broken.games[index], proposal.changes), broken, index) == truth
        ]
        counts["found"] += bool(right_places)
        counts["first"] += right_places[:1] == [0]
        counts["alone"] += bool(right_places) and len(proposals) == 1
        counts["none"] += not proposals
        counts["cut"] += repairs[0].is_exhausted
    spans.sort()
    counts["slow"] = sum(seconds > 0.1 for seconds in spans)
    noticed = max(counts["noticed"], 1)
    print(
        f"{name:17} {noticed:4} noticed of {noticed + counts['unnoticed']:4}: found {counts['found'] / noticed:6.1%}, "
        f"first {counts['first'] / noticed:6.1%}, alone {counts['alone'] / noticed:6.1%}, nothing proposed {counts['none']}, "
        f"cut short {counts['cut']}; mean {1000 * sum(spans) / len(spans):.0f} ms, slowest {1000 * spans[-1]:.0f} ms"
    )
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=os.environ.get("CRAWFORD_CORPUS"))
    parser.add_argument("--slips", type=int, default=150, help="number of slips of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--records", type=int, default=10_000, help="maximum number of records from the folder"
    )
    options = parser.parse_args()
    records = sound(options.folder, options.seed, options.records)
    print(f"{len(records)} records")
    gc.freeze()  # or now and then one slip is measured with a look through all records
    rng = Random(options.seed)
    plays = sum((measure(name, slip, records, options.slips, rng) for name, slip in PLAYS.items()), Counter())
    dice = sum((measure(name, slip, records, options.slips, rng) for name, slip in DICE.items()), Counter())
    measure("two wrong numbers", one_number, records, options.slips, rng, times=2)
    found_share, alone_share = plays["found"] / plays["noticed"], plays["alone"] / plays["noticed"]
    dice_found = dice["found"] / dice["noticed"]
    print(
        f"plays: found {found_share:.1%}, alone {alone_share:.1%}; dice: found {dice_found:.1%}; over 0.1 s: {plays['slow'] + dice['slow']}"
    )
    return 0 if found_share >= 0.95 and alone_share >= 0.75 and dice_found >= 0.85 else 1


if __name__ == "__main__":
    sys.exit(main())
