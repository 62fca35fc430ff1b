"""Context of “Called 4 min ago” for ``hall/_since.html``, and texts of the forecast.

The browser counts the minutes. The server sends a time, which does not change while the match does not, so a
live page without changes is a 304.
"""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Event
from tournaments.selectors.hall.forecast import (
    ROUNDING_STEP,
    DurationBand,
    Forecast,
    TimeBand,
    load_forecast,
    round_down,
    round_up,
)
from tournaments.shared.fragments.cards import Context
from tournaments.shared.words.names import clock_time, date_label

EARLY_MORNING_HOUR = 6


def since_context(
    at: datetime | None, event: Event, label: str, *, over: datetime | None = None, words: str = ""
) -> Context | None:
    """Return the context of ``at``; None without a time. ``words`` are shown from ``over`` on."""
    if at is None:
        return None
    return {
        "iso": at.isoformat(timespec="seconds"),
        "clock": clock_time(at, event),
        "label": label,
        "over": over.isoformat(timespec="seconds") if over is not None else "",
        "words": words if over is not None else "",
        "late": over is not None and timezone.now() >= over,
    }


def approximate_time_label(at: TimeBand, event: Event) -> str:
    """Return “about 21:40 (21:10–22:30)” in the event's time zone: the range holds in nine of ten cases."""
    return _("about %(time)s") % {"time": _time_label(at, event)}


def _time_label(at: TimeBand, event: Event) -> str:
    time, first, last = (
        clock_time(one, event) for one in (round_up(at.median), round_down(at.first), round_up(at.last))
    )
    return time if at.last - at.first < ROUNDING_STEP else f"{time} ({first}–{last})"


def moment_label(at: datetime, event: Event) -> str:
    """Return “21:40” in the event's time zone, rounded up to five minutes.

    With the date if it is not the first day of the event.
    """
    at = round_up(at)
    clock, day = clock_time(at, event), _day_of(at, event)
    return clock if day == event.starts_on else f"{date_format(day, 'MONTH_DAY_FORMAT')} {clock}"


def _day_of(at: datetime, event: Event) -> date:
    return at.astimezone(ZoneInfo(event.timezone)).date()


def span_label(at: TimeBand, event: Event) -> str:
    """Return “21:40 (19:55–23:10)”, with dates other than the first day of the event.

    A date common to all three is written once.
    """
    middle = moment_label(at.median, event)
    if at.last - at.first < ROUNDING_STEP:
        return middle
    first, last = round_down(at.first), round_up(at.last)
    if len({_day_of(one, event) for one in (first, round_up(at.median), last)}) == 1:
        return f"{middle} ({clock_time(first, event)}–{clock_time(last, event)})"
    return f"{middle} ({moment_label(first, event)}–{moment_label(last, event)})"


def is_at_night(at: datetime, event: Event) -> bool:
    """Return whether it is between midnight and early morning in the event's time zone."""
    return at.astimezone(ZoneInfo(event.timezone)).hour < EARLY_MORNING_HOUR


def expected_start_label(match_id: int, event: Event) -> str:
    """Return when a match is expected to start; empty without a forecast."""
    found = load_forecast(event)
    begins = found.begins.get(match_id) if found is not None else None
    return approximate_time_label(begins, event) if begins is not None else ""


def expected_end_message(found: Forecast | None, event: Event) -> str:
    """Return when the event is expected to end, and the time of the forecast.

    A time of day if it ends tonight; hours of play if it takes longer or has not started. Empty without a
    forecast.
    """
    if found is None:
        return ""
    if found.ahead is not None and (found.opens is None or timezone.now() >= found.opens):
        return _duration_message(found.ahead)
    if found.opens is not None:
        return _("Starts %(day)s at %(time)s. %(forecast)s") % {
            "day": date_label(found.opens.astimezone(ZoneInfo(event.timezone)).date()),
            "time": clock_time(found.opens, event),
            "forecast": _end_message(found, event, found.opens),
        }
    return _("%(forecast)s, as of %(time)s") % {
        "forecast": _end_message(found, event, timezone.now()),
        "time": clock_time(found.made_at, event),
    }


def expected_end_label(found: Forecast | None, event: Event) -> str:
    """Return “Expected end 19:00 (17:50–20:35)” for an event that ends today.

    For any other event, return `expected_end_message` without the time of the forecast.
    """
    if found is None or found.ahead is not None or found.opens is not None:
        return expected_end_message(found, event)
    if _ends_tonight(found, event, timezone.now()):
        return _("Expected end %(time)s") % {"time": _time_label(found.ends, event)}
    return _end_message(found, event, timezone.now())


def _ends_tonight(found: Forecast, event: Event, now: datetime) -> bool:
    """Return whether the end is on the day of ``now`` or in the night after it."""
    zone = ZoneInfo(event.timezone)
    here, there = now.astimezone(zone), round_up(found.ends.median).astimezone(zone)
    nights = (there.date() - here.date()).days
    return nights == 0 or (nights == 1 and there.hour < EARLY_MORNING_HOUR <= here.hour)


def _end_message(found: Forecast, event: Event, now: datetime) -> str:
    """Return when the event is expected to end, relative to ``now``."""
    ends = found.ends
    there = round_up(ends.median).astimezone(ZoneInfo(event.timezone))
    if _ends_tonight(found, event, now):
        return _("Expected to end about %(time)s") % {"time": _time_label(ends, event)}
    if found.nights:
        return _("Expected to end on %(day)s about %(time)s") % {
            "day": date_label(there.date()),
            "time": _time_label(ends, event),
        }
    hours = max(1, round((ends.median - now).total_seconds() / 3600))
    left = ngettext("About %(count)s hour of play left", "About %(count)s hours of play left", hours) % {
        "count": hours
    }
    return _append_span(left, DurationBand(ends.first - now, ends.median - now, ends.last - now))


def _append_span(words: str, span: DurationBand) -> str:
    """Append the span in hours, to ten minutes: “… (2:40–4:10 h)”."""
    first, last = (10 * round(max(0.0, one.total_seconds()) / 600) for one in (span.first, span.last))
    if first == last:
        return words
    return f"{words} ({first // 60}:{first % 60:02}–{last // 60}:{last % 60:02} h)"


def _duration_message(ahead: DurationBand) -> str:
    """Return “About 3 hours from start to finish (2:40–4:10 h)”; in minutes below an hour and a half."""
    return _append_span(_median_duration_label(ahead.median), ahead)


def _median_duration_label(ahead: timedelta) -> str:
    minutes = ahead.total_seconds() / 60
    if minutes < 90:
        count = max(5, 5 * round(minutes / 5))
        return ngettext(
            "About %(count)s minute from start to finish",
            "About %(count)s minutes from start to finish",
            count,
        ) % {"count": count}
    count = round(minutes / 60)
    return ngettext(
        "About %(count)s hour from start to finish", "About %(count)s hours from start to finish", count
    ) % {"count": count}
