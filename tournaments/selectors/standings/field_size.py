"""How many play for the final places of a division: what master points of a place depend on."""

from django.db.models import Q

from tournaments.engine.statuses import EntryStatus
from tournaments.models import Division, EntryPlayer, MatchSlot


def players_for_places(division: Division) -> int:
    """Players who will have a place as things are: all who take part, and who withdrew after the draw. One query."""
    drawn = MatchSlot.objects.filter(match__stage__division=division, entry__isnull=False).values("entry")
    found = EntryPlayer.objects.filter(division=division).filter(
        Q(entry__status=EntryStatus.ACTIVE) | Q(entry__in=drawn)
    )
    return found.order_by().values("player").distinct().count()
