"""Since when the page of an event is public.

A commitment to a draw counts from then, not from its creation.
"""

from django.utils import timezone

from tournaments.engine.trail.draws import Commitment, CommitmentPublicitySet
from tournaments.models import Event, Stage
from tournaments.selectors.access.visibility import is_listed


def update_public_since(event: Event) -> bool:
    """Set ``public_since`` when the event becomes public and clear it when it is no longer.

    Return whether that changed. The caller saves the event.
    """
    was_public = event.public_since is not None
    if not is_listed(event):
        event.public_since = None
    elif event.public_since is None:
        event.public_since = timezone.now()
    return was_public is not (event.public_since is not None)


def commitments_action(event: Event) -> CommitmentPublicitySet:
    """Return the audit action that states whether the event is public, and its stages' commitments."""
    stages = Stage.objects.filter(division__event=event).order_by("pk")
    return CommitmentPublicitySet(
        public=event.public_since is not None,
        commitments=tuple(Commitment(stage.pk, stage.promise) for stage in stages),
    )
