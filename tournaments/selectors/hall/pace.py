"""Statistics of match durations for an event. Importing this module loads numpy: for workers, estimates."""

from collections.abc import Mapping
from typing import Any

from tournaments.engine.hall.durations import (
    Durations,
    DurationStatistics,
    LengthStatistics,
    TimedMatch,
    estimate_durations,
)
from tournaments.models import Event
from tournaments.selectors.hall.due import earlier_durations
from tournaments.selectors.hall.playing import ForecastInput


def learn_durations(event: Event, forecast_input: ForecastInput) -> Durations:
    """Estimate match durations from this event and earlier events; one query.

    Matches that are being played count with their time so far.
    """
    earlier = [_durations_from_json(stored) for stored in earlier_durations(event)]
    finished = [TimedMatch(*match) for match in forecast_input.finished]
    return estimate_durations(finished, [TimedMatch(*match) for match in forecast_input.running], earlier)


def _durations_from_json(stored: Mapping[str, Any]) -> DurationStatistics:
    return {int(length): LengthStatistics(*sums) for length, sums in stored.items()}
