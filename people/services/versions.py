"""Raise version numbers at the end of a service's transaction, so that their rows are locked only briefly."""

from collections.abc import Iterable, Mapping

from django.db import connection

from people.versions import Topic

_RAISE_SQL = (
    "INSERT INTO people_version (kind, of_id, number) VALUES {rows} ON CONFLICT (kind, of_id) DO UPDATE SET number ="
    " CASE WHEN excluded.number > people_version.number THEN excluded.number ELSE people_version.number + 1 END"
)


def raise_versions(topics: Iterable[Topic], *, numbers: Mapping[Topic, int] | None = None) -> None:
    """Raise the version numbers of these topics in one query. Joins the caller's transaction.

    ``numbers``: further topics with their new numbers, which have to be higher than before. Rows are locked
    in a fixed order, which avoids deadlocks.
    """
    increments = dict.fromkeys(topics, 1) | dict(numbers or {})
    if not increments:
        return
    values = [value for topic in sorted(increments) for value in (*topic, increments[topic])]
    with connection.cursor() as cursor:
        cursor.execute(_RAISE_SQL.format(rows=", ".join(["(%s, %s, %s)"] * len(increments))), values)
