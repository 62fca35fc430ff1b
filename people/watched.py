"""Metrics of the present request or task of this thread, for log lines and monitoring.

They influence nothing that the request or task does.
"""

import re
import uuid
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

# As it may come from outside: it is used in log lines, headers and messages.
_ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")


@dataclass(slots=True)
class WorkStats:
    """Metrics of a request or task; ``statements`` is the number of queries.

    ``request_id`` is that of the original request, also in a worker; "" without one. ``route`` is the name of
    the URL pattern, ``task`` that of the task. ``hits`` and ``misses`` are lookups in the cache.
    """

    request_id: str = ""
    route: str = ""
    task: str = ""
    statements: int = 0
    hits: int = 0
    misses: int = 0


CURRENT_WORK_STATS: Final[ContextVar[WorkStats | None]] = ContextVar("crawford_watched", default=None)


def clean_request_id(value: object) -> str:
    """Return the request id that a client or proxy has sent, or "" if it is not valid."""
    return value if isinstance(value, str) and _ID.fullmatch(value) else ""


def new_request_id() -> str:
    return uuid.uuid4().hex


def count_cache_lookups(lookup_count: int, miss_count: int) -> None:
    """Count lookups in the cache, and how many of them were misses."""
    current_work = CURRENT_WORK_STATS.get()
    if current_work is not None:
        current_work.hits += lookup_count - miss_count
        current_work.misses += miss_count
