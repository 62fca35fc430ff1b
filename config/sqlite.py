"""Keep SQLite's `-wal` and `-shm` files while a web process runs.

SQLite deletes them with its last connection, and with a full disk they could not be created again: then
reading would fail, too.
"""

import logging
import sqlite3
from collections.abc import Mapping
from typing import Any

log = logging.getLogger(__name__)


def open_idle_connection(database: Mapping[str, Any]) -> sqlite3.Connection | None:
    """Return an open connection that is never used.

    None if the database is no file or cannot be opened now.
    """
    if database["ENGINE"] != "django.db.backends.sqlite3" or str(database["NAME"]).startswith((":", "file:")):
        return None
    try:
        connection = sqlite3.connect(database["NAME"])
        connection.execute("PRAGMA journal_mode=WAL").fetchall()
        # It is only open after reading; all rows, or it would keep a snapshot and the WAL file would grow.
        connection.execute("SELECT name FROM sqlite_master").fetchall()
    except sqlite3.Error as error:
        log.warning("The database cannot be held open: %s", error)
        return None
    return connection
