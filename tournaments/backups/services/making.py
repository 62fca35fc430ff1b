"""``manage.py backup``: all that the site keeps, of one moment, while it runs."""

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
    FORMAT,
    BackupRefused,
    KeptFile,
    KeptTable,
    Manifest,
    Member,
    Writing,
    member_of,
    writing,
)
from tournaments.backups.services.kinds import reader
from tournaments.backups.services.tables import Table, last_number, rows_of, stored_names, tables

_AT_ONCE: Final = 1 << 18  # bytes of rows handed on together
_PIECE: Final = 1 << 20


def make_backup(path: Path) -> Manifest:
    """Write the backup; the file is there as a whole when this returns. Raises ``BackupRefused``.

    Others write meanwhile: what is read is one moment (`people.snapshot`).
    """
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise BackupRefused("The database belongs to an earlier release. Run `manage.py migrate` first.")
    applied = sorted(executor.loader.applied_migrations)
    with writing(path) as archive, snapshot():
        # First, for whoever is done with a file deletes it.
        files = [kept for name in stored_names() if (kept := _keep_file(archive, name))]
        manifest = Manifest(
            format=FORMAT,
            release=settings.RELEASE,
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            database=connection.vendor,
            key=key_print(settings.SECRET_KEY),
            migrations=applied,
            tables=[_keep_table(archive, table) for table in tables()],
            files=files,
        )
        archive.close(manifest)
    return manifest


def key_print(secret: str) -> str:
    """What is kept of the site's secret to know it again; it leads back to nothing."""
    return salted_hmac("crawford.backup", "key", secret=secret, algorithm="sha256").hexdigest()[:16]


def _keep_table(archive: Writing, table: Table) -> KeptTable:
    change, encode = reader(table.kinds()), msgspec.json.Encoder().encode_into
    rows, waiting = 0, bytearray()
    with archive.member(f"tables/{table.name}.jsonl") as member:
        for row in rows_of(table):
            encode(change(row) if change else row, waiting, -1)
            waiting += b"\n"
            rows += 1
            if len(waiting) > _AT_ONCE:
                _hand_on(waiting, member)
        _hand_on(waiting, member)
    return KeptTable(table.name, list(table.columns), rows, last_number(table), member.sha256)


def _hand_on(waiting: bytearray, member: Member) -> None:
    member.write(bytes(waiting))
    waiting.clear()


def _keep_file(archive: Writing, name: str) -> KeptFile | None:
    """None for one that is not there: whoever needed it is done with it, or it was lost before."""
    try:
        file = default_storage.open(name)
    except OSError:
        return None
    with closing(file), archive.member(member_of(KeptFile(name, 0, ""))) as member:
        for piece in file.chunks(_PIECE):
            member.write(piece)
    return KeptFile(name, member.size, member.sha256)
