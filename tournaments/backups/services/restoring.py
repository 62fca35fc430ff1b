"""``manage.py restore``: a site from a backup of this release or an earlier one, on either database."""

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Final

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from rating.models import Generation, GenerationState
from rating.models.history import COMMON_PARTITION
from rating.store import partitions
from tournaments.backups.services.archive import (
    ArchiveReader,
    BackupRefused,
    Manifest,
    StoredFile,
    StoredTable,
    member_name,
    open_archive,
)
from tournaments.backups.services.kinds import Row, row_writer
from tournaments.backups.services.making import key_fingerprint
from tournaments.backups.services.places import open_target
from tournaments.backups.services.tables import MIGRATION_TABLES, set_last_id
from tournaments.backups.services.unfinished import unfinished_file

HISTORY_TABLE: Final = "rating_change"
GENERATION_TABLE: Final = "rating_generation"
_CHUNK_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """What was restored. ``has_same_key``: earlier personal links and signatures stay valid."""

    manifest: Manifest
    has_same_key: bool


def restore(path: Path, *, fresh: str = "") -> RestoreResult:
    """Fill the site's empty database, or the new one ``fresh``, and the storage.

    Raises ``BackupRefused``; then nothing was changed. The tables are those of the backup's release:
    `migrate` updates them.
    """
    with open_archive(path) as backup:
        manifest = backup.manifest
        known = MigrationLoader(None).graph.nodes
        if any(one not in known for one in manifest.migrations):
            raise BackupRefused(f"{path} was created by a newer release of Crawford. Update this site first.")
        _check_existing_files(backup)
        with open_target(fresh):
            try:
                _make_tables(set(manifest.migrations))
                with transaction.atomic():
                    _fill_tables(backup)
            except DatabaseError as error:
                raise BackupRefused(f"The database rejected the content of {path}: {error}") from error
            for kept in manifest.files:
                _store_file(backup, kept)
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return RestoreResult(manifest, manifest.key in map(key_fingerprint, keys))


def _make_tables(wanted: set[tuple[str, str]]) -> None:
    """Create empty tables as in the backup's release."""
    executor = MigrationExecutor(connection)
    there = set(executor.loader.applied_migrations)
    if there == wanted:
        with connection.cursor() as cursor:
            for name in sorted(MIGRATION_TABLES - {"django_migrations"}, reverse=True):
                cursor.execute(f"DELETE FROM {name}")  # noqa: S608 (our names)
        return
    if there:
        _drop_tables()
        executor = MigrationExecutor(connection)
    later = executor.loader.graph.node_map
    executor.migrate([one for one in wanted if not any(child.key in wanted for child in later[one].children)])


def _drop_tables() -> None:
    """Drop the empty tables of another release."""
    cascade = " CASCADE" if partitions.is_postgresql() else ""
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f"DROP TABLE IF EXISTS {connection.ops.quote_name(name)}{cascade}")


def _fill_tables(backup: ArchiveReader) -> None:
    places = _generation_partitions(backup)
    if partitions.is_postgresql():
        with connection.cursor() as cursor:  # a migration that adds a foreign key makes it checked at once
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    for table in backup.manifest.tables:
        rows = _adapt_rows(table, backup.rows(table), places)
        if table.name == HISTORY_TABLE and partitions.is_postgresql():
            _fill_history(table, rows)
        else:
            insert_rows(table.name, _column_names(table), rows)
        if table.last or (partitions.is_postgresql() and "id" in _column_names(table)):
            set_last_id(table.name, table.last)  # so that no id is assigned twice
    # A rebuild that ran during the backup does not run here.
    building = Generation.objects.filter(state=GenerationState.BUILDING)
    building.update(state=GenerationState.FAILED)
    Generation.objects.exclude(state=GenerationState.CURRENT).update(emptied=True)
    connection.check_constraints()


def _generation_partitions(backup: ArchiveReader) -> dict[int, int]:
    """Partition of each generation by its id; large ones are separate if the database supports that."""
    found = {}
    for table in backup.manifest.tables:
        if table.name != GENERATION_TABLE:
            continue
        names = _column_names(table)
        parts = itemgetter(*(names.index(name) for name in ("id", "shelf", "total", "state")))
        for number, shelf, total, state in map(parts, backup.rows(table)):
            apart = shelf != COMMON_PARTITION or total > partitions.OWN_PARTITION_ABOVE
            apart = apart and state == GenerationState.CURRENT and partitions.is_postgresql()
            found[number] = number if apart else COMMON_PARTITION
    return found


def _adapt_rows(table: StoredTable, rows: Iterable[Row], places: dict[int, int]) -> Iterable[Row]:
    """Rows with the values that this database accepts."""
    names, kinds = zip(*table.columns, strict=True)
    change = row_writer(kinds)
    if table.name in {GENERATION_TABLE, HISTORY_TABLE}:
        of, shelf = (
            names.index("id" if table.name == GENERATION_TABLE else "generation_id"),
            names.index("shelf"),
        )
        return _set_partitions(rows, of, shelf, places)
    return map(change, rows) if change else rows


def _set_partitions(rows: Iterable[Row], of: int, shelf: int, places: dict[int, int]) -> Iterator[Row]:
    for row in rows:
        row[shelf] = places[row[of]]
        yield row


def _fill_history(table: StoredTable, rows: Iterable[Row]) -> None:
    """Insert the history one generation after another, each into its partition."""
    names = _column_names(table)
    for (shelf, number), some in groupby(
        rows, itemgetter(names.index("shelf"), names.index("generation_id"))
    ):
        if shelf == COMMON_PARTITION:
            insert_rows(table.name, names, some)
            continue
        generation = Generation(pk=number, shelf=shelf)
        partitions.add_partition(generation)
        insert_rows(partitions.partition_table(shelf), names, some)
        partitions.index_partition(generation)
        partitions.attach_partition(generation)


def insert_rows(into: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Insert rows without models, streamed from the file."""
    quote = connection.ops.quote_name
    named = ", ".join(map(quote, columns))
    connection.ensure_connection()
    with connection.wrap_database_errors:
        if partitions.is_postgresql():
            with connection.connection.cursor().copy(f"COPY {quote(into)} ({named}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        marks = ", ".join("?" * len(columns))
        connection.connection.executemany(f"INSERT INTO {quote(into)} ({named}) VALUES ({marks})", rows)  # noqa: S608


def _column_names(table: StoredTable) -> list[str]:
    return [name for name, _kind in table.columns]


def _check_existing_files(backup: ArchiveReader) -> None:
    for kept in backup.manifest.files:
        if default_storage.exists(kept.name) and default_storage.size(kept.name) != kept.size:
            raise BackupRefused(
                f"A different file is already stored as {kept.name}. Empty FILES_FOLDER first."
            )


def _store_file(backup: ArchiveReader, kept: StoredFile) -> None:
    """Store a file under the name that its row has. A file that exists came with an earlier try."""
    if default_storage.exists(kept.name):
        return
    place = Path(default_storage.path(kept.name))
    place.parent.mkdir(parents=True, exist_ok=True)
    with unfinished_file(place.parent) as (made, making), backup.open(member_name(kept)) as file:
        shutil.copyfileobj(file, made, _CHUNK_BYTES)
        made.flush()
        if settings.FILE_UPLOAD_PERMISSIONS is not None:
            os.fchmod(made.fileno(), settings.FILE_UPLOAD_PERMISSIONS)
        os.fsync(made.fileno())
        making.rename(place)
