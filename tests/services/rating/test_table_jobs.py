"""Tables that a worker takes in: whole or not at all, stopped, killed, refused beside another one, and forgotten."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from faults import Conflict, CrawfordError, NotAllowed
from people.actors import Actor
from people.models import AuditEntry, Membership, Player, Role, User
from rating.models import Fact, TableImport
from rating.models.imports import Step
from rating.selectors.tables import import_report
from rating.services.imports import import_results
from rating.services.plans import ImportRequest, build_plan
from rating.services.table_jobs import (
    DECISION_TIME,
    MAX_TRIES,
    WORKER_TIMEOUT,
    ImportStopped,
    UploadedTable,
    claim_import,
    clean_up_imports,
    confirm_import,
    erase_import_data,
    process_import,
    recheck_import,
    start_import,
    stop_import,
    unfinished_import_ids,
    write_import,
)
from tests.factories import a_user
from tests.support.rating import Book, a_book
from tests.support.table_jobs import HEAD, KNOWN, ROWS, director, handed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def book() -> Book:
    book = a_book()
    book.player("Ann")
    book.player("Bob")
    return book


def test_table_is_checked_asked_about_and_taken_in_and_its_file_goes(book, files):
    job = handed_in(book)
    assert process_import(import_id=job.pk)
    job.refresh_from_db()
    report = import_report(job)
    assert (job.state, report.new, report.unknown) == (Step.ASKED, 3, [("Dan", 2)])
    assert [(fault.code, fault.params["line"]) for fault in report.faults] == [
        ("rating.csv.player_unknown", 3),
        ("rating.csv.player_unknown", 4),
    ]
    with pytest.raises(Conflict) as refused:
        confirm_import(actor=director(book), import_id=job.pk)
    assert refused.value.code == "rating.import_faulty"
    assert recheck_import(actor=director(book), import_id=job.pk, create_unknown=True).state == Step.CHECK
    process_import(import_id=job.pk)
    assert not Fact.objects.exists()
    confirm_import(actor=director(book), import_id=job.pk)
    process_import(import_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, import_report(job).players) == (Step.DONE, 3, ["Dan"])
    book.apply()
    assert Fact.objects.count() == 3
    book.players["Dan"] = Player.objects.get(name="Dan")
    assert book.standing("Dan").matches == 2
    assert book.differences() == []
    assert (files(), job.file.name) == ([], "")
    assert not process_import(import_id=job.pk)  # the message came twice
    assert AuditEntry.objects.filter(action="ledger.import_results").count() == 1


def test_opening_ratings_and_what_was_taken_back_come_by_a_worker_too(book):
    text = "player,rating\nAnn,1700\nBob,1600\n"
    more = {"rating_list": book.list.public_id, "as_of": timezone.now() - timedelta(days=400)}
    for asked, facts in (({}, 2), ({}, 3), ({"again": True}, 4)):
        job = handed_in(book, text, **more)
        process_import(import_id=job.pk)
        confirm_import(actor=director(book), import_id=job.pk, **asked)
        process_import(import_id=job.pk)
        assert Fact.objects.count() == facts
        if Fact.objects.count() == 2:
            book.void(Fact.objects.order_by("pk")[1])
    assert [fact.opening_rating for fact in Fact.objects.order_by("pk")] == [1700, 1600, None, 1600]


def test_scores_that_are_filled_in_count_as_lines_that_are_done(book):
    import_results(actor=director(book), club_id=book.club.pk, text=KNOWN)
    job = handed_in(
        book,
        "date,winner,loser,length,winner_score,loser_score\n2026-01-05,Ann,Bob,7,7,3\n2026-01-06,Bob,Ann,5,5,1\n",
    )
    process_import(import_id=job.pk)
    confirm_import(actor=director(book), import_id=job.pk)
    process_import(import_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.total, import_report(job).filled) == (Step.DONE, 2, 2, 1)


def test_second_import_of_a_club_is_refused_while_one_is_open_and_none_of_another_club(book):
    job = handed_in(book)
    handed_in(a_book())
    with pytest.raises(Conflict) as refused:
        handed_in(book)
    assert (refused.value.code, refused.value.present["id"]) == ("rating.import_running", job.public_id)
    known = {"actor": director(book), "club_id": book.club.pk, "text": HEAD + "2026-01-05,Ann,Bob,7\n"}
    assert import_results(**known).new == 1  # a short one, while the long one is only looked at
    TableImport.objects.update(state=Step.TAKE)
    with pytest.raises(Conflict):
        import_results(**known)


def test_stopped_before_a_worker_came_while_it_works_and_at_the_last_moment_nothing_is_taken_in(book, files):
    first = handed_in(book)
    assert stop_import(actor=director(book), import_id=first.pk).state == Step.STOPPED
    second = handed_in(book, create_unknown=True)
    claim_import(import_id=second.pk)
    assert stop_import(actor=director(book), import_id=second.pk).is_open  # its worker is told
    TableImport.objects.filter(pk=second.pk).update(touched_at=timezone.now() - WORKER_TIMEOUT * 2)
    process_import(import_id=second.pk)  # that one had died
    asked = handed_in(book)
    process_import(import_id=asked.pk)
    assert stop_import(actor=director(book), import_id=asked.pk).state == Step.STOPPED
    third = handed_in(book, create_unknown=True)
    process_import(import_id=third.pk)
    confirm_import(actor=director(book), import_id=third.pk)
    job = claim_import(import_id=third.pk)
    plan = build_plan(ImportRequest(book.club, ROWS, create_unknown=True))
    stop_import(actor=director(book), import_id=third.pk)
    with pytest.raises(ImportStopped):
        write_import(job=job, plan=plan)
    TableImport.objects.filter(pk=third.pk).update(touched_at=timezone.now() - WORKER_TIMEOUT * 2)
    assert stop_import(actor=director(book), import_id=third.pk).state == Step.STOPPED
    assert set(TableImport.objects.values_list("state", flat=True)) == {Step.STOPPED}
    assert (Fact.objects.count(), files()) == (0, [])
    with pytest.raises(Conflict):
        stop_import(actor=director(book), import_id=third.pk)


def test_worker_that_dies_is_followed_by_another_and_one_that_was_slow_writes_nothing(book):
    job = handed_in(book, create_unknown=True)
    assert unfinished_import_ids() == [job.pk]
    process_import(import_id=job.pk)
    taken = confirm_import(actor=director(book), import_id=job.pk)
    assert (taken.phase, taken.done, taken.total) == ("", 0, 0)  # what was so far was the check's
    for _dies in range(MAX_TRIES - 2):
        claim_import(import_id=job.pk)
        TableImport.objects.update(touched_at=timezone.now() - WORKER_TIMEOUT * 2)
    slow = claim_import(import_id=job.pk)
    assert claim_import(import_id=job.pk) is None
    assert unfinished_import_ids() == []
    TableImport.objects.update(touched_at=timezone.now() - WORKER_TIMEOUT * 2)
    assert unfinished_import_ids() == [job.pk]
    TableImport.objects.update(
        touched_at=timezone.now() + WORKER_TIMEOUT * 2
    )  # before the clock was set back
    assert unfinished_import_ids() == [job.pk]
    assert process_import(import_id=job.pk)
    assert Fact.objects.count() == 3
    with pytest.raises(ImportStopped):
        write_import(job=slow, plan=build_plan(ImportRequest(book.club, ROWS, create_unknown=True)))
    assert Fact.objects.count() == 3


def test_file_of_which_worker_after_worker_dies_is_given_up(book, files):
    job = handed_in(book)
    for _worker in range(MAX_TRIES):
        assert claim_import(import_id=job.pk) is not None
        TableImport.objects.update(touched_at=timezone.now() - WORKER_TIMEOUT * 2)
    assert not process_import(import_id=job.pk)
    job.refresh_from_db()
    assert (job.state, [fault.code for fault in import_report(job).faults]) == (
        Step.FAILED,
        ["rating.import_failed"],
    )
    assert files() == []


def test_nobody_decides_for_a_day_then_the_file_goes_and_a_week_later_the_report(book, files):
    job = handed_in(book)
    process_import(import_id=job.pk)
    clean_up_imports()
    assert len(files()) == 1
    TableImport.objects.update(changed_at=timezone.now() - DECISION_TIME * 1.1)
    clean_up_imports()
    job.refresh_from_db()
    assert (job.state, job.report, files()) == (Step.STOPPED, {}, [])
    TableImport.objects.update(finished_at=timezone.now() - timedelta(days=8))
    clean_up_imports()
    assert not TableImport.objects.exists()


def test_somebody_is_erased_then_no_file_and_no_report_names_them(book, files):
    over = handed_in(book, create_unknown=True)
    process_import(import_id=over.pk)
    confirm_import(actor=director(book), import_id=over.pk)
    process_import(import_id=over.pk)
    job = handed_in(book)
    process_import(import_id=job.pk)
    erase_import_data(club_ids=[book.club.pk])
    left = TableImport.objects.order_by("pk").values_list("state", "filename", "report")
    assert (list(left), files()) == ([(Step.DONE, "", {}), (Step.STOPPED, "", {})], [])


@pytest.mark.parametrize(("text", "code"), [("a,b\n1,2\n", "rating.csv.columns"), (HEAD, "rating.csv.empty")])
def test_file_that_is_no_table_says_so_and_cannot_be_taken_in(book, text, code):
    job = handed_in(book, text)
    process_import(import_id=job.pk)
    job.refresh_from_db()
    report = import_report(job)
    assert ([fault.code for fault in report.faults], report.fault_count) == ([code], 1)
    with pytest.raises(Conflict):
        confirm_import(actor=director(book), import_id=job.pk)


@pytest.mark.parametrize(
    ("text", "year", "code"),
    [
        ("x" * 24_000_001, 2026, "rating.import_large"),
        ("player\0rating\n", 2026, "rating.csv.unreadable"),
        ("player,rating\nAnn,1700\n", 1899, "rating.year"),
    ],
    ids=["too large", "no text", "of no year"],
)
def test_file_that_can_never_come_in_is_refused_before_it_is_kept(book, text, year, code):
    at = datetime(year, 1, 1, tzinfo=UTC)
    with pytest.raises(CrawfordError) as refused:
        handed_in(book, text, rating_list=book.list.public_id, as_of=at)
    assert [fault.code for fault in refused.value.faults] == [code]
    assert not TableImport.objects.exists()


def test_file_of_just_the_largest_size_is_kept(book, files):
    assert default_storage.size(handed_in(book, "x" * 24_000_000).file.name) == 24_000_000


@pytest.mark.parametrize("how", ["deleted", "no director any more"])
def test_who_decided_is_gone_before_the_worker_came_then_nothing_comes_in_and_another_one_decides(book, how):
    job = handed_in(book, KNOWN)
    process_import(import_id=job.pk)
    confirm_import(actor=director(book), import_id=job.pk)
    gone = User.objects.get(email="dora@example.org")
    if how == "deleted":
        gone.delete()
    else:
        gone.memberships.all().delete()
    process_import(import_id=job.pk)
    job.refresh_from_db()
    code = "rating.import_nobodys" if how == "deleted" else "people.not_director"
    assert (job.state, [fault.code for fault in import_report(job).faults]) == (Step.ASKED, [code])
    assert not Fact.objects.exists()
    assert not AuditEntry.objects.filter(action="ledger.import_results").exists()
    recheck_import(actor=director(book), import_id=job.pk, create_unknown=False)
    process_import(import_id=job.pk)
    confirm_import(actor=director(book), import_id=job.pk)
    process_import(import_id=job.pk)
    done = AuditEntry.objects.get(action="ledger.import_results")
    assert (Fact.objects.count(), done.actor_label) == (1, "Dora")


def test_table_is_taken_in_by_accounts_alone(book):
    job = handed_in(book, KNOWN)
    process_import(import_id=job.pk)
    with pytest.raises(Conflict) as refused:
        confirm_import(actor=Actor.program(), import_id=job.pk)
    assert refused.value.code == "rating.import_nobodys"


def test_who_directs_another_club_can_do_nothing_with_the_tables_of_this_one(book):
    job = handed_in(book, KNOWN)
    process_import(import_id=job.pk)
    stranger, here = a_user("Stan"), {"import_id": job.pk}
    Membership.objects.create(user=stranger, club=a_book().club, role=Role.DIRECTOR)
    here["actor"] = Actor.of(stranger)
    for act in (
        lambda: recheck_import(**here, create_unknown=True),
        lambda: confirm_import(**here),
        lambda: stop_import(**here),
        lambda: start_import(actor=here["actor"], club_id=book.club.pk, handed=UploadedTable(KNOWN.encode())),
    ):
        with pytest.raises(NotAllowed):
            act()
    job.refresh_from_db()
    assert (job.state, TableImport.objects.count()) == (Step.ASKED, 1)
