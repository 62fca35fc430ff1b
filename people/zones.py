"""Where a club's days begin and end.

What it has set itself; else what the floor above knows of it (`use`: the zone of its newest event); else the site's.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings

from people.models import Club
from people.rows import one_or_none

FIRST_YEAR, LAST_YEAR = 1900, 2199


def _nobody(_club_id: int) -> str:
    return ""


_newest: Callable[[int], str] = _nobody


def use(newest: Callable[[int], str]) -> None:
    """From now on ask ``newest`` for the zone of a club that has set none; "" where it knows none either."""
    global _newest  # noqa: PLW0603 - set once, when the apps are ready
    _newest = newest


def zone_of(club_id: int, own: str | None = None) -> ZoneInfo:
    """The zone of the club; ``own``: its own one, where it has been read."""
    if own is None:
        own = one_or_none(Club.objects.filter(pk=club_id).values_list("timezone", flat=True))
    return zone_called(own or _newest(club_id))


def zone_called(name: str) -> ZoneInfo:
    """The zone of this name; the site's for none, and for one that this computer does not know (any more)."""
    try:
        return ZoneInfo(name or settings.TIME_ZONE)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo(settings.TIME_ZONE)


def midnight(day: date, zone: ZoneInfo) -> datetime:
    """The moment at which ``day`` begins: also where the clocks are changed at midnight, and 00:00 is left out or comes twice.

    >>> midnight(date(2018, 11, 4), ZoneInfo("America/Sao_Paulo")).isoformat()  # 23:59:59 was followed by 01:00
    '2018-11-04T03:00:00+00:00'
    """
    return datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)
