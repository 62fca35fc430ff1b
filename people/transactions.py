"""The transaction of services: durable, and repeated after a deadlock or a serialisation failure.

If two transactions wait for each other PostgreSQL aborts one of them (deadlock), or it cannot order them
(serialisation failure). Nothing of the aborted transaction is stored and none of its on-commit actions run,
so it is repeated; after ``MAX_ATTEMPTS`` attempts the caller gets the error that the site is busy. A lock
timeout is not repeated.
"""

import random
import sqlite3
import time
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from django.db import OperationalError, connection, transaction

from people.audience import Audience, override_audience

P = ParamSpec("P")
R = TypeVar("R")

MAX_ATTEMPTS: Final = 3
PAUSE_SECONDS: Final = 0.02  # at most before the second attempt, twice as long before the third
_RETRY_SQLSTATES: Final = {"40P01", "40001"}  # deadlock_detected, serialization_failure
_BUSY_SQLSTATES: Final = _RETRY_SQLSTATES | {
    "55P03",
    "57014",
}  # lock_not_available, query_canceled (by its timeout)


# Also to run at the end of a service's transaction: the mark of an idempotent request (`people.services.repeats`).
ACTIONS_BEFORE_COMMIT: Final[ContextVar[Callable[[], None] | None]] = ContextVar("AT_THE_END", default=None)


def durable(service: Callable[P, R]) -> Callable[P, R]:
    """Decorate ``service`` to run in one durable transaction, tried up to three times, with full names.

    Its arguments are ids and values: the service reads all rows itself and has effects in the database only,
    so it can be repeated. Names are read for ``Audience.FULL``, whatever the audience of the request.
    """

    @wraps(service)
    def door(*args: P.args, **kwargs: P.kwargs) -> R:
        attempt = 1
        while True:
            try:
                with override_audience(Audience.FULL), transaction.atomic(durable=True):
                    result = service(*args, **kwargs)
                    if before_commit := ACTIONS_BEFORE_COMMIT.get():
                        before_commit()
                    return result
            except OperationalError as error:
                # inside of a test's transaction that one has failed, too
                if (
                    _sqlstate(error) not in _RETRY_SQLSTATES
                    or attempt == MAX_ATTEMPTS
                    or connection.needs_rollback
                ):
                    raise
            time.sleep(random.uniform(0, PAUSE_SECONDS * attempt))  # noqa: S311 (so that the two do not meet again)
            attempt += 1

    return door


def is_busy(error: BaseException | None) -> bool:
    """Return whether the error means that the database was busy.

    The same request can be sent again at once.
    """
    cause = error.__cause__ if error is not None else None
    return (
        _sqlstate(error) in _BUSY_SQLSTATES or getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
    )


def _sqlstate(error: BaseException | None) -> str:
    cause = error.__cause__ if error is not None else None
    return str(getattr(cause, "sqlstate", None) or "")
