"""The file of a backup: whole or refused with one sentence, and never half there."""

import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec
import pytest
from django.apps import apps
from django.db.models import FileField

from tournaments.backups.services import archive
from tournaments.backups.services.archive import (
    BackupRefused,
    Manifest,
    StoredFile,
    StoredTable,
    create_archive,
    open_archive,
)
from tournaments.backups.services.kinds import column_kind, row_reader, row_writer
from tournaments.backups.services.tables import EXCLUDED_TABLES, backup_tables

ROOT = Path(__file__).resolve().parents[3]
ROWS = [[number, f"Ann {number}", None, 0.1] for number in range(400)]


def made(path, **changed):
    with create_archive(path) as backup:
        with backup.member("tables/people_player.jsonl") as member:
            for row in ROWS:
                member.write(msgspec.json.encode(row) + b"\n")
        columns = [("id", "number"), ("name", "text"), ("born", "date"), ("weight", "float")]
        table = StoredTable("people_player", columns, len(ROWS), 400, member.sha256)
        with backup.member("files/archives/a.zip") as member:
            member.write(b"zipped")
        kept = StoredFile("archives/a.zip", member.size, member.sha256)
        manifest = Manifest(
            format=archive.FORMAT_VERSION, release="0.2.0", made_at="2026-11-23", database="sqlite", key="k", migrations=[],
            tables=[table], files=[kept],
        )  # fmt: skip
        backup.close(msgspec.structs.replace(manifest, **changed))
    return path


def refused(path):
    with pytest.raises(BackupRefused) as error, open_archive(path):
        pass
    return str(error.value).replace(str(path), "FILE")


def test_backup_when_read_then_its_rows_and_files_as_they_were(tmp_path):
    path = made(tmp_path / "site.backup")
    assert path.stat().st_mode & 0o077 == 0
    with open_archive(path) as backup:
        assert list(backup.rows(backup.manifest.tables[0])) == ROWS
        assert backup.open("files/archives/a.zip").read() == b"zipped"


def test_backup_when_cut_off_anywhere_then_refused(tmp_path):
    whole = made(tmp_path / "site.backup").read_bytes()
    torn = tmp_path / "torn.backup"
    for length in range(64, len(whole), len(whole) // 40):
        torn.write_bytes(whole[:length])
        assert refused(torn) == "FILE is damaged or incomplete. Use another copy of the file."


def test_backup_when_a_byte_is_another_then_refused_or_the_same_content(tmp_path):
    whole = made(tmp_path / "site.backup").read_bytes()
    path = tmp_path / "changed.backup"
    refusals = 0
    for place in range(0, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        try:
            with open_archive(
                path
            ) as backup:  # what a ZIP says beside its content, such as times, changes nothing
                assert list(backup.rows(backup.manifest.tables[0])) == ROWS
                assert backup.open("files/archives/a.zip").read() == b"zipped"
        except BackupRefused:
            refusals += 1
    assert refusals > len(whole) / 7 / 2


def test_backup_when_packed_again_with_another_row_then_refused(tmp_path):
    path, again = made(tmp_path / "site.backup"), tmp_path / "again.backup"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(again, "w") as new:
        for info in old.infolist():
            new.writestr(info, old.read(info).replace(b"Ann 7", b"Bea 7"))
    assert refused(again) == "FILE is damaged or incomplete. Use another copy of the file."


def test_backup_when_packed_again_with_something_more_then_refused(tmp_path):
    path = made(tmp_path / "site.backup")
    with zipfile.ZipFile(path, "a") as more:
        more.writestr("files/../../evil", b"")
    assert refused(path) == "FILE is damaged or incomplete. Use another copy of the file."


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"PK\x03\x04 and so on" * 9])
def test_file_when_foreign_then_refused(tmp_path, content):
    path = tmp_path / "foreign"
    path.write_bytes(content)
    assert refused(path) == "FILE is not a Crawford backup."


