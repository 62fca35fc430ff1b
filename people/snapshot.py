"""What one page shows is true of one moment.

A page is made of many queries, and each sees what is committed when it begins: between two of them a round can be published or a
draw made anew, and the second then speaks of rows that the first has never heard of. In a snapshot all see the same moment.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from django.db import connection, transaction
from psycopg import IsolationLevel

# What shall be written when the snapshot is over; None outside of one.
_PENDING_ACTIONS: Final[ContextVar[list[Callable[[], None]] | None]] = ContextVar("_DUE", default=None)


def run_after_snapshot(act: Callable[[], None]) -> None:
    """Do what writes when the snapshot that is being read is over; at once where there is none. Not at all if it ends with an error."""
    due = _PENDING_ACTIONS.get()
    if due is None:
        act()
    else:
        due.append(act)


@contextmanager
def snapshot() -> Iterator[None]:
    """Reads in here see one moment of the database. Inside a transaction, whose locks say what may move, it changes nothing.

    Nothing is written in here; both databases refuse it.
    """
    if connection.in_atomic_block:
        yield
        return
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    begin = _postgresql_snapshot if connection.vendor == "postgresql" else _sqlite_snapshot
    due: list[Callable[[], None]] = []
    kept = _PENDING_ACTIONS.set(due)
    try:
        with begin(connection), transaction.atomic():
            yield
    finally:
        _PENDING_ACTIONS.reset(kept)
    for act in due:
        act()


@contextmanager
def _postgresql_snapshot(connection: Any) -> Iterator[None]:
    """How psycopg begins the next transaction: a snapshot instead of a new look with every statement."""
    raw = connection.connection
    raw.isolation_level, raw.read_only = IsolationLevel.REPEATABLE_READ, True
    try:
        yield
    finally:
        if not raw.closed:
            raw.isolation_level, raw.read_only = None, None


@contextmanager
def _sqlite_snapshot(connection: Any) -> Iterator[None]:
    """Without the write lock, which the settings let every other transaction take at its beginning."""
    usual, connection.transaction_mode = connection.transaction_mode, "DEFERRED"
    raw = connection.connection
    raw.execute("PRAGMA query_only=ON")
    try:
        yield
    finally:
        connection.transaction_mode = usual
        raw.execute("PRAGMA query_only=OFF")
