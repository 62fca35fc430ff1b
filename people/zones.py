"""The time zone of a club, which decides where its days begin and end.

It is the zone that the club has set; else the one found by ``set_zone_lookup`` (that of its newest event);
else the site's.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings

from people.models import Club
from people.rows import one_or_none

FIRST_YEAR, LAST_YEAR = 1900, 2199


def _no_zone(_club_id: int) -> str:
    return ""


_zone_lookup: Callable[[int], str] = _no_zone


def set_zone_lookup(lookup: Callable[[int], str]) -> None:
    """Set the function that finds the zone of a club that has set none.

    ``lookup``: given the club's id, it returns a zone's name, or "" if it finds none.
    """
    global _zone_lookup  # noqa: PLW0603 - set once, when the apps are ready
    _zone_lookup = lookup


def club_zone(club_id: int, own_zone: str | None = None) -> ZoneInfo:
    """Return the time zone of the club; ``own_zone``: its setting, if the caller has read it already."""
    if own_zone is None:
        own_zone = one_or_none(Club.objects.filter(pk=club_id).values_list("timezone", flat=True))
    return zone_by_name(own_zone or _zone_lookup(club_id))


def zone_by_name(name: str) -> ZoneInfo:
    """Return the time zone of this name; the site's for "" and for a name that is not installed."""
    try:
        return ZoneInfo(name or settings.TIME_ZONE)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo(settings.TIME_ZONE)


def midnight(day: date, zone: ZoneInfo) -> datetime:
    """Return the moment at which ``day`` begins, also if 00:00 is skipped or repeated by a clock change.

    >>> midnight(date(2018, 11, 4), ZoneInfo("America/Sao_Paulo")).isoformat()  # 23:59:59 was followed by 01:00
    '2018-11-04T03:00:00+00:00'
    """
    return datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)
