"""Measure the import of an archive of 1,000 matches, from its upload to the last stored record, by two real worker processes.

    [DATABASE_URL=postgres://… CELERY_BROKER_URL=redis://…] python benchmarks/import_archive.py [--matches 1000] [--workers 2]

By default uses SQLite and the embedded broker in a temporary folder. With PostgreSQL it needs an empty database, which it migrates. Every
match is different (7 points, 150 to 350 plays, random from the seed, or the real ones in CRAWFORD_CORPUS, each once). The time is measured
from submitting the archive until every file has its report, without starting the workers, which always run. Target: 1,000 matches in at most
20 s with 2 workers, including storage.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from io import BytesIO
from multiprocessing import Pool
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
FOLDER = Path(tempfile.mkdtemp(prefix="crawford-bench-"))
os.environ.setdefault("DATABASE_URL", f"sqlite:///{FOLDER / 'bench.sqlite3'}")
os.environ.setdefault("CELERY_BROKER_URL", f"filesystem://{FOLDER / 'broker'}")
os.environ.update(CRAWFORD_VAR=str(FOLDER), LOG_LEVEL="WARNING", DJANGO_SETTINGS_MODULE="config.settings")

from games.records.model import Roll
from games.records.registry import read_record, write_record
from games.rules.formats import MatchFormat
from tests.support.random_matches import random_match

TARGET = 20.0


def made(seed: int) -> bytes:
    rng = Random(seed)
    while True:
        record = random_match(rng, MatchFormat(length=7), quick=0.0, names=(f"Left {seed}", f"Right {seed}"))
        plays = sum(isinstance(action, Roll) for game in record.games for action in game.actions)
        if 150 <= plays <= 350:
            return write_record(record, "mat").data


def real(folder: str, count: int) -> list[bytes]:
    files = []
    for path in sorted(Path(folder).glob("*/*")):
        if path.suffix in {".mat", ".txt"} and len(files) < count:
            data = path.read_bytes()
            if read_record(data).record.length:
                files.append(data)
    return files


def archive_of(files: list[bytes]) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, data in enumerate(files, 1):
            archive.writestr(f"match-{number:04}.mat", data)
    return buffer.getvalue()


def start_worker(number: int) -> subprocess.Popen[bytes]:
    log = (FOLDER / f"worker-{number}.log").open("wb")
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "celery", "-A", "config", "worker", "--pool", "solo"),
            *("--hostname", f"bench-{number}@localhost", "--loglevel", "WARNING"),
        ],
        cwd=ROOT,
        stdout=log,
        stderr=log,
        start_new_session=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    corpus = os.environ.get("CRAWFORD_CORPUS")
    if corpus:
        files = real(corpus, options.matches)
    else:
        with Pool() as pool:
            files = pool.map(made, range(options.seed, options.seed + options.matches))
    archive = archive_of(files)
    plays = sum(data.count(b":") for data in files) // max(len(files), 1)

    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from games.models import ImportedFile, StoredRecord
    from games.selectors import import_progress
    from games.services.imports import start_import
    from people.actors import Actor
    from people.models import Club

    call_command("migrate", verbosity=0)
    club = Club.objects.create(name="Benchmark")
    workers = [start_worker(number) for number in range(options.workers)]
    try:
        time.sleep(6)  # they are up and wait
        start = time.monotonic()
        archive_import = start_import(
            actor=Actor.program(), club_id=club.pk, content=archive, filename="archive.zip"
        )
        upload_seconds = time.monotonic() - start
        while not import_progress(archive_import.batch).finished:
            time.sleep(0.1)
            if time.monotonic() - start > 300:
                print("not finished after 300 s")
                return 1
        seconds = time.monotonic() - start
    finally:
        for worker in workers:
            os.killpg(worker.pid, signal.SIGTERM)
        for worker in workers:
            worker.wait(timeout=30)
    progress = import_progress(archive_import.batch)
    print(
        f"{progress.total} different matches (about {plays} lines of dice each, {len(archive) / 1e6:.1f} MB zip), "
        f"{options.workers} workers, {connection.vendor}: {seconds:.1f} s ({upload_seconds:.1f} s of it taking the archive in), "
        f"{1000 * seconds / progress.total:.1f} ms a match; in order {progress.valid}, with notes {progress.noted}, "
        f"with faults {progress.faulty}, unreadable {progress.unreadable}; records stored {StoredRecord.objects.count()}"
    )
    assert ImportedFile.objects.filter(done=False).count() == 0
    connection.close()
    shutil.rmtree(FOLDER, ignore_errors=True)
    return 0 if seconds <= TARGET * progress.total / 1000 else 1


if __name__ == "__main__":
    sys.exit(main())
