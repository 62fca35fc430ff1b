"""The interface through which ratings learn of events, implemented by a layer above (``set_event_source``).

Names of events are read when a director chooses among them and are never stored, so an event that becomes
unlisted leaves no name behind.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class EventChoice:
    """An event that a list may count: its ``key`` in facts, its name, and its date."""

    key: str
    name: str
    when: str


class EventSource(Protocol):
    """A source of events."""

    def choices(
        self, clubs: Sequence[int], *, own: int, search: str = "", keys: Collection[str] | None = None
    ) -> list[EventChoice]:
        """Return events of these clubs that are public or of the club ``own``, newest first.

        Those of ``keys``, or some that have all words of ``search`` in their name.
        """

    def record_places(self, clubs: Sequence[int]) -> None:
        """Enter the final places of these clubs' finished events in the ledger."""


class NoEventSource:
    """A source without events."""

    def choices(
        self,
        clubs: Sequence[int],  # noqa: ARG002
        *,
        own: int,  # noqa: ARG002
        search: str = "",  # noqa: ARG002
        keys: Collection[str] | None = None,  # noqa: ARG002
    ) -> list[EventChoice]:
        return []

    def record_places(self, clubs: Sequence[int]) -> None:
        """Do nothing."""


_event_source: EventSource = NoEventSource()


def set_event_source(source: EventSource) -> None:
    """Use ``source`` from now on."""
    global _event_source  # noqa: PLW0603 - set once, when the apps are ready
    _event_source = source


def event_source() -> EventSource:
    return _event_source
