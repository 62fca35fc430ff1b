"""Tides: whether anything of a kind (people, clubs, events, ratings) has changed since somebody looked, by one short look.

A page for everybody shows names of people and clubs, and is asked for thousands of times between two changes of them. To ask the versions
of all that stand on it means to read them; to ask the tide means to read a few short rows. The database itself raises it, by a trigger
on the table: no service, no command, no import can forget to. A tide says *something* has changed; whether that concerns
a page its own versions tell, which are asked only then (`config.shared`).

On PostgreSQL each statement that writes adds a row, so nobody waits for anybody and no order of locks is added; the number
of rows with the sum of their numbers is another one as soon as a writer has committed, in whatever order they do. The oldest rows are
taken away along the way. SQLite has one writer at a time: there a row is counted up.

The table is no model: nobody reads its rows but the tide, and they mean nothing. Both are made after every ``migrate``, since
SQLite forgets the triggers of a table that a migration makes anew.
"""

from collections.abc import Mapping
from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper

TABLE: Final = "crawford_tide"
KEPT: Final = 256  # rows
_PRUNED_EVERY: Final = 64

# One text for the tide of a kind, inside another statement.
PRESENT: Final = f"(SELECT count(*) || '.' || coalesce(sum(number), 0) FROM {TABLE} WHERE kind = '%s')"  # noqa: S608

_ON_POSTGRESQL: Final = f"""
CREATE TABLE IF NOT EXISTS {TABLE} (number bigserial PRIMARY KEY, kind varchar(16) NOT NULL);
CREATE OR REPLACE FUNCTION {TABLE}() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE latest bigint;
BEGIN
  INSERT INTO {TABLE} (kind) VALUES (TG_ARGV[0]) RETURNING number INTO latest;
  IF latest % {_PRUNED_EVERY} = 0 THEN
    DELETE FROM {TABLE} WHERE number IN (
      SELECT number FROM {TABLE} WHERE number < latest - {KEPT} ORDER BY number LIMIT 1024 FOR UPDATE SKIP LOCKED
    );
  END IF;
  RETURN NULL;
END $$;
"""  # noqa: S608
_CHANGES: Final = ("INSERT", "UPDATE", "DELETE")


def kind_of(kind: str) -> str:
    """The tide of a kind as a part of a statement; its value is a text."""
    return PRESENT.replace("%s", kind)


def install(connection: BaseDatabaseWrapper, tables: Mapping[str, str]) -> None:
    """See that each of the tables that are there raises the tide of its kind."""
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        wanted = {table: kind for table, kind in tables.items() if table in there}
        if connection.vendor == "postgresql":
            _on_postgresql(cursor, wanted)
        else:
            _on_sqlite(cursor, wanted)


def _on_postgresql(cursor: Any, wanted: Mapping[str, str]) -> None:
    cursor.execute("SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = %s", [TABLE])
    has = {name.strip('"') for (name,) in cursor.fetchall()}
    if not has:
        cursor.execute(_ON_POSTGRESQL)
    for table, kind in wanted.items():
        if table not in has:
            cursor.execute(
                f'CREATE TRIGGER {TABLE} AFTER INSERT OR UPDATE OR DELETE ON "{table}"'
                f" FOR EACH STATEMENT EXECUTE FUNCTION {TABLE}('{kind}')"
            )


def _on_sqlite(cursor: Any, wanted: Mapping[str, str]) -> None:
    cursor.execute(
        f"CREATE TABLE IF NOT EXISTS {TABLE} (kind varchar(16) PRIMARY KEY, number integer NOT NULL)"
    )
    for table, kind in wanted.items():
        cursor.execute(f"INSERT OR IGNORE INTO {TABLE} VALUES ('{kind}', 0)")  # noqa: S608 (names of ours)
        for change in _CHANGES:
            cursor.execute(
                f'CREATE TRIGGER IF NOT EXISTS {TABLE}_{table}_{change.lower()} AFTER {change} ON "{table}"'  # noqa: S608
                f" BEGIN UPDATE {TABLE} SET number = number + 1 WHERE kind = '{kind}'; END"
            )
