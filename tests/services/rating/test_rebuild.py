"""Rebuilds under way: what arrives meanwhile, stopping, dying, tidying up; and partitions of their own on PostgreSQL."""

import gc
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from faults import Conflict, NotAllowed
from people.actors import Actor
from people.models import AuditEntry, Membership, Role
from rating.models import Change, Generation, GenerationState, Pending, RatingList, Standing
from rating.models.history import COMMON_PARTITION
from rating.services import mark_for_rebuild, rebuild_list, stop_rebuild, update_list
from rating.services import rebuild as rebuilding
from rating.services.intake import ApplyResult
from rating.services.lists import ListSettings
from rating.services.rebuild import (
    begin_rebuild,
    empty_old_generations,
    interrupted_list_ids,
    paused_until,
    request_rebuild,
    run_requested_rebuild,
)
from rating.store import partitions
from tests.factories import a_user
from tests.support.rating import DAY_ONE, a_book, a_list

pytestmark = pytest.mark.django_db


@pytest.fixture
def book():
    book = a_book()
    for i in range(12):
        book.beats(*(("Ann", "Bob", "Cleo") * 2)[i % 3 : i % 3 + 2], length=3 + i % 5)
    book.apply()
    return book


def test_what_arrives_while_a_list_is_rebuilt_is_in_the_new_generation(book):
    generation = begin_rebuild(list_id=book.list.pk)
    known = rebuilding._build(generation)
    late = book.beats("Cleo", "Bob", 9, at=DAY_ONE + timedelta(minutes=1))
    wrong = book.history("Ann")[0].fact
    book.void(wrong)
    assert book.apply().facts == 2  # the present generation goes on …
    assert Pending.objects.filter(applied=True).count() == 2
    before = book.all_ratings()
    rebuilding._switch_generation(generation, included_ids=known)
    assert book.all_ratings() == before  # … and the new one has it too
    assert Change.objects.of(generation).filter(fact=late).count() == 2
    assert book.differences() == []
    assert not Pending.objects.exists()


@pytest.mark.parametrize("read", [True, False], ids=["after it was filled", "before it reads the results"])
def test_rebuild_whose_settings_change_meanwhile_gives_way_to_one_with_the_new_ones(book, read):
    generation = begin_rebuild(list_id=book.list.pk)
    known = rebuilding._build(generation) if read else set()
    settings = ListSettings(name="Club rating", system="elo", parameters={"divisor": 400})
    update_list(actor=Actor.program(), list_id=book.list.pk, settings=settings)
    with pytest.raises(rebuilding.RebuildStopped):
        rebuilding._switch_generation(generation, included_ids=known) if read else rebuilding._build(
            generation
        )
    generation.refresh_from_db()
    assert generation.state == GenerationState.STOPPED
    before = book.all_ratings()
    assert book.apply().rebuilt
    assert book.all_ratings() != before
    assert book.differences() == []


def test_stop_is_heard_and_leaves_the_list_as_it_is(book, monkeypatch):
    monkeypatch.setattr(rebuilding, "STEPS_PER_TRANSACTION", 4)
    before = book.list.generation_id
    reports = []

    def stop_at_the_second_report(sql_execute, sql, params, many, context):
        if "stop_requested" in sql and sql.startswith("UPDATE") and "done" in sql:
            reports.append(sql)
            if len(reports) == 2:
                Generation.objects.filter(state=GenerationState.BUILDING).update(stop_requested=True)
        return sql_execute(sql, params, many, context)

    with connection.execute_wrapper(stop_at_the_second_report):
        assert rebuild_list(list_id=book.list.pk) is None
    book.list.refresh_from_db()
    assert book.list.generation_id == before
    stopped = Generation.objects.get(state=GenerationState.STOPPED)
    assert 0 < stopped.done < stopped.total
    assert book.differences() == []


def test_rebuild_that_died_is_begun_again_and_swept_away(book):
    dead = begin_rebuild(list_id=book.list.pk)
    Generation.objects.filter(pk=dead.pk).update(touched_at=timezone.now() - timedelta(minutes=1))
    assert rebuild_list(list_id=book.list.pk) is not None
    dead.refresh_from_db()
    assert dead.state == GenerationState.FAILED
    assert empty_old_generations(grace=timedelta(0)) == 2  # the dead one and the one that was current
    assert empty_old_generations(grace=timedelta(0)) == 0  # they are not emptied again every night
    assert Change.objects.values("generation").distinct().count() == 1
    assert Standing.objects.values("generation").distinct().count() == 1
    assert book.differences() == []


