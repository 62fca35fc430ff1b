"""What pages show, as topics that have a version each: rows of `people.models.Version`, which services raise (`people.services.versions`).

A page is as new as the topics that it shows: their numbers, read in one statement (`versions_of`), are its version.

| topic | its number rises |
|---|---|
| ``NAMES`` | when anybody who was there before is called, shown, at home or listed otherwise, or when a club is |
| ``club(pk)`` | when the club itself changes: name, federation, consents, its rating lists, what its page says |
| ``club_players(pk)`` | when somebody becomes known to the club, or is so no more |
| ``club_events(pk)`` | when what lists say of an event of the club changes: name, days, status, how many take part |
| ``event(pk)`` | with every change in the event; the number is ``Event.version`` |
| ``outline(pk)`` | with what all pages of the event show: itself, its divisions and stages with their status, notices, prizes |
| ``division(pk)`` | with what is shown of one division: entries, draws, matches, results |
| ``rating_list(pk)`` | when the list has other numbers or settings |
| ``ANALYSES`` | when an engine has looked at one more match |

``ALL_CLUBS``, ``ALL_PLAYERS`` and ``ALL_EVENTS`` are the sums of those of all clubs: a row for each club, no row that everybody waits for.

A page of one division shows ``outline_topic`` and ``division_topic``, a page of tables, of forecasts or of a whole event ``event_topic``; all of them
``NAMES`` and the ``club_topic``.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.db import connection


class Topic(NamedTuple):
    """``kind`` of what, and which one by its database id; ``of_id`` None: all of the kind together."""

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
    """The number of each of these topics, in their order; one statement, by keys alone. A topic that nothing happened to yet has 0."""
    if not topics:
        return ()
    asked = ", ".join(_NUMBER_SQL if topic.of_id is not None else _SUM_SQL for topic in topics)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {asked}",
            [part for topic in topics for part in topic if part is not None],
        )
        return tuple(int(number or 0) for number in cursor.fetchone())


_NUMBER_SQL: Final = "(SELECT number FROM people_version WHERE kind = %s AND of_id = %s)"
_SUM_SQL: Final = "(SELECT SUM(number) FROM people_version WHERE kind = %s)"
