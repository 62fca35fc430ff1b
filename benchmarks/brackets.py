"""Measure brackets in memory: drawing, filling, playing to the end, and places.

For comparison, brackets-manager.js creates a double elimination of 64 / 256 / 1,024 / 4,096 in 2.3 / 7 / 50 / 520 ms and plays every match
of one of 1,024 in 343 ms.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tournaments.engine.brackets.avoidance import blind_draw_separated
from tournaments.engine.brackets.double import DOUBLE_ELIMINATION_SECTIONS, double_elimination
from tournaments.engine.brackets.progression import (
    VACANT_SLOT,
    Slot,
    SlotState,
    advance,
    opening_state,
    result_effects,
)
from tournaments.engine.brackets.seeding import blind_draw
from tournaments.engine.brackets.structure import Bracket, single_elimination
from tournaments.engine.standings.ranking import elimination_places
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import EntryId, MatchNo, Outcome, Side

CREATE_YARDSTICK = {64: 2.3, 256: 7.0, 1024: 50.0}
PLAY_YARDSTICK = {1024: 343.0}


def median_ms(call: Callable[[], Any], repeats: int = 5) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


def play_all(bracket: Bracket) -> dict[MatchNo, Outcome]:
    """Every match, one result after the other, writing down only what each one changes: as the services do."""
    matches = dict(opening_state(bracket).matches)
    ready = [number for number, match in matches.items() if match.status is MatchStatus.READY]
    results: dict[MatchNo, Outcome] = {}
    while ready:
        number = ready.pop()
        results[number] = Outcome(Side.A)
        step = result_effects(matches, number, results[number])
        matches[number] = replace(matches[number], status=MatchStatus.CONFIRMED, outcome=results[number])
        for fill in step.fills:
            slot = VACANT_SLOT if fill.entry is None else Slot(SlotState.ENTRY, fill.entry, fill.has_won)
            matches[fill.match] = replace(matches[fill.match], **{fill.side.value: slot})
        for settled in step.settled:
            matches[settled.match] = replace(
                matches[settled.match], status=settled.status, outcome=settled.outcome
            )
        ready += step.ready
    return results


def main() -> None:
    print("milliseconds, medians                 64      256    1,024   (yardstick)")
    sizes = (64, 256, 1024)
    rows: dict[str, list[str]] = {}

    def note(name: str, size: int, value: float, yardstick: dict[int, float] | None = None) -> None:
        yardstick_ms = (yardstick or {}).get(size)
        rows.setdefault(name, []).append(f"{value:8.2f}" + (f" ({yardstick_ms:g})" if yardstick_ms else ""))

    for size in sizes:
        entries = [EntryId(n) for n in range(1, size + 1)]
        clubs = {entry: f"club {entry % 30}" for entry in entries}
        lines = blind_draw(entries, 1)
        single, double = single_elimination(lines), double_elimination(lines)
        results = play_all(single)
        opening_matches = opening_state(single).matches
        note("blind draw", size, median_ms(lambda entries=entries: blind_draw(entries, 1)))
        note(
            "blind draw, clubs apart",
            size,
            median_ms(lambda e=entries, c=clubs: blind_draw_separated(e, [c], 1)),
        )
        note(
            "single elimination: create",
            size,
            median_ms(lambda lines=lines: opening_state(single_elimination(lines))),
        )
        note(
            "one result",
            size,
            median_ms(lambda m=opening_matches: result_effects(m, MatchNo(1), Outcome(Side.A)), 101),
        )
        note("state from all results", size, median_ms(lambda b=single, r=results: advance(b, r)))
        note("places", size, median_ms(lambda b=single, r=results: elimination_places(b, r)))
        create = median_ms(lambda lines=lines: opening_state(double_elimination(lines)))
        note("double elimination: create", size, create, CREATE_YARDSTICK)
        note("double: play every match", size, median_ms(lambda b=double: play_all(b), 3), PLAY_YARDSTICK)
        finished = play_all(double)
        note(
            "double: places",
            size,
            median_ms(lambda b=double, r=finished: elimination_places(b, r, DOUBLE_ELIMINATION_SECTIONS)),
        )
    for name, values in rows.items():
        print(f"{name:<32}" + " ".join(values))


if __name__ == "__main__":
    main()