def test_tidy_leaves_a_fresh_one_to_its_readers_for_a_minute(book):
    old = book.list.generation_id
    rebuild_list(list_id=book.list.pk)
    for seconds, emptied in ((0, 0), (50, 0), (60.5, 1)):
        at = timezone.now() - timedelta(seconds=seconds)
        Generation.objects.filter(pk=old).update(touched_at=at)
        assert empty_old_generations() == emptied


def test_tidy_takes_so_many_rows_at_a_time_and_comes_back_for_the_rest(book):
    old = book.list.generation
    rebuild_list(list_id=book.list.pk)
    assert Change.objects.of(old).count() == 24
    left = [
        (empty_old_generations(limit=10, grace=timedelta(0)), Change.objects.of(old).count())
        for _ in range(4)
    ]
    assert left == [(0, 14), (0, 4), (1, 0), (0, 0)]
    assert not Standing.objects.filter(generation=old).exists()
    assert book.differences() == []


@pytest.mark.parametrize(("system", "pauses"), [("fibs", [6, 12]), ("glicko2", [6])])
def test_rebuild_in_pieces_shows_how_far_it_is_and_lets_others_write_in_between(
    book, monkeypatch, system, pauses
):
    monkeypatch.setattr(rebuilding, "STEPS_PER_TRANSACTION", 6)
    monkeypatch.setattr(partitions, "OWN_PARTITION_ABOVE", 12)
    listed = a_list(book, system=system)
    book.beats("Ann", "Bob", at=timezone.now())  # of a period that is open: it changes nothing on such a list
    gc.enable()
    seen = []

    def others(seconds):
        assert seconds > 0.1  # SQLite looks every 0.1 s whether it may write
        now = Generation.objects.get(state=GenerationState.BUILDING)
        seen.append((now.done, now.total, gc.isenabled()))

    monkeypatch.setattr(rebuilding.time, "sleep", others)
    built = rebuild_list(list_id=listed.list.pk, started_by="D" * 200)
    built.refresh_from_db()
    assert seen == ([] if partitions.is_postgresql() else [(done, 13, False) for done in pauses])
    assert (built.done, built.total, built.state) == (13, 13, GenerationState.CURRENT)
    assert gc.isenabled()
    assert built.shelf == (built.pk if partitions.is_postgresql() else COMMON_PARTITION)
    assert built.started_by == "D" * 160  # as much of a long name as is kept
    assert listed.differences() == []


def test_rebuild_rates_what_waited_when_it_began_once_only(book):
    book.beats("Ann", "Bob", at=DAY_ONE)
    with CaptureQueriesContext(connection) as asked:
        rebuild_list(list_id=book.list.pk)
    assert [query["sql"] for query in asked if query["sql"].startswith("DELETE FROM rating_change")] == []
    assert not Pending.objects.exists()
    assert len(book.history("Ann")) == 9
    assert book.differences() == []


def test_rebuild_that_fails_says_so_and_leaves_the_list(book, monkeypatch):
    monkeypatch.setattr(rebuilding, "PROGRESS_STEPS", 0)  # a loop that cannot step
    gc.enable()
    with pytest.raises(ValueError, match="range"):
        rebuild_list(list_id=book.list.pk)
    assert gc.isenabled()
    assert Generation.objects.filter(state=GenerationState.FAILED).count() == 1
    assert book.differences() == []


@pytest.mark.postgres
def test_large_rebuild_gets_a_shelf_of_its_own_and_goes_on_from_there(book, monkeypatch):
    monkeypatch.setattr(partitions, "OWN_PARTITION_ABOVE", 5)
    first = rebuild_list(list_id=book.list.pk)
    assert first.shelf == first.pk
    assert book.differences() == []
    book.beats("Bob", "Ann", 7, at=DAY_ONE)
    book.apply()
    assert book.differences() == []
    second = rebuild_list(list_id=book.list.pk)
    assert second.shelf == second.pk
    assert empty_old_generations(grace=timedelta(0)) == 2
    assert book.differences() == []
    assert partition_exists(second)
    assert not partition_exists(first)


