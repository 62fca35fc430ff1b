"""Allow one `make run` for each folder and SQLite file: two would each have a worker and a scheduler for the same work."""

import fcntl
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import IO

import environ

ROOT = Path(__file__).resolve().parent.parent


class SettingsEnvironment(environ.Env):  # type: ignore[misc]  # untyped
    """The environment as the settings of the site will read it, without changing that of this process."""


def variables(root: Path = ROOT) -> dict[str, str]:
    """Return the variables of this process, and those that the file ``.env`` adds."""
    SettingsEnvironment.ENVIRON = dict(os.environ)
    SettingsEnvironment.read_env(str(root / ".env"))
    return dict(SettingsEnvironment.ENVIRON)


def locked_paths() -> list[Path]:
    """Return the paths to be locked.

    The folder that the site writes to, and its database if that is a file.
    """
    SettingsEnvironment.ENVIRON = variables()
    env = SettingsEnvironment()
    folder = ROOT / (env.str("CRAWFORD_VAR", default="").strip() or "var")
    url = env.str("DATABASE_URL", default="").strip()
    if url and not url.startswith("sqlite:"):
        return [folder / "site"]
    name = env.db_url_config(url)["NAME"] if url else folder / "crawford.sqlite3"
    return [folder / "site", ROOT / name]


def lock_paths(stack: ExitStack, address: str) -> None:
    """Lock a file beside each path until ``stack`` is left; exits with a message if that fails.

    ``address``: the site's address, which the message shows to a second process that finds the lock taken.
    """
    for place in dict.fromkeys(locked_paths()):
        lock = place.with_name(f"{place.name}.lock")
        try:
            lock.parent.mkdir(parents=True, exist_ok=True)
            file: IO[str] = stack.enter_context(lock.open("a+"))
        except OSError as error:
            sys.exit(
                f"Crawford did not start: it cannot write to its folder {lock.parent} ({error.strerror})."
            )
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            sys.exit(
                f"Crawford did not start: another instance already uses {place} ({file.read().strip()}). Stop it, or use a different folder: CRAWFORD_VAR=… make run"
            )
        file.truncate(0)
        file.write(f"process {os.getpid()}, {address}")
        file.flush()
