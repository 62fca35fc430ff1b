"""Workers at a table: what they die of, who stops them meanwhile, what is thrown away when, and what they report."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic

import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from rating.models import Fact, TableImport
from rating.models.imports import TABLE_FOLDER, Step
from rating.selectors.tables import import_report
from rating.services.imports import import_results
from rating.services.result_tables import LEDGER_COLUMNS
from rating.services.table_jobs import (
    PROGRESS_SECONDS,
    WORKER_TIMEOUT,
    claim_import,
    clean_up_imports,
    confirm_import,
    process_import,
    stop_import,
    unfinished_import_ids,
)
from tests.support.rating import Book, a_book
from tests.support.table_jobs import HEAD, KNOWN, director, handed_in, interrupted_by

pytestmark = pytest.mark.django_db


@pytest.fixture
def book() -> Book:
    book = a_book()
    book.player("Ann")
    book.player("Bob")
    return book


@pytest.mark.parametrize("where", ["people_club", "rating_fact"], ids=["before its first word", "at its end"])
@pytest.mark.parametrize("what", ["it is stopped", "another worker took over"])
def test_worker_whose_table_is_no_longer_its_own_leaves_it_as_it_is(book, where, what):
    job = handed_in(book)

    def act() -> None:
        if what == "it is stopped":
            stop_import(actor=director(book), import_id=job.pk)
        else:
            TableImport.objects.update(touched_at=timezone.now() - WORKER_TIMEOUT * 2)
            others.append(claim_import(import_id=job.pk).token)

    others: list[str] = []
    with interrupted_by(f'FROM "{where}"', act):
        process_import(import_id=job.pk)
    job.refresh_from_db()
    ended = (Step.STOPPED, "") if what == "it is stopped" else (Step.CHECK, *others)
    assert ((job.state, job.token), job.report) == (ended, {})


def test_worker_that_is_ended_while_it_writes_leaves_everything_to_the_next_one_at_once(book):
    import_results(actor=director(book), club_id=book.club.pk, text=KNOWN)
    head = "date,winner,loser,length,winner_score,loser_score\n"
    job = handed_in(book, head + "2026-01-05,Ann,Bob,7,7,3\n2026-01-06,Bob,Ann,5,5,1\n")
    process_import(import_id=job.pk)
    confirm_import(actor=director(book), import_id=job.pk)
    shown = []

    def end() -> None:
        shown.extend(TableImport.objects.values_list("phase", "done", "total"))
        raise SystemExit

    with pytest.raises(SystemExit), interrupted_by('INTO "people_auditentry"', end):
        process_import(import_id=job.pk)
    assert shown == [("writing", 0, 2)]
    assert (Fact.objects.count(), unfinished_import_ids()) == (1, [job.pk])
    process_import(import_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.done) == (Step.DONE, 2)


@pytest.mark.parametrize(
    ("after", "dead"),
    [(120, False), (120.001, True), (-120, False), (-120.001, True)],
)
def test_worker_that_says_nothing_is_taken_for_dead_after_two_minutes(book, clock, after, dead):
    job = handed_in(book)
    claim_import(import_id=job.pk)
    TableImport.objects.update(touched_at=clock.at - timedelta(seconds=after))
    assert unfinished_import_ids() == ([job.pk] if dead else [])
    assert stop_import(actor=director(book), import_id=job.pk).is_open is not dead
    TableImport.objects.update(state=Step.CHECK, stop_requested=False)
    assert (claim_import(import_id=job.pk) is not None) is dead


def test_what_is_old_goes_to_the_second_and_no_file_that_somebody_still_needs(book, files, clock):
    clock.shows(datetime(2026, 11, 1, 12, tzinfo=UTC))
    job = handed_in(book)
    process_import(import_id=job.pk)
    for name in ("just", "old"):
        Path(default_storage.path(f"{TABLE_FOLDER}/{name}.csv")).write_text("of no import")
    hour_ago, own = clock.time() - 3600, Path(job.file.name).name
    for name, seconds in (("just.csv", hour_ago), ("old.csv", hour_ago - 1), (own, hour_ago - 9999)):
        os.utime(default_storage.path(f"{TABLE_FOLDER}/{name}"), (seconds, seconds))
    TableImport.objects.update(changed_at=clock.at - timedelta(days=1))
    clean_up_imports()
    assert sorted(files()) == sorted(["just.csv", own])
    clock.moves(seconds=1)
    clean_up_imports()
    assert files() == []
    job.refresh_from_db()
    assert job.state == Step.STOPPED
    clock.moves(days=7)
    clean_up_imports()
    assert TableImport.objects.exists()
    clock.moves(seconds=1)
    clean_up_imports()
    assert not TableImport.objects.exists()


def test_message_is_enough_and_what_a_worker_dies_of_fails_nobody_who_sent_it(
    book, files, celery_tasks_run_at_once, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        job = handed_in(book, KNOWN)
    with django_capture_on_commit_callbacks(execute=True):
        confirm_import(actor=director(book), import_id=job.pk)
    assert (Fact.objects.count(), TableImport.objects.get().state) == (1, Step.DONE)
    with django_capture_on_commit_callbacks(execute=True):
        lost = handed_in(book)
        TableImport.objects.filter(pk=lost.pk).update(file="")
    assert unfinished_import_ids() == [lost.pk]
    TableImport.objects.filter(pk=lost.pk).update(file=lost.file.name)
    at = Path(default_storage.path(lost.file.name))
    at.unlink()
    (at / "in the way").mkdir(parents=True)  # so it cannot be thrown away
    with django_capture_on_commit_callbacks(execute=True):
        assert stop_import(actor=director(book), import_id=lost.pk).state == Step.STOPPED


def test_report_shows_bad_lines_first_and_counts_what_it_leaves_out(book):
    names = "".join(f"2026-01-05 10:{n % 60:02},Ann,Nobody,{1 + n % 25}\n" for n in range(1_002))
    job = handed_in(book, HEAD + names + "2026-01-06,Ann,Bob,none\n")
    began = monotonic()
    with CaptureQueriesContext(connection) as asked:
        process_import(import_id=job.pk)
    words = [one["sql"] for one in asked if "reading" in one["sql"] or "comparing" in one["sql"]]
    assert (
        1 <= len(words) <= 1 + (monotonic() - began) / PROGRESS_SECONDS
    )  # on how far it is, and not more often
    job.refresh_from_db()
    report = import_report(job)
    assert (report.faults[0].params["line"], report.faults[0].code) == (1_004, "rating.csv.number")
    assert (len(report.faults), report.fault_count, report.unknown) == (200, 1_003, [("Nobody", 1_002)])
    stop_import(actor=director(book), import_id=job.pk)
    left_out = handed_in(book, ",".join(LEDGER_COLUMNS) + "\n" + "opening,2026-01-01\n" * 1_003)
    process_import(import_id=left_out.pk)
    left_out.refresh_from_db()
    report = import_report(left_out)
    assert (len(report.notes), report.note_count, report.fault_count) == (200, 1_003, 0)