def partition_exists(generation):
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [f"rating_change_{generation.pk}"])
        return cursor.fetchone()[0] is not None


def test_command_rebuilds_and_checks(book, capsys):
    call_command("rebuild_ratings", "--list", book.list.public_id, "--check")
    assert ": differences found: 0" in capsys.readouterr().out
    Standing.objects.filter(player=book.player("Ann")).update(experience=1)
    with pytest.raises(CommandError) as refused:
        call_command("rebuild_ratings", "--check")
    assert refused.value.returncode == 1
    assert "standing" in capsys.readouterr().out
    call_command("rebuild_ratings")
    assert "12 results rated" in capsys.readouterr().out
    assert book.differences() == []
    with pytest.raises(CommandError, match="Rating list not found"):
        call_command("rebuild_ratings", "--list", "nothing")


def test_import_command_checks_and_takes_in(book, tmp_path, capsys):
    file = tmp_path / "old.csv"
    file.write_text("date,winner,loser,length\n2025-01-05,Ann,Zoe,7\n")
    command = ["import_ratings", "results", str(file), "--list", book.list.public_id]
    with pytest.raises(CommandError) as refused:
        call_command(*command)
    assert refused.value.returncode == 1
    assert "Zoe" in capsys.readouterr().err
    call_command(*command, "--create-players")
    assert "New rows: 1" in capsys.readouterr().out
    assert len(book.history("Ann")) == 8
    call_command(*command, "--create-players", "--apply")
    book.apply()
    assert len(book.history("Ann")) == 9
    with pytest.raises(CommandError):
        call_command("import_ratings", "results", str(tmp_path / "none"), "--list", book.list.public_id)


def stopped_by_hand(book) -> None:
    generation = begin_rebuild(list_id=book.list.pk, started_by="Dora")
    Generation.objects.filter(pk=generation.pk).update(
        state=GenerationState.STOPPED, stop_requested=True, finished_at=timezone.now()
    )


def test_stopped_rebuild_rests_until_somebody_asks_for_it(book):
    version = RatingList.objects.get(pk=book.list.pk).version
    mark_for_rebuild(list_ids=[book.list.pk])
    assert RatingList.objects.get(pk=book.list.pk).version == version + 1
    stopped_by_hand(book)
    before = book.list.generation_id
    assert book.apply() == ApplyResult()  # the sweep comes by
    assert book.list.generation_id == before
    assert rebuild_list(list_id=book.list.pk, started_by="Dora") is not None
    book.list.refresh_from_db()
    assert not book.list.needs_rebuild


def test_stopped_rebuild_rests_for_ten_minutes_and_a_time_to_come_is_of_a_clock_set_back(book, monkeypatch):
    stopped_by_hand(book)
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    for seconds, rests in ((0, True), (599, True), (600, False), (-600, True), (-601, False)):
        at = now - timedelta(seconds=seconds)
        Generation.objects.filter(stop_requested=True).update(finished_at=at)
        assert paused_until(book.list) == (at + timedelta(minutes=10) if rests else None)


def test_rebuild_that_was_heard_of_in_the_last_20_seconds_is_alive_and_no_second_one_begins(
    book, monkeypatch
):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    for seconds, alive in ((19.999, True), (20, False), (-20, True), (-20.001, False)):
        running = begin_rebuild(list_id=book.list.pk)
        Generation.objects.filter(pk=running.pk).update(touched_at=now - timedelta(seconds=seconds))
        if alive:
            with pytest.raises(Conflict, match=r"rating\.rebuild_running"):
                request_rebuild(actor=Actor.program(), list_id=book.list.pk)
        else:
            request_rebuild(actor=Actor.program(), list_id=book.list.pk)
        second = begin_rebuild(list_id=book.list.pk)
        assert (second is None) == alive, seconds
        Generation.objects.filter(state=GenerationState.BUILDING).update(state=GenerationState.FAILED)


