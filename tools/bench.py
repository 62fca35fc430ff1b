"""`make bench`: run the programs in `benchmarks/`, or those named (`ARGS="legal_plays swiss_pairing"`), one after the other.

Benchmarks that need PostgreSQL get a private, empty one while they run, if its programs are installed.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ON_POSTGRES = {"rating_rebuild", "fill", "load"}
# a large site, a night on it, one with failures, and what needs Node packages
WHEN_NAMED = {"fill", "load", "falls", "lighthouse"}


def programs(names: list[str]) -> list[Path]:
    path_by_name = {path.stem: path for path in sorted((ROOT / "benchmarks").glob("[a-z]*.py"))}
    unknown = set(names) - set(path_by_name)
    if unknown:
        sys.exit(f"Unknown benchmark: {', '.join(sorted(unknown))}. Available: {', '.join(path_by_name)}")
    default_paths = [path for name, path in path_by_name.items() if name not in WHEN_NAMED]
    return [path_by_name[name] for name in names] if names else default_paths


def has_postgres() -> bool:
    return shutil.which("initdb") is not None or any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


def command(path: Path) -> list[str]:
    python = [sys.executable, str(path)]
    if path.stem not in ON_POSTGRES:
        return python
    # The program reads DATABASE_URL; the services use another name.
    shell = ["sh", "-c", 'DATABASE_URL="$DATABASE_URL_POSTGRES" exec "$@"', "sh", *python]
    return [sys.executable, str(ROOT / "tools" / "services.py"), "--", *shell]


def main(names: list[str]) -> int:
    failed = []
    for path in programs(names):
        if path.stem in ON_POSTGRES and not has_postgres():
            print(f"=== {path.stem}: skipped, PostgreSQL is not installed", flush=True)
            continue
        print(f"=== {path.stem}", flush=True)
        started_at = time.monotonic()
        result = subprocess.run(
            command(path), cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False
        )
        print(f"    ({time.monotonic() - started_at:.1f} s)\n", flush=True)
        if result.returncode != 0:
            failed.append(path.stem)
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    sys.exit(main(sys.argv[1:]))
