"""Versions of everything on which shared pages depend, read for several keys by one query.

A key is its kind and, for some kinds, the public id in the URL. Its version consists of version rows
(`people.versions`) and of the versions of events, lists and players. If a version rises for another reason,
the page's own ETag (`people.web.versioned`) shows that the page is unchanged (`docs/decisions/0057`).
"""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone


class VersionKey(NamedTuple):
    """Something that a page shows and that has a version; ``of``: its public id, where the kind needs one."""

    kind: str
    of: str = ""


# Names of people and clubs; players known to clubs; events in lists; clubs; all rating lists.
NAMES, PLAYERS, EVENTS, CLUBS, RATINGS = map(
    VersionKey, ("names", "club_players", "club_events", "club", "ratings")
)
# Analyses by engines.
ANALYSES: Final = VersionKey("analyses")

# An event with its club, adjacent seasons and the end of the next notice: the version of its pages.
_EVENT_SQL: Final = """e.version
|| '.' || coalesce((SELECT v.number FROM people_version v WHERE v.kind = 'club' AND v.of_id = e.club_id), 0)
|| '.' || coalesce((SELECT b.version FROM tournaments_event b WHERE b.id = e.follows_id), 0)
|| '.' || coalesce((SELECT sum(a.version) FROM tournaments_event a WHERE a.follows_id = e.id), 0)
|| '.' || coalesce((SELECT cast(min(n.until) AS varchar) FROM tournaments_notice n
                    WHERE n.event_id = e.id AND n.withdrawn_at IS NULL AND n.until > %s), '')"""
_FROM_EVENT_SQL: Final = "FROM tournaments_event e WHERE e.public_id = %s"
_OTHER_EVENTS_SQL: Final = "(SELECT sum(o.version) FROM tournaments_event o WHERE o.club_id = e.club_id"
_TOTAL_SQL: Final = "(SELECT coalesce(sum(number), 0) FROM people_version WHERE kind = '{}')"
# SQL for each kind; what is missing is NULL. Of two parameters the first is the current moment.
_SQL_BY_KIND: Final = {
    "analyses": _TOTAL_SQL.format("analyses"),
    "names": _TOTAL_SQL.format("names"),
    "club_players": _TOTAL_SQL.format("club_players"),
    "club_events": _TOTAL_SQL.format("club_events"),
    "club": _TOTAL_SQL.format("club"),
    "ratings": "(SELECT count(*) || '.' || coalesce(sum(version), 0) FROM rating_ratinglist)",
    "event": f"(SELECT {_EVENT_SQL} {_FROM_EVENT_SQL})",
    # A player in another event of the club cannot be called here.
    "hall": f"(SELECT {_EVENT_SQL} || '.' || coalesce({_OTHER_EVENTS_SQL} AND o.status = 'running'), 0) {_FROM_EVENT_SQL})",
    "seasons": f"(SELECT {_EVENT_SQL} || '.' || {_OTHER_EVENTS_SQL}) {_FROM_EVENT_SQL})",
    "match": f"""(SELECT {_EVENT_SQL} FROM tournaments_match m JOIN tournaments_stage s ON s.id = m.stage_id
        JOIN tournaments_division d ON d.id = s.division_id JOIN tournaments_event e ON e.id = d.event_id
        WHERE m.public_id = %s)""",  # noqa: S608 (parts of ours)
    "of_club": """(SELECT c.version || '.' || coalesce((SELECT sum(v.number) FROM people_version v
        WHERE v.of_id = c.id AND v.kind IN ('club', 'club_players', 'club_events')), 0)
        || '.' || coalesce((SELECT p.version FROM people_club p WHERE p.id = c.parent_id), 0)
        FROM people_club c WHERE c.public_id = %s)""",
    # Consent to public analyses is given in an event.
    "analyses_of_club": """(SELECT c.version || '.' || coalesce((SELECT sum(v.number) FROM people_version v
        WHERE v.of_id = c.id AND v.kind IN ('club', 'club_events')), 0)
        || '.' || coalesce((SELECT count(*) || '.' || sum(e.version) FROM tournaments_event e WHERE e.club_id = c.id), '')
        FROM people_club c WHERE c.public_id = %s)""",
    "of_series": """(SELECT c.version || '.' || coalesce((SELECT sum(v.number) FROM people_version v
        WHERE v.of_id = c.id AND v.kind IN ('club', 'club_events')), 0)
        FROM people_club c JOIN tournaments_series s ON s.club_id = c.id WHERE s.public_id = %s)""",
    "player": """(SELECT p.version || '.' || (SELECT count(*) || '.' || coalesce(sum(e.version), 0)
        FROM tournaments_entryplayer t JOIN tournaments_division d ON d.id = t.division_id
        JOIN tournaments_event e ON e.id = d.event_id WHERE t.player_id = p.id)
        || '.' || (SELECT count(*) || '.' || coalesce(sum(e.version), 0)
        FROM tournaments_formerplayer f JOIN tournaments_formerlineup l ON l.id = f.lineup_id
        JOIN tournaments_entry t ON t.id = l.entry_id JOIN tournaments_division d ON d.id = t.division_id
        JOIN tournaments_event e ON e.id = d.event_id WHERE f.player_id = p.id)
        FROM people_player p WHERE p.public_id = %s)""",
    # Times are in the club's time zone, or that of its newest event if it has none.
    "list": """(SELECT l.version || '.' || cast(l.archived AS varchar) || '.' || c.version || '.' || coalesce((
            SELECT z.timezone FROM tournaments_event z WHERE z.club_id = c.id ORDER BY z.starts_on DESC, z.id DESC LIMIT 1
        ), '')
        FROM rating_ratinglist l JOIN people_club c ON c.id = l.club_id WHERE l.public_id = %s)""",
}
_TIMED_KINDS: Final = {"event", "hall", "seasons", "match"}
_MINUTE_SECONDS: Final = 60


