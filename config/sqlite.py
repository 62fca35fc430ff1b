"""Keep what SQLite needs beside its file (`-wal`, `-shm`) for as long as a web process runs.

It goes with the last connection, and without room on the disk nobody could make it again: then nobody could read either.
"""

import logging
import sqlite3
from collections.abc import Mapping
from typing import Any

log = logging.getLogger(__name__)


def hold_open(database: Mapping[str, Any]) -> sqlite3.Connection | None:
    """A connection that is never used again; None where the database is no file, or cannot be opened now."""
    if database["ENGINE"] != "django.db.backends.sqlite3" or str(database["NAME"]).startswith((":", "file:")):
        return None
    try:
        connection = sqlite3.connect(database["NAME"])
        connection.execute("PRAGMA journal_mode=WAL").fetchall()
        # It is only open once it has read; all rows, or it would keep a snapshot and the file beside would grow.
        connection.execute("SELECT name FROM sqlite_master").fetchall()
    except sqlite3.Error as error:
        log.warning("The database cannot be held open: %s", error)
        return None
    return connection
