"""An import is worked off in chunks, by several workers, through their deaths, once."""

import os
import re
import zipfile
from datetime import timedelta
from io import BytesIO

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from faults import NotAllowed
from games.models import ARCHIVE_FOLDER, HeldRecord, ImportedFile, RecordImport, StoredRecord
from games.records.registry import read_record, write_record
from games.records.validation import VerdictDecision
from games.selectors import held_record, import_progress
from games.services.held import MAX_PER_PURPOSE, delete_old_held_records, hold_record
from games.services.imports import (
    CHUNK_FILES,
    CLAIM_TIMEOUT,
    claim_files,
    delete_orphan_archives,
    process_import,
    start_import,
    unfinished_imports,
)
from games.tasks import import_records, sweep
from people.actors import Actor
from tests.factories import a_club, a_user
from tests.support.fuzzed_records import inputs
from tests.support.records import BAD_OPENING, a_record

pytestmark = pytest.mark.django_db(transaction=True)


def archive(files):
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, content in files.items():
            packed.writestr(
                zipfile.ZipInfo(name), content
            )  # without the time of day: the same files, the same archive
    return out.getvalue()


def season(count, **more):
    return archive(
        {**{f"{n:03}.mat": a_record(f"Left {n}", "Right", 3, "lrll") for n in range(count)}, **more}
    )


@pytest.fixture
def club():
    return a_club()


def handed_in(club, content, name="season.zip"):
    return start_import(
        actor=Actor.of(club.memberships.get().user), club_id=club.pk, content=content, filename=name
    )


def test_every_file_gets_its_report(club):
    batch = handed_in(
        club,
        archive(
            {
                "good.mat": a_record("Ann", "Bob", 3, "lrll"),
                "noted.mat": a_record("Ann", "Bob", 3, "lrll", opening=BAD_OPENING),
                "doubtful.mat": a_record("Ann", "Bob", 3, "lrll", opening=BAD_OPENING, in_all=True),
                "wrong.mat": a_record("Ann", "Bob", 3, "lrll").replace(b"Bob : 1", b"Bob : 2", 1),
                "prose.txt": b"Dear club, ...",
                "inner.zip": b"PK",
            }
        ),
    ).batch
    assert process_import(batch_id=batch.pk) == 5
    rows = {file.filename: file for file in ImportedFile.objects.all()}
    assert {name: row.decision for name, row in rows.items()} == {
        "good.mat": VerdictDecision.ACCEPT,
        "noted.mat": VerdictDecision.ACCEPT_WITH_NOTES,
        "doubtful.mat": VerdictDecision.DOUBTFUL,
        "wrong.mat": VerdictDecision.REJECT,
        "prose.txt": VerdictDecision.UNREADABLE,
        "inner.zip": VerdictDecision.UNREADABLE,
    }
    good = rows["good.mat"]
    assert (good.left, good.right, good.length, good.score_left, good.score_right) == ("Ann", "Bob", 3, 3, 1)
    assert (rows["noted.mat"].findings, rows["doubtful.mat"].findings) == (1, 5)
    assert import_progress(batch).doubtful == 1
    assert rows["inner.zip"].refused == "packed.archive"
    assert StoredRecord.objects.count() == 4
    batch.refresh_from_db()
    assert batch.finished_at is not None
    assert batch.file.name == ""
    assert not default_storage.exists(f"{ARCHIVE_FOLDER}/{batch.public_id}.zip")


def test_same_archive_again_is_the_same_import(club):
    first = handed_in(club, season(3))
    process_import(batch_id=first.batch.pk)
    again = handed_in(club, season(3), "renamed.zip")
    assert (again.batch, again.repeated) == (first.batch, True)
    other = handed_in(a_club(), season(3))
    assert not other.repeated
    process_import(batch_id=other.batch.pk)
    assert StoredRecord.objects.count() == 3


def test_same_record_twice_in_one_archive_is_stored_once(club):
    record = a_record("Ann", "Bob", 3, "lrll")
    batch = handed_in(club, archive({"a.mat": record, "b.mat": record})).batch
    process_import(batch_id=batch.pk)
    assert StoredRecord.objects.count() == 1
    assert set(ImportedFile.objects.values_list("record", flat=True)) == {StoredRecord.objects.get().pk}


def test_two_workers_get_different_files(club):
    batch = handed_in(club, season(CHUNK_FILES + 5)).batch
    first, second = claim_files(batch_id=batch.pk), claim_files(batch_id=batch.pk)
    assert (len(first), len(second)) == (CHUNK_FILES, 5)
    assert not {file.pk for file in first} & {file.pk for file in second}
    assert claim_files(batch_id=batch.pk) == []


