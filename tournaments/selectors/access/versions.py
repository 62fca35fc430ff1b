"""The versions of everything that a page shows, as short strings for its ETag: one query each.

A page that shows many rows cannot name each one's version cheaply, so it takes their count, the sum of their versions
and the sum of version times id: a row that changes, comes or goes alters at least one of the three. Of a list as long as the site
is old only the rows that are shown are asked (`front_page_version`, `rows_version`): it costs the same in its tenth year.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from django.db import connection
from django.db.models import Count, F, Model, QuerySet, Sum

from people.models import Club, Player, PlayerClub
from tournaments.engine.statuses import EventStatus
from tournaments.models import EntryPlayer, Event, Match
from tournaments.selectors.access.visibility import listed_events, shown_events

SETTINGS_CHANGED: Final = "settings.changed"


def front_page_version(clubs: int, club: Club | None = None) -> str:
    """The events of a front page (`shown_events`), of all clubs or of ``club``, with the names of their clubs, and the first
    ``clubs`` clubs by name, or member clubs. One statement, of no more rows than are shown.
    """
    named = Club.objects.order_by("name", "pk") if club is None else Club.objects.filter(parent=club)
    parts: list[QuerySet[Any, Any]] = [
        events.values_list("pk", "version", "club__version") for events in shown_events(club)
    ]
    if clubs:
        parts.append(named.values_list("pk", "version", "pk")[:clubs])
    return rows_version(*parts)


def rows_version(*parts: QuerySet[Any, Any]) -> str:
    """The versions of the rows that these lists show: of each list those that it is cut to. Three numbers of each row."""
    statements: list[str] = []
    parameters: list[Any] = []
    for number, part in enumerate(parts):
        sql, given = part.query.sql_with_params()
        statements.append(f"SELECT {number} AS part, shown.* FROM ({sql}) AS shown")  # noqa: S608 (Django's own SQL)
        parameters += given
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(statements), parameters)
        rows = cursor.fetchall()
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:24]


def listed_events_version() -> str:
    """All events in lists, and the names of their clubs."""
    return _sums(listed_events(), "", "club__")


def event_players_version(event: Event) -> str:
    """Players of ``event`` and their home clubs. Who takes part is part of the event's own version."""
    return _sums(EntryPlayer.objects.filter(division__event=event), "player__", "player__home_club__")


def club_in_play_version(event: Event) -> str:
    """The club's other running events: whoever plays there cannot be called here."""
    others = Event.objects.filter(club_id=event.club_id, status=EventStatus.RUNNING).exclude(pk=event.pk)
    return _sums(others, "")


def match_players_version(match: Match) -> str:
    """The players of both sides and their home clubs."""
    rows = EntryPlayer.objects.filter(entry__slots__match=match)
    return _sums(rows, "player__", "player__home_club__")


def club_players_version(club: Club) -> str:
    """Players known to ``club``; those who are not listed count too, so that leaving the list shows."""
    return _sums(PlayerClub.objects.filter(club=club), "player__", "player__home_club__")


def players_version() -> str:
    """All players and their home clubs."""
    return _sums(Player.objects.all(), "", "home_club__")


def clubs_version(parent: Club | None = None) -> str:
    """All clubs, or the member clubs of ``parent``."""
    clubs = Club.objects.all()
    return _sums(clubs if parent is None else clubs.filter(parent=parent), "")


def player_history_version(player: Player) -> str:
    """The listed events of ``player``, and their clubs."""
    rows = EntryPlayer.objects.filter(player=player, division__event__in=listed_events())
    return _sums(rows, "division__event__", "division__event__club__")


def _sums(rows: QuerySet[Any, Model] | QuerySet[Any, Any], *paths: str) -> str:
    """Count of ``rows`` and, for the row behind each path, the two sums."""
    wanted: dict[str, Any] = {"rows": Count("pk")}
    for number, path in enumerate(paths):
        wanted[f"versions_{number}"] = Sum(f"{path}version")
        wanted[f"weighted_{number}"] = Sum(F(f"{path}version") * F(f"{path}pk"))
    return ".".join(str(value or 0) for value in rows.aggregate(**wanted).values())


def settings_version(values: Mapping[str, Any]) -> str:
    """Names settings as they are now. Not the event's version: that rises with every result."""
    return hashlib.sha256(json.dumps(values, sort_keys=True, default=str).encode()).hexdigest()[:16]
