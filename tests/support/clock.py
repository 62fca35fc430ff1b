"""A clock that stands still: for tests that hold two answers against each other, or that need a certain moment.

The forecast is worked out once a minute and shown in steps of five, so a page may rightly be another one a second later.
Only clocks of others are changed: Django's, that of its cache, and the one by which requests are counted. Processes of their own
and the browser keep the real time.
"""

from datetime import date, datetime, timedelta
from functools import cache
from typing import Any

import pytest
from django.apps import apps
from django.core.cache.backends import base, locmem
from django.db import connection
from django.utils import timezone
from rest_framework.throttling import SimpleRateThrottle


class Clock:
    """``clock.shows(datetime(2027, 12, 31, 23, 59, tzinfo=UTC))``, ``clock.moves(minutes=5)``; it never moves by itself."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def time(self) -> float:
        """The same in seconds, as caches count them."""
        return self.at.timestamp()

    def shows(self, at: datetime) -> None:
        assert at.tzinfo is not None, "a moment needs its time zone"
        self.at = at

    def moves(self, **by: float) -> None:
        """Forward by so many ``seconds``, ``minutes``, ``days``."""
        self.at += timedelta(**by)


@cache
def moment_of(day: date) -> datetime:
    """Where stopped clocks stand at first, one moment of the day for all tests of a process: what they begin with comes from stock."""
    return timezone.now()


REAL_CLOCK = timezone.now


@cache
def stamped() -> list[Any]:
    """Fields that ask Django's clock themselves, as those of the trail do."""
    return [
        field
        for model in apps.get_models()
        for field in model._meta.local_fields
        if field.default is REAL_CLOCK
    ]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Time stands still from the beginning of the test on."""
    from tests.support.stock import nothing_there

    now = timezone.now()
    first = connection.in_atomic_block and nothing_there()
    stopped = Clock(moment_of(now.date()) if first else now)
    monkeypatch.setattr(timezone, "now", stopped)
    for field in stamped():
        monkeypatch.setattr(field, "_get_default", stopped)
    for module in (base, locmem):
        monkeypatch.setattr(module, "time", stopped)
    monkeypatch.setattr(SimpleRateThrottle, "timer", stopped.time)
    return stopped
