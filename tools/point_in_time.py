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
CLUB_NAMES_CODE = (
    "from people.models import Club; print(','.join(sorted(Club.objects.values_list('name', flat=True))))"
)
CREATE_CLUB_CODE = "from people.models import Club; Club.objects.create(name={name!r})"


def instruction_blocks(folder: Path) -> tuple[list[str], str, list[str]]:
    """Return archive settings, base backup command and recovery settings of the instructions.

    ``folder`` replaces ``/backups`` in them.
    """
    text = (ROOT / "docs" / "operations.md").read_text().partition("## Point in time")[2]
    archive_text, command, recovery_text = re.findall(r"```\w+\n(.*?)```", text, re.DOTALL)[:3]
    archive_lines, recovery_lines = (
        part.replace("/backups", str(folder)).splitlines() for part in (archive_text, recovery_text)
    )
    return archive_lines, command.replace("/backups", str(folder)).strip(), recovery_lines


def as_option(line: str) -> str:
    """Return a line of postgresql.conf as a command-line option."""
    name, value = line.split(" = ", 1)
    return f"{name}={value.removeprefix(chr(39)).removesuffix(chr(39))}"


def manage(env: Mapping[str, str], *words: str) -> str:
    result = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *words],
        env=env,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return result.stdout.strip()


def sql(address: str, statement: str) -> str:
    command = [services.find("psql"), "-qAt", "-c", statement, address]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def wait_until(description: str, is_ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_ready():
        if time.monotonic() > deadline:
            sys.exit(f"{description} took too long")
        time.sleep(0.2)


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="crawford-moment-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        backups = folder / "backups"
        (backups / "wal").mkdir(parents=True)
        owner = services.postgres_user()
        for path in (backups, backups / "wal"):
            if owner:
                os.chown(path, owner.pw_uid, owner.pw_gid)
        archive_lines, backup_command, recovery_lines = instruction_blocks(backups)
        settings = [as_option(line) for line in archive_lines]
        with services.postgres(folder, durable=True, extra_options=settings) as address:
            env = {
                **os.environ,
                "DATABASE_URL": address,
                "CRAWFORD_VAR": str(folder / "var"),
                "CRAWFORD_ENV": "development",
            }
            manage(env, "migrate", "--verbosity", "0")
            manage(env, "seed_demo")
            base = [services.find("pg_basebackup"), *shlex.split(backup_command)[1:], f"--dbname={address}"]
            owner_arguments: dict[str, Any] = {"user": owner.pw_uid, "group": owner.pw_gid} if owner else {}
            subprocess.run(base, check=True, cwd="/", **owner_arguments)
            manage(env, "shell", "--verbosity", "0", "--command", CREATE_CLUB_CODE.format(name="Before"))
            before = manage(env, "shell", "--verbosity", "0", "--command", CLUB_NAMES_CODE)
            moment = sql(address, "SELECT now()")
            time.sleep(1.5)
            manage(env, "shell", "--verbosity", "0", "--command", CREATE_CLUB_CODE.format(name="After"))
            last_segment = sql(address, "SELECT pg_walfile_name(pg_switch_wal())")
            wait_until("archiving", (backups / "wal" / last_segment).exists)
        data = folder / "postgres"
        data.rename(folder / "aside")
        shutil.copytree(backups / "base", data)
        with (data / "postgresql.auto.conf").open("a") as file:
            lines = [
                re.sub(r"(recovery_target_time = )'.*'", rf"\1'{moment}'", line) for line in recovery_lines
            ]
            file.write("\n".join(lines) + "\n")
        (data / "recovery.signal").touch()
        for path in (data, *data.rglob("*")):
            if owner:
                os.chown(path, owner.pw_uid, owner.pw_gid)
        data.chmod(0o700)
        with services.postgres(folder, durable=True, extra_options=settings) as address:
            wait_until("recovery", lambda: sql(address, "SELECT pg_is_in_recovery()") == "f")
            env |= {"DATABASE_URL": address}
            after = manage(env, "shell", "--verbosity", "0", "--command", CLUB_NAMES_CODE)
            for command in (["check_events"], ["verify_trail"], ["rebuild_ratings", "--check"]):
                print(manage(env, *command))
            print(f"as of {moment}: {after}")
            return 0 if after == before and "Before" in after and "After" not in after else 1


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    sys.exit(main())
