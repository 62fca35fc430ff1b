"""The door of every service: one durable transaction, begun anew when the database gave up on it for the sake of another one.

Two transactions that wait for each other are told apart by PostgreSQL, which ends one of them (a deadlock), or it cannot put them in an
order (a serialisation failure). Nothing of that one is stored and nothing that it would have done on commit is done, so it is simply
begun anew; after `MAX_TRIES` whoever asked hears that the site is busy. Waiting too long for a lock is no such case: who waited has waited.
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
PAUSE_SECONDS: Final = 0.02  # seconds at most before the second try, twice as many before the third
_RETRY_SQLSTATES: Final = {"40P01", "40001"}  # deadlock_detected, serialization_failure
_BUSY_SQLSTATES: Final = _RETRY_SQLSTATES | {
    "55P03",
    "57014",
}  # lock_not_available, query_canceled (by its timeout)


# What else belongs into the transaction of a service, at its end: the mark of a request that is done once (`people.services.repeats`).
BEFORE_COMMIT: Final[ContextVar[Callable[[], None] | None]] = ContextVar("AT_THE_END", default=None)


def durable(service: Callable[P, R]) -> Callable[P, R]:
    """``service`` in one durable transaction, tried up to three times. Inside, names are read as they are (`people.audience`), whoever is answered.

    Its arguments are ids and values: it reads all rows itself and leaves nothing behind but in the database, so it can be called again.
    """

    @wraps(service)
    def door(*args: P.args, **kwargs: P.kwargs) -> R:
        tried = 1
        while True:
            try:
                with override_audience(Audience.FULL), transaction.atomic(durable=True):
                    done = service(*args, **kwargs)
                    if at_the_end := BEFORE_COMMIT.get():
                        at_the_end()
                    return done
            except OperationalError as error:
                # Inside of another transaction (of a test) that one is over, too.
                if (
                    _sqlstate(error) not in _RETRY_SQLSTATES
                    or tried == MAX_ATTEMPTS
                    or connection.needs_rollback
                ):
                    raise
            time.sleep(random.uniform(0, PAUSE_SECONDS * tried))  # noqa: S311 (so that the two do not meet again)
            tried += 1

    return door


def is_busy(error: BaseException | None) -> bool:
    """Whether the database answers, and somebody else has what was asked for: the same can be asked again at once."""
    cause = error.__cause__ if error is not None else None
    return (
        _sqlstate(error) in _BUSY_SQLSTATES or getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
    )


def _sqlstate(error: BaseException | None) -> str:
    cause = error.__cause__ if error is not None else None
    return str(getattr(cause, "sqlstate", None) or "")
