"""Forecasts of events, updated in a worker at most once a minute for an event, and only if something changed.

Celery beat checks every minute which events have another version than their last forecast, or unfinished
matches without a forecast. No service queues an update; what was not computed this minute is found in the
next. Durations learned from an event are stored with its forecast, and again when the event is over; events
older than forecasts are learned from in small steps.
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
from tournaments.selectors.hall.forecast import is_forecastable, range_to_list
from tournaments.selectors.hall.pace import learn_durations
from tournaments.selectors.hall.playing import ForecastInput, load_forecast_input
from tournaments.store.forecasts import NewForecast, save_forecast


def update_forecast(*, event_id: int, now: datetime | None = None) -> bool:
    """Compute and store the forecast of an event; return whether a new one was stored. Safe to repeat.

    ``now``: the time to forecast from; by default the current time.
    """
    event = one_or_none(Event.objects.filter(pk=event_id).select_related("club"))
    if event is None:
        return False
    now = (now or timezone.now()).replace(second=0, microsecond=0)
    forecast_input = load_forecast_input(event, now)
    zone = ZoneInfo(event.timezone)
    statistics = duration_statistics(TimedMatch(*match) for match in forecast_input.finished)
    summary: dict[str, Any] = {}
    matches: dict[str, Any] = {}
    milestone = None
    if is_forecastable(event, now) and forecast_input.to_play:
        durations = learn_durations(event, forecast_input)
        forecast = simulate_forecast(
            forecast_input.to_play,
            forecast_input.tables,
            durations,
            seed=event.pk,
            people=forecast_input.people,
            closed=event.hours.closed(event.starts_on, event.ends_on, now, zone),
        )
        summary, matches = _forecast_data(event, forecast_input, durations, forecast)
        opening = event.hours.first_opening(event.starts_on, zone)
        if not forecast_input.has_begun and opening is not None and opening > now:
            summary["opens"] = int((opening - now).total_seconds())
        summary["nights"] = event.closes_at is not None
        milestone = _passed_milestone(forecast_input) if forecast_input.has_begun else None
    return save_forecast(
        event_id=event.pk,
        new_forecast=NewForecast(
            made_at=now,
            version=event.version,
            summary=summary,
            matches=matches,
            taught={
                str(length): [sample.matches, sample.total, sample.squares]
                for length, sample in statistics.items()
            },
            mark=milestone,
        ),
    )


def _passed_milestone(forecast_input: ForecastInput) -> int | None:
    """Return the last milestone that was passed, in percent of matches over.

    None before the first milestone, and once the next one is nearer.
    """
    left_count = sum(match.length > 0 for match in forecast_input.to_play)
    share = 100 * forecast_input.over / (forecast_input.over + left_count) if left_count else 100.0
    passed_marks = [mark for mark in MARK_PERCENTS if mark <= share < mark + 12.5]
    return passed_marks[-1] if passed_marks else None


def _forecast_data(
    event: Event, forecast_input: ForecastInput, durations: Durations, forecast: Forecast
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the summary of the event and the data of its matches, as two dictionaries for JSON columns."""
    event_end = forecast.over
    moment_numbers = {match.number for match in forecast_input.to_play if not match.length}
    last_by_stage = {
        stage: max(members, key=lambda number: (forecast.ends[number].median, number))
        for stage, members in forecast_input.members.items()
    }
    paths = critical_paths(forecast_input.to_play, forecast.ends, last_by_stage.values())
    lengths = {match.length for match in forecast_input.to_play if match.length}
    lengths |= set(
        Match.objects.filter(stage__division__event=event).values_list("length", flat=True).distinct()
    )
    summary = {
        "over": [event_end.first, event_end.percentile_25, event_end.median, event_end.late, event_end.last],
        "ahead": not forecast_input.has_begun,
        "pace": round(durations.seconds_a_point),
        "learned": durations.match_count,
        "takes": {str(length): round(durations.takes(length)) for length in sorted(lengths)},
    }
    matches = {
        "stages": {
            str(stage): [
                range_to_list(forecast.ends[forecast_input.end_by_stage[stage]]),
                [int(number) for number in paths[last] if number > 0 and number not in moment_numbers],
            ]
            for stage, last in last_by_stage.items()
        },
        "begins": {
            str(number): range_to_list(band)
            for number, band in forecast.begins.items()
            if number > 0 and number not in moment_numbers
        },
        "rounds": [
            [
                stage,
                number,
                *range_to_list(
                    min(
                        (forecast.begins[match_number] for match_number in match_numbers),
                        key=lambda band: band.median,
                    )
                ),
            ]
            for (stage, number), match_numbers in forecast_input.rounds.items()
            if match_numbers
        ],
    }
    return summary, matches
