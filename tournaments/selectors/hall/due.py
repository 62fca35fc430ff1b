"""Events that need a new forecast, and duration statistics of earlier events."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Case, F, IntegerField, Q, Value, When

from tournaments.engine.statuses import EVENT_CHANGEABLE, EventStatus
from tournaments.models import Event, EventForecast
from tournaments.selectors.hall.forecast import is_forecastable

MARK_PERCENTS: Final = (25, 50, 75)  # per cent of the matches
FORECAST_STALE_AFTER: Final = timedelta(
    minutes=4
)  # matches go on and nothing is told of them: that tells something, too
LEARN_BATCH_EVENTS: Final = 5  # events that are over, in one go
LEARN_PERIOD: Final = timedelta(days=400)
MAX_EARLIER_EVENTS: Final = 30


def events_due_for_forecast(now: datetime) -> list[int]:
    """Return the ids of events that need a new forecast, and of a few finished events to learn from.

    Two queries. A forecast is needed if the event has changed, or if it runs and the forecast is older than
    ``FORECAST_STALE_AFTER``.
    """
    needs_forecast = Q(forecast__isnull=True) | ~Q(forecast__version=F("version"))
    today = now.date()
    active = (
        Event.objects.filter(status__in=EVENT_CHANGEABLE, ends_on__gte=today - timedelta(days=2))
        .filter(
            needs_forecast | Q(status=EventStatus.RUNNING, forecast__made_at__lt=now - FORECAST_STALE_AFTER)
        )
        .order_by("-status", "starts_on", "pk")  # those that run first
    )
    finished = Event.objects.filter(
        needs_forecast, status=EventStatus.FINISHED, ends_on__gte=today - LEARN_PERIOD
    ).order_by("-ends_on", "-pk")
    return [event.pk for event in active if is_forecastable(event, now)] + list(
        finished.values_list("pk", flat=True)[:LEARN_BATCH_EVENTS]
    )


def earlier_durations(event: Event) -> list[Mapping[str, Any]]:
    """Return the stored duration statistics of other events, the same club's first; one query.

    At most ``MAX_EARLIER_EVENTS``.
    """
    own_club_first = Case(
        When(event__club=event.club_id, then=Value(0)), default=Value(1), output_field=IntegerField()
    )
    return list(
        EventForecast.objects.exclude(event=event)
        .exclude(taught={})
        .order_by(own_club_first, "-made_at")
        .values_list("taught", flat=True)[:MAX_EARLIER_EVENTS]
    )
