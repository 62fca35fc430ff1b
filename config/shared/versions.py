"""What pages for everybody depend on, as keys, and the present versions of several keys by one statement.

A key is its kind with, for some kinds, the public id that the address holds. Its version is made of rows of versions (`people.versions`)
and of the versions that events, lists and players have themselves. It may rise for more than a page shows: then the page is asked whether it is
still the same, and its own ETag (`people.web.versioned`) tells (`docs/decisions/0057`).
"""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone


class VersionKey(NamedTuple):
    """Something that a page shows; ``of`` is a public id."""

    kind: str
    of: str = ""


# Names of people and clubs; who is known to clubs; what lists say of events; clubs; all rating lists.
NAMES, PLAYERS, EVENTS, CLUBS, RATINGS = map(
    VersionKey, ("names", "club_players", "club_events", "club", "ratings")
)
# What engines have looked at.
ANALYSES: Final = VersionKey("analyses")

# An event with its club, the seasons before and after it and the end of the next notice: what its pages make versions of.
_EVENT_SQL: Final = """e.version
|| '.' || coalesce((SELECT v.number FROM people_version v WHERE v.kind = 'club' AND v.of_id = e.club_id), 0)
|| '.' || coalesce((SELECT b.version FROM tournaments_event b WHERE b.id = e.follows_id), 0)
|| '.' || coalesce((SELECT sum(a.version) FROM tournaments_event a WHERE a.follows_id = e.id), 0)
|| '.' || coalesce((SELECT cast(min(n.until) AS varchar) FROM tournaments_notice n
                    WHERE n.event_id = e.id AND n.withdrawn_at IS NULL AND n.until > %s), '')"""
_FROM_EVENT_SQL: Final = "FROM tournaments_event e WHERE e.public_id = %s"
_OTHER_EVENTS_SQL: Final = "(SELECT sum(o.version) FROM tournaments_event o WHERE o.club_id = e.club_id"
_TOTAL_SQL: Final = "(SELECT coalesce(sum(number), 0) FROM people_version WHERE kind = '{}')"
# A statement's part for each kind; what is missing is NULL. Where there are two parameters the first is the present moment.
_SQL_BY_KIND: Final = {
    "analyses": _TOTAL_SQL.format("analyses"),
    "names": _TOTAL_SQL.format("names"),
    "club_players": _TOTAL_SQL.format("club_players"),
    "club_events": _TOTAL_SQL.format("club_events"),
    "club": _TOTAL_SQL.format("club"),
    "ratings": "(SELECT count(*) || '.' || coalesce(sum(version), 0) FROM rating_ratinglist)",
    "event": f"(SELECT {_EVENT_SQL} {_FROM_EVENT_SQL})",
    # Whoever plays in another event of the club cannot be called here.
    "hall": f"(SELECT {_EVENT_SQL} || '.' || coalesce({_OTHER_EVENTS_SQL} AND o.status = 'running'), 0) {_FROM_EVENT_SQL})",
    "seasons": f"(SELECT {_EVENT_SQL} || '.' || {_OTHER_EVENTS_SQL}) {_FROM_EVENT_SQL})",
    "match": f"""(SELECT {_EVENT_SQL} FROM tournaments_match m JOIN tournaments_stage s ON s.id = m.stage_id
        JOIN tournaments_division d ON d.id = s.division_id JOIN tournaments_event e ON e.id = d.event_id
        WHERE m.public_id = %s)""",  # noqa: S608 (parts of ours)
    "of_club": """(SELECT c.version || '.' || coalesce((SELECT sum(v.number) FROM people_version v
        WHERE v.of_id = c.id AND v.kind IN ('club', 'club_players', 'club_events')), 0)
        || '.' || coalesce((SELECT p.version FROM people_club p WHERE p.id = c.parent_id), 0)
        FROM people_club c WHERE c.public_id = %s)""",
    # Who agrees that analyses are public says so in an event.
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
    # Times stand there in the zone of the club, which is that of its newest event where it has set none.
    "list": """(SELECT l.version || '.' || cast(l.archived AS varchar) || '.' || c.version || '.' || coalesce((
            SELECT z.timezone FROM tournaments_event z WHERE z.club_id = c.id ORDER BY z.starts_on DESC, z.id DESC LIMIT 1
        ), '')
        FROM rating_ratinglist l JOIN people_club c ON c.id = l.club_id WHERE l.public_id = %s)""",
}
_TIMED_KINDS: Final = {"event", "hall", "seasons", "match"}
_MINUTE_SECONDS: Final = 60


def current_stamp(keys: Sequence[VersionKey]) -> str | None:
    """The versions of ``keys`` now, as one text; None if something is not there.

    The minute is part of it: some of what pages show changes by itself (forecasts, what is overdue), a minute late at most. And
    whatever a page should show and none of its keys knows of is made good within that time.
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
    """One statement. A connection that broke since it was last used is made anew once; it is not asked each time whether it did."""
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
