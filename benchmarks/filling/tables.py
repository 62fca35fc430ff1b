"""Much into a database at once: COPY on PostgreSQL, many rows a statement on SQLite; indexes and constraints are made afterwards.

A constraint that is put back is checked by the database, so what does not fit together is refused.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from django.core.management.color import no_style
from django.db import connection, transaction

ESCAPED = re.compile(r"\\(.)")
PLAIN = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
AT_ONCE = 2


def on_postgres() -> bool:
    return connection.vendor == "postgresql"


def ask(sql: str, parameters: Sequence[object] = ()) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchall() if cursor.description else []


def write(table: str, columns: Sequence[str], texts: Iterable[str]) -> None:
    """Rows in COPY's text form, one a line."""
    names = ", ".join(f'"{column}"' for column in columns)
    if on_postgres():
        connection.ensure_connection()
        with connection.connection.cursor() as cursor:
            cursor.execute("SET timezone = 'UTC'")
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for text in texts:
                    copy.write(text)
        return
    placeholders = ", ".join(["?"] * len(columns))
    with transaction.atomic():
        for text in texts:
            rows = ([_value(part) for part in line.split("\t")] for line in text.splitlines())
            # Past Django: it counts every row's parameters.
            connection.connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({placeholders})", rows)


def _value(text: str) -> str | None:
    if "\\" not in text:
        return text
    return None if text == r"\N" else ESCAPED.sub(lambda match: PLAIN[match[1]], text)


@contextmanager
def bare(tables: Sequence[str]) -> Iterator[None]:
    """In here these tables have no indexes but their keys, and no constraints."""
    if on_postgres():
        drop, make, check = _of_postgres(tables)
    else:
        drop, make, check = _of_sqlite(tables)
    for statement in drop:
        ask(statement)
    yield
    _together(make)
    _together(check)
    ask("ANALYZE")


def _together(statements: Sequence[str]) -> None:
    if not on_postgres():
        for statement in statements:
            ask(statement)
        return

    def one(statement: str) -> None:
        ask(statement)

    def prepare() -> None:
        ask("SET maintenance_work_mem = '256MB'")

    with ThreadPoolExecutor(AT_ONCE, initializer=prepare) as pool:
        list(pool.map(one, statements))
        list(pool.map(lambda _n: connection.close(), range(AT_ONCE)))


def _of_postgres(tables: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """What to drop; what to make again first; what to check after that."""
    constraints = ask(
        "SELECT conrelid::regclass::text, conname, contype, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE conrelid::regclass::text = ANY(%s) AND contype IN ('f', 'u') ORDER BY contype",
        [list(tables)],
    )
    constraint_names = {name for _table, name, _kind, _text in constraints}
    indexes = [
        (table, name, text)
        for table, name, text in ask(
            "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE tablename = ANY(%s)", [list(tables)]
        )
        if name not in constraint_names and not name.endswith("_pkey")
    ]
    drop = [f'ALTER TABLE {table} DROP CONSTRAINT "{name}"' for table, name, _kind, _text in constraints]
    drop += [f'DROP INDEX "{name}"' for _table, name, _text in indexes]
    recreate = [
        (kind, f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {text}')
        for table, name, kind, text in constraints
    ]
    make = [text for _table, _name, text in indexes] + [text for kind, text in recreate if kind == "u"]
    return drop, make, [text for kind, text in recreate if kind == "f"]


def _of_sqlite(tables: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    placeholders = ", ".join(["%s"] * len(tables))
    indexes = ask(
        f"SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN ({placeholders})",
        tables,
    )
    drop = ["PRAGMA foreign_keys = OFF", "PRAGMA cache_size = -200000"]
    drop += [f'DROP INDEX "{name}"' for name, _sql in indexes]
    return drop, [sql for _name, sql in indexes], ["PRAGMA foreign_keys = ON"]


def go_on_counting(models: Sequence[type]) -> None:
    """New rows get ids after those that were written."""
    for statement in connection.ops.sequence_reset_sql(no_style(), models):
        ask(statement)
