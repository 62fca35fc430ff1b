"""The audit scope of an event: under it the trail of an event is found."""

from tournaments.models import Event


def scope_of(event: Event) -> str:
    """The audit scope of an event."""
    return f"event:{event.pk}"
