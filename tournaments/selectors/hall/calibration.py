"""Accuracy of a club's forecasts: the forecast end of its events, compared with the real end."""

import statistics
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Max
from django.db.models.functions import Coalesce

from people.models import Club
from tournaments.engine.statuses import EventStatus
from tournaments.models import ForecastMark, Match

MAX_EVENTS: Final = 100  # the last ones of a club


@dataclass(frozen=True, slots=True)
class Calibration:
    """Accuracy of the forecasts made when ``mark`` per cent of the matches were over, in ``events`` events.

    ``off``: mean absolute error in minutes; ``late``: mean number of minutes that events ended later than
    forecast, negative if earlier; ``held``: number of events that ended within the forecast range of nine out
    of ten.
    """

    mark: int
    events: int
    off: int
    late: int
    held: int


def club_calibration(club: Club) -> list[Calibration]:
    """Return the accuracy of the club's forecasts for each mark, over its last finished events.

    Two queries.
    """
    marks = ForecastMark.objects.filter(event__club=club, event__status=EventStatus.FINISHED)
    rows = list(
        marks.order_by("-event__ends_on", "-event_id", "mark").values_list(
            "mark", "event_id", "first", "median", "last"
        )[: 3 * MAX_EVENTS]
    )
    end_by_event: dict[int, datetime] = dict(
        Match.objects.filter(stage__division__event__in={event for _, event, *_ in rows})
        .order_by()
        .values("stage__division__event")
        .annotate(over=Max(Coalesce("played_at", "confirmed_at")))
        .values_list("stage__division__event", "over")
        if rows
        else ()
    )
    calibrations: list[Calibration] = []
    for mark in sorted({row[0] for row in rows}):
        forecasts = [
            (first, median, last, end_by_event[event])
            for row_mark, event, first, median, last in rows
            if row_mark == mark
        ]
        minutes_late = [(actual_end - median).total_seconds() / 60 for _, median, _, actual_end in forecasts]
        calibrations.append(
            Calibration(
                mark=mark,
                events=len(forecasts),
                off=round(statistics.mean(map(abs, minutes_late))),
                late=round(statistics.mean(minutes_late)),
                held=sum(first <= actual_end <= last for first, _, last, actual_end in forecasts),
            )
        )
    return calibrations