def test_rebuild_is_asked_for_and_stopped_by_directors_alone_and_the_trail_has_both(
    book, django_capture_on_commit_callbacks
):
    dora, stranger = a_user("Dora"), a_user("Stan")
    Membership.objects.create(user=dora, club=book.club, role=Role.DIRECTOR)
    with pytest.raises(NotAllowed):
        request_rebuild(actor=Actor.of(stranger), list_id=book.list.pk)
    with django_capture_on_commit_callbacks() as queued:
        request_rebuild(actor=Actor.of(dora), list_id=book.list.pk)
    assert len(queued) == 1
    running = begin_rebuild(list_id=book.list.pk, started_by="Dora")
    with pytest.raises(NotAllowed):
        stop_rebuild(actor=Actor.of(stranger), list_id=book.list.pk)
    running.refresh_from_db()
    assert not running.stop_requested
    stop_rebuild(actor=Actor.of(dora), list_id=book.list.pk)
    running.refresh_from_db()
    assert running.stop_requested
    trail = AuditEntry.objects.filter(club=book.club, action__contains="rebuild").order_by("pk")
    assert list(trail.values_list("action", "actor", "subject_id")) == [
        ("rating_list.rebuild", dora.pk, book.list.pk),
        ("rating_list.stop_rebuild", dora.pk, book.list.pk),
    ]


def test_stopped_rebuild_begins_by_itself_when_its_rest_is_over_or_the_settings_change(book):
    mark_for_rebuild(list_ids=[book.list.pk])
    stopped_by_hand(book)
    Generation.objects.filter(stop_requested=True).update(
        finished_at=timezone.now() - rebuilding.STOPPED_PAUSE - timedelta(seconds=1)
    )
    assert book.apply().rebuilt
    mark_for_rebuild(list_ids=[book.list.pk])
    stopped_by_hand(book)
    mark_for_rebuild(list_ids=[book.list.pk])
    assert book.apply().rebuilt


def dies(generation: Generation) -> None:
    """Its worker says nothing any more."""
    Generation.objects.filter(pk=generation.pk).update(touched_at=timezone.now() - timedelta(seconds=21))


def test_requested_rebuild_when_its_message_or_its_worker_is_lost_then_it_begins_again(book):
    before = book.list.generation_id
    request_rebuild(actor=Actor.program(), list_id=book.list.pk)
    request_rebuild(actor=Actor.program(), list_id=book.list.pk)  # pressed twice
    assert interrupted_list_ids() == [book.list.pk]  # no message came through
    killed = begin_rebuild(list_id=book.list.pk, started_by="program")
    assert (interrupted_list_ids(), run_requested_rebuild(list_id=book.list.pk)) == (
        [],
        None,
    )  # a worker is at it
    dies(killed)
    assert interrupted_list_ids() == [book.list.pk]
    done = run_requested_rebuild(list_id=book.list.pk)
    book.list.refresh_from_db()
    assert before != book.list.generation_id == done.pk
    assert (interrupted_list_ids(), run_requested_rebuild(list_id=book.list.pk)) == ([], None)
    states = Generation.objects.filter(pk__gt=before).order_by("pk").values_list("state", "finished_at")
    assert [(state, ended is not None) for state, ended in states] == [("failed", True), ("current", True)]
    assert book.differences() == []


def test_requested_rebuild_when_several_workers_died_of_it_or_it_was_stopped_then_ended(book, caplog):
    for _worker in range(3):
        dies(begin_rebuild(list_id=book.list.pk, started_by="Dora"))
        assert interrupted_list_ids() == [book.list.pk]
    dies(begin_rebuild(list_id=book.list.pk, started_by="Dora"))
    assert interrupted_list_ids() == []
    assert not Generation.objects.filter(state=GenerationState.BUILDING).exists()
    assert "was given up" in caplog.text
    request_rebuild(actor=Actor.program(), list_id=book.list.pk)
    stop_rebuild(actor=Actor.program(), list_id=book.list.pk)
    assert (interrupted_list_ids(), run_requested_rebuild(list_id=book.list.pk)) == ([], None)
    assert Generation.objects.first().state == GenerationState.STOPPED


def test_rebuild_that_nobody_requested_when_its_worker_died_and_nothing_needs_it_then_ended(book):
    dies(begin_rebuild(list_id=book.list.pk))
    assert interrupted_list_ids() == []
    assert Generation.objects.first().state == GenerationState.FAILED
