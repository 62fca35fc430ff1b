"""The tables that a test run begins with. On SQLite: made by the migrations once, and laid down as a copy by whoever has the same ones.

All migrations take four seconds of a process, and a run has several that begin with empty tables. What they come to is kept in the
home's cache under what they follow from; `tests/upgrades` and the demo go through them each time. PostgreSQL begins with the tables of the
newest release (`tests/upgrades/packed`) and goes through the migrations that are new.
"""

import fcntl
import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
import pytest_django
from django.conf import settings
from django.db import connection

from tests.upgrades.packed import begin_with_newest, drop
from tournaments.backups.services.tables import set_last_id
from tournaments.bundles.services.numbers import tables_with_ids

ROOT = Path(__file__).resolve().parents[2]
KEPT = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "crawford" / "tables"


def imprint() -> str:
    """What empty tables follow from: migrations, the libraries that bring others, the settings that name them."""
    found = hashlib.sha256(sqlite3.sqlite_version.encode())
    sources = [
        *sorted(ROOT.glob("*/migrations/*.py")),
        ROOT / "requirements/base.txt",
        ROOT / "config/settings.py",
    ]
    for path in sources:
        found.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return found.hexdigest()[:32]


HIGH = 1 << 52


def count_high() -> None:
    """New rows bear numbers as where a bundle came in, sixteen digits long: such an id has to pass wherever one of two digits does."""
    for table in tables_with_ids():
        set_last_id(table.name, HIGH)


class Tables:
    """What is kept of them. ``closes`` holds the lock from where nothing is found to where it is kept."""

    def __init__(self) -> None:
        self.kept = KEPT / f"{imprint()}.sqlite3"
        self.closes = ExitStack()

    def lay_down(self, name: str) -> bool:
        """Whether a copy stands there now. One process makes them, and whoever begins meanwhile waits for it."""
        try:
            KEPT.mkdir(parents=True, exist_ok=True)
            lock = self.closes.enter_context((KEPT / "lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
            found = self.kept.is_file()
            if found:
                Path(name).write_bytes(self.kept.read_bytes())
        except OSError:  # no home, or no room in it
            found = False
        if found:
            self.closes.close()
        return found

    def keep(self) -> None:
        """Keep the tables that this process has made, and let others go on."""
        making = self.kept.with_suffix(f".{os.getpid()}")
        with self.closes, suppress(OSError, sqlite3.Error):
            with closing(sqlite3.connect(making)) as copy:
                connection.connection.backup(copy)
            for older in KEPT.glob("*.sqlite3"):
                older.unlink()
            making.replace(self.kept)


@pytest.fixture(scope="session")
def tables() -> Iterator[Tables]:
    made = Tables()
    with made.closes:
        yield made


@pytest.fixture(scope="session")
def django_db_keepdb(
    tables: Tables,
    django_db_modify_db_settings: None,
    django_db_blocker: pytest_django.DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[bool]:
    """Whether a database stands there already: with a copy of its tables, or with those of the newest release."""
    if connection.vendor == "sqlite":
        name = settings.DATABASES["default"]["TEST"].get("NAME")
        yield bool(name) and tables.lay_down(str(name))
        return
    with django_db_blocker.unblock():
        name = connection.creation._get_test_db_name()
        begin_with_newest(name, tmp_path_factory.mktemp("newest"))
    yield True
    with django_db_blocker.unblock():
        drop(name)
