"""Backup and restore: of one moment, all of it or nothing, into a database that is empty and that nobody uses."""

import fcntl
import sqlite3
import threading
from contextlib import closing, contextmanager
from io import StringIO
from pathlib import Path

import msgspec
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Case, Value, When

from games.models import RecordImport
from people.models import Club, OutgoingMail, Player
from rating.models import Change, Fact, Generation, GenerationState, RatingList, Standing
from rating.services.rebuild import rebuild_list
from rating.store import partitions
from tests.factories import a_club, an_event
from tests.support.emptying import empty_tables
from tests.support.lanes import ON_ONE, ONLY_IN_FULL, on_postgres
from tournaments.backups.services.archive import BackupRefused, create_archive, open_archive
from tournaments.backups.services.making import make_backup
from tournaments.backups.services.places import connected_to
from tournaments.backups.services.restoring import restore
from tournaments.models import Event, Match

pytestmark = [pytest.mark.django_db(transaction=True), *ON_ONE]


@pytest.fixture
def played():
    """An event that is over, its club and its rating list."""
    tournament = an_event(entries=4, lengths=[3, 3]).publish()
    tournament.play_out()
    for one in RatingList.objects.all():
        rebuild_list(list_id=one.pk)
    return tournament


def by_command(*words, **options):
    out = StringIO()
    call_command(*words, stdout=out, stderr=out, **options)
    return out.getvalue()


def lost(path):
    """A backup is made, and then everything is gone."""
    made = make_backup(path)
    empty_tables()
    return made


def rows_in(path, name):
    with open_archive(path) as backup:
        (table,) = (table for table in backup.manifest.tables if table.name == name)
        return list(backup.rows(table))


@contextmanager
def somebody_connected():
    """Another program has the site's database open, and does nothing."""
    come, go = threading.Event(), threading.Event()

    def look():
        Club.objects.count()
        come.set()
        go.wait(30)
        connection.close()

    other = threading.Thread(target=look)
    other.start()
    assert come.wait(30)
    try:
        yield
    finally:
        go.set()
        other.join()


def test_site_when_lost_then_restored_as_it_was_and_asked_whether_it_fits(played, tmp_path):
    path = tmp_path / "site.backup"
    before = [
        list(model.objects.order_by("pk").values())
        for model in (Event, Match, Player, Fact, Change, Standing)
    ]
    assert before[5]
    lost(path)
    assert not Event.objects.exists()
    heard = by_command("restore", str(path))
    after = [
        list(model.objects.order_by("pk").values())
        for model in (Event, Match, Player, Fact, Change, Standing)
    ]
    assert after == before
    assert "Events checked: 1, all consistent." in heard
    assert "none changed" in heard
    assert ": differences found: 0" in heard


def test_numbers_when_restored_then_none_is_given_out_again(played, tmp_path):
    gone = Player.objects.create(name="Gone")
    number = gone.pk
    gone.delete()
    lost(tmp_path / "site.backup")
    left = Path(connection.settings_dict["NAME"]).with_name(".crawford-1.unfinished")
    if not on_postgres():
        left.write_bytes(b"of a restore that was killed")
    restore(tmp_path / "site.backup")
    assert not left.exists()
    assert Player.objects.create(name="Come").pk > number


def test_backup_when_others_write_meanwhile_then_it_is_of_one_moment(played, tmp_path):
    came = []

    def elsewhere():
        try:
            club = a_club(name="Later")
            Player.objects.create(name="Later", home_club=club)
        finally:
            connection.close()

    def look(execute, sql, params, many, context):
        found = execute(sql, params, many, context)
        if "games_recordimport" in sql and not came:  # the first that it reads
            came.append(sql)
            somebody = threading.Thread(target=elsewhere)
            somebody.start()
            somebody.join(60)
        return found

    with connection.execute_wrapper(look):
        make_backup(tmp_path / "site.backup")
    assert came
    assert Club.objects.filter(name="Later").exists()
    for name in ("people_club", "people_player", "people_user", "people_auditentry"):
        assert "Later" not in str(rows_in(tmp_path / "site.backup", name))


