"""Rows of what two sides arrange, written by the services of several rooms under the event's lock."""

from collections.abc import Iterable

from django.db.models import Q

from tournaments.models import Arrangement, Entry, Match


def get_or_build_arrangement(match: Match, one: int, other: int) -> Arrangement:
    """That of these two entries, new and not saved where they have none so far."""
    first, second = sorted((one, other))
    found = Arrangement.objects.filter(match=match, first=first, second=second).first()
    return found or Arrangement(match=match, first_id=first, second_id=second)


def delete_arrangements(entries: Iterable[Entry]) -> None:
    """Somebody else plays for these entries now, who has agreed to nothing and reads nobody's letters."""
    entries = list(entries)
    Arrangement.objects.filter(Q(first__in=entries) | Q(second__in=entries)).delete()