def test_files_of_a_dead_worker_are_done_by_another(club):
    batch = handed_in(club, season(CHUNK_FILES + 5)).batch
    claim_files(batch_id=batch.pk)  # and then its worker died
    process_import(batch_id=batch.pk)
    assert import_progress(batch).done == 5
    assert unfinished_imports() == []  # the claim is still good
    ImportedFile.objects.filter(done=False).update(
        claimed_at=timezone.now() - CLAIM_TIMEOUT - timedelta(seconds=1)
    )
    assert unfinished_imports() == [batch.pk]
    process_import(batch_id=batch.pk)
    assert import_progress(batch).finished
    assert StoredRecord.objects.count() == CHUNK_FILES + 5


def test_worker_that_died_before_the_last_word_is_followed_by_the_sweep(club):
    batch = handed_in(club, season(2)).batch
    process_import(batch_id=batch.pk)
    RecordImport.objects.update(finished_at=None)
    assert unfinished_imports() == [batch.pk]
    import_records(batch.pk)
    assert unfinished_imports() == []


def test_doing_it_all_again_changes_nothing(club):
    batch = handed_in(club, season(4)).batch
    assert process_import(batch_id=batch.pk) == 4
    rows = list(ImportedFile.objects.values())
    assert process_import(batch_id=batch.pk) == 0
    import_records(batch.pk)
    assert list(ImportedFile.objects.values()) == rows


def test_hostile_files_are_reported_like_any_other(club):
    """Whatever stands in a file (odd letters in names, points beyond every number) is kept from breaking its chunk."""
    files = dict(enumerate(inputs(5, 150)))
    plain = write_record(read_record(a_record("Ann", "Bob", 0, "lrll")).record, "json").data
    files["nul.json"] = plain.replace(b'"Ann"', rb'"A\u0000nn"')
    files["huge.json"] = re.sub(rb'"score_before":\s*\[[^]]*\]', b'"score_before": [99999999999, 0]', plain)
    assert files["nul.json"] != plain != files["huge.json"]
    batch = handed_in(club, archive({f"{name}": content for name, content in files.items()})).batch
    process_import(batch_id=batch.pk)
    progress = import_progress(batch)
    assert progress.finished
    assert progress.total == 152


def test_only_directors_of_the_club_may_import(club):
    with pytest.raises(NotAllowed):
        start_import(actor=Actor.of(a_user()), club_id=club.pk, content=season(1), filename="a.zip")
    assert not RecordImport.objects.exists()


def test_held_file_is_good_for_its_purpose_alone_and_for_an_hour():
    held = hold_record(content=b"x", filename="../a.mat", purpose="match:one")
    assert held.filename == "a.mat"
    assert held_record(held.key, "match:one") == held
    assert held_record(held.key, "match:two") is None
    assert held_record("") is None
    HeldRecord.objects.update(created_at=timezone.now() - timedelta(hours=2))
    assert held_record(held.key, "match:one") is None
    assert delete_old_held_records() == 1


def test_held_files_of_one_form_do_not_pile_up():
    keys = [
        hold_record(content=b"x", filename="a", purpose="match:one").key for _ in range(MAX_PER_PURPOSE + 3)
    ]
    assert HeldRecord.objects.count() == MAX_PER_PURPOSE
    assert held_record(keys[-1]) is not None


def test_sweep_throws_old_files_away():
    hold_record(content=b"x", filename="a", purpose="p")
    HeldRecord.objects.update(created_at=timezone.now() - timedelta(hours=2))
    sweep()
    assert not HeldRecord.objects.exists()


def test_claim_when_the_clock_was_set_back_then_as_old_as_it_is(club):
    batch = handed_in(club, season(2)).batch
    assert len(claim_files(batch_id=batch.pk)) == 2
    ImportedFile.objects.update(claimed_at=timezone.now() + timedelta(hours=1))
    assert unfinished_imports() == [batch.pk]
    assert process_import(batch_id=batch.pk) == 2


def test_archive_when_nobody_knows_it_then_swept_away_after_its_time(club):
    batch = handed_in(club, season(1)).batch
    lost = default_storage.save(f"{ARCHIVE_FOLDER}/lost.zip", ContentFile(b"x"))
    delete_orphan_archives()
    assert default_storage.exists(lost), "its row may be about to come"
    for name in (lost, batch.file.name):
        os.utime(default_storage.path(name), (0, 0))
    assert delete_orphan_archives() == 1
    assert (default_storage.exists(lost), default_storage.exists(batch.file.name)) == (False, True)


def test_archive_when_its_file_is_elsewhere_then_the_import_waits(club):
    batch = handed_in(club, season(1)).batch
    default_storage.delete(batch.file.name)
    with pytest.raises(FileNotFoundError):
        process_import(batch_id=batch.pk)
    assert not ImportedFile.objects.filter(done=True).exists()
