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
    replayed = replay(record)
    if replayed.form.length is None or not replayed.is_complete or not replayed.games:
        return None
    rows = [game.score.points for game in replayed.games[1:]] + [replayed.score.capped]
    return replayed.form, replayed.games[0].score.points, rows, replayed.score.capped


def sheets(folder: str | None, seed: int) -> list[Sheet]:
    results = []
    if folder:
        for path in sorted(path for path in Path(folder).glob("*/*") if path.is_file()):
            try:
                results.append(sheet_of(read_record(path.read_bytes(), path.name).record))
            except UnreadableRecord:
                continue
    else:
        rng = Random(seed)
        for _ in range(300):
            length = rng.choice((3, 5, 7, 9, 11))
            results.append(sheet_of(random_match(rng, MatchFormat(length=length), quick=1.0)))
    return [sheet for sheet in results if sheet is not None]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=os.environ.get("CRAWFORD_CORPUS"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    all_sheets = sheets(options.folder, options.seed)
    false_alarms = sum(
        audit_sheet(form, rows, start=start, final=final) is not None
        for form, start, rows, final in all_sheets
    )
    wrong_count = located = mislocated = omitted = omissions_located = omissions_mislocated = 0
    games = sum(len(rows) for _, _, rows, _ in all_sheets)
    for form, start, rows, final in all_sheets:
        for index in range(len(rows)):
            for column in (0, 1):
                for change in (-1, 1):
                    row = list(rows[index])
                    row[column] += change
                    if row[column] < 0 or row[column] > (form.length or row[column]):
                        continue  # points above the length say the same as the length (F1)
                    changed_rows = [*rows[:index], (row[0], row[1]), *rows[index + 1 :]]
                    wrong_count += 1
                    finding = audit_sheet(form, changed_rows, start=start, final=final)
                    located += finding is not None and finding.game in (index + 1, index + 2)
                    mislocated += finding is not None and finding.game not in (index + 1, index + 2)
            if len(rows) > 1:
                omitted += 1
                finding = audit_sheet(form, [*rows[:index], *rows[index + 1 :]], start=start, final=final)
                # without its last row a sheet ends too soon: its last game is named
                expected_game = min(index + 1, len(rows) - 1)
                omissions_located += finding is not None and finding.game == expected_game
                omissions_mislocated += finding is not None and finding.game != expected_game
    print(
        f"{len(all_sheets)} sheets, {games} games: {false_alarms} false alarms ({false_alarms / len(all_sheets):.2%})"
    )
    print(
        f"wrong by a point: {wrong_count}, at the right game {located / wrong_count:.1%}, elsewhere {mislocated / wrong_count:.1%}"
    )
    print(
        f"a game left out: {omitted}, at the right game {omissions_located / omitted:.1%}, elsewhere {omissions_mislocated / omitted:.1%}"
    )
    return (
        0
        if false_alarms <= 0.002 * len(all_sheets)
        and located >= 0.85 * wrong_count
        and omissions_located >= 0.5 * omitted
        else 1
    )


if __name__ == "__main__":
    sys.exit(main())
