"""Measure a busy night in comparison with a bare view, as one table with ratios.

    .venv/bin/python benchmarks/load.py [--small] [--sqlite] [--phones 500 2000] [--seconds 60] [--url DATABASE_URL]

Starts its own PostgreSQL and Redis (`tools/services.py`), fills the database (`fill.py`; `--small`: 6 clubs, 24 events; `--url`: a database
that is already filled), creates a running event of 256 entries and one of 20 × 200, and serves the site as `make run` does, but in two
processes, with a worker and beat. Then, with aiohttp on the same machine, it measures:

- pages unchanged (304) and in full, from the warm cache, and in the same way the comparison (`bare/site.py`);
- phones that keep their ETags on one running event, each every 5 s, with 60 reports per minute by personal link: times of both, the CPU
  share of the web processes, how long it took until a result was on a screen, and whether any report is missing;
- first renderings, with an empty cache: CPU, database, bytes, statements.

Prints two ratios: responses per second, for which the load program shares the processors, and responses per CPU second of the web
processes, which is not affected by other work. `--site http://…` measures a running site, without its CPU.
"""

import argparse
import asyncio
import json
import os
import re
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(HERE / "loading")]

from phones import Tournament, a_tournament, as_fast_as_possible, median, percentile, tag_of
from served import PATHS, granian

from tools import services
from tools.run import programs

TICKS = os.sysconf("SC_CLK_TCK")
SCORE = re.compile(rb'versus-score">\s*\d')  # on a match page, once it counts
GZIP = {"Accept-Encoding": "gzip"}
IN_ENGLISH = "/en"  # before the path of a page for everybody
SMALL = "--clubs 6 --players 300 --events 24 --results 1500".split()
PARTS = ["ratios", "evenings", "drawings"]
START_PATIENCE = 60
"""Seconds until a server must answer."""


@dataclass(frozen=True, slots=True)
class Server:
    """A program that serves: where, and the process at its top."""

    address: str
    pid: int

    def cpu(self) -> float:
        """CPU seconds of it and all its children that live."""
        return sum(map(_spent, _family(self.pid)))


def _family(pid: int) -> list[int]:
    pids = [pid]
    for child_pid in pids:
        path = Path(f"/proc/{child_pid}/task/{child_pid}/children")
        pids += map(int, path.read_text().split()) if path.exists() else []
    return pids


