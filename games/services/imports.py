"""Import an archive of records: started by a director, processed in chunks by several workers.

A chunk is taken by one query, checked without a lock, and written in one transaction. A worker that dies
leaves a claim that expires; the sweep finds it. Processing a chunk twice writes the same rows again, and a
record is stored once by its hash, so nothing depends on exactly-once delivery of messages.
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
from games.records.checking import CheckResult
from games.records.decoding import MAX_BYTES
from games.records.validation import VerdictDecision
from games.services.archives import OpenArchive, list_members
from games.services.checking import check_with_limits
from games.services.records import clean_filename
from people.actors import Actor
from people.models import Club
from people.permissions import require_director
from people.rows import one_or_none
from people.services.hints import enqueue_task
from people.services.quotas import ARCHIVES, require_quota
from people.transactions import durable

IMPORT_TASK = "games.tasks.import_records"
MAX_WORKERS = 4  # messages for one import: so many workers share it
CHUNK_FILES = 20
MAX_INTEGER = 2**31 - 1
CLAIM_TIMEOUT = timedelta(seconds=120)
# A file takes at most `games.services.checking.WALL_SECONDS`: a held claim grows no older than both together.
RENEW_SECONDS = 15.0
# After so many seconds a worker lets other work run, such as ratings.
TURN_SECONDS = 10.0
ORPHAN_FILE_AGE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class StartedImport:
    """The import of an archive; ``repeated``: True if the club has uploaded the same archive before."""

    batch: RecordImport
    repeated: bool


def start_import(*, actor: Actor, club_id: int, content: bytes, filename: str) -> StartedImport:
    """Start the import of an archive; return it, or the earlier import of the same archive.

    The table of contents is checked before any lock; workers check the files.
    """
    club = one_or_none(Club.objects.filter(pk=club_id))
    if club is None:
        raise Missing("club.unknown")
    require_director(actor, club)
    members = list_members(content)
    return _create_import(
        actor=actor,
        club=club,
        content=content,
        filename=clean_filename(filename),
        files=[(member.position, clean_filename(member.name), member.refused) for member in members],
    )


@durable
def _create_import(
    *, actor: Actor, club: Club, content: bytes, filename: str, files: Sequence[tuple[int, str, str]]
) -> StartedImport:
    # The club's row is the lock: the same archive sent twice at once is one import.
    Club.objects.select_for_update().get(pk=club.pk)
    sha256 = hashlib.sha256(content).hexdigest()
    earlier_import = RecordImport.objects.filter(club=club, sha256=sha256).first()
    if earlier_import is not None:
        return StartedImport(earlier_import, repeated=True)
    todays_imports = RecordImport.objects.filter(club=club, created_at__gt=timezone.now() - timedelta(days=1))
    require_quota(ARCHIVES, actor=actor, owner=club, get_count=todays_imports.count)
    batch = RecordImport(club=club, user=actor.user, filename=filename, sha256=sha256)
    # Before the row: a row without its file would wait for ever, an orphaned file is deleted by the sweep.
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
                decision=VerdictDecision.UNREADABLE if refused else "",
            )
            for position, name, refused in files
        ],
        batch_size=500,
    )
    transaction.on_commit(lambda: queue_import(batch_id=batch.pk), robust=True)
    return StartedImport(batch, repeated=False)


def queue_import(*, batch_id: int, lost_after: float | None = None) -> None:
    """Queue messages for the workers that may share the import.

    ``lost_after``: seconds until a message may be discarded.
    """
    for share in range(MAX_WORKERS):
        enqueue_task(IMPORT_TASK, batch_id, message_number=share, lost_after=lost_after)


def unfinished_imports() -> list[int]:
    """Return the ids of imports that have files which no worker processes, or that are not ended yet."""
    unclaimed = _unclaimed_files(ImportedFile.objects.filter(batch=OuterRef("pk")))
    is_all_done = ~Exists(ImportedFile.objects.filter(batch=OuterRef("pk"), done=False))
    open_imports = RecordImport.objects.filter(finished_at=None)
    return list(
        open_imports.filter(Exists(unclaimed) | Q(is_all_done)).order_by("pk").values_list("pk", flat=True)
    )


def process_import(*, batch_id: int) -> int:
    """Check files of an import that no worker has, for about ``TURN_SECONDS``; return how many.

    Ends the import if none is left.
    """
    batch = one_or_none(RecordImport.objects.filter(pk=batch_id, finished_at=None))
    if batch is None:
        return 0
    archive, count, deadline = None, 0, time.monotonic() + TURN_SECONDS
    while chunk := claim_files(batch_id=batch_id):
        archive = archive or OpenArchive(archive_content(batch))
        _write_results(results=list(_check_chunk(chunk, archive)))
        count += len(chunk)
        if time.monotonic() > deadline:
            enqueue_task(IMPORT_TASK, batch_id)
            return count
    finish_import(batch_id=batch_id)
    return count


def _check_chunk(
    chunk: Sequence[ImportedFile], archive: OpenArchive
) -> Iterator[tuple[ImportedFile, bytes | None, CheckResult | None]]:
    """Yield (file, content, result of the check) for each file, and renew the worker's claim on them.

    Content and result are None if the file could not be extracted.
    """
    renewed_at = time.monotonic()
    for file in chunk:
        if time.monotonic() - renewed_at > RENEW_SECONDS:
            _renew_claims(chunk)
            renewed_at = time.monotonic()
        content = archive.read(file.position)
        yield file, content, None if content is None else check_with_limits(content, file.filename)


def _renew_claims(chunk: Sequence[ImportedFile]) -> None:
    ImportedFile.objects.filter(pk__in=[file.pk for file in chunk], done=False).update(
        claimed_at=timezone.now()
    )


@durable
def claim_files(*, batch_id: int) -> list[ImportedFile]:
    """Take over the next files that no worker has; concurrent workers get different ones."""
    now = timezone.now()
    unclaimed = _unclaimed_files(ImportedFile.objects.filter(batch_id=batch_id)).order_by("position")
    claimed = list(unclaimed.select_for_update(skip_locked=True)[:CHUNK_FILES])
    ImportedFile.objects.filter(pk__in=[file.pk for file in claimed]).update(claimed_at=now)
    return claimed


@durable
def finish_import(*, batch_id: int) -> None:
    """End the import and delete its archive if every file has its report."""
    batch = one_or_none(RecordImport.objects.select_for_update().filter(pk=batch_id, finished_at=None))
    if batch is None or batch.files.filter(done=False).exists():
        return
    name, batch.file = str(batch.file.name), ""
    batch.finished_at = timezone.now()
    batch.save(update_fields=["file", "finished_at"])
    transaction.on_commit(lambda: default_storage.delete(name), robust=True)


def archive_content(batch: RecordImport) -> bytes:
    """Return the bytes of the archive of an import.

    Raises ``OSError`` if the storage here lacks it: other workers may have it.
    """
    with batch.file.open("rb") as file:
        content: bytes = file.read()
    return content


def delete_orphan_archives() -> int:
    """Delete archives without an import, left by a killed writer; return their number."""
    try:
        _, names = default_storage.listdir(ARCHIVE_FOLDER)
    except FileNotFoundError:
        return 0
    oldest_kept = timezone.now() - ORPHAN_FILE_AGE
    paths = {f"{ARCHIVE_FOLDER}/{name}" for name in names}
    known_paths = set(RecordImport.objects.filter(file__in=paths).values_list("file", flat=True))
    orphan_paths = [
        path for path in sorted(paths - known_paths) if default_storage.get_modified_time(path) < oldest_kept
    ]
    for path in orphan_paths:
        default_storage.delete(path)
    return len(orphan_paths)


def _unclaimed_files(files: QuerySet[ImportedFile]) -> QuerySet[ImportedFile]:
    now = timezone.now()
    # A claim in the future is from before the clock was set back.
    is_stale = Q(claimed_at__lt=now - CLAIM_TIMEOUT) | Q(claimed_at__gt=now + CLAIM_TIMEOUT)
    return files.filter(Q(claimed_at=None) | is_stale, done=False)


@durable
def _write_results(*, results: Sequence[tuple[ImportedFile, bytes | None, CheckResult | None]]) -> None:
    """Write the results of one chunk: the new records, and the report of every file."""
    record_by_hash = _store_records(results)
    for file, content, check_result in results:
        file.done = True
        if content is None or check_result is None:
            file.refused, file.decision = "packed.damaged", VerdictDecision.UNREADABLE
            continue
        verdict, record = check_result.verdict, check_result.record
        file.decision = verdict.decision
        file.complete = verdict.complete
        file.findings = len(verdict.findings)
        if check_result.unreadable is not None:
            file.refused = check_result.unreadable.code
            file.params = {
                key: _storable_value(value) for key, value in check_result.unreadable.params.items()
            }
        if record is not None:
            file.left, file.right = (str(_storable_value(name)) for name in record.players)
            file.length = verdict.replay.form.length or 0 if verdict.replay is not None else None
            file.record_id = record_by_hash[hashlib.sha256(content).hexdigest()]
        if verdict.score is not None and max(verdict.score) <= MAX_INTEGER:
            file.score_left, file.score_right = verdict.score
    ImportedFile.objects.bulk_update(
        [file for file, _, _ in results],
        [
            *("done", "refused", "params", "decision", "complete", "findings"),
            *("left", "right", "length", "score_left", "score_right", "record"),
        ],
    )


def _storable_value(value: object) -> object:
    """Return a value from a file without control characters and cut to a size that any database can store."""
    if isinstance(value, int) and abs(value) <= MAX_INTEGER:
        return value
    return "".join(letter for letter in str(value) if letter.isprintable())[:200]


def _store_records(
    results: Sequence[tuple[ImportedFile, bytes | None, CheckResult | None]],
) -> dict[str, int]:
    """Store every readable record once; return the ids of the stored records, keyed by hash."""
    new_records: dict[str, StoredRecord] = {}
    for file, content, check_result in results:
        if content is None or len(content) > MAX_BYTES or check_result is None or check_result.record is None:
            continue
        sha256 = hashlib.sha256(content).hexdigest()
        new_records.setdefault(
            sha256,
            StoredRecord(
                sha256=sha256,
                content=content,
                size=len(content),
                filename=file.filename,
                format=check_result.record.format,
            ),
        )
    StoredRecord.objects.bulk_create(
        [new_records[sha256] for sha256 in sorted(new_records)], ignore_conflicts=True
    )  # sorted, so that workers with the same records do not deadlock
    return dict(StoredRecord.objects.filter(sha256__in=list(new_records)).values_list("sha256", "pk"))
