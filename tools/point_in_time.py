"""Follow the instructions of docs/operations.md to restore PostgreSQL to a point in time, and check that later changes are gone.

    python tools/point_in_time.py

The commands are read from the document; only the folders differ. Exit status 1 if the site is not as it was at that time.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import services  # noqa: E402

PATIENCE = 60.0
COUNT = "from people.models import Club; print(','.join(sorted(Club.objects.values_list('name', flat=True))))"
FOUND = "from people.models import Club; Club.objects.create(name={name!r})"


def blocks(folder: Path) -> tuple[list[str], str, list[str]]:
    """Settings, base backup command and recovery settings of the instructions.

    ``folder`` replaces ``/backups``.
    """
    text = (ROOT / "docs" / "operations.md").read_text().partition("## Point in time")[2]
    kept, command, back = re.findall(r"```\w+\n(.*?)```", text, re.DOTALL)[:3]
    keeps, goes_back = (part.replace("/backups", str(folder)).splitlines() for part in (kept, back))
    return keeps, command.replace("/backups", str(folder)).strip(), goes_back


def as_option(line: str) -> str:
    """Convert a line of postgresql.conf to a command-line option."""
    name, value = line.split(" = ", 1)
    return f"{name}={value.removeprefix(chr(39)).removesuffix(chr(39))}"


def manage(env: Mapping[str, str], *words: str) -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *words],
        env=env,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout.strip()


def sql(address: str, statement: str) -> str:
    command = [services.find("psql"), "-qAt", "-c", statement, address]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def until(what: str, ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not ready():
        if time.monotonic() > deadline:
            sys.exit(f"{what} took too long")
        time.sleep(0.2)


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="crawford-moment-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        backups = folder / "backups"
        (backups / "wal").mkdir(parents=True)
        owner = services.unprivileged()
        for place in (backups, backups / "wal"):
            if owner:
                os.chown(place, owner.pw_uid, owner.pw_gid)
        keeps, make_base, goes_back = blocks(backups)
        settings = [as_option(line) for line in keeps]
        with services.postgres(folder, durable=True, more=settings) as address:
            env = {
                **os.environ,
                "DATABASE_URL": address,
                "CRAWFORD_VAR": str(folder / "var"),
                "CRAWFORD_ENV": "development",
            }
            manage(env, "migrate", "--verbosity", "0")
            manage(env, "seed_demo")
            base = [services.find("pg_basebackup"), *shlex.split(make_base)[1:], f"--dbname={address}"]
            as_owner: dict[str, Any] = {"user": owner.pw_uid, "group": owner.pw_gid} if owner else {}
            subprocess.run(base, check=True, cwd="/", **as_owner)
            manage(env, "shell", "--verbosity", "0", "--command", FOUND.format(name="Before"))
            before = manage(env, "shell", "--verbosity", "0", "--command", COUNT)
            moment = sql(address, "SELECT now()")
            time.sleep(1.5)
            manage(env, "shell", "--verbosity", "0", "--command", FOUND.format(name="After"))
            last = sql(address, "SELECT pg_walfile_name(pg_switch_wal())")
            until("archiving", (backups / "wal" / last).exists)
        data = folder / "postgres"
        data.rename(folder / "aside")
        shutil.copytree(backups / "base", data)
        with (data / "postgresql.auto.conf").open("a") as file:
            lines = [re.sub(r"(recovery_target_time = )'.*'", rf"\1'{moment}'", line) for line in goes_back]
            file.write("\n".join(lines) + "\n")
        (data / "recovery.signal").touch()
        for place in (data, *data.rglob("*")):
            if owner:
                os.chown(place, owner.pw_uid, owner.pw_gid)
        data.chmod(0o700)
        with services.postgres(folder, durable=True, more=settings) as address:
            until("recovery", lambda: sql(address, "SELECT pg_is_in_recovery()") == "f")
            env |= {"DATABASE_URL": address}
            after = manage(env, "shell", "--verbosity", "0", "--command", COUNT)
            for question in (["check_events"], ["verify_trail"], ["rebuild_ratings", "--check"]):
                print(manage(env, *question))
            print(f"as of {moment}: {after}")
            return 0 if after == before and "Before" in after and "After" not in after else 1


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    sys.exit(main())
