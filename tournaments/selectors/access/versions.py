"""The versions of everything that a page shows, as short strings for its ETag: one query each.

A page that shows many rows cannot name each one's version cheaply, so it takes their count, the sum of their versions
and the sum of version times id: a row that changes, comes or goes alters at least one of the three.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from django.db.models import Count, F, Model, QuerySet, Sum

from people.models import Club, Player, PlayerClub
from tournaments.engine.statuses import EventStatus
from tournaments.models import EntryPlayer, Event, Match
from tournaments.selectors.access.visibility import listed_events

SETTINGS_CHANGED: Final = "settings.changed"


def listed_events_version(club: Club | None = None) -> str:
    """Events in lists, of ``club`` or of all, and the names of their clubs."""
    events = listed_events()
    if club is not None:
        events = events.filter(club=club)
    return _sums(events, "", "club__")


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
