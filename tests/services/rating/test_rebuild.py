"""Rebuilds under way: what arrives meanwhile, stopping, dying, tidying up; and partitions of their own on PostgreSQL."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from people.actors import Actor
from rating.models import Change, Generation, GenerationState, Pending, RatingList, Standing
from rating.services import mark_for_rebuild, rebuild_list, update_list
from rating.services import rebuild as rebuilding
from rating.services.lists import Settings
from rating.services.rebuild import begin_rebuild, tidy
from rating.store import partitions
from tests.support.rating import DAY_ONE, a_book

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
    rebuilding._switch(generation, known=known)
    assert book.all_ratings() == before  # … and the new one has it too
    assert Change.objects.of(generation).filter(fact=late).count() == 2
    assert book.differences() == []
    assert not Pending.objects.exists()


@pytest.mark.parametrize("read", [True, False], ids=["after it was filled", "before it reads the results"])
def test_rebuild_whose_settings_change_meanwhile_gives_way_to_one_with_the_new_ones(book, read):
    generation = begin_rebuild(list_id=book.list.pk)
    known = rebuilding._build(generation) if read else set()
    settings = Settings(name="Club rating", system="elo", parameters={"divisor": 400})
    update_list(actor=Actor.program(), list_id=book.list.pk, settings=settings)
    with pytest.raises(rebuilding.Stopped):
        rebuilding._switch(generation, known=known) if read else rebuilding._build(generation)
    generation.refresh_from_db()
    assert generation.state == GenerationState.STOPPED
    before = book.all_ratings()
    assert book.apply().rebuilt
    assert book.all_ratings() != before
    assert book.differences() == []


def test_stop_is_heard_and_leaves_the_list_as_it_is(book, monkeypatch):
    monkeypatch.setattr(rebuilding, "PIECE", 4)
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
    assert tidy(grace=timedelta(0)) == 2  # the dead one and the one that was current
    assert tidy(grace=timedelta(0)) == 0  # they are not emptied again every night
    assert Change.objects.values("generation").distinct().count() == 1
    assert Standing.objects.values("generation").distinct().count() == 1
    assert book.differences() == []


def test_tidy_leaves_a_fresh_one_to_its_readers(book):
    rebuild_list(list_id=book.list.pk)
    assert tidy() == 0


def test_rebuild_that_fails_says_so_and_leaves_the_list(book, monkeypatch):
    monkeypatch.setattr(rebuilding, "SLICE", 0)  # a loop that cannot step
    with pytest.raises(ValueError, match="range"):
        rebuild_list(list_id=book.list.pk)
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
    assert tidy(grace=timedelta(0)) == 2
    assert book.differences() == []
    assert partition_exists(second)
    assert not partition_exists(first)


def partition_exists(generation):
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s)", [f"rating_change_{generation.pk}"])
        return cursor.fetchone()[0] is not None


def test_command_rebuilds_and_checks(book, capsys):
    call_command("rebuild_ratings", "--list", book.list.public_id, "--check")
    assert "0 difference(s)" in capsys.readouterr().out
    Standing.objects.filter(player=book.player("Ann")).update(experience=1)
    with pytest.raises(CommandError) as refused:
        call_command("rebuild_ratings", "--check")
    assert refused.value.returncode == 1
    assert "standing" in capsys.readouterr().out
    call_command("rebuild_ratings")
    assert "12 results rated" in capsys.readouterr().out
    assert book.differences() == []
    with pytest.raises(CommandError, match="no such rating list"):
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
    assert "1 new row(s)" in capsys.readouterr().out
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
    assert not book.apply().rebuilt  # the sweep comes by
    assert book.list.generation_id == before
    assert rebuild_list(list_id=book.list.pk, started_by="Dora") is not None
    book.list.refresh_from_db()
    assert not book.list.needs_rebuild


def test_stopped_rebuild_begins_by_itself_when_its_rest_is_over_or_the_settings_change(book):
    mark_for_rebuild(list_ids=[book.list.pk])
    stopped_by_hand(book)
    Generation.objects.filter(stop_requested=True).update(
        finished_at=timezone.now() - rebuilding.REST - timedelta(seconds=1)
    )
    assert book.apply().rebuilt
    mark_for_rebuild(list_ids=[book.list.pk])
    stopped_by_hand(book)
    mark_for_rebuild(list_ids=[book.list.pk])
    assert book.apply().rebuilt
