"""Up-next notices that are due, based on the last forecast (``engine.hall.near``).

Recipients are active entries that are not busy and whose next match is expected to begin soon. No notice is
sent if the forecast is old, before play has begun if no start is set, or, where the event does not use calls,
for a match with a table: such a match is under way.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from tournaments.engine.hall.near import MAX_FORECAST_AGE, MIN_SHIFT, UpNextNotice, is_near, is_notice_due
from tournaments.engine.statuses import STAGE_UNDER_WAY, UPCOMING, EntryStatus, EventStatus
from tournaments.models import CallWord, Event, Match, MatchSlot
from tournaments.selectors.hall.calling import busy_players
from tournaments.selectors.hall.forecast import Forecast, is_forecastable, load_forecast


@dataclass(frozen=True, slots=True)
class UpcomingMatch:
    """An entry's next match (``match`` and ``entry`` are ids) with its expected begin."""

    match: int
    entry: int
    begins_at: datetime
    table: int | None


def events_to_notify(now: datetime) -> list[int]:
    """Return the ids of running events with up-next notices switched on and a recent forecast; one query."""
    running = Event.objects.filter(
        status=EventStatus.RUNNING, word_minutes__gt=0, forecast__made_at__gte=now - MAX_FORECAST_AGE
    )
    return [event.pk for event in running.order_by("pk") if is_forecastable(event, now)]


def due_up_next_notices(event: Event, now: datetime) -> list[UpcomingMatch]:
    """Return the up-next notices that are due now, sorted by expected begin.

    Five queries, one if no match begins soon.
    """
    forecast = load_forecast(event, now)
    if event.status != EventStatus.RUNNING or forecast is None or now - forecast.made_at > MAX_FORECAST_AGE:
        return []
    if forecast.total_duration is not None and (forecast.opens is None or forecast.opens <= now):
        return []
    begin_by_match = _nearby_starts(event, forecast, now)
    if not begin_by_match:
        return []
    last_notices = {
        (match, entry): UpNextNotice(begins_at, times)
        for match, entry, begins_at, times in CallWord.objects.filter(match__in=begin_by_match)
        .order_by()
        .values_list("match", "entry", "begins_at", "times")
    }
    return [
        upcoming
        for upcoming in _next_match_by_entry(event, begin_by_match, has_begun=forecast.total_duration is None)
        if is_notice_due(
            upcoming.begins_at, now, event.word_minutes, last_notices.get((upcoming.match, upcoming.entry))
        )
    ]


def _nearby_starts(event: Event, forecast: Forecast, now: datetime) -> dict[int, datetime]:
    """Return the expected begin of matches that begin soon, keyed by match id.

    Includes matches whose earlier notice may have to be corrected.
    """
    begins = {pk: band.median for pk, band in forecast.begins.items()}
    near = {pk: at for pk, at in begins.items() if is_near(at, now, event.word_minutes)}
    changed_notices = CallWord.objects.filter(
        match__in=set(begins) - set(near), begins_at__gte=now - 6 * MIN_SHIFT
    )
    return near | {
        pk: begins[pk] for pk in changed_notices.order_by().values_list("match", flat=True).distinct()
    }


def _next_match_by_entry(
    event: Event, begin_by_match: dict[int, datetime], *, has_begun: bool
) -> list[UpcomingMatch]:
    """Return the next match of each entry that is not busy, sorted by expected begin.

    ``has_begun``: play has begun, so that matches with a table are under way if calls are not used.
    """
    slots = MatchSlot.objects.filter(
        Q(match__stage__by_arrangement=False) | Q(match__table__isnull=False),
        match__in=begin_by_match,
        match__status__in=UPCOMING,
        match__stage__status__in=STAGE_UNDER_WAY,
        entry__status=EntryStatus.ACTIVE,
    )
    if has_begun and _is_calling_unused(event):
        slots = slots.filter(match__table=None)
    rows = list(
        slots.order_by().values_list("match", "entry", "match__table", "entry__entry_players__player")
    )
    busy = busy_players(event, {player for *_rest, player in rows if player is not None})
    busy_entries: Collection[int] = {entry for _match, entry, _table, player in rows if player in busy}
    next_by_entry: dict[int, UpcomingMatch] = {}
    for match, entry, table, _player in sorted(rows, key=lambda row: (begin_by_match[row[0]], row[0])):
        if entry not in busy_entries:
            next_by_entry.setdefault(entry, UpcomingMatch(match, entry, begin_by_match[match], table))
    return list(next_by_entry.values())


def _is_calling_unused(event: Event) -> bool:
    called = Q(called_at__isnull=False) | Q(started_at__isnull=False)
    return not Match.objects.filter(called, stage__division__event=event).exists()
