"""Two people at once, for real: threads with a connection each, and a meeting point in the middle of their transactions.

``meet_after`` makes every thread wait, once, right after a statement that contains a certain text, until the other has
got that far as well. With a lock the second thread never gets there (the first gives up waiting, finishes, and lets it
in); without the lock both have read the same state before either writes. ``without_locks`` takes ``FOR UPDATE`` out of
the statements of one thread: that is how a race test proves that it would see the race.
"""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from django.db import connection

FOR_UPDATE = re.compile(r' FOR UPDATE(?: OF "\w+"(?:, "\w+")*)?')
PATIENCE = 1.5
# Without locks everybody gets there, however slow the machine is; the wait is over as soon as they have.
PATIENCE_WITHOUT_LOCKS = 30


@dataclass
class Outcome:
    """What came of one thread: a value, or the exception it ended with."""

    value: Any = None
    error: BaseException | None = None


def race(*jobs: Callable[[], Any], meet_after: str, locks: bool = True) -> list[Outcome]:
    """Run ``jobs`` at the same time; returns their outcomes in order."""
    meeting = threading.Barrier(len(jobs))
    outcomes = [Outcome() for _ in jobs]

    def run(number: int) -> None:
        try:
            with ExitStack() as stack:
                if not locks:
                    stack.enter_context(_without_locks())
                stack.enter_context(
                    _meeting(meeting, meet_after, PATIENCE if locks else PATIENCE_WITHOUT_LOCKS)
                )
                outcomes[number].value = jobs[number]()
        except BaseException as error:
            outcomes[number].error = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive(), "a thread never came back: deadlock?"
    return outcomes


@contextmanager
def _meeting(meeting: threading.Barrier, text: str, patience: float) -> Iterator[None]:
    waited = False

    def wait(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal waited
        result = execute(sql, params, many, context)
        if text in sql and not waited:
            waited = True
            with suppress(threading.BrokenBarrierError):
                meeting.wait(timeout=patience)
        return result

    with connection.execute_wrapper(wait):
        yield


@contextmanager
def _without_locks() -> Iterator[None]:
    def strip(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        return execute(FOR_UPDATE.sub("", sql), params, many, context)

    with connection.execute_wrapper(strip):
        yield