def test_file_when_a_zip_of_something_else_then_refused(tmp_path):
    path = tmp_path / "foreign.zip"
    with zipfile.ZipFile(path, "w") as other:
        other.writestr("crawford.json", "{}")
        other.writestr("manifest.json", "{}")
    assert refused(path) == "FILE is not a Crawford backup."


def test_file_when_it_is_not_there_then_refused(tmp_path):
    assert refused(tmp_path / "nothing") == "FILE cannot be read: No such file or directory."


def test_backup_when_of_a_newer_format_then_refused(tmp_path):
    path = made(tmp_path / "site.backup", format=archive.FORMAT_VERSION + 1)
    assert refused(path) == "FILE was created by a newer release of Crawford. Update this site first."


def test_backup_when_its_writing_breaks_off_then_nothing_is_left(tmp_path):
    def breaks_off():
        with create_archive(tmp_path / "site.backup") as backup, backup.member("tables/a.jsonl") as member:
            member.write(b"1" * 100_000)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        breaks_off()
    assert list(tmp_path.iterdir()) == []


BEGINS = """
import sys, time
from pathlib import Path
from tournaments.backups.services.archive import create_archive

with create_archive(Path(sys.argv[1])) as backup, backup.member("tables/a.jsonl") as member:
    member.write(b"1" * 100_000)
    print("begun", flush=True)
    time.sleep(60)
"""


def test_backup_when_its_maker_is_killed_then_the_next_one_clears_away_and_leaves_who_is_still_at_it(
    tmp_path,
):
    (tmp_path / ".crawford-odd.unfinished").symlink_to(tmp_path / "nothing")
    maker = subprocess.Popen(
        [sys.executable, "-c", BEGINS, str(tmp_path / "first.backup")], stdout=subprocess.PIPE, cwd=ROOT
    )
    assert maker.stdout is not None
    with maker.stdout:
        assert maker.stdout.readline() == b"begun\n"
        (mine,) = (one for one in tmp_path.iterdir() if not one.is_symlink())
        made(tmp_path / "second.backup")
        assert mine.exists()
        maker.kill()
        maker.wait(30)
    for end in ("-wal", "-shm"):  # of a restore, for one
        mine.with_name(mine.name + end).write_bytes(b"1")
    made(tmp_path / "third.backup")
    assert {one.name for one in tmp_path.iterdir()} == {
        "second.backup", "third.backup", ".crawford-odd.unfinished",
    }  # fmt: skip


def test_backup_when_a_file_stands_there_then_it_stays(tmp_path):
    path = tmp_path / "site.backup"
    path.write_bytes(b"mine")
    with pytest.raises(BackupRefused, match="already exists"), create_archive(path):
        pass
    assert path.read_bytes() == b"mine"


def test_tables_when_all_models_are_asked_then_each_travels_or_is_left_out_and_every_column_has_a_kind():
    of_models = {model._meta.db_table: model for model in apps.get_models(include_auto_created=True)}
    found = {table.name: table for table in backup_tables()}
    assert set(of_models) == set(found) | set(EXCLUDED_TABLES)
    for name, table in found.items():
        fields = of_models[name]._meta.local_concrete_fields
        assert table.columns == tuple((one.column, column_kind(one)) for one in fields)
        assert table.numbered in {"", "id"}
    assert sum(isinstance(one, FileField) for model in of_models.values() for one in model._meta.fields) == 2


def test_values_when_read_and_written_then_as_they_were():
    read, write = row_reader(["number", "bytes", "decimal.3"]), row_writer(["number", "bytes", "decimal.3"])
    assert read((1, b"\0\xff", 1.5)) == [1, "AP8=", "1.500"]
    assert write([1, "AP8=", "1.500"]) == [1, b"\0\xff", "1.500"]
    assert read((1, None, None)) == [1, None, None]
    assert row_reader(["number", "text"]) is row_writer(["json", "moment"]) is None
