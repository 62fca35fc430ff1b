"""Check that no request is lost when a new release starts while people use the site.

    .venv/bin/python benchmarks/rolling.py [--people 8]

Two ways are tested under load, with pages, searches and forms one after another: (1) without containers, `systemctl reload` of
deploy/systemd/crawford-web.service, which is a SIGHUP to Granian, twice; (2) behind deploy/Caddyfile, as deploy/rolling_update.sh does it:
each of two web processes is announced as leaving (`var/draining`), stopped and restarted. Exit status 1 if a request got no response, or one
with status 500 or above.
"""

import argparse
import signal
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE / "loading")]

from fronted import Fronted, Load, fronted

RELOADS = 40.0  # seconds: each of two processes is given ten to start, and then time to end; a second signal meanwhile would end them all
SETTLED = 3.0  # seconds before, between and after
DRAIN = 4.0  # as in deploy/rolling_update.sh


def reloaded(server: Fronted, people: int) -> Load:
    load = Load(server.door(0), people)
    with load.on():
        for _ in range(2):
            time.sleep(SETTLED)
            server.running["web0"].send_signal(signal.SIGHUP)
            time.sleep(RELOADS)
    return load


def replaced(server: Fronted, people: int) -> Load:
    load = Load(server.site, people)
    with load.on():
        time.sleep(SETTLED)
        for number in (0, 1):
            drain_file = server.var(number) / "draining"
            drain_file.touch()
            time.sleep(DRAIN)
            server.end(f"web{number}")
            drain_file.unlink()  # a new container has a new folder
            server.start_web(number)
            time.sleep(SETTLED)
    return load


def report(label: str, load: Load) -> bool:
    print(f"{label}: {sum(load.answers.values())} requests, {len(load.lost)} lost, slowest {load.slowest:.1f} s; {dict(load.answers)}")  # fmt: skip
    for lost_request in load.lost[:10]:
        print(f"  lost: {lost_request}")
    return bool(load.lost)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=8)
    people = parser.parse_args().people
    failed = False
    with tempfile.TemporaryDirectory(prefix="crawford-rolling-") as folder, fronted(Path(folder)) as server:
        failed |= report("reload", reloaded(server, people))
        failed |= report("one after another", replaced(server, people))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
