"""Number of players for the final places of a division, on which the master points of a place depend."""

from django.db.models import Q

from tournaments.engine.statuses import EntryStatus
from tournaments.models import Division, EntryPlayer, MatchSlot


def players_for_places(division: Division) -> int:
    """Return the number of players who get a final place: active, or withdrawn after the draw. One query."""
    drawn_entries = MatchSlot.objects.filter(match__stage__division=division, entry__isnull=False).values(
        "entry"
    )
    entry_players = EntryPlayer.objects.filter(division=division).filter(
        Q(entry__status=EntryStatus.ACTIVE) | Q(entry__in=drawn_entries)
    )
    return entry_players.order_by().values("player").distinct().count()
