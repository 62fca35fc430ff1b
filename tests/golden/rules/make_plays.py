"""Makes `plays_gnubg.jsonl.gz`: positions, rolls and all their legal results, as GNU Backgammon sees them.

Runs inside GNU Backgammon, and shares no code with the product:

    GOLDEN_OUT=tests/golden/rules/plays_gnubg.jsonl.gz gnubg -t -q -p tests/golden/rules/make_plays.py < /dev/null

GNU Backgammon 1.07.001 (Debian 12) made the file that ships. Games are played from the start with plays chosen by seeded chance,
sometimes well and sometimes badly, so that there are primes, closed boards, many checkers on the bar and bear-offs with
contact. For each position met, the program lists every legal play; what is kept is chosen by tag. Results are written as the
next player's position ID.
"""

import base64
import gzip
import json
import os
import random
from collections import Counter
from pathlib import Path

import gnubg

SEED = 20261121
GAMES = 220
QUOTA = 45  # positions kept for each tag
START = {24: 2, 13: 5, 8: 3, 6: 5}
FIXED = [
    *(("4HPwATDgc/ABMA", (a, b)) for a in range(1, 7) for b in range(1, a + 1)),
    ("A5AiujYgAAAAAA", (6, 1)),  # the last checker: both dice, hitting on the way
]


def from_id(pid):
    bits = f"{int.from_bytes(base64.b64decode(pid + '=='), 'little'):080b}"[::-1]
    runs = [len(run) for run in bits.split("0")]
    return [0, *runs[25:50]], [0, *runs[:25]]


def to_id(own, other):
    bits = "".join("1" * n + "0" for side in (other, own) for n in side[1:])
    return base64.b64encode(int(bits[::-1], 2).to_bytes(10, "little")).decode().rstrip("=")


def put(own, other, text):
    """The board after a play as the program writes it: `bar/20*/14(2) 6/off`; it names every stop that hits."""
    own, other = own[:], other[:]
    for word in text.split():
        way, _, times = word.rstrip(")").partition("(")
        stops = [part.rstrip("*") for part in way.split("/")]
        places = [{"bar": 25, "off": 0}.get(stop) or int(stop.replace("off", "0")) for stop in stops]
        for _ in range(int(times or 1)):
            own[places[0]] -= 1
            for place in places[1:]:
                if place and other[25 - place] == 1:
                    other[25 - place] = 0
                    other[25] += 1
            own[places[-1]] += 1
    own[0] = 0
    return own, other


def texts(own, other, dice):
    """Every legal play as text; none if nothing can be played."""
    for line in ("set turn 1", f"set board {to_id(own, other)}", f"set dice {dice[0]} {dice[1]}"):
        gnubg.command(line)
    if gnubg.positionid() != to_id(own, other):
        raise SystemExit(f"board not accepted: {to_id(own, other)}")
    try:
        answer = gnubg.hint(5000)
    except Exception:
        return []
    return [hint["move"] for hint in answer.get("hint", [])]


def tags(own, other, dice, plays):
    found = {f"bar{min(own[25], 4)}"} if own[25] else set()
    high, low = max(dice), min(dice)
    furthest = max(p for p in range(26) if own[p])
    rear = 25 - max(p for p in range(26) if other[p])
    found.add("contact" if furthest > rear else "race")
    if high == low:
        found.add("double")
    if other[25]:
        found.add("oppbar")
    if not plays:
        found.add("dance")
        if own[25] and all(n > 1 for n in other[1:7]):
            found.add("closed")
    if len(plays) == 1:
        found.add("forced")
    if furthest <= 6:
        found.add("bearoff_contact" if "contact" in found else "bearoff")
    elif sum(own[7:]) == 1:
        found.add("last_outside")
    pips = sum(p * n for p, n in enumerate(own))
    used = {pips - sum(p * n for p, n in enumerate(put(own, other, text)[0])) for text in plays}
    if used and furthest > 6:
        if high != low and max(used) == high:
            found.add("only_higher")
        if high != low and max(used) == low:
            found.add("only_lower")
        if high == low and max(used) < 4 * high:
            found.add("double_partial")
    if any(text.count("*") > 1 for text in plays):
        found.add("two_hits")
    if len(plays) > 100:
        found.add("many")
    return found


def main():
    chance = random.Random(SEED)
    for line in (
        "set display off",
        "set automatic roll off",
        "set automatic game off",
        "set automatic bearoff off",
        "set player 0 human",
        "set player 1 human",
        "set evaluation chequerplay evaluation plies 0",
        "new match 25",
    ):
        gnubg.command(line)
    met, kept, counts = set(), [], Counter()

    def keep(own, other, dice, plays, always):
        pid = to_id(own, other)
        if (pid, dice) in met:
            return
        met.add((pid, dice))
        marks = tags(own, other, dice, plays)
        if not always and all(counts[mark] >= QUOTA for mark in marks):
            return
        counts.update(marks)
        results = []
        for text in plays:
            after_own, after_other = put(own, other, text)
            results.append(to_id(after_other, after_own))
        if len(set(results)) != len(results):
            raise SystemExit(f"results repeat: {pid} {dice}")
        results = results or [to_id(other, own)]
        kept.append({"pid": pid, "dice": list(dice), "tags": sorted(marks), "legal": sorted(results)})

    for pid, dice in FIXED:
        own, other = from_id(pid)
        keep(own, other, dice, texts(own, other, dice), True)
    for number in range(GAMES):
        own = [START.get(p, 0) for p in range(26)]
        other = own[:]
        # How well the two sides play in this game: the share of best plays.
        skill = [(0.0, 0.0), (1.0, 0.0), (0.9, 0.9), (0.5, 1.0)][number % 4]
        for turn in range(200):
            dice = chance.randint(1, 6), chance.randint(1, 6)
            plays = texts(own, other, dice)
            keep(own, other, dice, plays, False)
            if plays:
                text = plays[0] if chance.random() < skill[turn % 2] else chance.choice(plays)
                own, other = put(own, other, text)
            if not any(own):
                break
            own, other = other, own
    with (
        Path(os.environ["GOLDEN_OUT"]).open("wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as out,
    ):
        for row in kept:
            out.write(json.dumps(row, separators=(",", ":")).encode() + b"\n")
    print(len(kept), sum(len(row["legal"]) for row in kept), dict(counts))


main()
