"""Expected duration of an event with other match lengths, rounds, tables and hours, for the director.

It is the forecast (decision 62) of a simulation with ``Assumptions`` in place of the event's settings. A
division that is drawn already is simulated as it is. Nothing is written. Importing this module loads numpy.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from tournaments.engine.errors import BadInput
from tournaments.engine.hall.forecast import ForecastBand
from tournaments.engine.hall.hours import DEFAULT_OPENING, OpeningHours
from tournaments.engine.hall.plays import simulate_forecast
from tournaments.engine.statuses import EventStatus
from tournaments.engine.types import MatchNo
from tournaments.models import Event
from tournaments.selectors.hall.forecast import TimeRange
from tournaments.selectors.hall.pace import learn_durations
from tournaments.selectors.hall.playing import Assumptions, ForecastInput, load_forecast_input

# Limit of matches times plays in one request; for large events fewer plays are nearly as exact.
MAX_MATCH_RUNS: Final = 300 * 320
MIN_RUNS: Final = 60
MAX_RUNS: Final = 300


@dataclass(frozen=True, slots=True)
class StageTimes:
    """When the first match of a stage begins and when its last match ends.

    ``matches``: number of matches left to play.
    """

    begins: datetime
    ends: TimeRange
    matches: int


@dataclass(frozen=True, slots=True)
class DurationEstimate:
    """The expected duration of an event.

    ``since``: when play starts; ``over``: the end of all stages; ``stages``: by stage id, only stages played
    at tables. ``learned_match_count``: number of matches of the event that the pace is based on;
    ``uses_earlier_events``: whether earlier events contributed to it.
    """

    since: datetime
    over: TimeRange
    stages: Mapping[int, StageTimes]
    seconds_a_point: int
    learned_match_count: int
    uses_earlier_events: bool


def estimate_duration(
    event: Event, assumptions: Assumptions, hours: OpeningHours, now: datetime
) -> DurationEstimate | None:
    """Estimate the duration of ``event``; None if nothing is left to play at tables.

    Seven queries, whatever the size.
    """
    zone = ZoneInfo(event.timezone)
    is_running = event.status == EventStatus.RUNNING
    opens = datetime.combine(event.starts_on, hours.opens or DEFAULT_OPENING, zone)
    since = now if is_running else opens
    forecast_input = load_forecast_input(event, since, assumptions)
    matches = sum(match.length > 0 for match in forecast_input.to_play)
    if not matches:
        return None
    durations = learn_durations(event, forecast_input)
    try:
        forecast = simulate_forecast(
            forecast_input.to_play,
            forecast_input.tables,
            durations,
            seed=event.pk,
            runs=max(MIN_RUNS, min(MAX_RUNS, MAX_MATCH_RUNS // matches)),
            people=forecast_input.people,
            closed=hours.closed(event.starts_on, event.ends_on, since, zone),
        )
    except BadInput:
        return None
    return DurationEstimate(
        since=since,
        over=_time_band(since, forecast.over),
        stages=_stage_spans(since, forecast_input, forecast.begins, forecast.ends),
        seconds_a_point=round(durations.seconds_a_point),
        learned_match_count=durations.match_count,
        uses_earlier_events=bool(durations.length_offsets),
    )


def _time_band(since: datetime, band: ForecastBand) -> TimeRange:
    return TimeRange.after(since, (band.first, band.median, band.last))


def _stage_spans(
    since: datetime,
    forecast_input: ForecastInput,
    begins: Mapping[MatchNo, ForecastBand],
    ends: Mapping[MatchNo, ForecastBand],
) -> dict[int, StageTimes]:
    lengths = {match.number: match.length for match in forecast_input.to_play if match.is_likely}
    spans: dict[int, StageTimes] = {}
    for stage, members in forecast_input.members.items():
        stage_matches = [number for number in members if lengths.get(number)]
        if stage_matches:
            first_begin = min(begins[number].median for number in stage_matches)
            end_band = _time_band(since, ends[forecast_input.end_by_stage[stage]])
            spans[stage] = StageTimes(since + timedelta(seconds=first_begin), end_band, len(stage_matches))
    return spans
