"""Consistent reads: all queries of a page see the same moment of the database.

A page makes many queries, and each sees what is committed when the query begins: between two of them a round
can be published or a draw made anew, and the second query would read rows unknown to the first. In a snapshot
all queries see the same moment.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from django.db import connection, transaction
from psycopg import IsolationLevel

# Writes to run after the snapshot; None outside of one.
_PENDING_ACTIONS: Final[ContextVar[list[Callable[[], None]] | None]] = ContextVar("_DUE", default=None)


def run_after_snapshot(action: Callable[[], None]) -> None:
    """Run ``action``, which writes to the database, once the snapshot has ended; at once outside of one.

    If the block of the snapshot raises, the action is not run.
    """
    pending = _PENDING_ACTIONS.get()
    if pending is None:
        action()
    else:
        pending.append(action)


@contextmanager
def snapshot() -> Iterator[None]:
    """Make all reads of the block see one moment of the database.

    Inside a transaction, which has locks of its own, this changes nothing. Writing inside is refused by both
    databases.
    """
    if connection.in_atomic_block:
        yield
        return
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    begin = _postgresql_snapshot if connection.vendor == "postgresql" else _sqlite_snapshot
    pending: list[Callable[[], None]] = []
    token = _PENDING_ACTIONS.set(pending)
    try:
        with begin(connection), transaction.atomic():
            yield
    finally:
        _PENDING_ACTIONS.reset(token)
    for action in pending:
        action()


@contextmanager
def _postgresql_snapshot(connection: Any) -> Iterator[None]:
    """Let psycopg begin the next transaction as one read-only snapshot for all its queries."""
    raw = connection.connection
    raw.isolation_level, raw.read_only = IsolationLevel.REPEATABLE_READ, True
    try:
        yield
    finally:
        if not raw.closed:
            raw.isolation_level, raw.read_only = None, None


@contextmanager
def _sqlite_snapshot(connection: Any) -> Iterator[None]:
    """Let the next transaction begin without the write lock, which all other transactions take first."""
    previous_mode, connection.transaction_mode = connection.transaction_mode, "DEFERRED"
    raw = connection.connection
    raw.execute("PRAGMA query_only=ON")
    try:
        yield
    finally:
        connection.transaction_mode = previous_mode
        raw.execute("PRAGMA query_only=OFF")
