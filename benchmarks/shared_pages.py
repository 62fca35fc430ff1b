"""Measure a page that is the same for everyone, unchanged and in full, as a ratio to a bare Django view with one query.

    [DATABASE_URL=postgres://…] .venv/bin/python benchmarks/shared_pages.py [--runs N] [--seconds N] [--workers N]

Needs `wrk` and an empty database, which it migrates and fills with a running event of 128 (without DATABASE_URL: a SQLite file in a temporary
folder). Site and bare view are served by the same program in the same run, one after the other, restarted each time; ratios belong to one
run, and their median counts. Exit status 1 if a ratio is below its target.
"""

import argparse
import random
import re
import shutil
import statistics
import subprocess
import sys
import urllib.request

from board import EMAIL, PASSWORD, full_hall
from events import FOLDER, call_command, connection
from served import served

from people.models import User

# Unchanged and in full, of the bare view behind the same door.
WANTED = {"postgresql": (0.8, 0.6), "sqlite": (0.4, 0.3)}
CONNECTIONS = 8


def rate(address: str, seconds: int, **headers: str) -> float:
    """Answers a second; every one must be a good one."""
    command = ["wrk", "--threads", "1", "--connections", str(CONNECTIONS), "--duration", f"{seconds}s"]
    command += [
        part for name, value in headers.items() for part in ("-H", f"{name.replace('_', '-')}: {value}")
    ]
    output = subprocess.run([*command, address], capture_output=True, text=True, check=True).stdout
    assert "Non-2xx" not in output, output
    match = re.search(r"Requests/sec:\s+([\d.]+)", output)
    assert match, output
    return float(match[1])


def warmed(address: str) -> str:
    """The ETag of the page, once every process has it."""
    etag = ""
    for _ in range(40):
        with urllib.request.urlopen(address) as answer:
            etag = answer.headers.get("ETag", "")
    return etag


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--workers", type=int, default=0)
    options = parser.parse_args()
    if shutil.which("wrk") is None:
        sys.exit("needs wrk")
    call_command("migrate", verbosity=0)
    user = User.objects.create_user(EMAIL, PASSWORD, name="Dora Director")
    event = full_hall(user, 128, 40, random.Random(7))
    vendor, page = connection.vendor, f"/e/{event.public_id}/"
    connection.close()
    workers = options.workers or (2 if vendor == "postgresql" else 1)
    print(f"event of 128, {vendor}, {workers} workers, {CONNECTIONS} connections, in {FOLDER.name}")
    ratios: dict[str, list[float]] = {"unchanged": [], "full": [], "unchanged, WSGI": [], "full, WSGI": []}
    for number in range(1, options.runs + 1):
        with served("bare.site:application", workers=workers) as site:
            warmed(site + page)
            bare_rate = rate(site + page, options.seconds)
        with served("bare.site:wsgi", "--blocking-threads", "4", interface="wsgi", workers=workers) as site:
            warmed(site + page)
            bare_wsgi_rate = rate(site + page, options.seconds)
        with served("config.rsgi:application", workers=workers) as site:
            url = f"{site}/en{page}"
            etag = warmed(url)
            unchanged_rate = rate(url, options.seconds, If_None_Match=etag, Accept_Encoding="gzip")
            full_rate = rate(url, options.seconds, Accept_Encoding="gzip")
        for name, value in (("unchanged", unchanged_rate), ("full", full_rate)):
            ratios[name].append(value / bare_rate)
            ratios[f"{name}, WSGI"].append(value / bare_wsgi_rate)
        print(
            f"run {number}: bare {bare_rate:,.0f}/s, by Granian's WSGI {bare_wsgi_rate:,.0f}/s;"
            f" unchanged {unchanged_rate:,.0f}/s, full {full_rate:,.0f}/s"
        )
    medians = {name: statistics.median(values) for name, values in ratios.items()}
    print(", ".join(f"{name}: {value:.2f}" for name, value in medians.items()))
    targets = WANTED[vendor]
    print(f"wanted: {targets[0]} unchanged, {targets[1]} full")
    return int(medians["unchanged"] < targets[0] or medians["full"] < targets[1])


if __name__ == "__main__":
    sys.exit(main())
