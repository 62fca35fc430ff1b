"""Versions of what pages show, as topics: rows of ``people.models.Version``.

Services raise them (``people.services.versions``). The version of a page is the numbers of the topics that
it shows, read in one statement (``versions_of``).

| topic | its number rises |
|---|---|
| ``NAMES`` | when an existing player's name, public name, home or listing changes, or when a club's does |
| ``club(pk)`` | when the club itself changes: name, federation, consents, its rating lists, its page |
| ``club_players(pk)`` | when a player becomes known to the club, or ceases to be |
| ``club_events(pk)`` | when an event of the club changes in lists: name, days, status, number of players |
| ``event(pk)`` | with every change in the event; the number is ``Event.version`` |
| ``outline(pk)`` | with what all pages of the event show: itself, divisions and stages with status, notices, prizes |
| ``division(pk)`` | with what is shown of one division: entries, draws, matches, results |
| ``rating_list(pk)`` | when the list has other numbers or settings |
| ``ANALYSES`` | when an engine has analysed one more match |

``ALL_CLUBS``, ``ALL_PLAYERS`` and ``ALL_EVENTS`` are the sums over all clubs: one row for each club, so
that no single row is contended.

A page of one division shows ``outline_topic`` and ``division_topic``; a page of tables, of forecasts or of
a whole event ``event_topic``; all of them ``NAMES`` and the ``club_topic``.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.db import connection


class Topic(NamedTuple):
    """What a version number covers: a ``kind`` with the database id of one object (``of_id``).

    ``of_id`` None: all objects of the kind together.
    """

    kind: str
    of_id: int | None


NAMES: Final = Topic("names", 0)
ANALYSES: Final = Topic("analyses", 0)
ALL_CLUBS: Final = Topic("club", None)
ALL_PLAYERS: Final = Topic("club_players", None)
ALL_EVENTS: Final = Topic("club_events", None)


def club_topic(pk: int) -> Topic:
    return Topic("club", pk)


def club_players_topic(pk: int) -> Topic:
    return Topic("club_players", pk)


def club_events_topic(pk: int) -> Topic:
    return Topic("club_events", pk)


def event_topic(pk: int) -> Topic:
    return Topic("event", pk)


def outline_topic(pk: int) -> Topic:
    return Topic("outline", pk)


def division_topic(pk: int) -> Topic:
    return Topic("division", pk)


def rating_list_topic(pk: int) -> Topic:
    return Topic("rating_list", pk)


def versions_of(topics: Sequence[Topic]) -> tuple[int, ...]:
    """Return the version numbers of these topics, in order; 0 for a topic without a row. One query."""
    if not topics:
        return ()
    columns = ", ".join(_NUMBER_SQL if topic.of_id is not None else _SUM_SQL for topic in topics)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {columns}",
            [part for topic in topics for part in topic if part is not None],
        )
        return tuple(int(number or 0) for number in cursor.fetchone())


_NUMBER_SQL: Final = "(SELECT number FROM people_version WHERE kind = %s AND of_id = %s)"
_SUM_SQL: Final = "(SELECT SUM(number) FROM people_version WHERE kind = %s)"