def test_backup_when_made_then_nobody_is_let_in_by_it(played, tmp_path, client):
    client.force_login(played.actor.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    OutgoingMail.objects.create(
        recipient="ada@example.org", sender="x@example.org", subject="link", content=b"secret"
    )
    made = make_backup(tmp_path / "site.backup")
    names = {table.name for table in made.tables}
    assert "people_user" in names
    assert names.isdisjoint({"django_session", "usersessions_usersession", "people_outgoingmail"})


def test_restore_when_there_is_data_then_refused(played, tmp_path):
    make_backup(tmp_path / "site.backup")
    Club.objects.filter(pk=played.club.pk).update(name="Newer")
    with pytest.raises(
        CommandError, match=r"The database already contains data\. Name a new one with --fresh NAME\."
    ):
        by_command("restore", str(tmp_path / "site.backup"))
    assert Club.objects.get(pk=played.club.pk).name == "Newer"


def test_restore_when_somebody_is_connected_then_refused(played, tmp_path):
    lost(tmp_path / "site.backup")
    with somebody_connected(), pytest.raises(CommandError, match="The database is in use"):
        by_command("restore", str(tmp_path / "site.backup"))
    assert not Event.objects.exists()
    restore(tmp_path / "site.backup")
    assert Event.objects.exists()


def test_restore_when_rows_do_not_hold_together_then_refused_and_nothing_is_there(played, tmp_path):
    with connection.cursor() as cursor:
        if on_postgres():
            cursor.execute("ALTER TABLE tournaments_match DISABLE TRIGGER ALL")
        else:
            cursor.execute("PRAGMA foreign_keys=OFF")
        cursor.execute("UPDATE tournaments_match SET stage_id = 987654")
        if on_postgres():
            cursor.execute("ALTER TABLE tournaments_match ENABLE TRIGGER ALL")
        else:
            cursor.execute("PRAGMA foreign_keys=ON")
    lost(tmp_path / "site.backup")
    with pytest.raises(BackupRefused, match="The database rejected the content of"):
        restore(tmp_path / "site.backup")
    assert not Event.objects.exists()
    assert not Player.objects.exists()


def test_restored_site_when_a_result_was_changed_beside_the_program_then_it_is_told(played, tmp_path):
    Match.objects.update(winner_side=Case(When(winner_side="a", then=Value("b")), default=Value("a")))
    lost(tmp_path / "site.backup")
    with pytest.raises(CommandError, match=r"these checks failed: check_events"):
        by_command("restore", str(tmp_path / "site.backup"))
    assert Event.objects.exists()


def test_restore_when_the_key_is_another_then_told_and_done(played, tmp_path, settings):
    lost(tmp_path / "site.backup")
    former, settings.SECRET_KEY = (
        settings.SECRET_KEY,
        "another key, and one that is long enough for a site's own secret",
    )
    assert "made with a different SECRET_KEY" in by_command("restore", str(tmp_path / "site.backup"))
    empty_tables()
    settings.SECRET_KEY_FALLBACKS = [former]
    assert "SECRET_KEY" not in by_command("restore", str(tmp_path / "site.backup"))


def test_files_when_lost_then_restored_under_their_names(played, tmp_path):
    batch = RecordImport(club=played.club, filename="a.zip", sha256="a")
    batch.file.save("a.zip", ContentFile(b"the archive" * 1000))
    missing = RecordImport.objects.create(
        club=played.club, filename="b.zip", sha256="b", file="archives/b.zip"
    )
    made = lost(tmp_path / "site.backup")
    assert [kept.name for kept in made.files] == [batch.file.name]
    default_storage.delete(batch.file.name)
    restore(tmp_path / "site.backup")
    with RecordImport.objects.get(pk=batch.pk).file.open() as file:
        assert file.read() == b"the archive" * 1000
    assert RecordImport.objects.get(pk=missing.pk).file.name == missing.file.name
    default_storage.delete(batch.file.name)


def test_files_when_another_is_stored_by_the_name_then_refused(played, tmp_path):
    batch = RecordImport(club=played.club, filename="a.zip", sha256="a")
    batch.file.save("a.zip", ContentFile(b"the archive"))
    name = batch.file.name
    lost(tmp_path / "site.backup")
    default_storage.delete(name)
    assert default_storage.save(name, ContentFile(b"something else")) == name
    with pytest.raises(BackupRefused, match="A different file is already stored as"):
        restore(tmp_path / "site.backup")
    assert not Event.objects.exists()
    default_storage.delete(name)


def test_history_when_large_then_it_has_a_partition_where_there_are_any(played, tmp_path, monkeypatch):
    monkeypatch.setattr(partitions, "OWN_PARTITION_ABOVE", 2)
    rating_list = RatingList.objects.get()
    Generation.objects.create(rating_list=rating_list)  # somebody is computing
    before = list(Change.objects.values("fact_id", "player_id", "after"))
    lost(tmp_path / "site.backup")
    restore(tmp_path / "site.backup")
    assert list(Change.objects.values("fact_id", "player_id", "after")) == before != []
    current = Generation.objects.get(state=GenerationState.CURRENT)
    assert current.shelf == (current.pk if on_postgres() else 0)
    assert Change.objects.of(current).count() == len(before)
    assert set(Generation.objects.exclude(pk=current.pk).values_list("state", "emptied")) <= {
        ("failed", True), ("retired", True),
    }  # fmt: skip
    assert rebuild_list(list_id=rating_list.pk, started_by="somebody")


@ONLY_IN_FULL
def test_fresh_database_when_named_then_the_sites_own_stays(played, tmp_path):
    make_backup(tmp_path / "site.backup")
    usual = connection.settings_dict["NAME"]
    name = f"{usual}_fresh" if on_postgres() else str(tmp_path / "fresh.sqlite3")
    assert "The site still uses" in by_command("restore", str(tmp_path / "site.backup"), fresh=name)
    with pytest.raises(BackupRefused, match=r"already exists"):
        restore(tmp_path / "site.backup", new_name=name)
    with connected_to(name):
        assert Event.objects.count() == 1
    assert Event.objects.count() == 1
    if on_postgres():
        connection.close()
        with connection._nodb_cursor() as cursor:  # what a restore leaves that is killed
            cursor.execute(f'DROP DATABASE "{name}"')
            cursor.execute(f'CREATE DATABASE "{name}"')
        restore(tmp_path / "site.backup", new_name=name)
        with connected_to(name):
            assert Event.objects.count() == 1
        connection.close()
        with connection._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}"')


