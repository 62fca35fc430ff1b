"""An event that goes on while everything around it falls: real web, worker, PostgreSQL and Redis, killed and brought back.

Minutes by the clock, so `.ci/long` does it (`CRAWFORD_TEST_FULL=1`). Its parts in small, in every run: `tests/unit/config/test_caches.py`,
`tests/services/people/test_outbox.py`, `tests/web/test_full_disk.py`, `tests/concurrency/*/test_killed_*.py`.
"""

import http.client
import json
import os
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path

import pytest
import redis
from django.conf import settings
from django.db import connection

from rating.models import Pending
from rating.services.apply import outdated_lists
from tests.factories import an_event
from tests.support.lanes import in_full
from tests.support.servers import site_environment
from tests.support.tournaments import link_of
from tests.support.workers import kill, wait_until, worker
from tests.unit.config.test_serving import GRANIAN
from tools.services import find, free_port
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.statuses import MatchStatus
from tournaments.models import Match, Report

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not in_full(), reason="minutes: the full run does it"),
]
ENTRIES = 64
WITHIN = 60.0


@contextmanager
def a_redis(port: int, folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        [find("redis-server"), "--port", str(port), "--bind", "127.0.0.1", "--save", ""],
        stdout=subprocess.DEVNULL,
        cwd=folder,
    )
    with redis.Redis(port=port) as asked:
        wait_until(lambda: answers(asked), WITHIN)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def answers(asked: redis.Redis) -> bool:
    try:
        return bool(asked.ping())
    except redis.ConnectionError:
        return False


class Web:
    """The site as it is served, on this test's database, with somebody who looks at it all the time."""

    def __init__(self, folder: Path, redis_port: int) -> None:
        self.folder, self.port = folder, free_port()
        self.environment = site_environment(
            f"redis://127.0.0.1:{redis_port}/0",
            CRAWFORD_VAR=str(folder),
            CACHE_URL=f"rediscache://127.0.0.1:{redis_port}/1",
            SITE_URL=f"http://localhost:{self.port}",
            ALLOWED_HOSTS="localhost",
        )
        self.seen: Counter[int] = Counter()
        self.slowest = 0.0
        self.start()

    def start(self) -> None:
        with (self.folder / "web.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*GRANIAN, "--port", str(self.port), "--log-level", "warning", "config.rsgi:application"],
                cwd=settings.BASE_DIR,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        wait_until(lambda: self.get("/healthz") == 200, WITHIN)

    def get(self, path: str) -> int:
        return self.ask("GET", path)[0]

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> tuple[int, bytes]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            line.request(method, path, body, {"Host": "localhost", **headers})
            answer = line.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            line.close()

    def looked_at(self, paths: list[str], over: threading.Event) -> None:
        while not over.is_set():
            for path in paths:
                began = time.monotonic()
                self.seen[self.get(path)] += 1
                self.slowest = max(self.slowest, time.monotonic() - began)
            time.sleep(0.1)


class Hall:
    """Players who report and agree, and send again what nobody answered."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self.tournament = an_event(entries=ENTRIES, lengths=[7]).publish()
        self.waiting = iter(self.tournament.playable())
        self.acknowledged: list[int] = []

    def play(self, count: int) -> float:
        """So many matches; the seconds of the slowest answer."""
        slowest = 0.0
        for match in islice(self.waiting, count):
            began = time.monotonic()
            version = self._sent(match, "a", "report", {"score_a": 7, "score_b": 3})["report"]
            slowest = max(slowest, time.monotonic() - began)
            self._sent(match, "b", "agree", {"version": version})
            self.acknowledged.append(match.pk)
        return slowest

    def play_beside(self, count: int) -> None:
        """The same in a thread, which has a connection of its own."""
        try:
            self.play(count)
        finally:
            connection.close()

    def _sent(self, match: Match, side: str, action: str, body: dict[str, object]) -> dict[str, int]:
        text = json.dumps({**body, "submission_key": f"{match.pk}-{side}"})
        token = link_of(self.tournament, match, side)
        headers = {"Authorization": f"Link {token}", "Content-Type": "application/json"}
        deadline = time.monotonic() + WITHIN
        while True:
            status, said = self.web.ask(
                "POST", f"/api/v1/matches/{match.public_id}/{action}/", text, **headers
            )
            assert status != 500, said
            if status in {200, 201, 202}:
                return dict(json.loads(said))
            assert status in {0, 503}, (status, said)
            assert time.monotonic() < deadline, (status, said)
            time.sleep(0.3)


def all_rated() -> bool:
    return outdated_lists() == [] and not Pending.objects.filter(applied=False).exists()


def test_event_when_redis_web_and_worker_fall_then_nothing_acknowledged_is_lost_or_doubled(
    tmp_path: Path,
) -> None:
    port = free_port()
    with ExitStack() as stack:
        server = stack.enter_context(a_redis(port, tmp_path))
        web = Web(tmp_path, port)
        stack.callback(lambda: kill(web.process))
        running = stack.enter_context(worker(f"redis://127.0.0.1:{port}/0", tmp_path))
        hall = Hall(web)
        over = threading.Event()
        event = f"/en/e/{hall.night.event.public_id}/"
        looking = threading.Thread(
            target=web.looked_at, args=([event, f"{event}entries/", "/account/login/", "/en/"], over)
        )
        looking.start()
        stack.callback(looking.join)
        stack.callback(over.set)

        usual = hall.play(4)
        wait_until(all_rated, WITHIN)

        server.kill()
        server.wait()
        away = hall.play(6)
        assert set(web.seen) == {200}, web.seen
        with a_redis(port, tmp_path):
            back = hall.play(4)
            wait_until(all_rated, WITHIN)
            assert set(web.seen) == {200}, web.seen

            playing = threading.Thread(target=hall.play_beside, args=(6,))
            playing.start()
            for _ in range(2):
                time.sleep(0.7)
                os.killpg(web.process.pid, signal.SIGKILL)
                web.process.wait()
                web.start()
            playing.join()

            kill(running)
            hall.play(4)
            with worker(f"redis://127.0.0.1:{port}/0", tmp_path):
                wait_until(all_rated, WITHIN)
        assert set(web.seen) <= {200, 0}, web.seen
        print(
            f"slowest report: {usual:.2f} s, {away:.2f} without Redis, {back:.2f} after; {dict(web.seen)} pages"
        )

    played = Match.objects.filter(stage__division__event=hall.tournament.event, status=MatchStatus.CONFIRMED)
    assert sorted(played.values_list("pk", flat=True)) == sorted(hall.acknowledged)
    assert set(Counter(Report.objects.values_list("match", flat=True)).values()) <= {1, 2}
    assert integrity_faults(hall.tournament.event) == []
    log = (tmp_path / "web.log").read_text()
    assert "Redis is away" in log
    assert "Traceback" not in log, log[-3000:]
