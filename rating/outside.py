"""What ratings ask of the floor above, which registers an answer (`set_event_source`): ratings do not know what an event is.

Names of events are asked for when a director chooses among them and are never kept, so an event that becomes unlisted
leaves no name behind.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class EventChoice:
    """An event that a list may count: ``key`` as facts carry it, its name, and when it is."""

    key: str
    name: str
    when: str


class EventSource(Protocol):
    """Whoever runs events."""

    def choices(
        self, clubs: Sequence[int], *, own: int, search: str = "", keys: Collection[str] | None = None
    ) -> list[EventChoice]:
        """Events of these clubs that are public or of the club ``own``, newest first: those of ``keys``, or some that
        have all words of ``search`` in their name.
        """

    def record_places(self, clubs: Sequence[int]) -> None:
        """See that the final places of these clubs' finished events are in the ledger."""


class NoEventSource:
    """Nobody runs events here."""

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
        """There are none."""


_event_source: EventSource = NoEventSource()


def set_event_source(source: EventSource) -> None:
    """From now on ask ``source``."""
    global _event_source  # noqa: PLW0603 - set once, when the apps are ready
    _event_source = source


def event_source() -> EventSource:
    return _event_source
