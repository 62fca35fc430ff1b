"""How good the forecasts of a club were: what was foretold of the end of its events, held against the end as it came."""

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
    """What was foretold when ``mark`` per cent of the matches were over, in so many ``events``.

    ``off``: by how many minutes the end came earlier or later, in the mean; ``late``: how many minutes later than foretold it came,
    below 0 earlier. ``held``: in how many of them it lay in the band for nine of ten.
    """

    mark: int
    events: int
    off: int
    late: int
    held: int


def club_calibration(club: Club) -> list[Calibration]:
    """Those of the last events of ``club`` that are over, by mark; two queries."""
    kept = ForecastMark.objects.filter(event__club=club, event__status=EventStatus.FINISHED)
    rows = list(
        kept.order_by("-event__ends_on", "-event_id", "mark").values_list(
            "mark", "event_id", "first", "median", "last"
        )[: 3 * MAX_EVENTS]
    )
    ended: dict[int, datetime] = dict(
        Match.objects.filter(stage__division__event__in={event for _, event, *_ in rows})
        .order_by()
        .values("stage__division__event")
        .annotate(over=Max(Coalesce("played_at", "confirmed_at")))
        .values_list("stage__division__event", "over")
        if rows
        else ()
    )
    found: list[Calibration] = []
    for mark in sorted({row[0] for row in rows}):
        known = [(first, median, last, ended[event]) for at, event, first, median, last in rows if at == mark]
        late = [(over - median).total_seconds() / 60 for _, median, _, over in known]
        found.append(
            Calibration(
                mark=mark,
                events=len(known),
                off=round(statistics.mean(map(abs, late))),
                late=round(statistics.mean(late)),
                held=sum(first <= over <= last for first, _, last, over in known),
            )
        )
    return found
