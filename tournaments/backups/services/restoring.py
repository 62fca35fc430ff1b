"""``manage.py restore``: a site from a backup of this release or an earlier one, on either database."""

import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Sequence
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
    """The contents of the restored backup.

    ``has_same_key``: earlier personal links and signatures stay valid.
    """

    manifest: Manifest
    has_same_key: bool


def restore(path: Path, *, new_name: str = "") -> RestoreResult:
    """Fill the site's empty database, or the new one ``new_name``, and the file storage from a backup.

    Raises ``BackupRefused``; then nothing was changed. The tables are those of the backup's release:
    `migrate` updates them.
    """
    with open_archive(path) as backup:
        manifest = backup.manifest
        known_migrations = MigrationLoader(None).disk_migrations
        if any(migration not in known_migrations for migration in manifest.migrations):
            raise BackupRefused(f"{path} was created by a newer release of Crawford. Update this site first.")
        _check_existing_files(backup)
        with open_target(new_name):
            try:
                _make_tables(set(manifest.migrations))
                with transaction.atomic():
                    _fill_tables(backup)
            except DatabaseError as error:
                raise BackupRefused(f"The database rejected the content of {path}: {error}") from error
            for stored in manifest.files:
                _store_file(backup, stored)
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return RestoreResult(manifest, manifest.key in map(key_fingerprint, keys))


def executor_for(migrations: Collection[tuple[str, str]]) -> MigrationExecutor:
    """Return an executor that can go exactly as far as a release with these migrations.

    A release from before some migrations were squashed needs those that were replaced.
    """
    executor = MigrationExecutor(connection)
    if executor.loader.replacements.keys().isdisjoint(migrations):
        executor.loader = MigrationLoader(connection, replace_migrations=False)
    return executor


def _make_tables(migrations: set[tuple[str, str]]) -> None:
    """Create empty tables as in the backup's release; ``migrations``: those applied there."""
    executor = executor_for(migrations)
    applied = set(executor.loader.applied_migrations)
    if applied == migrations:
        with connection.cursor() as cursor:
            for name in sorted(MIGRATION_TABLES - {"django_migrations"}, reverse=True):
                cursor.execute(f"DELETE FROM {name}")  # noqa: S608 (our names)
        return
    if applied:
        _drop_tables()
        executor = executor_for(migrations)
    nodes = executor.loader.graph.node_map
    executor.migrate(
        [
            migration
            for migration in migrations & nodes.keys()
            if not any(child.key in migrations for child in nodes[migration].children)
        ]
    )


def _drop_tables() -> None:
    """Drop the empty tables, which belong to another release."""
    cascade = " CASCADE" if partitions.is_postgresql() else ""
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f"DROP TABLE IF EXISTS {connection.ops.quote_name(name)}{cascade}")


def _fill_tables(backup: ArchiveReader) -> None:
    partition_by_id = _generation_partitions(backup)
    if partitions.is_postgresql():
        with connection.cursor() as cursor:  # a migration that adds a foreign key makes it checked at once
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    for table in backup.manifest.tables:
        rows = _adapt_rows(table, backup.rows(table), partition_by_id)
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
    """Return the partition of each generation, keyed by its id; large ones get their own if possible."""
    partition_by_id = {}
    for table in backup.manifest.tables:
        if table.name != GENERATION_TABLE:
            continue
        names = _column_names(table)
        read_columns = itemgetter(*(names.index(name) for name in ("id", "shelf", "total", "state")))
        for generation_id, partition, total, state in map(read_columns, backup.rows(table)):
            is_separate = partition != COMMON_PARTITION or total > partitions.OWN_PARTITION_ABOVE
            is_separate = is_separate and state == GenerationState.CURRENT and partitions.is_postgresql()
            partition_by_id[generation_id] = generation_id if is_separate else COMMON_PARTITION
    return partition_by_id


def _adapt_rows(table: StoredTable, rows: Iterable[Row], partition_by_id: dict[int, int]) -> Iterable[Row]:
    """Return the rows with the values that this database accepts."""
    names, kinds = zip(*table.columns, strict=True)
    convert = row_writer(kinds)
    if table.name in {GENERATION_TABLE, HISTORY_TABLE}:
        id_index, partition_index = (
            names.index("id" if table.name == GENERATION_TABLE else "generation_id"),
            names.index("shelf"),
        )
        return _set_partitions(rows, id_index, partition_index, partition_by_id)
    return map(convert, rows) if convert else rows


def _set_partitions(
    rows: Iterable[Row], id_index: int, partition_index: int, partition_by_id: dict[int, int]
) -> Iterator[Row]:
    for row in rows:
        row[partition_index] = partition_by_id[row[id_index]]
        yield row


def _fill_history(table: StoredTable, rows: Iterable[Row]) -> None:
    """Insert the rating history, one generation after another, each into its partition."""
    names = _column_names(table)
    for (partition, generation_id), generation_rows in groupby(
        rows, itemgetter(names.index("shelf"), names.index("generation_id"))
    ):
        if partition == COMMON_PARTITION:
            insert_rows(table.name, names, generation_rows)
            continue
        generation = Generation(pk=generation_id, shelf=partition)
        partitions.add_partition(generation)
        insert_rows(partitions.partition_table(partition), names, generation_rows)
        partitions.index_partition(generation)
        partitions.attach_partition(generation)


def insert_rows(table_name: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Insert rows into a table without using models; the rows are streamed."""
    quote = connection.ops.quote_name
    column_names = ", ".join(map(quote, columns))
    connection.ensure_connection()
    with connection.wrap_database_errors:
        if partitions.is_postgresql():
            with connection.connection.cursor().copy(
                f"COPY {quote(table_name)} ({column_names}) FROM STDIN"
            ) as copy:
                for row in rows:
                    copy.write_row(row)
            return
        placeholders = ", ".join("?" * len(columns))
        statement = f"INSERT INTO {quote(table_name)} ({column_names}) VALUES ({placeholders})"  # noqa: S608
        connection.connection.executemany(statement, rows)


def _column_names(table: StoredTable) -> list[str]:
    return [name for name, _kind in table.columns]


def _check_existing_files(backup: ArchiveReader) -> None:
    for stored in backup.manifest.files:
        if default_storage.exists(stored.name) and default_storage.size(stored.name) != stored.size:
            raise BackupRefused(
                f"A different file is already stored as {stored.name}. Empty FILES_FOLDER first."
            )


def _store_file(backup: ArchiveReader, stored: StoredFile) -> None:
    """Store a file under the name that its row has; an existing one came with an earlier attempt."""
    if default_storage.exists(stored.name):
        return
    target = Path(default_storage.path(stored.name))
    target.parent.mkdir(parents=True, exist_ok=True)
    with unfinished_file(target.parent) as (output, temporary_path), backup.open(member_name(stored)) as file:
        shutil.copyfileobj(file, output, _CHUNK_BYTES)
        output.flush()
        if settings.FILE_UPLOAD_PERMISSIONS is not None:
            os.fchmod(output.fileno(), settings.FILE_UPLOAD_PERMISSIONS)
        os.fsync(output.fileno())
        temporary_path.rename(target)
