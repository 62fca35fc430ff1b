"""Measure backing up and restoring a large site: seconds, CPU, peak memory and size.

    DATABASE_URL=postgres://… .venv/bin/python benchmarks/backups.py [--folder FOLDER] [--unasked]

Needs a database filled by `fill.py`. Each command is a separate process, as an operator runs it; memory is its maximum resident size. The
backup is restored into a new database on the same server and into a SQLite file. ``--unasked`` skips the checks that `restore` makes
afterwards (events, audit logs, ratings), which take most of the time.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNASKED = (
    "import sys, django; django.setup(); from pathlib import Path;"
    " from tournaments.backups.services.restoring import restore; restore(Path(sys.argv[1]), fresh=sys.argv[2])"
)


def measured(label: str, command: list[str], env: dict[str, str]) -> None:
    """Run it, and print what it took."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, *command], cwd=ROOT, env=env)
    _pid, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    cpu = usage.ru_utime + usage.ru_stime
    print(f"{label:<44}{seconds:8.1f} s{cpu:8.1f} s CPU{usage.ru_maxrss / 1024:8.0f} MiB at most", flush=True)
    if status:
        sys.exit(f"{label} failed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--unasked", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        env = {
            **os.environ,
            "CRAWFORD_VAR": str(folder),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(ROOT),
        }
        backup = folder / "site.backup"
        measured("backup", ["manage.py", "backup", str(backup)], env)
        print(f"{'size':<44}{backup.stat().st_size / 1e6:8.1f} MB")
        restore_command = (
            ["-c", UNASKED, str(backup)] if options.unasked else ["manage.py", "restore", str(backup)]
        )
        name_options = [] if options.unasked else ["--fresh"]
        measured("restore into PostgreSQL", [*restore_command, *name_options, f"restored_{os.getpid()}"], env)
        sqlite_env = {**env, "DATABASE_URL": f"sqlite:///{folder / 'empty.sqlite3'}"}
        measured(
            "restore into SQLite",
            [*restore_command, *name_options, str(folder / "restored.sqlite3")],
            sqlite_env,
        )


if __name__ == "__main__":
    main()
