"""What a reader hands over: a record, what it noticed on the way, and what the file knows beside the record."""

from __future__ import annotations

from dataclasses import dataclass

from games.records.analysis import NOTHING_MORE, Analysis
from games.records.findings import Finding, finding
from games.records.model import Place, Record


@dataclass(frozen=True, slots=True)
class ReadResult:
    record: Record
    findings: tuple[Finding, ...] = ()
    analysis: Analysis = NOTHING_MORE


def names_change(
    before: tuple[str, str] | None, names: tuple[str, str], game: int, place: Place
) -> Finding | None:
    """Other names than above the game before; whether it is another match is settled when the score is known."""
    if before is None or names == before:
        return None
    both = names[0] != before[0] and names[1] != before[1]
    return finding("match.players_change", game=game, place=place, names=names, both=both)
