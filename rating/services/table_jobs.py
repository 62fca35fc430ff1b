"""Imports too large for a request: uploaded, then checked and written by a worker, whole or not at all.

Both steps read the file anew and write nothing but their progress, until one last transaction writes
everything and marks the import as done. So a worker that dies leaves no partial import: the sweep finds that
the worker is silent, and another worker takes over; a slow worker notices that before it can write.
"""

import logging
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import token_hex
from time import monotonic
from typing import Any, Final

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from faults import Conflict, CrawfordError, Fault, Invalid, Missing
from names.public_page import PublicPage
from people.actors import Actor
from people.models import Club, User
from people.permissions import require_director
from people.rows import one_or_none
from people.services.hints import RESEND_SECONDS, enqueue_task
from people.text import clean_line
from people.transactions import durable
from rating.models import RatingList, TableImport
from rating.models.imports import OPEN_STEPS, TABLE_FOLDER, WORKER_STEPS, Step
from rating.services.import_reports import report_json
from rating.services.imports import check_day, lock_club_for_players, write_plan
from rating.services.plans import ImportPlan, ImportRequest, build_plan
from rating.services.tables import decode_table

log = logging.getLogger(__name__)

IMPORT_TASK: Final = "rating.tasks.import_table"
MAX_TABLE_BYTES: Final = 24_000_000  # 100,000 lines of a ledger are 14 MB
MAX_FILENAME_LENGTH: Final = 120  # longer ones are cut
TOKEN_BYTES: Final = 8  # two letters each
PROGRESS_SECONDS: Final = 0.4  # between two reports of progress
WORKER_TIMEOUT: Final = timedelta(seconds=120)  # without a sign of life it is considered dead
MAX_TRIES: Final = 3  # workers that may die of one file
DECISION_TIME: Final = timedelta(days=1)
REPORT_LIFETIME: Final = timedelta(days=7)  # after its end
ORPHAN_FILE_AGE: Final = timedelta(hours=1)


class ImportStopped(Exception):
    """The import was stopped, or another worker has taken it over."""


@dataclass(frozen=True, slots=True)
class UploadedTable:
    """An uploaded table: with ``as_of`` opening ratings of a list, without it results of the club."""

    content: bytes
    filename: str = ""
    create_unknown: bool = False
    rating_list: str = ""  # public id
    as_of: datetime | None = None
    same: Collection[str] = ()  # public ids of players confirmed for their names
    public_page: PublicPage = PublicPage.WITH_DRAW  # of players who are created


