"""Since when anyone can open the page of an event: a commitment counts from then on, not from the moment it was made."""

from django.utils import timezone

from tournaments.engine.trail.draws import Commitment, CommitmentPublicitySet
from tournaments.models import Event, Stage
from tournaments.selectors.access.visibility import is_listed


def update_public_since(event: Event) -> bool:
    """Set ``public_since`` when the event becomes public, and empty it when it is not any more; the caller saves it.

    Gives whether it became one or the other just now.
    """
    was_public = event.public_since is not None
    if not is_listed(event):
        event.public_since = None
    elif event.public_since is None:
        event.public_since = timezone.now()
    return was_public is not (event.public_since is not None)


def commitments_action(event: Event) -> CommitmentPublicitySet:
    """The row of the audit log that states whether the event is public, and the commitments of its stages by their ids."""
    stages = Stage.objects.filter(division__event=event).order_by("pk")
    return CommitmentPublicitySet(
        public=event.public_since is not None,
        commitments=tuple(Commitment(stage.pk, stage.promise) for stage in stages),
    )
