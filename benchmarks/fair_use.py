"""Measure how long others wait while twelve clients request a page that does not exist, compared with the same clients at an unused address.

    .venv/bin/python benchmarks/fair_use.py [--sqlite] [--seconds 10] [--clients 12]

Serves a small site (`load.py --small`) as two web processes on PostgreSQL and Redis. The clients alternately request `/en/nothing/`, which
matches no page (the comparison), and addresses that match shared pages but return 404: an unknown entry of a public event, and a draft.
Meanwhile one visitor after another requests search, event page and API list. Prints the ratios of p50 and p99 to those of the comparison;
exit status 1 if one is above `--most` (1.5).
"""

import argparse
import asyncio
import itertools
import os
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import aiohttp

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(HERE / "loading")]

from load import SMALL, ask, serving
from phones import PATIENCE, percentile

from tools import services
from tools.run import programs

YARDSTICK = "/en/nothing/"
# Every address is drawn once: that costs what a 404 costs, and is shown beside the others.
UNGATED = {"unknown entries"}
_NUMBERS = itertools.count()


async def hammer(session: aiohttp.ClientSession, url: str, deadline: float) -> int:
    """How many answers one client got that asks again at once."""
    count = 0
    while time.monotonic() < deadline:
        async with session.get(url.replace("NUMBER", f"{id(session)}{next(_NUMBERS)}")) as answer:
            await answer.read()
        count += 1
    return count


async def look(
    session: aiohttp.ClientSession, urls: dict[str, str], deadline: float
) -> dict[str, list[float]]:
    """Seconds of each answer, by page; one visitor who asks for one page after the other."""
    times: dict[str, list[float]] = {name: [] for name in urls}
    for name, number in zip(itertools.cycle(urls), itertools.count(), strict=False):
        if time.monotonic() > deadline:
            return times
        start = time.monotonic()
        # Searched for anew each time; a page of an event is asked for as by a phone that is open.
        url = urls[name].replace("NUMBER", str(number))
        async with session.get(url) as answer:
            await answer.read()
        times[name].append(time.monotonic() - start)
        await asyncio.sleep(0.01)
    raise AssertionError


async def measure_beside(
    site: str, path: str, urls: dict[str, str], options: argparse.Namespace
) -> tuple[dict[str, list[float]], float]:
    """What the visitor waits while the clients ask for ``path``, and how many answers a second these get."""
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, timeout=PATIENCE) as session:
        deadline = time.monotonic() + options.seconds
        client_tasks = [hammer(session, site + path, deadline) for _ in range(options.clients if path else 0)]
        results = await asyncio.gather(look(session, urls, deadline), *client_tasks)
    return results[0], sum(results[1:]) / options.seconds


def measure(env: dict[str, str], folder: Path, options: argparse.Namespace) -> bool:
    print(ask(["benchmarks/fill.py", *SMALL], env), end="")
    public_ids = dict(line.split("=") for line in ask(["-c", KNOWN], env).split())
    with ExitStack() as stack:
        port = services.free_port()
        web, *_others = programs("127.0.0.1", port)
        site = stack.enter_context(serving(web.command, port, "/healthz", env, 2, folder / "web.log")).address
        urls = {
            "search": f"{site}/en/search/?q=anNUMBER",
            "event": f"{site}/en/e/{public_ids['public']}/",
            "API list": f"{site}/api/v1/events/",
        }
        load_paths = {
            "nobody": "",
            "yardstick": YARDSTICK,
            "unknown entry": f"/en/e/{public_ids['public']}/way/nosuchentry/",
            "unknown entries": f"/en/e/{public_ids['public']}/way/xNUMBER/",
            "draft": f"/en/e/{public_ids['draft']}/",
        }
        asyncio.run(measure_beside(site, "", urls, argparse.Namespace(seconds=2, clients=0)))
        rows: dict[str, list[dict[str, list[float]]]] = {name: [] for name in load_paths}
        rates: dict[str, list[float]] = {name: [] for name in load_paths}
        for _ in range(options.rounds):
            for name, path in load_paths.items():
                times_by_page, rate = asyncio.run(measure_beside(site, path, urls, options))
                rows[name].append(times_by_page)
                rates[name].append(rate)
    is_fair = True
    print(
        f"\n{'asked by ' + str(options.clients):<16}{'a second':>9}",
        *(f"{name + ' p50, p99 (ratio)':>34}" for name in urls),
    )
    for name, measurements in rows.items():
        cells = []
        for page in urls:
            own_times, baseline_times = (
                [seconds for times_by_page in measured for seconds in times_by_page[page]]
                for measured in (measurements, rows["yardstick"])
            )
            pairs = [
                (percentile(own_times, percent), percentile(baseline_times, percent)) for percent in (50, 99)
            ]
            ratios = [own / baseline for own, baseline in pairs]
            is_fair &= name in UNGATED or max(ratios) <= options.most
            (p50, _), (p99, _) = pairs
            cells.append(f"{p50:8.1f} {p99:8.1f} ms ({ratios[0]:4.2f}, {ratios[1]:4.2f})")
        print(f"{name:<16}{sum(rates[name]) / len(rates[name]):>9.0f}", *(f"{cell:>34}" for cell in cells))
    return is_fair


KNOWN = """
import django; django.setup()
from tournaments.models import Event
for name, found in (("public", Event.objects.exclude(status="draft").filter(visibility="public")), ("draft", Event.objects.all())):
    row = found.order_by("pk").first() if name == "public" else found.order_by("pk").last()
    if name == "draft":
        Event.objects.filter(pk=row.pk).update(status="draft")
    print(f"{name}={row.public_id}")
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sqlite", action="store_true", help="use SQLite without a shared cache")
    parser.add_argument("--seconds", type=float, default=5, help="duration of each part of a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", type=int, default=12)
    parser.add_argument("--most", type=float, default=1.5, help="maximum ratio")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(services.data_folder(None))
        env = {
            **os.environ,
            "CRAWFORD_VAR": str(folder / "var"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(ROOT),
            "LOG_LEVEL": "ERROR",
            "DATABASE_URL": f"sqlite:///{folder}/site.sqlite3",
        }
        if not options.sqlite:
            cache = stack.enter_context(services.redis(folder))
            env |= {
                "CELERY_BROKER_URL": cache,
                "CACHE_URL": cache.replace("/0", "/1").replace("redis:", "rediscache:"),
                "DATABASE_URL": stack.enter_context(services.postgres(folder)),
            }
        sys.exit(0 if measure(env, folder, options) else 1)


if __name__ == "__main__":
    main()
