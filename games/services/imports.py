"""Import an archive of records: started by a director, worked off in chunks by as many workers as there are.

A chunk is claimed by one statement, checked without any lock, and written in one transaction. A worker that dies leaves
a claim that grows old; the sweep finds it. Doing a chunk twice writes the same rows again, and a record is stored once by
its hash, so nothing here depends on a message arriving exactly once.
"""

import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from faults import Missing
from games.models import ARCHIVE_FOLDER, ImportedFile, RecordImport, StoredRecord
from games.records.checking import Checked
from games.records.decoding import MAX_BYTES
from games.records.validation import Decision
from games.services.archives import Opened, members
from games.services.checking import check_bounded
from games.services.records import clean_filename
from people.actors import Actor
from people.models import Club
from people.permissions import require_director
from people.rows import one_or_none
from people.services.hints import hint
from people.services.quotas import ARCHIVES, require_room
from people.transactions import durable

IMPORT_TASK = "games.tasks.import_records"
SHARERS = 4  # messages for one import: that many workers may share it
CHUNK = 20
LARGEST = 2**31 - 1
CLAIM_LASTS = timedelta(seconds=120)
# A file takes no longer than `games.services.checking.PATIENCE`: a claim that is held grows no older than both together.
RENEWED_EVERY = 15.0
# After so many seconds a worker looks whether something else waits, a rating perhaps, before it goes on.
TURN = 10.0
LOST_AFTER = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Started:
    """An import; ``repeated`` if the club had sent this very archive before."""

    batch: RecordImport
    repeated: bool


def start_import(*, actor: Actor, club_id: int, content: bytes, filename: str) -> Started:
    """Take an archive in. Its table of contents is judged before any lock; the files are checked by workers."""
    club = one_or_none(Club.objects.filter(pk=club_id))
    if club is None:
        raise Missing("club.unknown")
    require_director(actor, club)
    found = members(content)
    return _start(
        actor=actor,
        club=club,
        content=content,
        filename=clean_filename(filename),
        files=[(member.position, clean_filename(member.name), member.refused) for member in found],
    )


@durable
def _start(
    *, actor: Actor, club: Club, content: bytes, filename: str, files: Sequence[tuple[int, str, str]]
) -> Started:
    # The club's row is the lock: the same archive sent twice at once is one import.
    Club.objects.select_for_update().get(pk=club.pk)
    sha256 = hashlib.sha256(content).hexdigest()
    before = RecordImport.objects.filter(club=club, sha256=sha256).first()
    if before is not None:
        return Started(before, repeated=True)
    today = RecordImport.objects.filter(club=club, created_at__gt=timezone.now() - timedelta(days=1))
    require_room(ARCHIVES, actor=actor, owner=club, have=today.count)
    batch = RecordImport(club=club, user=actor.user, filename=filename, sha256=sha256)
    # Before the row: a row without its file would wait for ever, a file without a row is swept away.
    batch.file.save(f"{batch.public_id}.zip", ContentFile(content), save=False)
    batch.save()
    ImportedFile.objects.bulk_create(
        [
            ImportedFile(
                batch=batch,
                position=position,
                filename=name,
                refused=refused,
                done=bool(refused),
                decision=Decision.UNREADABLE if refused else "",
            )
            for position, name, refused in files
        ],
        batch_size=500,
    )
    transaction.on_commit(lambda: queue_import(batch_id=batch.pk), robust=True)
    return Started(batch, repeated=False)


def queue_import(*, batch_id: int, lost_after: float | None = None) -> None:
    """Tell the workers, as many as may share it."""
    for share in range(SHARERS):
        hint(IMPORT_TASK, batch_id, share=share, lost_after=lost_after)


def unfinished_imports() -> list[int]:
    """Imports with files that nobody is at."""
    free = _free(ImportedFile.objects.filter(batch=OuterRef("pk")))
    all_done = ~Exists(ImportedFile.objects.filter(batch=OuterRef("pk"), done=False))
    open_imports = RecordImport.objects.filter(finished_at=None)
    return list(open_imports.filter(Exists(free) | Q(all_done)).order_by("pk").values_list("pk", flat=True))


def work_on(*, batch_id: int) -> int:
    """Check files of an import until none is left that nobody else is at, or for a turn; how many were done."""
    batch = one_or_none(RecordImport.objects.filter(pk=batch_id, finished_at=None))
    if batch is None:
        return 0
    opened, count, ends = None, 0, time.monotonic() + TURN
    while chunk := claim(batch_id=batch_id):
        opened = opened or Opened(content_of(batch))
        _write(results=list(_checked(chunk, opened)))
        count += len(chunk)
        if time.monotonic() > ends:
            hint(IMPORT_TASK, batch_id)
            return count
    finish(batch_id=batch_id)
    return count


def _checked(
    chunk: Sequence[ImportedFile], opened: Opened
) -> Iterator[tuple[ImportedFile, bytes | None, Checked | None]]:
    """Each file with its verdict; the claim stays young while this lasts."""
    renewed = time.monotonic()
    for file in chunk:
        if time.monotonic() - renewed > RENEWED_EVERY:
            _renew(chunk)
            renewed = time.monotonic()
        content = opened.read(file.position)
        yield file, content, None if content is None else check_bounded(content, file.filename)


