"""Check what the audit finds in score sheets without moves: `python benchmarks/score_sheets.py [FOLDER] [--seed 1]`.

The finished matches in FOLDER (default: CRAWFORD_CORPUS, otherwise random matches) are written as two players note them: the score after
each game, and the result. Each sheet is checked unchanged (a finding is a false alarm), then with each game left out, and with each score
wrong by a point in both directions. At the right game: a wrong row affects the game before it and the one after it, and a missing row the
game over the gap; the first impossible one must be named. Target: 85 %, 50 %, at most 0.2 % false alarms.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from games.records.errors import UnreadableRecord
from games.records.registry import read_record
from games.records.validation import replay
from games.rules.formats import MatchFormat
from games.rules.sheets import Row, audit_sheet
from tests.support.random_matches import random_match

Sheet = tuple[MatchFormat, Row, list[Row], Row]


def sheet_of(record) -> Sheet | None:
    """What the two of a match to points would have noted."""
    played = replay(record)
    if played.form.length is None or not played.is_complete or not played.games:
        return None
    rows = [game.score.points for game in played.games[1:]] + [played.score.capped]
    return played.form, played.games[0].score.points, rows, played.score.capped


def sheets(folder: str | None, seed: int) -> list[Sheet]:
    found = []
    if folder:
        for path in sorted(path for path in Path(folder).glob("*/*") if path.is_file()):
            try:
                found.append(sheet_of(read_record(path.read_bytes(), path.name).record))
            except UnreadableRecord:
                continue
    else:
        rng = Random(seed)
        for _ in range(300):
            length = rng.choice((3, 5, 7, 9, 11))
            found.append(sheet_of(random_match(rng, MatchFormat(length=length), quick=1.0)))
    return [sheet for sheet in found if sheet is not None]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=os.environ.get("CRAWFORD_CORPUS"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    known = sheets(options.folder, options.seed)
    alarms = sum(
        audit_sheet(form, rows, start=start, final=final) is not None for form, start, rows, final in known
    )
    wrong = named = elsewhere = left_out = missed = off = 0
    games = sum(len(rows) for _, _, rows, _ in known)
    for form, start, rows, final in known:
        for place in range(len(rows)):
            for column in (0, 1):
                for by in (-1, 1):
                    row = list(rows[place])
                    row[column] += by
                    if row[column] < 0 or row[column] > (form.length or row[column]):
                        continue  # points above the length say the same as the length (F1)
                    spoilt = [*rows[:place], (row[0], row[1]), *rows[place + 1 :]]
                    wrong += 1
                    found = audit_sheet(form, spoilt, start=start, final=final)
                    named += found is not None and found.game in (place + 1, place + 2)
                    elsewhere += found is not None and found.game not in (place + 1, place + 2)
            if len(rows) > 1:
                left_out += 1
                found = audit_sheet(form, [*rows[:place], *rows[place + 1 :]], start=start, final=final)
                # without its last row a sheet ends too soon: its last game is named
                right = min(place + 1, len(rows) - 1)
                missed += found is not None and found.game == right
                off += found is not None and found.game != right
    print(f"{len(known)} sheets, {games} games: {alarms} false alarms ({alarms / len(known):.2%})")
    print(
        f"wrong by a point: {wrong}, at the right game {named / wrong:.1%}, elsewhere {elsewhere / wrong:.1%}"
    )
    print(
        f"a game left out: {left_out}, at the right game {missed / left_out:.1%}, elsewhere {off / left_out:.1%}"
    )
    return 0 if alarms <= 0.002 * len(known) and named >= 0.85 * wrong and missed >= 0.5 * left_out else 1


if __name__ == "__main__":
    sys.exit(main())
