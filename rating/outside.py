"""The interface through which the rating app reads events, which are a layer above.

That layer provides the source (``set_event_source``). Names of events are read when a director chooses among
them and are never stored, so an event that becomes unlisted leaves no name behind.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class EventChoice:
    """An event whose results a list may count: its ``key`` in facts, its name, and its date as text."""

    key: str
    name: str
    when: str


class EventSource(Protocol):
    """A provider of events for the rating app."""

    def choices(
        self, clubs: Sequence[int], *, own: int, search: str = "", keys: Collection[str] | None = None
    ) -> list[EventChoice]:
        """Return events, newest first, that are public or belong to the club ``own``.

        ``clubs`` and ``own`` are club ids. ``keys``: only the events with these keys. ``search``: otherwise
        some events with all its words in their name.
        """

    def record_places(self, clubs: Sequence[int]) -> None:
        """Write the final places of finished events of ``clubs`` (ids) to the ledger."""


class NoEventSource:
    """A provider without events, used until ``set_event_source`` is called."""

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
        """Do nothing, as there are no events."""


_event_source: EventSource = NoEventSource()


def set_event_source(source: EventSource) -> None:
    """Set the provider of events for the whole process."""
    global _event_source  # noqa: PLW0603 - set once, when the apps are ready
    _event_source = source


def event_source() -> EventSource:
    return _event_source
