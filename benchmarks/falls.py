"""Run a stress test: hundreds of phones at a running event while Redis, PostgreSQL, web and worker are killed and come back.

    .venv/bin/python benchmarks/falls.py [--phones 500] [--seconds 90] [--reports 60] [--seed N]

Starts its own servers and the site as `make run` does, in two web processes. Phones poll every five seconds; players report through personal
links with a key, and repeat unacknowledged reports and sometimes acknowledged ones. At times chosen by the seed, Redis is killed and stays
away for a while, PostgreSQL is stopped at once (`immediate`, as by a power cut) and started, one web process and then all of them are
killed with -9, and so is the worker. Exit status 1 if an acknowledged report is lost or duplicated, if a response was neither right nor a
503 with `Retry-After`, or if stored data is inconsistent.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(HERE / "loading")]

import aiohttp
from load import SMALL, ask, running, serving
from phones import PATIENCE, Tournament, follow, percentile

from tools import services
from tools.run import programs

TRIES_FOR = 90.0
"""Seconds in which a report must be acknowledged, whatever falls meanwhile."""


@dataclass(slots=True)
class Heard:
    """What players heard: by match, the score that was acknowledged; every answer; what was wrong with one."""

    acknowledged: dict[str, list[int]] = field(default_factory=dict)
    answers: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


async def report_until_taken(
    session: aiohttp.ClientSession, site: str, result: Mapping[str, Any], outcome: Heard
) -> bool:
    """Report until somebody acknowledges it; whether that happened."""
    url = f"{site}/api/v1/matches/{result['match']}/report/"
    body = {"score_a": result["a"], "score_b": result["b"], "submission_key": f"falls-{result['match']}"}
    deadline, pause = time.monotonic() + TRIES_FOR, 1.0
    while time.monotonic() < deadline:
        start = time.monotonic()
        try:
            async with session.post(
                url, json=body, headers={"Authorization": f"Link {result['token']}"}
            ) as answer:
                content = await answer.read()
                outcome.answers[f"report {answer.status}"] += 1
                if answer.status in (200, 201):
                    outcome.seconds.append(time.monotonic() - start)
                    outcome.acknowledged[str(result["match"])] = [result["a"], result["b"]]
                    return True
                if answer.status not in (429, 503) or "Retry-After" not in answer.headers:
                    outcome.wrong.append(f"{answer.status} {content[:200]!r}")
                    return False
                if "code" not in json.loads(content):
                    outcome.wrong.append(f"no problem: {content[:200]!r}")
                pause = float(answer.headers["Retry-After"])
        except (aiohttp.ClientError, TimeoutError) as error:
            outcome.answers[f"report {type(error).__name__}"] += 1
        await asyncio.sleep(min(pause, 5.0))
    outcome.wrong.append(f"never acknowledged: {result['match']}")
    return False


async def players(
    session: aiohttp.ClientSession,
    site: str,
    reports: list[Mapping[str, Any]],
    interval: float,
    outcome: Heard,
    rng: random.Random,
) -> None:
    """Each with a match; every fifth sends again what was acknowledged, as a phone does that did not hear it."""

    async def one(result: Mapping[str, Any]) -> None:
        if await report_until_taken(session, site, result, outcome) and rng.random() < 0.2:
            await report_until_taken(session, site, result, outcome)

    async with asyncio.TaskGroup() as group:
        for result in reports:
            group.create_task(one(result))
            await asyncio.sleep(interval)


class Site:
    """Everything that runs, each of it to be killed and started."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.stack = folder, stack
        self.ports = [services.free_port() for _ in range(3)]
        self.parts: dict[str, ExitStack] = {}
        self.pids: dict[str, int] = {}
        self.environment: dict[str, str] = {}
        stack.callback(lambda: [part.close() for part in reversed(self.parts.values())])

    def start(self, name: str) -> None:
        part = self.parts[name] = ExitStack()
        if name == "postgres":
            url = part.enter_context(services.postgres(self.folder, self.ports[0], durable=True))
            self.environment["DATABASE_URL"] = url
        elif name == "redis":
            url = part.enter_context(services.redis(self.folder, self.ports[1]))
            self.environment |= {
                "CELERY_BROKER_URL": url,
                "CACHE_URL": f"rediscache://127.0.0.1:{self.ports[1]}/1",
            }
        else:
            commands = {program.name: program.command for program in programs("127.0.0.1", self.ports[2])}
            log, command = self.folder / f"{name}.log", list(commands[name])
            if name == "web":
                served = serving(command, self.ports[2], "/healthz", self.environment, 2, log)
                self.pids[name] = part.enter_context(served).pid
            else:
                self.pids[name] = part.enter_context(running(command, self.environment, log)).pid

    def kill(self, name: str) -> None:
        """-9 for it and its children; PostgreSQL is told to end at once, as it would with the power."""
        if name == "postgres":
            postmaster = int((self.folder / "postgres" / "postmaster.pid").read_text().split()[0])
            os.kill(postmaster, signal.SIGQUIT)
        elif name == "redis":
            os.kill(_listening(self.ports[1]), signal.SIGKILL)
        else:
            os.killpg(self.pids[name], signal.SIGKILL)
        self.parts.pop(name).close()

    def kill_one_of_two(self) -> None:
        """One web process; whoever started it starts another."""
        parent = self.pids["web"]
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        os.kill(int(children[-1]), signal.SIGKILL)