def current_stamp(keys: Sequence[VersionKey]) -> str | None:
    """Return the current versions of ``keys`` as one text, or None if one of the objects does not exist.

    The text also contains the current minute, because forecasts and overdue matches change without a new
    version; a page shows them at most a minute late. The same holds for anything that a page shows without a
    key.
    """
    now = timezone.now()
    values = _version_values(tuple(key.kind for key in keys), _parameters(keys, now)) if keys else ()
    if None in values:
        return None
    return "|".join([str(int(now.timestamp()) // _MINUTE_SECONDS), *map(str, values)])


def _parameters(keys: Sequence[VersionKey], now: datetime) -> list[Any]:
    parameters: list[Any] = []
    for key in keys:
        if key.kind in _TIMED_KINDS:
            parameters.append(connection.ops.adapt_datetimefield_value(now))
        if key.of:
            parameters.append(key.of)
    return parameters


@lru_cache(maxsize=64)
def _statement(kinds: tuple[str, ...]) -> str:
    return f"SELECT {', '.join(_SQL_BY_KIND[kind] for kind in kinds)}"


def _version_values(kinds: tuple[str, ...], parameters: list[Any]) -> tuple[Any, ...]:
    """Read the versions by one query.

    A broken connection is replaced once, without a health check each time.
    """
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()
        connection.health_check_done = True  # type: ignore[attr-defined]
    try:
        return _query_versions(kinds, parameters)
    except (OperationalError, InterfaceError):
        if connection.in_atomic_block:
            raise
        connection.close()
        return _query_versions(kinds, parameters)


def _query_versions(kinds: tuple[str, ...], parameters: list[Any]) -> tuple[Any, ...]:
    with connection.cursor() as cursor:
        cursor.execute(_statement(kinds), parameters)
        row: tuple[Any, ...] = cursor.fetchone()
    return row
