"""The stored forecast of an event, its stages and matches, as computed by ``hall.services.forecasts``.

A page reads one row and shows when the forecast was made; nothing is computed here. All times are ranges:
half of all cases lie before ``median``, nine of ten between ``first`` and ``last``. They are rounded to five
minutes, ``first`` down and the others up. If no worker runs, the last forecast remains, with its time.

There is none for an event that is over, lasts longer than a weekend, or is long past: the last match of a
league is a matter of weeks. Matches by arrangement, and matches that depend on them, are left out, too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from django.utils import timezone

from tournaments.engine.hall.forecast import SECONDS_PER_POINT, ForecastBand
from tournaments.engine.statuses import EVENT_UPCOMING, EventStatus
from tournaments.models import Event, EventForecast
from tournaments.selectors.event_dates import event_date

MAX_DAYS = 4
ROUNDING_STEP = timedelta(minutes=5)
OVERLONG_FACTOR = Fraction(3, 2)  # a match is long when it takes half as much again as expected


@dataclass(frozen=True, slots=True)
class TimeRange:
    """The forecast range of a point in time."""

    first: datetime
    median: datetime
    last: datetime

    @classmethod
    def after(cls, made_at: datetime, seconds: Sequence[int]) -> "TimeRange":
        first, median, last = seconds
        return cls(*(made_at + timedelta(seconds=offset) for offset in (first, median, last)))


@dataclass(frozen=True, slots=True)
class DurationRange:
    """The forecast range of a duration."""

    first: timedelta
    median: timedelta
    last: timedelta


@dataclass(frozen=True, slots=True)
class StageForecast:
    """When a stage is expected to be over.

    ``path``: ids of the matches that decide when it is over, the next match first.
    """

    ends: TimeRange
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Forecast:
    """When an event, its stages and its matches are expected to begin and to end.

    ``middle_half``: the range of half of all cases for the end; ``learned_from``: number of matches that the
    pace is based on; ``seconds_by_length``: seconds by match length; ``stages`` and ``begins``: by stage id
    and match id; ``rounds``: begin of rounds that are not stored yet, by stage id and round number;
    ``total_duration``: total duration while nothing has begun; ``opens``: the start, if set;
    ``has_opening_hours``: whether opening hours are known.
    """

    made_at: datetime
    ends: TimeRange
    middle_half: tuple[datetime, datetime]
    seconds_a_point: int
    learned_from: int
    seconds_by_length: Mapping[int, int] = field(default_factory=dict)
    stages: Mapping[int, StageForecast] = field(default_factory=dict)
    begins: Mapping[int, TimeRange] = field(default_factory=dict)
    rounds: Mapping[tuple[int, int], TimeRange] = field(default_factory=dict)
    total_duration: DurationRange | None = None
    opens: datetime | None = None
    has_opening_hours: bool = False

    def takes(self, length: int) -> timedelta:
        """Return the expected duration of a match to ``length`` points."""
        return timedelta(seconds=self.seconds_by_length.get(length, length * self.seconds_a_point))

    def overlong_after(self, length: int) -> timedelta:
        """Return the duration after which a match to ``length`` points counts as overlong."""
        return timedelta(seconds=int(self.takes(length).total_seconds() * OVERLONG_FACTOR))


@dataclass(frozen=True, slots=True)
class _BeginTimes(Mapping[int, TimeRange]):
    """Begin times of matches, keyed by match id; parsed on access, because most pages need few of them.

    ``kept``: the stored offsets in seconds from ``made_at``, keyed by match id as text.
    """

    made_at: datetime
    kept: Mapping[str, Sequence[int]]

    def __getitem__(self, match: int) -> TimeRange:
        return TimeRange.after(self.made_at, self.kept[str(match)])

    def __iter__(self) -> Iterator[int]:
        return map(int, self.kept)

    def __len__(self) -> int:
        return len(self.kept)


def default_overlong_after(length: int) -> timedelta:
    """Return the duration after which a match to ``length`` points is overlong if no statistics exist."""
    return timedelta(seconds=int(length * SECONDS_PER_POINT * OVERLONG_FACTOR))


def round_up(at: datetime) -> datetime:
    """Return the time rounded up to a full five minutes."""
    return at + (ROUNDING_STEP - _step_remainder(at)) % ROUNDING_STEP


def round_down(at: datetime) -> datetime:
    """Return the time rounded down to a full five minutes."""
    return at - _step_remainder(at)


def _step_remainder(at: datetime) -> timedelta:
    return timedelta(minutes=at.minute % 5, seconds=at.second, microseconds=at.microsecond)


def load_forecast(event: Event, now: datetime | None = None) -> Forecast | None:
    """Return the whole forecast of ``event``, or None if there is none; cached on ``event``."""
    return _load(event, now, with_matches=True)


def load_end_forecast(event: Event, now: datetime | None = None) -> Forecast | None:
    """Return the forecast of ``event`` without stages and matches, or None; cached on ``event``.

    For pages that show only the end, and for ETags.
    """
    return _load(event, now, with_matches=False)


def forecast_version(event: Event) -> str:
    """Return a version string of the displayed forecast for ETags; empty without a forecast."""
    forecast = load_end_forecast(event)
    return forecast.made_at.isoformat() if forecast is not None else ""


def is_forecastable(event: Event, now: datetime) -> bool:
    """Return whether the event can have a forecast at ``now``.

    It must be upcoming or running, last at most ``MAX_DAYS`` days, and not be past its last date by more than
    one day.
    """
    today = event_date(event, now)
    if (event.ends_on - event.starts_on).days >= MAX_DAYS or today > event.ends_on + timedelta(days=1):
        return False
    if event.status in EVENT_UPCOMING:
        return True
    return event.status == EventStatus.RUNNING and event.starts_on - timedelta(days=1) <= today


_CACHE_ATTRIBUTE = "_forecast"


def _load(event: Event, now: datetime | None, *, with_matches: bool) -> Forecast | None:
    if not is_forecastable(event, now or timezone.now()):
        return None
    cached: dict[bool, Forecast | None] = event.__dict__.setdefault(_CACHE_ATTRIBUTE, {})
    if True in cached:
        return cached[True]
    if with_matches not in cached:
        fields = ("made_at", "summary", "matches") if with_matches else ("made_at", "summary")
        row = EventForecast.objects.filter(event=event.pk).values_list(*fields).first()
        cached[with_matches] = _from_row(*row) if row is not None and row[1] else None
    return cached[with_matches]


def _from_row(
    made_at: datetime, summary: Mapping[str, Any], matches: Mapping[str, Any] | None = None
) -> Forecast:
    first, early, median, late, last = summary["over"]
    opens = summary.get("opens")
    spans = (timedelta(seconds=offset - (opens or 0)) for offset in (first, median, last))
    match_data = matches or {}
    return Forecast(
        made_at=made_at,
        ends=TimeRange.after(made_at, (first, median, last)),
        middle_half=(made_at + timedelta(seconds=early), made_at + timedelta(seconds=late)),
        seconds_a_point=summary["pace"],
        learned_from=summary["learned"],
        seconds_by_length={int(length): seconds for length, seconds in summary["takes"].items()},
        stages={
            int(pk): StageForecast(TimeRange.after(made_at, offsets), tuple(path))
            for pk, (offsets, path) in match_data.get("stages", {}).items()
        },
        begins=_BeginTimes(made_at, match_data.get("begins", {})),
        rounds={
            (stage, number): TimeRange.after(made_at, offsets)
            for stage, number, *offsets in match_data.get("rounds", ())
        },
        total_duration=DurationRange(*spans) if summary["ahead"] else None,
        opens=made_at + timedelta(seconds=opens) if opens is not None else None,
        has_opening_hours=summary.get("nights", False),
    )


def range_to_list(band: ForecastBand) -> list[int]:
    """Return the stored form of a range: first, median and last."""
    return [band.first, band.median, band.last]
