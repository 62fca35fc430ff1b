"""Forecasts, updated in a worker at most once a minute for an event, and only if something changed.

Beat checks every minute which events have another version than their last forecast, or unfinished matches
without one. No service queues anything; what was not computed this minute is found in the next. Durations
learned from an event are stored beside its forecast, and again when it is over; events older than forecasts
are learned from in small steps.
"""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from people.rows import one_or_none
from tournaments.engine.hall.durations import Durations, TimedMatch, duration_statistics
from tournaments.engine.hall.forecast import Forecast, critical_paths
from tournaments.engine.hall.plays import simulate_forecast
from tournaments.models import Event, Match
from tournaments.selectors.hall.due import MARK_PERCENTS
from tournaments.selectors.hall.forecast import band_to_list, is_forecastable
from tournaments.selectors.hall.pace import learn_durations
from tournaments.selectors.hall.playing import ForecastInput, load_forecast_input
from tournaments.store.forecasts import NewForecast, save_forecast


def update_forecast(*, event_id: int, now: datetime | None = None) -> bool:
    """Compute and store the forecast of an event; return whether there is a new one. Safe to repeat."""
    event = one_or_none(Event.objects.filter(pk=event_id).select_related("club"))
    if event is None:
        return False
    now = (now or timezone.now()).replace(second=0, microsecond=0)
    playing = load_forecast_input(event, now)
    zone = ZoneInfo(event.timezone)
    taught = duration_statistics(TimedMatch(*match) for match in playing.finished)
    summary: dict[str, Any] = {}
    matches: dict[str, Any] = {}
    mark = None
    if is_forecastable(event, now) and playing.to_play:
        known = learn_durations(event, playing)
        found = simulate_forecast(
            playing.to_play,
            playing.tables,
            known,
            seed=event.pk,
            people=playing.people,
            closed=event.hours.closed(event.starts_on, event.ends_on, now, zone),
        )
        summary, matches = _forecast_data(event, playing, known, found)
        opens = event.hours.first_opening(event.starts_on, zone)
        if not playing.begun and opens is not None and opens > now:
            summary["opens"] = int((opens - now).total_seconds())
        summary["nights"] = event.closes_at is not None
        mark = _passed_milestone(playing) if playing.begun else None
    return save_forecast(
        event_id=event.pk,
        new=NewForecast(
            made_at=now,
            version=event.version,
            summary=summary,
            matches=matches,
            taught={str(length): [seen.matches, seen.total, seen.squares] for length, seen in taught.items()},
            mark=mark,
        ),
    )


def _passed_milestone(playing: ForecastInput) -> int | None:
    """Return the last milestone passed, or None if the next one is nearer."""
    left = sum(match.length > 0 for match in playing.to_play)
    share = 100 * playing.over / (playing.over + left) if left else 100.0
    passed = [mark for mark in MARK_PERCENTS if mark <= share < mark + 12.5]
    return passed[-1] if passed else None


def _forecast_data(
    event: Event, playing: ForecastInput, known: Durations, found: Forecast
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the data that the row stores (``models.simulate_forecast``)."""
    over = found.over
    moments = {match.number for match in playing.to_play if not match.length}
    lasts = {
        stage: max(members, key=lambda number: (found.ends[number].median, number))
        for stage, members in playing.members.items()
    }
    paths = critical_paths(playing.to_play, found.ends, lasts.values())
    lengths = {match.length for match in playing.to_play if match.length}
    lengths |= set(
        Match.objects.filter(stage__division__event=event).values_list("length", flat=True).distinct()
    )
    summary = {
        "over": [over.first, over.early, over.median, over.late, over.last],
        "ahead": not playing.begun,
        "pace": round(known.seconds_a_point),
        "learned": known.learned_from,
        "takes": {str(length): round(known.takes(length)) for length in sorted(lengths)},
    }
    matches = {
        "stages": {
            str(stage): [
                band_to_list(found.ends[playing.moments[stage]]),
                [int(number) for number in paths[last] if number > 0 and number not in moments],
            ]
            for stage, last in lasts.items()
        },
        "begins": {
            str(number): band_to_list(band)
            for number, band in found.begins.items()
            if number > 0 and number not in moments
        },
        "rounds": [
            [
                stage,
                number,
                *band_to_list(min((found.begins[one] for one in own), key=lambda band: band.median)),
            ]
            for (stage, number), own in playing.rounds.items()
            if own
        ],
    }
    return summary, matches