@ONLY_IN_FULL
@pytest.mark.sqlite
def test_fresh_file_when_its_making_breaks_off_then_nothing_is_left(played, tmp_path):
    path, folder = tmp_path / "site.backup", tmp_path / "fresh"
    make_backup(path)
    folder.mkdir()
    broken = tmp_path / "broken.backup"
    with open_archive(path) as old, create_archive(broken) as new:
        tables = []
        for table in old.manifest.tables:
            with new.member(f"tables/{table.name}.jsonl") as member:
                for row in old.rows(table):
                    member.write(msgspec.json.encode(row) + b"\n")
                    if table.name == "people_club":
                        member.write(msgspec.json.encode(row) + b"\n")  # twice the same number
            tables.append(msgspec.structs.replace(table, sha256=member.sha256))
        new.close(msgspec.structs.replace(old.manifest, tables=tables))
    with pytest.raises(BackupRefused, match="rejected the content"):
        restore(broken, new_name=str(folder / "club.sqlite3"))
    assert [one.name for one in folder.iterdir()] == ["club.sqlite3.lock"]


@pytest.mark.sqlite
def test_restore_when_make_run_holds_the_database_then_refused(played, tmp_path):
    lost(tmp_path / "site.backup")
    with Path(f"{connection.settings_dict['NAME']}.lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(BackupRefused, match="The database is in use"):
            restore(tmp_path / "site.backup")


@pytest.mark.sqlite
def test_restore_when_a_program_that_is_not_ours_has_the_file_open_then_refused(played, tmp_path):
    lost(tmp_path / "site.backup")
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
        other.execute("SELECT count(*) FROM people_club").fetchone()
        with pytest.raises(BackupRefused, match="The database is in use"):
            restore(tmp_path / "site.backup")


def test_backup_when_of_migrations_that_are_not_known_then_refused(played, tmp_path):
    path, newer = tmp_path / "site.backup", tmp_path / "newer.backup"
    make_backup(path)
    with open_archive(path) as old, create_archive(newer) as new:
        for table in old.manifest.tables:
            with (
                new.member(f"tables/{table.name}.jsonl") as member,
                old.open(f"tables/{table.name}.jsonl") as rows,
            ):
                member.write(rows.read())
        new.close(
            msgspec.structs.replace(
                old.manifest, migrations=[*old.manifest.migrations, ("people", "9999_later")]
            )
        )
    empty_tables()
    with pytest.raises(CommandError, match="created by a newer release of Crawford"):
        by_command("restore", str(newer))
    assert not Event.objects.exists()
