"""Opening hours of a hall: matches begin between opening and closing, day by day, and not in the break."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Final

from tournaments.engine.hall.forecast import ClosedPeriod

DEFAULT_OPENING: Final = time(10)  # of further days, if none is set
MAX_DAYS_AHEAD: Final = 14  # beyond the last day, for events that take longer than planned
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class OpeningHours:
    """Opening hours of a hall, in its local time.

    `opens`, `closes`: matches begin between these times, also past midnight; None: not set. `break_from`,
    `break_until`: no match begins in the break.
    """

    opens: time | None = None
    closes: time | None = None
    break_from: time | None = None
    break_until: time | None = None

    @property
    def are_invalid(self) -> bool:
        """Whether no match could ever begin, or only one end of the break is given."""
        if (self.break_from is None) != (self.break_until is None):
            return True
        if (
            self.break_from is not None
            and self.break_until is not None
            and self.break_from >= self.break_until
        ):
            return True
        return self.opens is not None and self.opens == self.closes

    def first_opening(self, first: date, zone: tzinfo) -> datetime | None:
        """Return when matches may begin on the day ``first``, or None if no opening time is set."""
        return datetime.combine(first, self.opens, zone) if self.opens is not None else None

    def closed(self, first: date, last: date, now: datetime, zone: tzinfo) -> list[ClosedPeriod]:
        """Return the times from `now` on in which no match begins, in order and without overlaps.

        `first`, `last`: the days of the event; times for some days after these are included.
        """
        spans = sorted(
            (int(since.timestamp() - now.timestamp()), int(until.timestamp() - now.timestamp()))
            for since, until in self._closed_spans(first, last, zone)
            if since < until and until.timestamp() > now.timestamp()
        )
        periods: list[ClosedPeriod] = []
        for since, until in spans:
            if periods and since <= periods[-1].until:
                periods[-1] = ClosedPeriod(periods[-1].since, max(until, periods[-1].until))
            else:
                periods.append(ClosedPeriod(since, until))
        return periods

    def _closed_spans(self, first: date, last: date, zone: tzinfo) -> Iterator[tuple[datetime, datetime]]:
        if self.opens is not None:
            opens = datetime.combine(first, self.opens, zone)
            yield opens - (MAX_DAYS_AHEAD + 400) * _DAY, opens
        opens_at = self.opens or DEFAULT_OPENING
        for number in range(-1, (last - first).days + MAX_DAYS_AHEAD):
            day = first + number * _DAY
            if self.closes is not None and number >= 0:
                past_midnight = self.closes <= opens_at
                closes = datetime.combine(day + _DAY if past_midnight else day, self.closes, zone)
                yield closes, datetime.combine(day + _DAY, opens_at, zone)
            if self.break_from is not None and self.break_until is not None:
                yield (
                    datetime.combine(day, self.break_from, zone),
                    datetime.combine(day, self.break_until, zone),
                )
