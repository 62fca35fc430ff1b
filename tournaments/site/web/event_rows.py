"""Template contexts of rows in lists of public events: live, upcoming and finished."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from tournaments.models import Event
from tournaments.selectors.event_dates import event_date, event_today
from tournaments.selectors.events.front import OpenPlaces, event_winners
from tournaments.shared.fragments.cards import Context
from tournaments.site.web.opening import short_day

SOON_PERIOD: Final = timedelta(days=7)
FEW_PLACES: Final = 3  # so few places left are highlighted


def current_hour_key() -> str:
    """Return the current hour, as a version of pages whose rows depend on the local date of events."""
    return timezone.now().strftime("%Y-%m-%dT%H")


def is_past(event: Event) -> bool:
    """Return whether the last day of the event is over."""
    return event.ends_on < event_today(event)


def is_soon(event: Event) -> bool:
    """Return whether the event begins within the next seven days."""
    return event.starts_on < event_today(event) + SOON_PERIOD


def _base_row(event: Event) -> Context:
    """Return the template context that all rows have in common."""
    return {
        "key": event.public_id,
        "url": reverse("public:event", args=[event.public_id]),
        "name": event.name,
        "place": _place_text(event),
        "hour": time_format(event.opens_at, "TIME_FORMAT") if event.opens_at else "",
        "entries": getattr(event, "entry_count", 0),
    }


def _place_text(event: Event) -> str:
    """Return the event's place with its town, or the club's town or name if the event has no place."""
    town = event.club.city if event.club.city not in event.place else ""
    return ", ".join(filter(None, (event.place, town))) or event.club.name


def live_row(event: Event) -> Context:
    """Return the row of an event in progress; ``when``: its day (“Day 2 of 3”), start or end."""
    today = event_today(event)
    days = (event.ends_on - event.starts_on).days + 1
    number = (today - event.starts_on).days + 1
    if 1 < days <= SOON_PERIOD.days and 1 <= number <= days:
        when = _("Day %(number)s of %(days)s") % {"number": number, "days": days}
    elif days == 1 and event.opens_at:
        when = _("since %(time)s") % {"time": time_format(event.opens_at, "TIME_FORMAT")}
    elif days == 1:
        when = date_format(event.starts_on, "MONTH_DAY_FORMAT")
    else:
        when = _("until %(time)s") % {"time": date_format(event.ends_on, "MONTH_DAY_FORMAT")}
    return {**_base_row(event), "when": when}


def upcoming_row(event: Event, open_places: OpenPlaces | None) -> Context:
    """Return the row of an upcoming event.

    ``open_places``: places left and closing time; None unless players can enter themselves.
    """
    days = (event.ends_on - event.starts_on).days + 1
    return {
        **_base_row(event),
        "weekday": date_format(event.starts_on, "D"),
        "day": event.starts_on.day,
        "month": date_format(event.starts_on, "M"),
        "days": days,
        "enter": reverse("public:enter", args=[event.public_id]) if open_places is not None else "",
        "left": open_places.left if open_places is not None else None,
        "few": open_places is not None
        and open_places.left is not None
        and 0 < open_places.left <= FEW_PLACES,
        "queued": open_places.waiting_entries if open_places is not None else 0,
        "until": _until_text(open_places.until, event)
        if open_places is not None and open_places.until is not None
        else "",
    }


def _until_text(deadline: datetime, event: Event) -> str:
    return short_day(event_date(event, deadline))


def finished_rows(events: Sequence[Event]) -> list[Context]:
    """Return the rows of finished events, each with the winner of its first division that has one."""
    winner_by_event: dict[int, str] = {}
    winners = event_winners(events)
    winner_counts = Counter(winner.event.pk for winner in winners)
    for winner in winners:
        label = (
            f"{winner.name} ({winner.division})"
            if winner_counts[winner.event.pk] > 1 and winner.division
            else winner.name
        )
        winner_by_event.setdefault(winner.event.pk, label)
    return [
        {
            **_base_row(event),
            "weekday": date_format(event.ends_on, "D"),
            "day": event.ends_on.day,
            "month": date_format(
                event.ends_on, "M" if event.ends_on.year == event_today(event).year else "M Y"
            ),
            "status": event.status,
            "winner": winner_by_event.get(event.pk, ""),
        }
        for event in events
    ]
