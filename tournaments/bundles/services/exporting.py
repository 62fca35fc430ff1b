"""``manage.py export_event`` and ``export_club``, and the director's button: a signed file of one moment."""

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
from people.signing import ALGORITHM, canonical, present_key, sign
from people.snapshot import snapshot
from rating.models import RatingList, Standing
from rating.store.spans import club_ids, spans_counted
from tournaments.backups.services.archive import (
    FORMAT,
    KeptTable,
    Kind,
    Manifest,
    Writing,
    writing,
    writing_to,
)
from tournaments.backups.services.kinds import reader
from tournaments.backups.services.tables import Table, rows_among, table_of
from tournaments.bundles.services.contents import (
    LOT_OF_STAGE,
    Contents,
    contents_of_club,
    contents_of_event,
    empties,
)
from tournaments.models import Event, Stage

STANDING: Final = (
    "player_id", "rating", "experience", "matches", "wins", "moment", "deviation", "volatility",
)  # fmt: skip
EVENT: Final = "event"
CLUB: Final = "club"


def export_event(path: Path, *, event_id: int) -> Manifest:
    """An event as it stands now, with all that it needs. Raises ``BackupRefused`` where the file cannot be written."""
    with writing(path, Kind.BUNDLE) as bundle:
        return _event(bundle, event_id)


def write_event(file: IO[bytes], *, event_id: int) -> Manifest:
    """The same into a file that the caller has opened."""
    with writing_to(file, Kind.BUNDLE) as bundle:
        return _event(bundle, event_id)


def _event(bundle: Writing, event_id: int) -> Manifest:
    with snapshot():
        event = Event.objects.select_related("club").get(pk=event_id)
        return _export(bundle, contents_of_event(event), EVENT, event.public_id, event.name)


def export_club(path: Path, *, club_id: int) -> Manifest:
    """A club with all its events, players and lists, as they stand now."""
    with writing(path, Kind.BUNDLE) as bundle, snapshot():
        club = Club.objects.get(pk=club_id)
        return _export(bundle, contents_of_club(club), CLUB, club.public_id, club.name)


def _export(bundle: Writing, contents: Contents, of: str, subject: str, name: str) -> Manifest:
    travelling: set[type[Model]] = {one.model for one in contents.sets}
    kept = []
    for chosen in contents.sets:
        table = table_of(chosen.model)
        change = _without(table, empties(chosen.model, contents.kept, travelling))
        kept.append(_keep(bundle, table, map(change, rows_among(table, chosen))))
    lists = RatingList.objects.filter(club=contents.club) if of == CLUB else RatingList.objects.none()
    manifest = Manifest(
        format=FORMAT,
        release=settings.RELEASE,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        database=connection.vendor,
        key=present_key(),
        migrations=[],
        tables=kept,
        files=[],
        of=of,
        subject=subject,
        name=name,
        site=settings.SITE_URL,
        heads={one.public_id: one.trail_head for one in contents.events},
        standings={one.public_id: digest for one in lists if (digest := _standings(one))},
    )
    bundle.close(manifest, _signed)
    return manifest


def _standings(rating_list: RatingList) -> str:
    """What a list shows, with the period that was open then; empty where other clubs' results count as well, or it is behind."""
    generation = rating_list.generation
    alone = club_ids(spans_counted(rating_list)) == [rating_list.club_id]
    if generation is None or rating_list.needs_rebuild or not alone or rating_list.pending.exists():
        return ""
    rows = Standing.objects.on(rating_list).values_list(*STANDING)
    return f"{generation.closed}:{digest_of_standings(rows)}"


def digest_of_standings(rows: Iterable[tuple[Any, ...]]) -> str:
    """Standings as one hash, in the order of players: what another site computes from the ledger has to come to the same."""
    return hashlib.sha256(msgspec.json.encode(sorted(rows))).hexdigest()


def _signed(manifest: bytes) -> bytes:
    signature = sign(manifest)
    return canonical({"algorithm": ALGORITHM, "key": signature.key, "value": signature.value})


def _without(table: Table, names: dict[str, frozenset[int]]) -> Callable[[Sequence[Any]], list[Any]]:
    """Rows that name nothing which stays behind, and hold no secret of a draw to come."""
    columns = [name for name, _kind in table.columns]
    checked = [(columns.index(name), kept) for name, kept in names.items()]
    blank = [columns.index(LOT_OF_STAGE)] if table.model is Stage else []
    read = reader(table.kinds())

    def change(row: Sequence[Any]) -> list[Any]:
        new = read(row) if read else list(row)
        for place, kept in checked:
            if new[place] not in kept:
                new[place] = None
        for place in blank:
            new[place] = ""
        return new

    return change


def _keep(bundle: Writing, table: Table, rows: Iterator[list[Any]]) -> KeptTable:
    count = 0
    with bundle.member(f"tables/{table.name}.jsonl") as member:
        for row in rows:
            member.write(msgspec.json.encode(row) + b"\n")
            count += 1
    return KeptTable(table.name, list(table.columns), count, 0, member.sha256)
