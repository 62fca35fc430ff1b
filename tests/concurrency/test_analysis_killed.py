"""A worker that is killed with -9 while an engine is at work: the engine ends with it, and the record is analysed once."""

import os
import signal
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from games.analysis.gnubg import GnuBackgammon, program_path
from games.models import AnalysedDecision, RecordAnalysis
from games.services import store_record
from games.services.analyses import process_next_analysis, release_stale_claims, request_analysis
from tests.services.games.test_analyses import MATCH, is_alive
from tests.support.lanes import ONLY_IN_FULL

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.gnubg, ONLY_IN_FULL]

PATIENCE = 60


def wait_for(what):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if what():
            return True
        time.sleep(0.05)
    return False


def test_worker_killed_in_mid_analysis_then_its_engine_ends_and_another_writes_it_once(
    tmp_path, monkeypatch, stand_in
):
    own = program_path()
    version = GnuBackgammon(own).version
    stand_in(f"echo $$ > {tmp_path}/engine\nexec sleep 600", version=version)
    stored = store_record(content=MATCH, filename="m.mat", record_format="mat")
    request_analysis(record_id=stored.pk)
    connection.close()
    worker = os.fork()
    if worker == 0:
        try:
            process_next_analysis()
        finally:
            os._exit(0)
    noted = Path(tmp_path, "engine")
    assert wait_for(lambda: noted.exists() and noted.read_text().strip())
    os.kill(worker, signal.SIGKILL)
    os.waitpid(worker, 0)
    assert wait_for(lambda: not is_alive(noted.read_text().strip()))
    assert RecordAnalysis.objects.get().state == RecordAnalysis.State.WORKING
    assert not AnalysedDecision.objects.exists()

    monkeypatch.setenv("GNUBG", own)
    assert not process_next_analysis()  # its claim is young: somebody may be at it
    RecordAnalysis.objects.update(claimed_at=timezone.now() - timedelta(seconds=100))
    assert release_stale_claims() == 1
    assert process_next_analysis()
    assert not process_next_analysis()
    row = RecordAnalysis.objects.get()
    assert (row.state, row.tries) == (RecordAnalysis.State.DONE, 2)
    assert AnalysedDecision.objects.filter(kind="checker").count() == 6