def _renew(chunk: Sequence[ImportedFile]) -> None:
    ImportedFile.objects.filter(pk__in=[file.pk for file in chunk], done=False).update(
        claimed_at=timezone.now()
    )


@durable
def claim(*, batch_id: int) -> list[ImportedFile]:
    """The next files that nobody is at, marked as ours. Workers that ask at once get different ones."""
    now = timezone.now()
    free = _free(ImportedFile.objects.filter(batch_id=batch_id)).order_by("position")
    chosen = list(free.select_for_update(skip_locked=True)[:CHUNK])
    ImportedFile.objects.filter(pk__in=[file.pk for file in chosen]).update(claimed_at=now)
    return chosen


@durable
def finish(*, batch_id: int) -> None:
    """When every file has its report the archive itself is no longer needed."""
    batch = one_or_none(RecordImport.objects.select_for_update().filter(pk=batch_id, finished_at=None))
    if batch is None or batch.files.filter(done=False).exists():
        return
    name, batch.file = str(batch.file.name), ""
    batch.finished_at = timezone.now()
    batch.save(update_fields=["file", "finished_at"])
    transaction.on_commit(lambda: default_storage.delete(name), robust=True)


def content_of(batch: RecordImport) -> bytes:
    """The archive. Raises ``OSError`` where the storage does not have it: workers elsewhere may."""
    with batch.file.open("rb") as file:
        content: bytes = file.read()
    return content


def drop_lost_archives() -> int:
    """Throw away archives that no import knows: whoever wrote them was killed before the row was there."""
    try:
        _, names = default_storage.listdir(ARCHIVE_FOLDER)
    except FileNotFoundError:
        return 0
    old = timezone.now() - LOST_AFTER
    paths = {f"{ARCHIVE_FOLDER}/{name}" for name in names}
    known = set(RecordImport.objects.filter(file__in=paths).values_list("file", flat=True))
    lost = [path for path in sorted(paths - known) if default_storage.get_modified_time(path) < old]
    for path in lost:
        default_storage.delete(path)
    return len(lost)


def _free(files: QuerySet[ImportedFile]) -> QuerySet[ImportedFile]:
    now = timezone.now()
    # A claim of a time that has not come is from before the clock was set back.
    old = Q(claimed_at__lt=now - CLAIM_LASTS) | Q(claimed_at__gt=now + CLAIM_LASTS)
    return files.filter(Q(claimed_at=None) | old, done=False)


@durable
def _write(*, results: Sequence[tuple[ImportedFile, bytes | None, Checked | None]]) -> None:
    """One chunk: the records that are new, and the report of every file."""
    stored = _store(results)
    for file, content, checked in results:
        file.done = True
        if content is None or checked is None:
            file.refused, file.decision = "packed.damaged", Decision.UNREADABLE
            continue
        verdict, record = checked.verdict, checked.record
        file.decision = verdict.decision
        file.complete = verdict.complete
        file.findings = len(verdict.findings)
        if checked.unreadable is not None:
            file.refused = checked.unreadable.code
            file.params = {key: _shown(value) for key, value in checked.unreadable.params.items()}
        if record is not None:
            file.left, file.right = (str(_shown(name)) for name in record.players)
            file.length = verdict.replay.form.length or 0 if verdict.replay is not None else None
            file.record_id = stored[hashlib.sha256(content).hexdigest()]
        if verdict.score is not None and max(verdict.score) <= LARGEST:
            file.score_left, file.score_right = verdict.score
    ImportedFile.objects.bulk_update(
        [file for file, _, _ in results],
        [
            *("done", "refused", "params", "decision", "complete", "findings"),
            *("left", "right", "length", "score_left", "score_right", "record"),
        ],
    )


def _shown(value: object) -> object:
    """What a file says, as any database can keep it: no control characters, not too long, no number beyond its columns."""
    if isinstance(value, int) and abs(value) <= LARGEST:
        return value
    return "".join(letter for letter in str(value) if letter.isprintable())[:200]


def _store(results: Sequence[tuple[ImportedFile, bytes | None, Checked | None]]) -> dict[str, int]:
    """Keep every readable record once; the row of each hash."""
    new: dict[str, StoredRecord] = {}
    for file, content, checked in results:
        if content is None or len(content) > MAX_BYTES or checked is None or checked.record is None:
            continue
        sha256 = hashlib.sha256(content).hexdigest()
        new.setdefault(
            sha256,
            StoredRecord(
                sha256=sha256,
                content=content,
                size=len(content),
                filename=file.filename,
                format=checked.record.format,
            ),
        )
    StoredRecord.objects.bulk_create(
        [new[sha256] for sha256 in sorted(new)], ignore_conflicts=True
    )  # sorted: two workers that meet the same records wait for each other in one order
    return dict(StoredRecord.objects.filter(sha256__in=list(new)).values_list("sha256", "pk"))
