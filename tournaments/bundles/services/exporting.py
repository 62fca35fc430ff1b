"""Export an event or club as a signed file, from one snapshot: for commands and the director's button."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

import msgspec
from django.conf import settings
from django.db import connection
from django.db.models import Model

from people.models import Club
from people.signing import ALGORITHM, canonical_json, current_public_key, sign
from people.snapshot import snapshot
from rating.models import RatingList, Standing
from rating.store.spans import counted_spans, span_club_ids
from tournaments.backups.services.archive import (
    FORMAT_VERSION,
    ArchiveKind,
    ArchiveWriter,
    Manifest,
    StoredTable,
    create_archive,
    write_archive_to,
)
from tournaments.backups.services.kinds import row_reader
from tournaments.backups.services.tables import Table, queryset_rows, table_for_model
from tournaments.bundles.services.contents import (
    HIDDEN_STAGE_COLUMN,
    Contents,
    club_contents,
    event_contents,
    foreign_key_limits,
)
from tournaments.models import Event, Stage

STANDING_COLUMNS: Final = (
    "player_id", "rating", "experience", "matches", "wins", "moment", "deviation", "volatility",
)  # fmt: skip
EVENT_KIND: Final = "event"
CLUB_KIND: Final = "club"


def export_event(path: Path, *, event_id: int) -> Manifest:
    """Export an event with everything it needs to ``path``; return the manifest.

    Raises ``BackupRefused`` if the file cannot be written.
    """
    with create_archive(path, ArchiveKind.BUNDLE) as bundle:
        return _write_event(bundle, event_id)


def write_event_bundle(file: IO[bytes], *, event_id: int) -> Manifest:
    """Export an event into a file that the caller has opened; return the manifest."""
    with write_archive_to(file, ArchiveKind.BUNDLE) as bundle:
        return _write_event(bundle, event_id)


def _write_event(bundle: ArchiveWriter, event_id: int) -> Manifest:
    with snapshot():
        event = Event.objects.select_related("club").get(pk=event_id)
        return _write_bundle(bundle, event_contents(event), EVENT_KIND, event.public_id, event.name)


def export_club(path: Path, *, club_id: int) -> Manifest:
    """Export a club with all its events, players and rating lists to ``path``; return the manifest."""
    with create_archive(path, ArchiveKind.BUNDLE) as bundle, snapshot():
        club = Club.objects.get(pk=club_id)
        return _write_bundle(bundle, club_contents(club), CLUB_KIND, club.public_id, club.name)


def _write_bundle(bundle: ArchiveWriter, contents: Contents, kind: str, subject: str, name: str) -> Manifest:
    exported_models: set[type[Model]] = {exported.model for exported in contents.querysets}
    tables = []
    for queryset in contents.querysets:
        table = table_for_model(queryset.model)
        change = _row_filter(table, foreign_key_limits(queryset.model, contents.kept, exported_models))
        tables.append(_write_table(bundle, table, map(change, queryset_rows(table, queryset))))
    lists = RatingList.objects.filter(club=contents.club) if kind == CLUB_KIND else RatingList.objects.none()
    manifest = Manifest(
        format=FORMAT_VERSION,
        release=settings.RELEASE,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        database=connection.vendor,
        key=current_public_key(),
        migrations=[],
        tables=tables,
        files=[],
        of=kind,
        subject=subject,
        name=name,
        site=settings.SITE_URL,
        heads={event.public_id: event.trail_head for event in contents.events},
        standings={
            rating_list.public_id: digest
            for rating_list in lists
            if (digest := _standings_stamp(rating_list))
        },
    )
    bundle.close(manifest, _signature_content)
    return manifest


def _standings_stamp(rating_list: RatingList) -> str:
    """Return a digest of a list's ratings and its open period, to be compared after the import.

    "" if results of other clubs count as well, or if the list is not up to date.
    """
    generation = rating_list.generation
    is_own_club = span_club_ids(counted_spans(rating_list)) == [rating_list.club_id]
    if generation is None or rating_list.needs_rebuild or not is_own_club or rating_list.pending.exists():
        return ""
    rows = Standing.objects.on(rating_list).values_list(*STANDING_COLUMNS)
    return f"{generation.closed}:{standings_digest(rows)}"


def standings_digest(rows: Iterable[tuple[Any, ...]]) -> str:
    """Return a hash of a list's ratings, to be compared with those that another site computes."""
    return hashlib.sha256(msgspec.json.encode(sorted(rows))).hexdigest()


def _signature_content(manifest: bytes) -> bytes:
    signature = sign(manifest)
    return canonical_json({"algorithm": ALGORITHM, "key": signature.key, "value": signature.value})


def _row_filter(
    table: Table, ids_by_column: dict[str, frozenset[int]]
) -> Callable[[Sequence[Any]], list[Any]]:
    """Return a function that returns the values of a row as exported.

    The function clears references to rows that are left out, and the secret of a future draw.
    """
    columns = [name for name, _kind in table.columns]
    limited_columns = [(columns.index(name), allowed_ids) for name, allowed_ids in ids_by_column.items()]
    blank_columns = [columns.index(HIDDEN_STAGE_COLUMN)] if table.model is Stage else []
    read_row = row_reader(table.kinds())

    def change(row: Sequence[Any]) -> list[Any]:
        new_row = read_row(row) if read_row else list(row)
        for index, allowed_ids in limited_columns:
            if new_row[index] not in allowed_ids:
                new_row[index] = None
        for index in blank_columns:
            new_row[index] = ""
        return new_row

    return change


def _write_table(bundle: ArchiveWriter, table: Table, rows: Iterator[list[Any]]) -> StoredTable:
    count = 0
    with bundle.member(f"tables/{table.name}.jsonl") as member:
        for row in rows:
            member.write(msgspec.json.encode(row) + b"\n")
            count += 1
    return StoredTable(table.name, list(table.columns), count, 0, member.sha256)
