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


class Key(NamedTuple):
    """Something that a page shows; ``of`` is a public id."""

    kind: str
    of: str = ""


# Names of people and clubs; who is known to clubs; what lists say of events; clubs; all rating lists.
NAMES, PLAYERS, EVENTS, CLUBS, RATINGS = map(Key, ("names", "club_players", "club_events", "club", "ratings"))
# What engines have looked at.
ANALYSES: Final = Key("analyses")

# An event with its club, the seasons before and after it and the end of the next notice: what its pages make versions of.
_EVENT: Final = """e.version
|| '.' || coalesce((SELECT v.number FROM people_version v WHERE v.kind = 'club' AND v.of_id = e.club_id), 0)
|| '.' || coalesce((SELECT b.version FROM tournaments_event b WHERE b.id = e.follows_id), 0)
|| '.' || coalesce((SELECT sum(a.version) FROM tournaments_event a WHERE a.follows_id = e.id), 0)
|| '.' || coalesce((SELECT cast(min(n.until) AS varchar) FROM tournaments_notice n
                    WHERE n.event_id = e.id AND n.withdrawn_at IS NULL AND n.until > %s), '')"""
_OF_EVENT: Final = "FROM tournaments_event e WHERE e.public_id = %s"
_OTHERS: Final = "(SELECT sum(o.version) FROM tournaments_event o WHERE o.club_id = e.club_id"
_ALL: Final = "(SELECT coalesce(sum(number), 0) FROM people_version WHERE kind = '{}')"
# A statement's part for each kind; what is missing is NULL. Where there are two parameters the first is the present moment.
_PARTS: Final = {
    "analyses": _ALL.format("analyses"),
    "names": _ALL.format("names"),
    "club_players": _ALL.format("club_players"),
    "club_events": _ALL.format("club_events"),
    "club": _ALL.format("club"),
    "ratings": "(SELECT count(*) || '.' || coalesce(sum(version), 0) FROM rating_ratinglist)",
    "event": f"(SELECT {_EVENT} {_OF_EVENT})",
    # Whoever plays in another event of the club cannot be called here.
    "hall": f"(SELECT {_EVENT} || '.' || coalesce({_OTHERS} AND o.status = 'running'), 0) {_OF_EVENT})",
    "seasons": f"(SELECT {_EVENT} || '.' || {_OTHERS}) {_OF_EVENT})",
    "match": f"""(SELECT {_EVENT} FROM tournaments_match m JOIN tournaments_stage s ON s.id = m.stage_id
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
_TIMED: Final = {"event", "hall", "seasons", "match"}
_MINUTE: Final = 60


def present(keys: Sequence[Key]) -> str | None:
    """The versions of ``keys`` now, as one text; None if something is not there.

    The minute is part of it: some of what pages show changes by itself (forecasts, what is overdue), a minute late at most. And
    whatever a page should show and none of its keys knows of is made good within that time.
    """
    now = timezone.now()
    values = _values(tuple(key.kind for key in keys), _parameters(keys, now)) if keys else ()
    if None in values:
        return None
    return "|".join([str(int(now.timestamp()) // _MINUTE), *map(str, values)])


def _parameters(keys: Sequence[Key], now: datetime) -> list[Any]:
    parameters: list[Any] = []
    for key in keys:
        if key.kind in _TIMED:
            parameters.append(connection.ops.adapt_datetimefield_value(now))
        if key.of:
            parameters.append(key.of)
    return parameters


@lru_cache(maxsize=64)
def _statement(kinds: tuple[str, ...]) -> str:
    return f"SELECT {', '.join(_PARTS[kind] for kind in kinds)}"


def _values(kinds: tuple[str, ...], parameters: list[Any]) -> tuple[Any, ...]:
    """One statement. A connection that broke since it was last used is made anew once; it is not asked each time whether it did."""
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()
        connection.health_check_done = True  # type: ignore[attr-defined]
    try:
        return _ask(kinds, parameters)
    except (OperationalError, InterfaceError):
        if connection.in_atomic_block:
            raise
        connection.close()
        return _ask(kinds, parameters)


def _ask(kinds: tuple[str, ...], parameters: list[Any]) -> tuple[Any, ...]:
    with connection.cursor() as cursor:
        cursor.execute(_statement(kinds), parameters)
        row: tuple[Any, ...] = cursor.fetchone()
    return row
