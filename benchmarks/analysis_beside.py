"""Check that results are rated as fast as usual while 100 matches wait for their analysis.

    .venv/bin/python benchmarks/analysis_beside.py [--federation [--plain]] [--waiting 100] [--rounds 6] [--games N] [--until-done]

By default uses the embedded installation in a temporary folder: SQLite, messages as files, one worker for everything, as `make run` starts
it. `--federation` uses its own PostgreSQL and Redis and the workers of docker-compose.yml, with the analysis worker at the lowest priority
as in its systemd unit; `--plain` gives it the normal priority. In rounds, a knockout of 16 is played result by result, alternately with the
engine running and with the engine stopped by a signal, and the time from submitting each result until every list has rated it is measured.
`--games` analyses only this many games, which is faster; `--until-done` waits for all analyses.
Exit status 1 if results are rated later: the median by a tenth of a second, or the 95th percentile by two tenths.
"""

from __future__ import annotations

import argparse
import gzip
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(HERE / "loading")]

import yaml
from load import running

from tools import services
from tools.run import programs

PATIENCE = 60.0
DONE_AFTER = 3_600.0  # seconds, for `--until-done`
SLACK, SLACK_OF_95 = 0.1, 0.2
REST = 5.0
WORKERS = ("worker", "heavy", "analysis")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--federation", action="store_true", help="use PostgreSQL, Redis and a separate worker for analyses"
    )
    parser.add_argument(
        "--plain", action="store_true", help="run its analysis worker without the lowest priority"
    )
    parser.add_argument("--waiting", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=6, help="number of rounds with the engine, and without")
    parser.add_argument(
        "--games", type=int, default=0, help="number of games of the analysed match; 0 for all"
    )
    parser.add_argument("--until-done", action="store_true")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(services.data_folder(None))
        os.environ |= {
            "CRAWFORD_VAR": str(folder / "var"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(ROOT),
            "LOG_LEVEL": "WARNING",
        }
        if options.federation:
            cache = stack.enter_context(services.redis(folder))
            os.environ |= {
                "DATABASE_URL": stack.enter_context(services.postgres(folder)),
                "CELERY_BROKER_URL": cache,
                "CACHE_URL": cache.replace("/0", "/1").replace("redis:", "rediscache:"),
            }
        manage = [sys.executable, str(ROOT / "manage.py")]
        subprocess.run([*manage, "migrate", "--verbosity", "0"], check=True)
        subprocess.run([*manage, "seed_demo"], check=True, stdout=subprocess.DEVNULL)
        pids = {
            name: stack.enter_context(begun(command, folder / f"{name}.log")).pid
            for name, command in commands(options).items()
        }
        measure(options, Engine(pids.get("analysis", pids["worker"])))


def commands(options: argparse.Namespace) -> dict[str, list[str]]:
    """By name: the workers of the installation, and its beat."""
    local_commands = {
        program.name: list(program.command) for program in programs("127.0.0.1", 0) if program.name != "web"
    }
    if not options.federation:
        return local_commands
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    worker_commands = {
        name: [sys.executable, "-m", "celery", *compose[name]["command"][1:]] for name in WORKERS
    }
    if not options.plain:
        worker_commands["analysis"] = ["nice", "-n", "19", *worker_commands["analysis"]]
    return {**worker_commands, "beat": local_commands["beat"]}


@contextmanager
def begun(command: list[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """It is killed with all its children: one that is in the middle of an analysis would first end that."""
    with running(command, dict(os.environ), log) as process:
        try:
            yield process
        finally:
            os.killpg(process.pid, signal.SIGKILL)


class Engine:
    """What the worker of this process id has begun for an analysis: it can be stopped in the middle of its work, and go on."""

    def __init__(self, worker: int) -> None:
        self.worker = worker
        self.stopped: list[int] = []

    def at_work(self) -> list[int]:
        """It has a session of its own."""
        pids = [self.worker]
        for pid in pids:
            for children in Path(f"/proc/{pid}/task").glob("*/children"):
                with suppress(OSError):
                    pids += map(int, children.read_text().split())
        engine_pids = []
        for pid in pids[1:]:
            with suppress(ProcessLookupError):
                engine_pids += [pid] if os.getsid(pid) == pid else []
        return engine_pids

    def is_waited_for(self) -> bool:
        deadline = time.monotonic() + PATIENCE
        while not self.at_work() and time.monotonic() < deadline:
            time.sleep(0.05)
        return bool(self.at_work())

    @contextmanager
    def asleep(self) -> Iterator[None]:
        """Whatever is at work in here has been stopped; the next one begins when this one is done, so none does."""
        while self.is_waited_for():
            self.stopped = self.at_work()
            for pid in self.stopped:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)
            time.sleep(0.5)
            if self.at_work() == self.stopped:  # else it ended just then
                break
        try:
            yield
        finally:
            for pid in self.stopped:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)


def measure(options: argparse.Namespace, engine: Engine) -> None:
    import django

    django.setup()
    from games.models import RecordAnalysis
    from games.services import store_record
    from games.services.many_analyses import request_in_background

    rng = Random(1)
    delays(rng)  # the worker is awake
    time.sleep(REST)
    print(f"load average {os.getloadavg()[0]:.1f}; nothing waits: {figures(delays(rng))}", flush=True)
    match = the_match(options.games)
    files = [match.replace(b"PW[white]", f"PW[white {number}]".encode()) for number in range(options.waiting)]
    records = [store_record(content=data, filename="m.sgf", record_format="sgf").pk for data in files]
    batch = request_in_background(record_ids=records)
    rows = RecordAnalysis.objects.filter(record__in=records)
    quiet_delays: list[float] = []
    busy_delays: list[float] = []
    for number in range(options.rounds):
        for is_asleep in (True, False) if number % 2 else (False, True):
            if is_asleep:
                with engine.asleep():
                    quiet_delays += delays(rng)
            else:
                engine.is_waited_for()
                busy_delays += delays(rng)
    print(f"engine stopped: {figures(quiet_delays)}\nengine at work: {figures(busy_delays)}", flush=True)
    deadline = time.monotonic() + DONE_AFTER
    while (
        options.until_done
        and rows.filter(state__in=("waiting", "working")).exists()
        and time.monotonic() < deadline
    ):
        time.sleep(1)
    states = {state: rows.filter(state=state).count() for state in RecordAnalysis.State.values}
    print(f"asked for {batch.asked}: {states}; load average {os.getloadavg()[0]:.1f}")
    extra_median = statistics.median(busy_delays) - statistics.median(quiet_delays)
    extra_p95 = share(busy_delays, 0.95) - share(quiet_delays, 0.95)
    if extra_median > SLACK or extra_p95 > SLACK_OF_95 or states["failed"]:
        sys.exit(
            f"Results are rated later, by {extra_median:.2f} s, 95 of 100 by {extra_p95:.2f} s, or some failed."
        )


def the_match(games: int) -> bytes:
    from games.records.registry import read_record, write_record

    content = gzip.decompress((ROOT / "tournaments/checks/data/demo_match.sgf.gz").read_bytes())
    if games:
        record = read_record(content, "m.sgf").record
        content = write_record(replace(record, games=record.games[:games]), "sgf").data
    assert b"PW[white]" in content
    return content


def share(values: list[float], fraction: float) -> float:
    return sorted(values)[min(len(values) - 1, int(fraction * len(values)))]


def figures(values: list[float]) -> str:
    return (
        f"median {statistics.median(values):.3f} s, 95 of 100 within {share(values, 0.95):.3f} s,"
        f" latest {max(values):.3f} s, {len(values)} results"
    )


def delays(rng: Random) -> list[float]:
    """Play a knock-out of 16, each result at a moment by chance, and wait until it is rated."""
    from people.actors import Actor
    from people.models import Club, User
    from rating.models import Pending
    from tournaments.checks.simulation import new_event
    from tournaments.engine.new_entry import NewEntry
    from tournaments.events.services.events import EventDetails
    from tournaments.events.services.stages import StageDetails

    club = Club.objects.get()
    details = EventDetails(name=f"Open {time.time():.3f}", starts_on=date.today(), ends_on=date.today())  # noqa: DTZ011
    event = new_event(
        club=club,
        director=Actor.of(User.objects.get(email="director@example.org")),
        details=details,
        stage=StageDetails(lengths=[5]),
        entries=[NewEntry(name=f"Player {number} {time.time():.3f}") for number in range(16)],
        rng=Random(1),
    )
    event.draw(1)
    seconds = []
    while matches := event.playable():
        for match in matches:
            time.sleep(rng.uniform(0.1, 0.5))
            start = time.monotonic()
            event.play(match)
            while Pending.objects.filter(applied=False).exists() and time.monotonic() < start + PATIENCE:
                time.sleep(0.01)
            seconds.append(time.monotonic() - start)
    return seconds


if __name__ == "__main__":
    main()
