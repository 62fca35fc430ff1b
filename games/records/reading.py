"""The result of a reader: a record, its findings, and what else the file has.

The latter is read only when used: a check concerns plays only, and most files are only checked.
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
    """Deferred reads: places of a file in order, each with the function that reads it."""

    def __init__(self) -> None:
        self._places: list[tuple[Callable[..., None], tuple[Any, ...]]] = []

    def __call__(self, look: Callable[..., None], *place: Any) -> None:
        """Defer a call of ``look`` with these arguments."""
        self._places.append((look, place))

    def look(self, *spoiled: type[Exception]) -> None:
        """Run all deferred reads; those that raise one of ``spoiled`` are unreadable and skipped."""
        places, self._places = self._places, []
        for look, place in places:
            try:
                look(*place)
            except spoiled:
                continue


@dataclass(frozen=True)
class ReadResult:
    """``known``: the function that reads the analysis; None for a format without one."""

    record: Record
    findings: tuple[Finding, ...] = ()
    known: Callable[[], Analysis] | None = None

    @cached_property
    def analysis(self) -> Analysis:
        """Return what the file has beside the record, read on first use."""
        return self.known() if self.known is not None else NO_ANALYSIS


def name_change_finding(
    before: tuple[str, str] | None, names: tuple[str, str], game: int, place: Place
) -> Finding | None:
    """Return a finding for names changed since the game before; the score later decides about the match."""
    if before is None or names == before:
        return None
    both = names[0] != before[0] and names[1] != before[1]
    return finding("match.players_change", game=game, place=place, names=names, both=both)
