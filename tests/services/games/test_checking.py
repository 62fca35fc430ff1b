"""Records of megabytes are checked in a process of their own: the same verdict, and an end when they take too long."""

import gzip
import signal
import struct
import subprocess
import sys
import zlib
from datetime import timedelta
from multiprocessing.reduction import ForkingPickler

import pytest
from django.conf import settings
from django.utils import timezone

from games.models import ImportedFile
from games.records.checking import check_record
from games.records.validation import ExpectedMatch, VerdictDecision
from games.rules.formats import MatchFormat
from games.services import checking, imports
from games.services.checking import SUBPROCESS_BYTES, check_with_limits
from games.services.imports import CLAIM_TIMEOUT, process_import
from tests.factories import a_club
from tests.services.games.test_imports import handed_in, season
from tests.support.lanes import in_full
from tests.support.records import a_record


def large(length: int = 3) -> bytes:
    record = a_record("Ann", "Bob", length, "lrll")
    return record + b"\n" * (SUBPROCESS_BYTES + 1 - len(record))


def test_record_when_it_is_large_then_the_verdict_is_the_same() -> None:
    asked = (large(), "x.mat", MatchFormat(length=3), ExpectedMatch(length=3))
    verdict = check_with_limits(*asked)
    assert verdict == check_record(*asked)
    assert verdict.record is not None
    assert verdict.verdict.decision is not VerdictDecision.UNREADABLE


@pytest.mark.parametrize(
    "small",
    [
        b'{"compression":"gzip","encoding":"smile"}\n'
        + gzip.compress(b":)\n\x00\xf8" + b"\x21" * 2_000_000 + b"\xf9"),
        b"RGMH" + struct.pack("<IIqI", 1, 24, 0, 0) + zlib.compress(bytes(5_000_000)),
    ],
    ids=["bgf", "xg"],
)
def test_record_when_it_unpacks_to_megabytes_then_checked_apart_however_small_it_is(
    monkeypatch: pytest.MonkeyPatch, small: bytes
) -> None:
    monkeypatch.setattr(checking, "WALL_SECONDS", 0.01)
    verdict = check_with_limits(small)
    assert len(small) < SUBPROCESS_BYTES
    assert verdict.unreadable is not None
    assert verdict.unreadable.code == "record.too_much_work"


class Endless:
    """What keeps whoever opens it busy."""

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return sum, (range(10**12),)


@pytest.mark.skipif(not in_full(), reason="takes a second of the processor: the full run does it")
def test_process_when_it_has_used_its_share_of_the_processor_then_ended_by_the_kernel() -> None:
    command = [sys.executable, "-m", "games.apart", "1"]
    asked = bytes(ForkingPickler.dumps(Endless()))
    done = subprocess.run(
        command, input=asked, cwd=settings.BASE_DIR, capture_output=True, timeout=60, check=False
    )
    assert done.returncode in {-signal.SIGXCPU, -signal.SIGKILL}


def test_record_when_it_takes_too_long_then_unreadable_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "WALL_SECONDS", 0.01)
    verdict = check_with_limits(large(), "x.mat")
    assert (verdict.verdict.decision, verdict.record) == (VerdictDecision.UNREADABLE, None)
    assert verdict.unreadable is not None
    assert verdict.unreadable.code == "record.too_much_work"


def test_process_that_checks_knows_no_framework() -> None:
    code = "import sys, games.apart; print([n for n in ('django', 'celery') if n in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=settings.BASE_DIR, capture_output=True, check=True
    )
    assert done.stdout.strip() == b"[]"


@pytest.mark.django_db
def test_import_when_its_turn_is_over_then_goes_on_with_the_next_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(imports, "TURN_SECONDS", -1.0)
    batch = handed_in(a_club(), season(imports.CHUNK_FILES + 3)).batch
    assert [process_import(batch_id=batch.pk) for _ in range(3)] == [imports.CHUNK_FILES, 3, 0]
    batch.refresh_from_db()
    assert batch.finished_at is not None


@pytest.mark.django_db
def test_claim_when_its_files_take_long_then_stays_young(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "RENEW_SECONDS", 0.0)
    batch = handed_in(a_club(), season(3)).batch
    chunk = imports.claim_files(batch_id=batch.pk)
    old = timezone.now() - CLAIM_TIMEOUT + timedelta(seconds=1)
    ImportedFile.objects.update(claimed_at=old)
    files = imports._check_chunk(chunk, imports.OpenArchive(imports.archive_content(batch)))
    next(files)
    assert ImportedFile.objects.filter(claimed_at__gt=old + timedelta(seconds=60)).count() == len(chunk)
