"""What a reader hands over: a record, what it noticed on the way, and what the file knows beside the record.

What it knows beside the record is looked at when somebody asks: a check is about plays alone, and most files are only ever checked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.records.analysis import NO_ANALYSIS, Analysis
from games.records.findings import Finding, finding
from games.records.model import Place, Record


class DeferredReads:
    """Places of a file that a reader came by, in order: each with what looks at it, once somebody asks."""

    def __init__(self) -> None:
        self._places: list[tuple[Callable[..., None], tuple[Any, ...]]] = []

    def __call__(self, look: Callable[..., None], *place: Any) -> None:
        """Have ``look`` called with these words later."""
        self._places.append((look, place))

    def look(self, *spoiled: type[Exception]) -> None:
        """Look at all of them. Whatever raises one of ``spoiled`` says nothing that can be understood and is left out."""
        places, self._places = self._places, []
        for look, place in places:
            try:
                look(*place)
            except spoiled:
                continue


@dataclass(frozen=True)
class ReadResult:
    """``known``: what works out the analysis; None for a format that holds the record alone."""

    record: Record
    findings: tuple[Finding, ...] = ()
    known: Callable[[], Analysis] | None = None

    @cached_property
    def analysis(self) -> Analysis:
        """What the file knows beside the record, worked out when it is first asked for."""
        return self.known() if self.known is not None else NO_ANALYSIS


def name_change_finding(
    before: tuple[str, str] | None, names: tuple[str, str], game: int, place: Place
) -> Finding | None:
    """Other names than above the game before; whether it is another match is settled when the score is known."""
    if before is None or names == before:
        return None
    both = names[0] != before[0] and names[1] != before[1]
    return finding("match.players_change", game=game, place=place, names=names, both=both)
