"""The result of a reader: a record, the problems found, and what else the file has.

The latter is read only when it is used: a check concerns plays only, and most files are only checked.
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
    """Calls that read parts of a file, kept to be run later in the same order."""

    def __init__(self) -> None:
        self._places: list[tuple[Callable[..., None], tuple[Any, ...]]] = []

    def __call__(self, read: Callable[..., None], *arguments: Any) -> None:
        """Add a call of ``read`` with these arguments, to be run later."""
        self._places.append((read, arguments))

    def run(self, *skipped_errors: type[Exception]) -> None:
        """Run the calls that were added; a part whose call raises one of ``skipped_errors`` is skipped."""
        deferred, self._places = self._places, []
        for read, arguments in deferred:
            try:
                read(*arguments)
            except skipped_errors:
                continue


@dataclass(frozen=True)
class ReadResult:
    """A record that was read from a file, and the problems found by the reader.

    ``known``: the function that reads the analysis; None for a format without one.
    """

    record: Record
    findings: tuple[Finding, ...] = ()
    known: Callable[[], Analysis] | None = None

    @cached_property
    def analysis(self) -> Analysis:
        """Return what the file has beside the plays, read on first use."""
        return self.known() if self.known is not None else NO_ANALYSIS


def name_change_finding(
    previous_names: tuple[str, str] | None, names: tuple[str, str], game: int, place: Place
) -> Finding | None:
    """Return a finding if the names differ from those of the game before, or None.

    The score later decides whether it is another match.
    """
    if previous_names is None or names == previous_names:
        return None
    both_changed = names[0] != previous_names[0] and names[1] != previous_names[1]
    return finding("match.players_change", game=game, place=place, names=names, both=both_changed)
