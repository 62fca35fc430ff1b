"""``manage.py backup``: everything that the site stores, as of one moment, while it runs."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from django.conf import settings
from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.crypto import salted_hmac

from people.snapshot import snapshot
from tournaments.backups.services.archive import (
    FORMAT_VERSION,
    ArchiveWriter,
    BackupRefused,
    Manifest,
    MemberWriter,
    StoredFile,
    StoredTable,
    create_archive,
    member_name,
)
from tournaments.backups.services.kinds import row_reader
from tournaments.backups.services.tables import Table, backup_tables, last_id, stored_file_names, table_rows

_BUFFER_BYTES: Final = 1 << 18  # bytes of rows written together
_CHUNK_BYTES: Final = 1 << 20


def make_backup(path: Path) -> Manifest:
    """Write the backup of the site to ``path``; the file is complete when this returns.

    Raises ``BackupRefused``. Others may write to the database meanwhile: everything is read from one snapshot
    (`people.snapshot`).
    """
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise BackupRefused("The database belongs to an earlier release. Run `manage.py migrate` first.")
    applied = sorted(executor.loader.applied_migrations)
    with create_archive(path) as archive, snapshot():
        # Files first, because a file is deleted once it is no longer needed.
        files = [stored for name in stored_file_names() if (stored := _write_file(archive, name))]
        manifest = Manifest(
            format=FORMAT_VERSION,
            release=settings.RELEASE,
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            database=connection.vendor,
            key=key_fingerprint(settings.SECRET_KEY),
            migrations=applied,
            tables=[_write_table(archive, table) for table in backup_tables()],
            files=files,
        )
        archive.close(manifest)
    return manifest


def key_fingerprint(secret: str) -> str:
    """Return a fingerprint of the site's secret key, from which the key cannot be computed."""
    return salted_hmac("crawford.backup", "key", secret=secret, algorithm="sha256").hexdigest()[:16]


def _write_table(archive: ArchiveWriter, table: Table) -> StoredTable:
    convert, encode = row_reader(table.kinds()), msgspec.json.Encoder().encode_into
    rows, buffer = 0, bytearray()
    with archive.member(f"tables/{table.name}.jsonl") as member:
        for row in table_rows(table):
            encode(convert(row) if convert else row, buffer, -1)
            buffer += b"\n"
            rows += 1
            if len(buffer) > _BUFFER_BYTES:
                _flush_buffer(buffer, member)
        _flush_buffer(buffer, member)
    return StoredTable(table.name, list(table.columns), rows, last_id(table), member.sha256)


def _flush_buffer(buffer: bytearray, member: MemberWriter) -> None:
    member.write(bytes(buffer))
    buffer.clear()


def _write_file(archive: ArchiveWriter, name: str) -> StoredFile | None:
    """Write a stored file into the archive. Returns None if the file no longer exists."""
    try:
        file = default_storage.open(name)
    except OSError:
        return None
    with closing(file), archive.member(member_name(StoredFile(name, 0, ""))) as member:
        for piece in file.chunks(_CHUNK_BYTES):
            member.write(piece)
    return StoredFile(name, member.size, member.sha256)
