"""Are results rated as soon as ever while 100 matches wait for their analysis? `python benchmarks/analysis_beside.py [--waiting 100]`

The embedded installation in a folder that is thrown away: SQLite, messages as files, one worker for everything. A knock-out of 16 is played
twice, result by result, first with nothing else to do, then with records waiting for GNU Backgammon; each time it is taken how long a
result waits until every list has taken it in. Wanted: with the records waiting the middle one no later than without, by a tenth of a second.
"""

from __future__ import annotations

import argparse
import gzip
import os
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
PATIENCE = 60.0
SLACK = 0.1
REST = 5.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--waiting", type=int, default=100)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "CRAWFORD_VAR": folder,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(ROOT),
        }
        manage = [sys.executable, str(ROOT / "manage.py")]
        subprocess.run([*manage, "migrate", "--verbosity", "0"], check=True)
        subprocess.run([*manage, "seed_demo"], check=True, stdout=subprocess.DEVNULL)
        celery = [sys.executable, "-m", "celery", "--app", "config", "--quiet", "worker", "--pool", "solo"]
        worker = subprocess.Popen(celery, cwd=ROOT, stderr=subprocess.DEVNULL)
        try:
            measure(given.waiting)
        finally:
            worker.kill()
            worker.wait()


def measure(waiting: int) -> None:
    import django

    django.setup()
    from games.models import RecordAnalysis
    from games.services import store_record
    from games.services.analyses import ask

    delays()  # the worker is awake
    time.sleep(REST)  # as long as it takes to ask
    without = delays()
    match = gzip.decompress((ROOT / "tournaments/checks/data/demo_match.sgf.gz").read_bytes())
    for number in range(waiting):
        content = match.replace(b"PW[white]", f"PW[white {number}]".encode())
        ask(record_id=store_record(content=content, filename="m.sgf", record_format="sgf").pk)
    until = time.monotonic() + PATIENCE
    while (
        waiting and not RecordAnalysis.objects.filter(state="working").exists() and time.monotonic() < until
    ):
        time.sleep(0.1)
    beside = delays()
    states = [RecordAnalysis.objects.filter(state=state).count() for state in ("waiting", "working", "done")]
    for name, found in (("without", without), ("beside", beside)):
        print(
            f"{name}: median {statistics.median(found):.2f} s, latest {max(found):.2f} s, {len(found)} results"
        )
    print(f"waiting, at work, done at the end: {states}")
    if statistics.median(beside) > statistics.median(without) + SLACK:
        sys.exit("Results are rated later.")


def delays() -> list[float]:
    """Play a knock-out of 16 and wait after each result until it is rated."""
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
    found = []
    while matches := event.playable():
        for match in matches:
            event.play(match)
            began = time.monotonic()
            while Pending.objects.filter(applied=False).exists() and time.monotonic() < began + PATIENCE:
                time.sleep(0.01)
            found.append(time.monotonic() - began)
    return found


if __name__ == "__main__":
    main()
