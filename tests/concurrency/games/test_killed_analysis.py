"""A real worker on PostgreSQL and Redis: killed with -9 in the middle of an analysis, then Redis goes in the middle of it; it is made once."""

from contextlib import ExitStack
from datetime import timedelta

import pytest
from django.utils import timezone

from games.analysis.gnubg import GnuBackgammon, program_path
from games.models import AnalysedDecision, RecordAnalysis
from games.services import store_record
from games.services.analyses import CLAIM_TIMEOUT, request_analysis
from tests.services.games.test_analyses import MATCH, is_alive
from tests.support.lanes import ONLY_IN_FULL
from tests.support.workers import kill, wait_until, worker
from tools.services import free_port, redis

pytestmark = [
    pytest.mark.django_db(transaction=True),
    *(pytest.mark.postgres, pytest.mark.gnubg, pytest.mark.slow, ONLY_IN_FULL),
]
State = RecordAnalysis.State
WITHIN = 120.0


def test_analysis_when_its_worker_is_killed_and_redis_goes_then_made_once(tmp_path, stand_in):
    own = program_path()
    version = GnuBackgammon(own).version
    noted, go = tmp_path / "engine", tmp_path / "go"
    waits = f"while [ ! -e {go} ]; do sleep 0.2; done"
    path = stand_in(f'echo $$ > {noted}\n{waits}\nexec {own} "$@"', version=version)
    port = free_port()
    url = f"redis://127.0.0.1:{port}/0"
    stored = store_record(content=MATCH, filename="m.mat", record_format="mat")
    request_analysis(record_id=stored.pk)  # its message leads nowhere: the sweep has to find it

    def engine_at_work():
        wait_until(lambda: noted.exists() and bool(noted.read_text().strip()), WITHIN)
        pid = noted.read_text().strip()
        noted.unlink()
        return pid

    with ExitStack() as stack:
        server = ExitStack()
        stack.callback(server.close)
        server.enter_context(redis(tmp_path, port))
        with worker(url, tmp_path, GNUBG=str(path)) as running:
            engine = engine_at_work()
            kill(running)
        wait_until(lambda: not is_alive(engine), WITHIN)
        # The time it takes a claim to grow old has passed.
        late = timezone.now() - CLAIM_TIMEOUT - timedelta(seconds=1)
        RecordAnalysis.objects.update(claimed_at=late)
        stack.enter_context(worker(url, tmp_path, GNUBG=str(path)))
        engine_at_work()
        server.close()
        go.touch()
        wait_until(lambda: RecordAnalysis.objects.get().state == State.DONE, WITHIN)
    row = RecordAnalysis.objects.get()
    assert (row.tries, row.games_done) == (2, 2)
    assert AnalysedDecision.objects.filter(kind="checker").count() == 6