def start_import(*, actor: Actor, club_id: int, handed: UploadedTable) -> TableImport:
    """Store the uploaded file and queue its check; return the import.

    Raises ``Conflict`` while the club has an unfinished import, and ``Invalid`` or ``Unreadable`` for
    unusable files.
    """
    if len(handed.content) > MAX_TABLE_BYTES:
        raise Invalid("rating.import_large", field="file", limit=MAX_TABLE_BYTES // 1_000_000)
    if handed.as_of is not None:
        check_day(handed.as_of)
    decode_table(handed.content)
    return _create_import(actor=actor, club_id=club_id, uploaded=handed)


@durable
def _create_import(*, actor: Actor, club_id: int, uploaded: UploadedTable) -> TableImport:
    club = _lock_club(club_id)
    require_director(actor, club)
    rating_list = None
    if uploaded.rating_list:
        rating_list = one_or_none(RatingList.objects.filter(public_id=uploaded.rating_list, club=club))
        if rating_list is None:
            raise Missing("rating.list_unknown")
    open_import = TableImport.objects.filter(club=club, state__in=OPEN_STEPS).first()
    if open_import is not None:
        raise Conflict(
            "rating.import_running", present={"id": open_import.public_id, "state": open_import.state}
        )
    job = TableImport(
        club=club,
        rating_list=rating_list,
        as_of=uploaded.as_of,
        user=actor.user,
        filename=clean_line(uploaded.filename)[:MAX_FILENAME_LENGTH],
        create_unknown=uploaded.create_unknown,
        public_page=uploaded.public_page,
        same_players=sorted(set(uploaded.same)),
    )
    # The file, then the row: a row without its file would wait for ever, an orphaned file is deleted by the sweep.
    job.file.save(f"{job.public_id}.csv", ContentFile(uploaded.content))
    _queue_import(job)
    return job


def recheck_import(
    *,
    actor: Actor,
    import_id: int,
    create_unknown: bool,
    same: Collection[str] = (),
    public_page: PublicPage | None = None,
) -> TableImport:
    """Queue another check of the file, with other choices for ambiguous and unknown names.

    ``public_page``: from when players who are created are public; None keeps what was chosen.
    """
    page = {} if public_page is None else {"public_page": public_page}
    return _set_step(
        actor=actor,
        import_id=import_id,
        step=Step.CHECK,
        create_unknown=create_unknown,
        same_players=sorted(set(same)),
        report={},
        **page,
    )


def confirm_import(*, actor: Actor, import_id: int, again: bool = False) -> TableImport:
    """Queue the import of what was checked; ``again``: True also imports what was removed before.

    Raises ``Conflict`` while the table has errors, and for an actor without an account: the audit log names
    who decided.
    """
    if actor.user is None:
        raise Conflict("rating.import_nobodys")
    return _set_step(actor=actor, import_id=import_id, step=Step.TAKE, again=again)


@durable
def _set_step(*, actor: Actor, import_id: int, step: Step, **values: Any) -> TableImport:
    job = _lock_import(actor, import_id)
    if job.state == step:  # a repeated click
        return job
    if job.state != Step.ASKED:
        raise Conflict("rating.import_not_asked", present={"id": job.public_id, "state": job.state})
    if step == Step.TAKE and job.report.get("fault_count"):
        raise Conflict("rating.import_faulty", present={"id": job.public_id, "state": job.state})
    reset_values = {
        "state": step,
        "phase": "",
        "done": 0,
        "total": 0,
        "token": "",
        "touched_at": None,
        "tries": 0,
    }
    for name, value in {**reset_values, **values}.items():
        setattr(job, name, value)
    job.user = actor.user
    job.save()
    _queue_import(job)
    return job


@durable
def stop_import(*, actor: Actor, import_id: int) -> TableImport:
    """Stop or discard the import; nothing is written.

    A running worker notices when it next saves its progress.
    """
    job = _lock_import(actor, import_id)
    if not job.is_open:
        raise Conflict("rating.import_over", present={"id": job.public_id, "state": job.state})
    if job.at_work and not _is_silent(job):
        job.stop_requested = True
        job.save(update_fields=["stop_requested", "changed_at"])
    else:
        _finish_import(job, Step.STOPPED)
    return job


def _lock_club(club_id: int) -> Club:
    club = lock_club_for_players(Club.objects.filter(pk=club_id))
    if club is None:
        raise Missing("club.unknown")
    return club


def _lock_import(actor: Actor, import_id: int) -> TableImport:
    """Return the import, locked after its club. Raises if the actor is not a director of the club."""
    club_id = one_or_none(TableImport.objects.filter(pk=import_id).values_list("club_id", flat=True))
    if club_id is None:
        raise Missing("rating.import_unknown")
    require_director(actor, _lock_club(club_id))
    return TableImport.objects.select_for_update(of=("self",)).get(pk=import_id)


def _queue_import(job: TableImport) -> None:
    number = job.pk

    def send() -> None:
        enqueue_task(IMPORT_TASK, number)

    transaction.on_commit(send, robust=True)


def _finish_import(job: TableImport, step: Step, **values: object) -> None:
    """End the import with the final state ``step`` and delete its file. Joins the caller's transaction.

    ``values``: further fields to be stored.
    """
    name = str(job.file.name or "")
    for key, value in {
        "state": step,
        "file": "",
        "token": "",
        "finished_at": timezone.now(),
        **values,
    }.items():
        setattr(job, key, value)
    job.save()
    if name:
        transaction.on_commit(lambda: default_storage.delete(name), robust=True)


def _is_silent(job: TableImport) -> bool:
    """Return whether no worker is active; a time in the future is from before a clock was set back."""
    return job.touched_at is None or abs(timezone.now() - job.touched_at) > WORKER_TIMEOUT


def sweep_imports() -> None:
    """Queue imports again that no worker processes."""
    for pk in unfinished_import_ids():
        enqueue_task(IMPORT_TASK, pk, lost_after=RESEND_SECONDS)


def unfinished_import_ids() -> list[int]:
    """Return the ids of imports that a worker should process and none does."""
    now = timezone.now()
    silent_filter = (
        Q(touched_at=None) | Q(touched_at__lt=now - WORKER_TIMEOUT) | Q(touched_at__gt=now + WORKER_TIMEOUT)
    )
    return list(
        TableImport.objects.filter(silent_filter, state__in=WORKER_STEPS)
        .order_by("pk")
        .values_list("pk", flat=True)
    )


@durable
def claim_import(*, import_id: int) -> TableImport | None:
    """Take over the import for this worker, with a new token.

    None if it needs no worker or another one has it. An import that was stopped, or that several workers
    failed to process, is ended.
    """
    job = one_or_none(
        TableImport.objects.select_for_update(of=("self",)).filter(pk=import_id, state__in=WORKER_STEPS)
    )
    if job is None or not _is_silent(job):
        return None
    if job.stop_requested:
        _finish_import(job, Step.STOPPED)
        return None
    if job.tries >= MAX_TRIES:
        log.error("import %s was given up after %s workers", job.public_id, job.tries)
        _finish_import(job, Step.FAILED, report=report_json([Fault("rating.import_failed")]))
        return None
    job.token, job.touched_at, job.tries = token_hex(TOKEN_BYTES), timezone.now(), job.tries + 1
    job.save(update_fields=["token", "touched_at", "tries"])
    return job


def process_import(*, import_id: int) -> bool:
    """Check a table, or write its rows if a director has confirmed them; return whether anything was done."""
    job = claim_import(import_id=import_id)
    if job is None:
        return False
    claimed_job = TableImport.objects.filter(pk=job.pk, token=job.token)
    try:
        plan = build_plan(
            _import_request(job),
            on_progress=_ProgressReporter(claimed_job).report,
            keep_rows=job.state == Step.TAKE,
        )
        if job.state == Step.TAKE and plan.summary.has_no_faults:
            _ProgressReporter(claimed_job).report("writing", 0, plan.summary.new + plan.summary.filled)
            write_import(job=job, plan=plan)
        else:
            _save_check_report(job, report_json(plan.summary.faults, plan.summary))
    except ImportStopped:
        _finish_stopped(job)
    except CrawfordError as error:
        _save_check_report(job, report_json(error.faults))
    except BaseException:
        claimed_job.update(token="", touched_at=None)  # the sweep finds it, a limited number of times
        raise
    return True


def _import_request(job: TableImport) -> ImportRequest:
    with job.file.open("rb") as file:
        text = decode_table(file.read())
    return ImportRequest(
        job.club,
        text,
        job.rating_list,
        job.as_of,
        job.create_unknown,
        job.again,
        job.same_players,
        PublicPage(job.public_page),
    )


class _ProgressReporter:
    """Saves the progress of an import now and then, and notices that it was stopped."""

    def __init__(self, claimed_job: QuerySet[TableImport]) -> None:
        self._mine, self._last = claimed_job.filter(stop_requested=False), 0.0

    def report(self, phase: str, done: int, total: int) -> None:
        """Save progress. Raises ``ImportStopped`` if the import was stopped or another worker has it."""
        if monotonic() - self._last < PROGRESS_SECONDS:
            return
        self._last = monotonic()
        now = timezone.now()
        if not self._mine.update(phase=phase, done=done, total=total, touched_at=now, changed_at=now):
            raise ImportStopped


@durable
def write_import(*, job: TableImport, plan: ImportPlan) -> None:
    """Write everything and mark the import as done, in one transaction.

    If the director who confirmed the import has lost the permission or the account meanwhile, nothing is
    written, and another director decides.
    """
    club = _lock_club(job.club_id)
    user = one_or_none(User.objects.filter(pk=job.user_id)) if job.user_id else None
    if user is None:
        raise Conflict("rating.import_nobodys")
    actor = Actor.of(user)
    require_director(actor, club)
    row = TableImport.objects.select_for_update(of=("self",)).get(pk=job.pk)
    if row.token != job.token or row.stop_requested or row.state != Step.TAKE:
        raise ImportStopped
    summary = write_plan(actor, plan)
    row.done = row.total = summary.new + summary.filled
    _finish_import(row, Step.DONE, report=report_json([], summary))


@durable
def _save_check_report(job: TableImport, report: dict[str, Any]) -> None:
    """Save what the check found and wait for a director's decision."""
    row = TableImport.objects.select_for_update(of=("self",)).get(pk=job.pk)
    if row.token != job.token:
        return
    if row.stop_requested:
        _finish_import(row, Step.STOPPED)
        return
    row.state, row.report, row.token, row.phase = Step.ASKED, report, "", ""
    row.save()


@durable
def _finish_stopped(job: TableImport) -> None:
    row = TableImport.objects.select_for_update(of=("self",)).get(pk=job.pk)
    if row.token == job.token:
        _finish_import(row, Step.STOPPED)


def clean_up_imports() -> None:
    """End imports that no director decided on for a day, delete old reports, and files without an import."""
    now = timezone.now()
    for pk in _undecided_imports().values_list("pk", flat=True):
        _discard_undecided(import_id=pk)
    TableImport.objects.filter(finished_at__lt=now - REPORT_LIFETIME).delete()
    try:
        _, names = default_storage.listdir(TABLE_FOLDER)
    except FileNotFoundError:
        return
    paths = {f"{TABLE_FOLDER}/{name}" for name in names}
    known_paths = set(TableImport.objects.filter(file__in=paths).values_list("file", flat=True))
    for path in sorted(paths - known_paths):
        if default_storage.get_modified_time(path) < now - ORPHAN_FILE_AGE:
            default_storage.delete(path)


def _undecided_imports() -> QuerySet[TableImport]:
    return TableImport.objects.filter(state=Step.ASKED, changed_at__lt=timezone.now() - DECISION_TIME)


@durable
def _discard_undecided(*, import_id: int) -> None:
    row = one_or_none(_undecided_imports().select_for_update(of=("self",)).filter(pk=import_id))
    if row is not None:  # still undecided
        _finish_import(row, Step.STOPPED, report={})


def erase_import_data(*, club_ids: Collection[int]) -> None:
    """Delete the files of unfinished imports of these clubs (ids), which end, and the content of all reports.

    For the erasure of a person. Joins the caller's transaction.
    """
    for row in TableImport.objects.select_for_update(of=("self",)).filter(club__in=club_ids):
        row.filename, row.report = "", {}
        if row.is_open:
            _finish_import(row, Step.STOPPED)
        else:
            row.save()
