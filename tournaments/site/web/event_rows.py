"""Public events as rows: live, to come, and over."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from tournaments.models import Event
from tournaments.selectors.events.front import Room, winners_in
from tournaments.selectors.rounds.deadlines import today_at
from tournaments.shared.fragments.cards import Shape
from tournaments.site.web.opening import short_day

SOON: Final = timedelta(days=7)
FEW: Final = 3  # places left: a reader should hurry


def this_hour() -> str:
    """For the version of a page whose rows depend on the day where the events take place."""
    return timezone.now().strftime("%Y-%m-%dT%H")


def is_past(event: Event) -> bool:
    """Whether its last day is over."""
    return event.ends_on < today_at(event)


def is_soon(event: Event) -> bool:
    """Whether it begins within the next seven days."""
    return event.starts_on < today_at(event) + SOON


def _row(event: Event) -> Shape:
    """What all rows have."""
    return {
        "key": event.public_id,
        "url": reverse("public:event", args=[event.public_id]),
        "name": event.name,
        "place": _place(event),
        "hour": time_format(event.opens_at, "TIME_FORMAT") if event.opens_at else "",
        "entries": getattr(event, "entry_count", 0),
    }


def _place(event: Event) -> str:
    """The place with its town; the club where nobody said where it is."""
    town = event.club.city if event.club.city not in event.place else ""
    return ", ".join(filter(None, (event.place, town))) or event.club.name


def live_row(event: Event) -> Shape:
    """An event that is being played: which day of how many, or since when."""
    today = today_at(event)
    days = (event.ends_on - event.starts_on).days + 1
    number = (today - event.starts_on).days + 1
    if 1 < days <= SOON.days and 1 <= number <= days:
        when = _("Day %(number)s of %(days)s") % {"number": number, "days": days}
    elif days == 1 and event.opens_at:
        when = _("since %(time)s") % {"time": time_format(event.opens_at, "TIME_FORMAT")}
    elif days == 1:
        when = date_format(event.starts_on, "MONTH_DAY_FORMAT")
    else:
        when = _("until %(time)s") % {"time": date_format(event.ends_on, "MONTH_DAY_FORMAT")}
    return {**_row(event), "when": when}


def ahead_row(event: Event, room: Room | None) -> Shape:
    """An event to come, with the places that are left where players enter themselves."""
    days = (event.ends_on - event.starts_on).days + 1
    return {
        **_row(event),
        "weekday": date_format(event.starts_on, "D"),
        "day": event.starts_on.day,
        "month": date_format(event.starts_on, "M"),
        "days": days,
        "enter": reverse("public:enter", args=[event.public_id]) if room is not None else "",
        "left": room.left if room is not None else None,
        "few": room is not None and room.left is not None and 0 < room.left <= FEW,
        "queued": room.queued if room is not None else 0,
        "until": _until(room.until, event) if room is not None and room.until is not None else "",
    }


def _until(at: datetime, event: Event) -> str:
    return short_day(at.astimezone(ZoneInfo(event.timezone)).date())


def over_rows(events: Sequence[Event]) -> list[Shape]:
    """Finished events with the winner of their first division that has one."""
    won: dict[int, str] = {}
    found = winners_in(events)
    several = Counter(one.event.pk for one in found)
    for one in found:
        words = f"{one.name} ({one.division})" if several[one.event.pk] > 1 and one.division else one.name
        won.setdefault(one.event.pk, words)
    return [
        {
            **_row(event),
            "weekday": date_format(event.ends_on, "D"),
            "day": event.ends_on.day,
            "month": date_format(event.ends_on, "M" if event.ends_on.year == today_at(event).year else "M Y"),
            "status": event.status,
            "winner": won.get(event.pk, ""),
        }
        for event in events
    ]
