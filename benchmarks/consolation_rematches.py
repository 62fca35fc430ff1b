"""Count how often players meet again, in whole events decided by coin-flip, for every size from 8 to 256.

    python benchmarks/consolation_rematches.py [--events 300]

Columns: rematches per event in the lower bracket of a double elimination (without its final, in which the two have met before in two cases
of three), in a progressive consolation fed through the semi-finals, and in a last chance below it; the first lower round with a rematch;
and, for comparison, the double elimination whose losers drop straight down, opposite their own part of the draw.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tournaments.engine.brackets.consolation import (
    CONSOLATION,
    LAST_CHANCE,
    add_last_chance,
    add_progressive_consolation,
)
from tournaments.engine.brackets.double import LOWER, double_elimination
from tournaments.engine.brackets.seeding import blind_draw
from tournaments.engine.brackets.structure import MAIN, Bracket, Source, SourceKind, single_elimination
from tournaments.engine.chance import Chance
from tournaments.engine.types import EntryId, MatchNo


def play(bracket: Bracket, chance: Chance) -> Counter[str]:
    """Rematches by "section round"; every match is played in the order of the numbers."""
    met: set[frozenset[EntryId]] = set()
    rematches: Counter[str] = Counter()
    slots: dict[tuple[MatchNo, SourceKind], EntryId | None] = {}

    def comes(source: Source) -> EntryId | None:
        return source.entry if source.match is None else slots[source.match, source.kind]

    for match in bracket.matches:
        a, b = comes(match.a), comes(match.b)
        round_ = bracket.rounds[match.round - 1]
        if a and b:
            pair = frozenset((a, b))
            if pair in met:
                rematches[f"{round_.section} {round_.code}"] += 1
            met.add(pair)
            if chance.below(2):
                a, b = b, a
        elif b:
            a, b = b, a
        slots[match.number, SourceKind.WINNER_OF], slots[match.number, SourceKind.LOSER_OF] = a, b
    return rematches


def undirected(bracket: Bracket) -> Bracket:
    """The same double elimination, its losers dropping straight down."""
    matches = list(bracket.matches)
    for round_ in bracket.section(LOWER):
        drops = [n for n in round_.matches if matches[n - 1].b.kind is SourceKind.LOSER_OF]
        if round_ is bracket.section(LOWER)[0]:
            continue
        for number, source in zip(drops, sorted(matches[n - 1].b.match or 0 for n in drops), strict=True):
            matches[number - 1] = replace(
                matches[number - 1], b=Source(SourceKind.LOSER_OF, match=MatchNo(source))
            )
    return Bracket(bracket.rounds, tuple(matches))


def per_event(bracket_of: object, size: int, events: int) -> tuple[float, Counter[str]]:
    total: Counter[str] = Counter()
    for seed in range(events):
        lines = blind_draw([EntryId(n) for n in range(1, size + 1)], seed)
        total += play(bracket_of(lines), Chance(seed, "coin"))  # type: ignore[operator]
    lower = sum(count for round_name, count in total.items() if round_name.startswith(LOWER))
    return lower / events, total


def weekend(lines: tuple[EntryId | None, ...]) -> Bracket:
    main_bracket = single_elimination(lines)
    return add_last_chance(
        add_progressive_consolation(main_bracket, len(main_bracket.section(MAIN)) - 1), rounds=2
    )


def double(lines: tuple[EntryId | None, ...]) -> Bracket:
    return double_elimination(lines, recharge=False)


def main(events: int) -> None:
    print(f"rematches per event, {events} events of each size, equal players")
    print("entries   double  straight   progressive  last chance   first lower round with a rematch (double)")
    for size in (8, 12, 16, 24, 32, 48, 64, 100, 128, 200, 256):
        lines = blind_draw([EntryId(n) for n in range(1, size + 1)], 0)
        double_rate, rounds = per_event(double, size, events)
        straight_rate, _ = per_event(lambda drawn: undirected(double(drawn)), size, max(20, events // 5))
        _, counts = per_event(weekend, size, events)
        sections = {
            section: sum(count for round_name, count in counts.items() if round_name.startswith(section))
            / events
            for section in (CONSOLATION, LAST_CHANCE)
        }
        order = [f"{r.section} {r.code}" for r in double(lines).rounds]
        first = next((round_name for round_name in order if rounds[round_name]), "none")
        print(
            f"{size:>7}  {double_rate:7.2f}  {straight_rate:8.2f}  {sections[CONSOLATION]:12.2f}  {sections[LAST_CHANCE]:11.2f}"
            f"   {first} of {len(double(lines).section(LOWER))}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--events", type=int, default=300)
    main(parser.parse_args().events)
