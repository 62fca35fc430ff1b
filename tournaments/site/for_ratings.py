"""Facts about events for the package `rating`, which does not import `tournaments`."""

from collections.abc import Collection, Sequence

from django.db.models import Q

from rating.outside import EventChoice
from tournaments.events.services.places import record_missing_places
from tournaments.models import Event
from tournaments.shared.words.names import event_dates_label

MAX_CHOICES = 30


def newest_event_timezone(club_id: int) -> str:
    """Return the time zone name of the club's newest event; empty if it has none."""
    zones = Event.objects.filter(club_id=club_id).order_by("-starts_on", "-pk")
    return zones.values_list("timezone", flat=True).first() or ""


class TournamentEvents:
    """Implementation of `rating.outside.EventSource` with the events of this site."""

    def choices(
        self, clubs: Sequence[int], *, own: int, search: str = "", keys: Collection[str] | None = None
    ) -> list[EventChoice]:
        events = Event.objects.filter(club_id__in=clubs).filter(
            Q(club_id=own) | Q(visibility=Event.Visibility.PUBLIC, shut="", club__shut="")
        )
        if keys is not None:
            events = events.filter(public_id__in=list(keys))
        for word in search.split():
            events = events.filter(name__icontains=word)
        events = events.order_by("-starts_on", "-pk")
        rows = events if keys is not None else events[:MAX_CHOICES]
        return [EventChoice(event.public_id, event.name, event_dates_label(event)) for event in rows]

    def record_places(self, clubs: Sequence[int]) -> None:
        record_missing_places(clubs)
