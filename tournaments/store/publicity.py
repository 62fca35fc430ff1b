"""Since when anyone can open the page of an event: a commitment counts from then on, not from the moment it was made."""

from datetime import datetime

from django.utils import timezone

from tournaments.models import Event, Stage
from tournaments.selectors.access.visibility import is_listed
from tournaments.selectors.lots import public_since


def note_publicity(event: Event) -> None:
    """Set ``public_since`` when the event becomes public, and empty it when it is not any more. The caller saves it."""
    if not is_listed(event):
        event.public_since = None
    elif event.public_since is None:
        event.public_since = timezone.now()


def committed_since(stage: Stage) -> datetime | None:
    """Since when anyone could read the commitment of the stage's next draw; None where only some could, or nobody."""
    event = stage.division.event
    return None if event.club.shut else public_since(event, stage)