def _listening(port: int) -> int:
    """The Redis of this port, which is a child of ours."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        command_line = path.read_bytes()
        if (
            command_line.startswith((b"redis-server", services.find("redis-server").encode()))
            and str(port).encode() in command_line
        ):
            return int(path.parent.name)
    raise LookupError(port)


@contextmanager
def a_site(options: argparse.Namespace) -> Any:
    with ExitStack() as stack:
        folder = stack.enter_context(services.data_folder(None))
        site = Site(folder, stack)
        site.environment |= {
            **os.environ,
            "CRAWFORD_VAR": str(folder / "var"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(ROOT),
            "LOG_LEVEL": "WARNING",
        }
        for name in ("postgres", "redis"):
            site.start(name)
        ask(["benchmarks/fill.py", *SMALL], site.environment)
        output = ask(["benchmarks/loading/prepare.py", str(options.entries), "1x4"], site.environment)
        for name in ("web", "worker", "beat"):
            site.start(name)
        yield site, json.loads(output.splitlines()[-1])


def falls(site: Site, rng: random.Random, seconds: float, start: float) -> None:
    """Everything falls once, in an order and at moments of the seed, and comes back; the second half has what takes longest."""

    def away(name: str, min_pause: float, max_pause: float) -> Callable[[], None]:
        def fall() -> None:
            site.kill(name)
            time.sleep(rng.uniform(min_pause, max_pause))
            site.start(name)

        return fall

    faults = {
        "Redis is away": away("redis", 5, 10),
        "PostgreSQL stops and starts": away("postgres", 1, 4),
        "one web process is killed": site.kill_one_of_two,
        "all web processes are killed": away("web", 0.5, 2),
        "the worker is killed": away("worker", 1, 5),
        "PostgreSQL stops and starts again": away("postgres", 0, 1),
    }
    order = rng.sample(sorted(faults), len(faults))
    for number, name in enumerate(order):
        offset = seconds * (number + rng.uniform(0.4, 1)) / (len(order) + 1)
        time.sleep(max(0.0, start + offset - time.monotonic()))
        fell_at = time.monotonic()
        faults[name]()
        print(f"  {fell_at - start:5.1f} s  {name}, {time.monotonic() - fell_at:.1f} s", flush=True)


async def all_tournaments(
    site: Site, prepared: Mapping[str, Any], rng: random.Random, options: argparse.Namespace
) -> tuple[Tournament, Heard]:
    tournament, outcome = Tournament(), Heard()
    address = f"http://127.0.0.1:{site.ports[2]}"
    report_count = min(len(prepared["reports"]), int(options.seconds * options.reports / 60))
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=60)
    async with aiohttp.ClientSession(connector=connector, timeout=PATIENCE) as session:
        start = time.monotonic()
        deadline = start + options.seconds
        path = f"{address}/en/e/{prepared['tournament']}/"
        phone_tasks = [
            asyncio.create_task(follow(session, path, options.every, deadline, tournament, rng))
            for _ in range(options.phones)
        ]
        falls_thread = asyncio.to_thread(falls, site, random.Random(options.seed), options.seconds, start)
        falls_task = asyncio.create_task(falls_thread)
        await players(
            session, address, prepared["reports"][:report_count], options.seconds / report_count, outcome, rng
        )
        await falls_task
        await asyncio.gather(*phone_tasks)
    return tournament, outcome


def judged(site: Site, prepared: Mapping[str, Any], tournament: Tournament, outcome: Heard) -> list[str]:
    """Wait until everything is rated; what is wrong then."""
    deadline = time.monotonic() + 90
    while True:
        stored = json.loads(ask(["benchmarks/loading/found.py", prepared["tournament"]], site.environment))
        if not stored["waiting"] or time.monotonic() > deadline:
            break
        time.sleep(2)
    lost = [match for match, score in outcome.acknowledged.items() if stored["scores"].get(match) != score]
    doubled = [match for match in outcome.acknowledged if stored["reports"].get(match) != 1]
    print(f"  reports acknowledged {len(outcome.acknowledged)}, lost {len(lost)}, doubled {len(doubled)}")
    failed_answers = {
        name: count
        for name, count in tournament.answers.items()
        if name[5:] in {"500", "404", "TimeoutError"}
    }
    return [
        *(f"lost: {match}" for match in lost),
        *(f"doubled: {match}" for match in doubled),
        *outcome.wrong,
        *(f"pages: {name} × {count}" for name, count in failed_answers.items()),
        *stored["faults"],
        *([f"{stored['waiting']} results or lists are not rated"] if stored["waiting"] else []),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--phones", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=90)
    parser.add_argument("--every", type=float, default=5, help="seconds between two polls of a phone")
    parser.add_argument("--reports", type=float, default=60, help="reports per minute")
    parser.add_argument("--entries", type=int, default=256)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args()
    print(f"seed {options.seed}, {options.phones} phones, {options.seconds:g} s", flush=True)
    with a_site(options) as (site, prepared):
        tournament, outcome = asyncio.run(
            all_tournaments(site, prepared, random.Random(options.seed), options)
        )
        for name, times in (("pages", tournament.polls), ("reports", outcome.seconds)):
            slowest = 1000 * max(times, default=0)
            print(
                f"  {name:<8}{len(times):>6}   p50 {percentile(times, 50):6.0f} ms   p99 {percentile(times, 99):6.0f} ms   slowest {slowest:6.0f} ms"
            )
        for name, count in sorted((tournament.answers + outcome.answers).items()):
            print(f"  {name} × {count}")
        faults = judged(site, prepared, tournament, outcome)
    print("\n".join(faults) or "  all is well")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
