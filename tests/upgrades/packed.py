"""Databases of earlier releases, as `tests/data` keeps them: unpacked, brought to today, and what was written beside them.

On PostgreSQL the packed rows are copied, table by table, into the tables that the migrations of that release make. Of some
releases these are kept as well (`tables.postgres.sql.xz`): to make them again takes as long as all that comes after. With those of the
newest release the tests' own database begins, for what a release has migrated it never changes; `.ci/long` sees that they are the same.
"""

import json
import lzma
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tests.support.lanes import in_full, in_lanes, on_postgres
from tournaments.backups.services.restoring import executor_for

DATA = Path(__file__).resolve().parents[1] / "data"
RELEASES = sorted(path.parent.name for path in DATA.glob("*/database.sql.xz"))
OLDEST, NEWEST = "d1ae13b", "0.3.0"


def of_this_run() -> list[str]:
    """Which releases are brought to today: in `.ci/long` all on both databases, else the oldest on SQLite and the newest on PostgreSQL.

    The oldest goes through every migration there is, the newest through those that are new. The migrations of a release stay as they are.
    """
    if in_full() or not in_lanes():
        return RELEASES
    return [NEWEST] if on_postgres() else [OLDEST]


def unpack(release: str, path: Path) -> None:
    """The database of that release as a file of SQLite."""
    script = lzma.decompress((DATA / release / "database.sql.xz").read_bytes()).decode()
    with closing(sqlite3.connect(path)) as database:
        database.executescript(script)


def audit_rows(release: str) -> list[dict[str, Any]]:
    """Audit rows of repairs that still stood; see the README of the data."""
    return json.loads((DATA / release / "audit_rows.json").read_text())


def states(release: str) -> dict[int, dict[str, Any]]:
    """By the id of the audit row: its event before the repair."""
    read = json.loads(lzma.decompress((DATA / release / "states.json.xz").read_bytes()))
    return {int(pk): state for pk, state in read.items()}


@contextmanager
def connected_to(name: str) -> Iterator[None]:
    """The connection leads to the database of this name for as long as this lasts."""
    usual = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = usual


def upgraded(release: str, folder: Path) -> str:
    """A database that this release left, migrated to today; its name."""
    file = folder / f"{release}.sqlite3"
    unpack(release, file)
    if connection.vendor == "sqlite":
        with connected_to(str(file)):
            call_command("migrate", verbosity=0)
        return str(file)
    name = f"{connection.settings_dict['NAME']}_{release}"
    create(name)
    with connected_to(name), closing(sqlite3.connect(file)) as packed:
        if kept_tables(release).exists():
            lay_down_tables(release)
        else:
            make_tables(packed)
        _copy(packed)
        call_command("migrate", verbosity=0)
    return name


def kept_tables(release: str) -> Path:
    """The tables of that release as SQL of PostgreSQL, where they are kept."""
    return DATA / release / "tables.postgres.sql.xz"


def lay_down_tables(release: str) -> None:
    """The tables of that release as they are kept, without rows; the connection leads to an empty database."""
    with connection.cursor() as cursor:
        cursor.execute(lzma.decompress(kept_tables(release).read_bytes()).decode())


def begin_with_newest(name: str, folder: Path) -> None:
    """A database of PostgreSQL as the newest release leaves an empty one, but for what follows each `migrate`."""
    file = folder / "newest.sqlite3"
    unpack(NEWEST, file)
    create(name)
    with connected_to(name), closing(sqlite3.connect(file)) as packed:
        lay_down_tables(NEWEST)
        recorder = MigrationRecorder(connection)
        for app, migration in packed.execute("SELECT app, name FROM django_migrations ORDER BY id"):
            recorder.record_applied(app, migration)


def make_tables(packed: sqlite3.Connection) -> None:
    """The tables of the release that left this database, by its migrations."""
    targets = _targets(packed)
    executor_for(targets).migrate(targets)


def create(name: str) -> None:
    """An empty database of PostgreSQL."""
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        cursor.execute(f'CREATE DATABASE "{name}"')


def drop(name: str) -> None:
    """Away with it, where it is no file of a folder that goes anyway."""
    if connection.vendor == "postgresql":
        with connection._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _targets(packed: sqlite3.Connection) -> list[tuple[str, str]]:
    """The last migration of each app that the release had."""
    rows = packed.execute("SELECT app, max(name) FROM django_migrations GROUP BY app")
    return [(app, name) for app, name in rows]


def _copy(packed: sqlite3.Connection) -> None:
    """All rows; numbers go on where they were."""
    tables = {name for (name,) in packed.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    tables -= {"sqlite_sequence"}
    with connection.cursor() as cursor:
        # Foreign keys are looked at when the transaction ends.
        cursor.execute("BEGIN")
        cursor.execute(f"TRUNCATE {', '.join(map(_quoted, sorted(tables)))} CASCADE")
        for table in sorted(tables):
            rows = packed.execute(f"SELECT * FROM {_quoted(table)}")
            columns = [column for column, *_rest in rows.description]
            kinds = _kinds(cursor, table)
            sql = f"COPY {_quoted(table)} ({', '.join(map(_quoted, columns))}) FROM STDIN"
            with cursor.copy(sql) as copy:
                for row in rows:
                    copy.write_row([_value(kinds[c], v) for c, v in zip(columns, row, strict=True)])
        cursor.execute("COMMIT")
        models = [
            model
            for model in apps.get_models(include_auto_created=True)
            if model._meta.db_table in tables and model._meta.managed
        ]
        models.append(MigrationRecorder.Migration)
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


def _kinds(cursor: Any, table: str) -> dict[str, str]:
    cursor.execute(
        "SELECT column_name, data_type FROM information_schema.columns"
        " WHERE table_schema = 'public' AND table_name = %s",
        [table],
    )
    return dict(cursor.fetchall())


def _value(kind: str, value: Any) -> Any:
    """SQLite has no truth and no time of its own."""
    if value is None:
        return None
    if kind == "boolean":
        return bool(value)
    if kind == "timestamp with time zone":
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    return value


def _quoted(name: str) -> str:
    return f'"{name}"'
