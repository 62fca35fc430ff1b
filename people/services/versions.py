"""Raise version rows. The last statement of whoever changed something, in the same transaction: nobody else's is held up by it for long."""

from collections.abc import Iterable, Mapping

from django.db import connection

from people.versions import Topic

_RAISE_SQL = (
    "INSERT INTO people_version (kind, of_id, number) VALUES {rows} ON CONFLICT (kind, of_id) DO UPDATE SET number ="
    " CASE WHEN excluded.number > people_version.number THEN excluded.number ELSE people_version.number + 1 END"
)


def raise_versions(topics: Iterable[Topic], *, numbers: Mapping[Topic, int] | None = None) -> None:
    """Each of these topics has a higher number than before, in one statement; joins the caller's transaction.

    ``numbers``: further topics, that have this number from now on; higher than what they had. Rows are taken in one order, so that nobody waits for
    each other.
    """
    new = dict.fromkeys(topics, 1) | dict(numbers or {})
    if not new:
        return
    values = [value for topic in sorted(new) for value in (*topic, new[topic])]
    with connection.cursor() as cursor:
        cursor.execute(_RAISE_SQL.format(rows=", ".join(["(%s, %s, %s)"] * len(new))), values)
