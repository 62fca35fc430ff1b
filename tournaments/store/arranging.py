"""Save what the two sides of a match arrange; for several services, under the event's lock."""

from collections.abc import Iterable

from django.db.models import Q

from tournaments.models import Arrangement, Entry, Match


def get_or_build_arrangement(match: Match, entry_id: int, other_id: int) -> Arrangement:
    """Return the arrangement of two entries for a match, or a new unsaved one."""
    first, second = sorted((entry_id, other_id))
    arrangement = Arrangement.objects.filter(match=match, first=first, second=second).first()
    return arrangement or Arrangement(match=match, first_id=first, second_id=second)


def delete_arrangements(entries: Iterable[Entry]) -> None:
    """Delete all arrangements of these entries, whose new players may not read the messages in them."""
    entries = list(entries)
    Arrangement.objects.filter(Q(first__in=entries) | Q(second__in=entries)).delete()