def _spent(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


@contextmanager
def running(command: list[str], env: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, env=env, cwd=ROOT, stdout=output, stderr=output, start_new_session=True
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()


@contextmanager
def serving(
    command: list[str],
    port: int,
    path: str,
    env: dict[str, str],
    workers: int,
    log: Path,
    *,
    certificate: Path | None = None,
) -> Iterator[Server]:
    """A server with so many processes, once it answers at ``path``; with its ``certificate`` it is asked by https."""
    command = list(command)
    command[command.index("--workers") + 1] = str(workers)
    with running(command, env, log) as process:
        address = f"{'https' if certificate else 'http'}://127.0.0.1:{port}"
        ssl_context = ssl.create_default_context(cafile=certificate) if certificate else None
        deadline = time.monotonic() + START_PATIENCE
        while True:
            try:
                with urllib.request.urlopen(address + path, timeout=5, context=ssl_context):
                    break
            except OSError as error:
                if process.poll() is not None or time.monotonic() > deadline:
                    sys.exit(f"{command[-1]} does not answer: {error}\n{log.read_text()[-2000:]}")
                time.sleep(0.2)
        yield Server(address, process.pid)


def ask(command: list[str], env: dict[str, str]) -> str:
    result = subprocess.run(
        [sys.executable, *command], env=env, cwd=ROOT, check=False, capture_output=True, text=True
    )
    if result.returncode:
        sys.exit(f"{command[0]} failed:\n{result.stderr[-3000:]}")
    return result.stdout


def speed(server: Server, path: str, tag: str, options: argparse.Namespace) -> tuple[float, float]:
    """Answers a second, and answers a CPU second of the server."""
    headers = {**GZIP, "If-None-Match": tag} if tag else GZIP
    status = 304 if tag else 200
    url = server.address + path
    limits = {"connections": options.connections, "status": status}
    asyncio.run(as_fast_as_possible(url, headers, seconds=0.5, **limits))
    before = server.cpu()
    count, seconds = asyncio.run(as_fast_as_possible(url, headers, seconds=options.rate_seconds, **limits))
    cpu_seconds = server.cpu() - before
    return count / seconds, count / cpu_seconds if cpu_seconds else 0.0


def ratios(
    site: Server,
    bare_server: Server,
    pages: dict[str, str],
    prepared: dict[str, Any],
    options: argparse.Namespace,
) -> None:
    bare_path = f"/e/{prepared['tournament']}/"
    before = speed(bare_server, bare_path, "", options)
    print(f"\n{'answers':<38}{'a second':>10}{'a CPU second':>14}{'ratio':>8}{'CPU ratio':>11}")
    print(f"{'bare view, one query':<38}{before[0]:>10.0f}{before[1]:>14.0f}")
    for name, path in pages.items():
        tag = asyncio.run(tag_of(site.address + IN_ENGLISH + path, GZIP))
        for kind, sent_tag in (("unchanged", tag), ("whole", "")):
            if kind == "unchanged" and not tag:
                continue
            rates = speed(site, IN_ENGLISH + path, sent_tag, options)
            answer_ratio, cpu_ratio = (
                site_rate / bare_rate if bare_rate else 0.0
                for site_rate, bare_rate in zip(rates, before, strict=True)
            )
            print(
                f"{name + ', ' + kind:<38}{rates[0]:>10.0f}{rates[1]:>14.0f}{answer_ratio:>8.2f}{cpu_ratio:>11.2f}",
                flush=True,
            )
    after = speed(bare_server, bare_path, "", options)
    print(f"{'bare view, again':<38}{after[0]:>10.0f}{after[1]:>14.0f}")


def tournament(site: Server, prepared: dict[str, Any], phones: int, options: argparse.Namespace) -> None:
    """The phones of a night, and what it cost."""
    report_count = int(options.seconds * options.reports / 60)
    reports, prepared["reports"] = prepared["reports"][:report_count], prepared["reports"][report_count:]
    if len(reports) < report_count:
        print(f"only {len(reports)} matches are left to report")
    before, started_at = site.cpu(), time.monotonic()
    measured: Tournament = asyncio.run(
        a_tournament(
            site.address,
            f"{IN_ENGLISH}/e/{prepared['tournament']}/",
            reports,
            phones=phones,
            seconds=options.seconds,
            interval=options.every,
            a_minute=options.reports,
        )
    )
    seconds = time.monotonic() - started_at
    cpu_share = (site.cpu() - before) / seconds
    print(
        f"\n{phones:,} phones for {seconds:.0f} s, each every {options.every:g} s, {options.reports:g} reports a minute"
    )
    print(
        f"  polls    {len(measured.polls):>7}   p50 {percentile(measured.polls, 50):7.0f} ms   p99 {percentile(measured.polls, 99):7.0f} ms"
    )
    print(
        f"  reports  {len(measured.reports):>7}   p50 {percentile(measured.reports, 50):7.0f} ms   p99 {percentile(measured.reports, 99):7.0f} ms"
    )
    print(
        f"  CPU of the web processes {100 * cpu_share:.0f} % of a core; {measured.bytes_sent / 1e6:.1f} MB in bodies"
    )
    print(
        f"  result on a screen after it was taken: median {median(measured.delays):.2f} s, p99 {percentile(measured.delays, 99) / 1000:.2f} s"
    )
    print(
        f"  answers: {', '.join(f'{name} × {count}' for name, count in sorted(measured.answers.items()))}",
        flush=True,
    )
    lost = [match for match in measured.matches if not has_result(site, match)]
    print(
        f"  reports taken {len(measured.matches)}, of them not to be found afterwards: {len(lost)}",
        flush=True,
    )


def has_result(site: Server, match: str) -> bool:
    """Whether everybody sees a result of the match. After a storm the first answers take their time."""
    for _ in range(3):
        try:
            with urllib.request.urlopen(f"{site.address}/m/{match}/", timeout=60) as answer:
                return SCORE.search(answer.read()) is not None
        except OSError:
            time.sleep(5)
    return False


def measure(env: dict[str, str], folder: Path, options: argparse.Namespace) -> None:
    if options.url:
        ask(["manage.py", "migrate", "-v0"], env)
    else:
        print(ask(["benchmarks/fill.py", *(SMALL if options.small else [])], env), end="")
    divisions = "4x16" if options.small else "20x200"
    prepared = json.loads(
        ask(["benchmarks/loading/prepare.py", str(options.entries), divisions], env).splitlines()[-1]
    )
    event, large_path = f"/e/{prepared['tournament']}/", f"/e/{prepared['large']}/"
    pages = {
        "front page": "/",
        "event": event,
        "bracket": f"{event}bracket/",
        "entries": f"{event}entries/",
        f"event of {divisions}": large_path,
        "club": f"/c/{prepared['club']}/",
        "rating list": f"/r/{prepared['list']}/",
    }
    with ExitStack() as stack:
        port, bare_port = services.free_port(), services.free_port()
        web, *background = programs("127.0.0.1", port)
        site = stack.enter_context(
            serving(web.command, port, "/healthz", env, options.workers, folder / "web.log")
        )
        for program in background:
            stack.enter_context(running(program.command, env, folder / f"{program.name}.log"))
        if "ratios" in options.parts:
            command = granian(bare_port, "bare.site:wsgi", "--blocking-threads", "4", interface="wsgi")
            bare_env = {**env, "PYTHONPATH": PATHS}
            with serving(
                command, bare_port, event, bare_env, options.workers, folder / "bare.log"
            ) as bare_server:
                ratios(site, bare_server, pages, prepared, options)
        for phones in options.phones if "evenings" in options.parts else ():
            tournament(site, prepared, phones, options)
    if "drawings" not in options.parts:
        return
    print()
    drawn_pages = {
        **pages,
        **{
            f"{name}, {divisions}": f"{large_path}{name}/" for name in ("bracket", "entries", "draws", "hall")
        },
    }
    drawn_pages |= {
        "match": f"/m/{prepared['match']}/",
        "API: events": "/api/v1/events/",
        "ratings.csv": f"/r/{prepared['list']}/ratings.csv",
    }
    drawing_env = {**env, "CACHE_URL": "locmemcache://drawings"}
    print(
        ask(
            ["benchmarks/loading/drawings.py", *(f"{name}={path}" for name, path in drawn_pages.items())],
            drawing_env,
        ),
        end="",
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--small", action="store_true", help="use a small site, to try the program")
    parser.add_argument(
        "--sqlite", action="store_true", help="run as `make run`: SQLite, cache in the process, one process"
    )
    parser.add_argument("--url", default="", help="a database filled by `fill.py`")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="parts to measure")
    parser.add_argument("--phones", type=int, nargs="*", default=[500, 2000])
    parser.add_argument("--seconds", type=float, default=60, help="duration of each night")
    parser.add_argument("--every", type=float, default=5, help="seconds between two polls of a phone")
    parser.add_argument("--reports", type=float, default=60, help="reports per minute")
    parser.add_argument("--entries", type=int, default=256, help="entries of the measured event")
    parser.add_argument("--rate-seconds", type=float, default=5, help="duration for each page")
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--workers", type=int, help="web server processes (default: 2, or 1 with SQLite)")
    options = parser.parse_args()
    options.workers = options.workers or (1 if options.sqlite else 2)
    with ExitStack() as stack:
        folder = stack.enter_context(services.data_folder(None))
        env = {
            **os.environ,
            "CRAWFORD_VAR": str(folder / "var"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(ROOT),
            "LOG_LEVEL": "ERROR",
            **dict.fromkeys(
                ["QUOTA_ENTRIES", "QUOTA_PLAYERS"], "50000"
            ),  # the large event has more than is usual
            "DATABASE_URL": f"sqlite:///{folder}/site.sqlite3",
        }
        if not options.sqlite:
            cache = stack.enter_context(services.redis(folder))
            env |= {
                "CELERY_BROKER_URL": cache,
                "CACHE_URL": cache.replace("/0", "/1").replace("redis:", "rediscache:"),
            }
            env["DATABASE_URL"] = options.url or stack.enter_context(services.postgres(folder))
        elif options.url:
            env["DATABASE_URL"] = options.url
        print(f"load average before: {os.getloadavg()[0]:.1f}", flush=True)
        measure(env, folder, options)


if __name__ == "__main__":
    main()
