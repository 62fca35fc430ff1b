"""Context of “Called 4 min ago” for ``hall/_since.html``, and texts of the forecast of an event.

The browser counts the minutes. The server sends a time, which changes only with the match, so the response to
a live page without changes is a 304.
"""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Event
from tournaments.selectors.event_dates import event_date
from tournaments.selectors.hall.forecast import (
    ROUNDING_STEP,
    DurationRange,
    Forecast,
    TimeRange,
    load_forecast,
    round_down,
    round_up,
)
from tournaments.shared.fragments.cards import Context
from tournaments.shared.words.names import clock_time, date_label

EARLY_MORNING_HOUR = 6


def elapsed_time_context(
    at: datetime | None,
    event: Event,
    label: str,
    *,
    overdue_at: datetime | None = None,
    overdue_label: str = "",
) -> Context | None:
    """Return the template context of the time ``at`` with its ``label``; None without a time.

    ``overdue_at``: the time from which the page shows ``overdue_label`` as well.
    """
    if at is None:
        return None
    return {
        "iso": at.isoformat(timespec="seconds"),
        "clock": clock_time(at, event),
        "label": label,
        "over": overdue_at.isoformat(timespec="seconds") if overdue_at is not None else "",
        "words": overdue_label if overdue_at is not None else "",
        "late": overdue_at is not None and timezone.now() >= overdue_at,
    }


def approximate_time_label(time_band: TimeRange, event: Event) -> str:
    """Return a forecast time as “about 21:40 (21:10–22:30)”, in the event's time zone.

    The range holds in nine of ten cases.
    """
    return _("about %(time)s") % {"time": _time_label(time_band, event)}


def _time_label(time_band: TimeRange, event: Event) -> str:
    time, first, last = (
        clock_time(moment, event)
        for moment in (round_up(time_band.median), round_down(time_band.first), round_up(time_band.last))
    )
    return time if time_band.last - time_band.first < ROUNDING_STEP else f"{time} ({first}–{last})"


def moment_label(at: datetime, event: Event) -> str:
    """Return the time ``at`` as “21:40” in the event's time zone, rounded up to five minutes.

    The date is added if it is not the first day of the event.
    """
    at = round_up(at)
    clock, day = clock_time(at, event), _day_of(at, event)
    return clock if day == event.starts_on else f"{date_format(day, 'MONTH_DAY_FORMAT')} {clock}"


def _day_of(at: datetime, event: Event) -> date:
    return event_date(event, at)


def span_label(time_band: TimeRange, event: Event) -> str:
    """Return a forecast time as “21:40 (19:55–23:10)”: the median, and the range of nine of ten cases.

    Times on another date than the first day of the event have their date; a date common to all is written
    once.
    """
    middle = moment_label(time_band.median, event)
    if time_band.last - time_band.first < ROUNDING_STEP:
        return middle
    first, last = round_down(time_band.first), round_up(time_band.last)
    if len({_day_of(moment, event) for moment in (first, round_up(time_band.median), last)}) == 1:
        return f"{middle} ({clock_time(first, event)}–{clock_time(last, event)})"
    return f"{middle} ({moment_label(first, event)}–{moment_label(last, event)})"


def is_at_night(at: datetime, event: Event) -> bool:
    """Return whether ``at`` is between midnight and six o'clock in the event's time zone."""
    return at.astimezone(ZoneInfo(event.timezone)).hour < EARLY_MORNING_HOUR


def expected_start_label(match_id: int, event: Event) -> str:
    """Return when the match with the id ``match_id`` is expected to start; empty without a forecast.

    Reads the forecast.
    """
    forecast = load_forecast(event)
    begins = forecast.begins.get(match_id) if forecast is not None else None
    return approximate_time_label(begins, event) if begins is not None else ""


def expected_end_message(forecast: Forecast | None, event: Event) -> str:
    """Return when the event is expected to end, and when the forecast was made; empty without a forecast.

    The end is a time of day if the event ends tonight, or hours of play if it takes longer or has not
    started.
    """
    if forecast is None:
        return ""
    if forecast.total_duration is not None and (forecast.opens is None or timezone.now() >= forecast.opens):
        return _duration_message(forecast.total_duration)
    if forecast.opens is not None:
        return _("Starts %(day)s at %(time)s. %(forecast)s") % {
            "day": date_label(event_date(event, forecast.opens)),
            "time": clock_time(forecast.opens, event),
            "forecast": _end_message(forecast, event, forecast.opens),
        }
    return _("%(forecast)s, as of %(time)s") % {
        "forecast": _end_message(forecast, event, timezone.now()),
        "time": clock_time(forecast.made_at, event),
    }


def expected_end_label(forecast: Forecast | None, event: Event) -> str:
    """Return “Expected end 19:00 (17:50–20:35)” for an event that ends today.

    If a running event ends later, return when it is expected to end, without the time of the forecast; if the
    event has not started, return `expected_end_message`.
    """
    if forecast is None or forecast.total_duration is not None or forecast.opens is not None:
        return expected_end_message(forecast, event)
    if _ends_tonight(forecast, event, timezone.now()):
        return _("Expected end %(time)s") % {"time": _time_label(forecast.ends, event)}
    return _end_message(forecast, event, timezone.now())


def _ends_tonight(forecast: Forecast, event: Event, now: datetime) -> bool:
    """Return whether the expected end is on the day of ``now`` or in the night that follows."""
    zone = ZoneInfo(event.timezone)
    local_now, local_end = now.astimezone(zone), round_up(forecast.ends.median).astimezone(zone)
    nights = (local_end.date() - local_now.date()).days
    return nights == 0 or (nights == 1 and local_end.hour < EARLY_MORNING_HOUR <= local_now.hour)


def _end_message(forecast: Forecast, event: Event, now: datetime) -> str:
    """Return when the event is expected to end: a time, a date and time, or the hours of play left.

    ``now``: the time from which the hours are counted.
    """
    ends = forecast.ends
    local_end = round_up(ends.median).astimezone(ZoneInfo(event.timezone))
    if _ends_tonight(forecast, event, now):
        return _("Expected to end about %(time)s") % {"time": _time_label(ends, event)}
    if forecast.has_opening_hours:
        return _("Expected to end on %(day)s about %(time)s") % {
            "day": date_label(local_end.date()),
            "time": _time_label(ends, event),
        }
    hours = max(1, round((ends.median - now).total_seconds() / 3600))
    remaining_label = ngettext(
        "About %(count)s hour of play left", "About %(count)s hours of play left", hours
    ) % {"count": hours}
    return _append_span(remaining_label, DurationRange(ends.first - now, ends.median - now, ends.last - now))


def _append_span(label: str, span: DurationRange) -> str:
    """Append the shortest and longest duration in hours, rounded to ten minutes: “… (2:40–4:10 h)”."""
    first, last = (
        10 * round(max(0.0, duration.total_seconds()) / 600) for duration in (span.first, span.last)
    )
    if first == last:
        return label
    return f"{label} ({first // 60}:{first % 60:02}–{last // 60}:{last % 60:02} h)"


def _duration_message(duration: DurationRange) -> str:
    """Return “About 3 hours from start to finish (2:40–4:10 h)”.

    Minutes instead of hours below an hour and a half.
    """
    return _append_span(_median_duration_label(duration.median), duration)


def _median_duration_label(duration: timedelta) -> str:
    minutes = duration.total_seconds() / 60
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
