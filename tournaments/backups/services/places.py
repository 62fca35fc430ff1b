"""The database into which a backup is restored: the site's own if it is empty and unused, or a new one.

A partial restore never becomes visible: an SQLite database is made as a separate file and renamed; on
PostgreSQL everything is one transaction.
"""

import fcntl
import os
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from django.db import OperationalError, connection, transaction

from tournaments.backups.services.archive import BackupRefused
from tournaments.backups.services.tables import MIGRATION_TABLES
from tournaments.backups.services.unfinished import unfinished_file

_IN_USE_MESSAGE: Final = "The database is in use. Stop the site (web, worker and beat) first."
_NOT_EMPTY_MESSAGE: Final = "The database already contains data. Name a new one with --fresh NAME."
_NAME_PATTERN: Final = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_CONNECTIONS_SQL: Final = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)
_MAX_TRIES: Final = 20
_PAUSE_SECONDS: Final = 0.1  # seconds


@contextmanager
def connected_to(name: str) -> Iterator[None]:
    """Connect Django to the database ``name`` while the block runs, then to the site's own again."""
    default_name = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = default_name


@contextmanager
def open_target(new_name: str) -> Iterator[None]:
    """Let the block fill a database, which is complete on a normal exit, and unchanged on an error.

    ``new_name``: name of a new database on the same server, or of a new file; "": the site's own. Raises
    ``BackupRefused``.
    """
    if connection.vendor == "sqlite":
        with _sqlite_target(Path(new_name or connection.settings_dict["NAME"]), is_new=bool(new_name)):
            yield
    elif new_name:
        with _postgresql_target(new_name), transaction.atomic():
            yield
    else:
        _check_unused()
        _check_empty()
        with transaction.atomic():
            yield


@contextmanager
def _sqlite_target(database_path: Path, *, is_new: bool) -> Iterator[None]:
    if is_new and database_path.exists():
        raise BackupRefused(f"{database_path} already exists. Choose another name.")
    if not database_path.parent.is_dir():
        raise BackupRefused(f"Folder not found: {database_path.parent}.")
    with _hold_run_lock(database_path), unfinished_file(database_path.parent) as (file, temporary_path):
        if not is_new:
            _check_empty()
            _copy_exclusively(database_path, temporary_path)
        with connected_to(str(temporary_path)):
            with connection.cursor() as cursor:  # an interrupted restore deletes the file
                cursor.execute("PRAGMA journal_mode=OFF")
                cursor.execute("PRAGMA synchronous=OFF")
                cursor.execute("PRAGMA foreign_keys=OFF")
            yield
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA journal_mode=WAL")
        os.fsync(file.fileno())
        temporary_path.rename(database_path)


@contextmanager
def _hold_run_lock(database_path: Path) -> Iterator[None]:
    """Hold the lock of `make run` in the block, so that the site does not run during the restore."""
    with database_path.with_name(f"{database_path.name}.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupRefused(_IN_USE_MESSAGE) from None
        yield


def _copy_exclusively(database_path: Path, temporary_path: Path) -> None:
    """Copy the empty database; raise ``BackupRefused`` if another program has it open."""
    connection.close()
    with closing(sqlite3.connect(database_path, timeout=0)) as database:
        try:
            # In WAL mode each open connection holds a shared lock.
            database.execute("PRAGMA locking_mode=EXCLUSIVE")
            database.execute("BEGIN EXCLUSIVE")
            database.execute("ROLLBACK")
        except sqlite3.OperationalError:
            raise BackupRefused(_IN_USE_MESSAGE) from None
        with closing(sqlite3.connect(temporary_path)) as copy:
            database.backup(copy)


@contextmanager
def _postgresql_target(name: str) -> Iterator[None]:
    if not _NAME_PATTERN.fullmatch(name):
        raise BackupRefused(
            f"{name} is not a valid database name. Use only lower-case letters, digits and _."
        )
    with connection._nodb_cursor() as cursor:  # noqa: SLF001 (what Django's own tests are made with)
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        exists = cursor.fetchone() is not None
        if not exists:
            cursor.execute(f'CREATE DATABASE "{name}"')
    try:
        with connected_to(name):
            if exists:  # a killed restore leaves one without tables
                _check_unused()
                if connection.introspection.table_names():
                    raise BackupRefused(f"The database {name} already exists. Choose another name.")
            yield
    except BaseException:
        if not exists:
            with connection._nodb_cursor() as cursor:  # noqa: SLF001
                cursor.execute(f'DROP DATABASE "{name}"')
        raise


def _check_unused() -> None:
    """Raise ``BackupRefused`` if another program stays connected to the database.

    PostgreSQL ends connections with a delay, so the check is repeated.
    """
    for _ in range(_MAX_TRIES):
        if not _other_connections():
            return
        time.sleep(_PAUSE_SECONDS)
    raise BackupRefused(_IN_USE_MESSAGE)


def _other_connections() -> int:
    """Return the number of other connections to this database."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(_CONNECTIONS_SQL)
            (count,) = cursor.fetchone()
    except OperationalError as error:
        raise BackupRefused(f"The database cannot be reached: {error}") from None
    return int(count)


def _check_empty() -> None:
    table_names = set(connection.introspection.table_names()) - MIGRATION_TABLES
    if not table_names:
        return
    quoted = map(connection.ops.quote_name, sorted(table_names))
    conditions = " OR ".join(f"EXISTS (SELECT 1 FROM {name})" for name in quoted)  # noqa: S608 (our names)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {conditions}")
        if cursor.fetchone()[0]:
            raise BackupRefused(_NOT_EMPTY_MESSAGE)
