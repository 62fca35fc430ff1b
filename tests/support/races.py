"""Two people at once, for real: threads with a connection each, and a meeting point in the middle of their transactions.

``meet_after`` makes every thread wait, once, right after a statement that contains a certain text, until every other one has got
that far, waits for a lock in PostgreSQL, or is through. With a lock the second thread never gets there (the first goes on as soon as
PostgreSQL says that the second waits); without the lock both have read the same state before either writes. ``locks=False`` takes
``FOR UPDATE`` out of the statements: that is how a race test proves that it would see the race.
"""

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from django.db import connection

FOR_UPDATE = re.compile(r' FOR (?:NO KEY )?UPDATE(?: OF "\w+"(?:, "\w+")*)?')
PATIENCE = 60
WAITING_FOR_A_LOCK = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


@dataclass
class Outcome:
    """What came of one thread: a value, or the exception it ended with."""

    value: Any = None
    error: BaseException | None = None


class Meeting:
    """Where the threads wait for each other; the main thread looks after it, for it alone can see who waits for a lock."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.over = threading.Event()
        self.came: list[int] = []

    @contextmanager
    def attended(self, number: int) -> Iterator[None]:
        def wait(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            result = execute(sql, params, many, context)
            if self.text in sql and not self.over.is_set() and number not in self.came:
                self.came.append(number)
                self.over.wait(PATIENCE)
            return result

        with connection.execute_wrapper(wait):
            yield

    def lasts_until_nobody_else_comes(self, threads: list[threading.Thread]) -> None:
        with connection.cursor() as cursor:
            while len(self.came) < sum(thread.is_alive() for thread in threads):
                cursor.execute(WAITING_FOR_A_LOCK)
                if self.came and len(self.came) + cursor.fetchone()[0] >= len(threads):
                    break
                time.sleep(0.01)
        self.over.set()


def race(*jobs: Callable[[], Any], meet_after: str, locks: bool = True) -> list[Outcome]:
    """Run ``jobs`` at the same time; returns their outcomes in order."""
    meeting = Meeting(meet_after)
    outcomes = [Outcome() for _ in jobs]

    def run(number: int) -> None:
        try:
            with nullcontext() if locks else _without_locks(), meeting.attended(number):
                outcomes[number].value = jobs[number]()
        except BaseException as error:
            outcomes[number].error = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(jobs))]
    for thread in threads:
        thread.start()
    meeting.lasts_until_nobody_else_comes(threads)
    for thread in threads:
        thread.join(timeout=PATIENCE)
        assert not thread.is_alive(), "a thread never came back: deadlock?"
    assert len(meeting.came) >= (1 if locks else len(jobs)), (
        f"they never met: who says {meet_after!r}? {outcomes}"
    )
    return outcomes


@contextmanager
def _without_locks() -> Iterator[None]:
    def strip(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        return execute(FOR_UPDATE.sub("", sql), params, many, context)

    with connection.execute_wrapper(strip):
        yield


@contextmanager
def interrupted_by(act: Callable[[], object], before: str) -> Iterator[None]:
    """Somebody else does it, whole and without a thread, just before the first statement in which the words ``before`` stand."""
    acts = [act]

    def look(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if acts and before in sql:
            acts.pop()()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield
    assert not acts, f"it was never done: who says {before!r}?"
