"""What pages for everybody depend on, as keys, and the present versions of several keys by one statement.

A key is its kind with, for some kinds, the public id of what it is of. `docs/decisions/0057` says why these are coarse: a version here
only tells that a page must be asked whether it is still the same; its own ETag (`people.web.versioned`) tells whether it is.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.apps import apps
from django.db import InterfaceError, OperationalError, connection
from django.db.models.signals import post_migrate
from django.utils import timezone

from people import tides

# Which table raises which tide.
TIDES: Final = {
    "people_player": "people",
    "people_playerclub": "people",
    "people_club": "clubs",
    "tournaments_event": "events",
    "rating_ratinglist": "ratings",
}


class Key(NamedTuple):
    """Something that a page shows; ``of`` is a public id."""

    kind: str
    of: str = ""


PEOPLE, CLUBS, EVENTS, RATINGS = map(Key, ("people", "clubs", "events", "ratings"))

# An event with the seasons before and after it and with the end of the next notice: what `visible_event` makes versions of.
_EVENT: Final = """
e.version || '.' || coalesce((SELECT b.version FROM tournaments_event b WHERE b.id = e.follows_id), 0)
|| '.' || coalesce((SELECT sum(a.version) FROM tournaments_event a WHERE a.follows_id = e.id), 0)
|| '.' || coalesce((SELECT cast(min(n.until) AS varchar) FROM tournaments_notice n
                    WHERE n.event_id = e.id AND n.withdrawn_at IS NULL AND n.until > %s), '')
"""
# A statement's part for each kind; what is missing is NULL. `%s` is first the present moment, where there are two.
_PARTS: Final = {
    **{kind: tides.kind_of(kind) for kind in set(TIDES.values())},
    "event": f"(SELECT {_EVENT} FROM tournaments_event e WHERE e.public_id = %s)",  # noqa: S608
    "match": f"""(SELECT {_EVENT} FROM tournaments_match m JOIN tournaments_stage s ON s.id = m.stage_id
        JOIN tournaments_division d ON d.id = s.division_id JOIN tournaments_event e ON e.id = d.event_id
        WHERE m.public_id = %s)""",  # noqa: S608
    "list": """(SELECT version || '.' || cast(archived AS varchar) FROM rating_ratinglist WHERE public_id = %s)""",
}
_TIMED: Final = {"event", "match"}
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


def _parameters(keys: Sequence[Key], now: Any) -> list[Any]:
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


def see_to_tides(**_: Any) -> None:
    """After every ``migrate``."""
    tides.install(connection, TIDES)


def connect() -> None:
    """At the start of a process. All migrations are done when the first app is told of it."""
    post_migrate.connect(see_to_tides, sender=apps.get_app_config("people"), dispatch_uid="crawford-tides")
