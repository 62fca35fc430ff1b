"""What is being done just now in this thread, a request or a task, and what it has cost so far: for log lines and figures of those who keep the
site running. Nothing is decided by it.
"""

import re
import uuid
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

# As it may come from outside: it goes into log lines, headers and messages.
_ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")


@dataclass(slots=True)
class WorkStats:
    """``request_id`` is that of the request by which it came about, also in a worker; empty where nobody asked. ``route`` is the name of
    the address, ``task`` that of the task. ``hits`` and ``misses`` are those of the cache.
    """

    request_id: str = ""
    route: str = ""
    task: str = ""
    statements: int = 0
    hits: int = 0
    misses: int = 0


CURRENT_WORK: Final[ContextVar[WorkStats | None]] = ContextVar("crawford_watched", default=None)


def clean_request_id(given: object) -> str:
    """What came as the id of a request, or empty if it cannot be one."""
    return given if isinstance(given, str) and _ID.fullmatch(given) else ""


def new_request_id() -> str:
    return uuid.uuid4().hex


def count_cache_lookups(asked: int, missing: int) -> None:
    """So many things were looked for in the cache."""
    now = CURRENT_WORK.get()
    if now is not None:
        now.hits += asked - missing
        now.misses += missing
