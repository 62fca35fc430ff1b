"""Messages to workers are hints: the database says what is to be done, and a sweep finds what no message told.

So a broker that is away fails nothing and holds nobody up. It is left alone for a few seconds before it is asked again.

Of the same task with the same arguments at most one message waits. Whoever sends it sets a marker beside the queue, and the worker
removes the marker before it begins to read (`config.kept`), so a change that is committed later is always followed by another message.
A marker that was left behind ends with its message.
"""

import hashlib
import logging
import time
from typing import Any, Final

from celery import current_app
from django.core.cache import caches
from django.core.cache.backends.dummy import DummyCache
from kombu.exceptions import OperationalError

from people.away import CircuitBreaker

log = logging.getLogger(__name__)
BROKER_PAUSE_SECONDS = 5.0
MARKER_CACHE: Final = (
    "waiting"  # the cache that lies beside the queue (`config.environment.marker_cache_settings`)
)
MARKER_HEADER: Final = "waiting"  # the header of a message that names its marker
MESSAGE_SECONDS: Final = 600.0  # seconds after which a message that nobody took has expired
SWEEP_SECONDS: Final = 15  # seconds between two sweeps, which find what no message told
# Sweeps have a queue that nothing else fills. Every worker of `live` serves it, also those that units and compose files of earlier releases start.
SWEEP_QUEUE: Final = "celery"
UNMARKED_MESSAGE_SECONDS: Final = float(
    SWEEP_SECONDS
)  # the same as `MAX_AGE_SECONDS` where no marker can be set
RESEND_SECONDS: Final = 60.0  # seconds after which a sweep sends again what waits where work takes long


_BROKER = CircuitBreaker(BROKER_PAUSE_SECONDS)


def enqueue_task(
    task: str,
    *arguments: int | str,
    expires: float = MESSAGE_SECONDS,
    share: int = 0,
    lost_after: float | None = None,
    queue: str | None = None,
    once: bool = True,
) -> bool:
    """Tell a worker of this task, unless a message waits that says the same; whether one waits now. Call it after the commit.

    ``share``: a number for each of several messages that may wait together, so that as many workers share the work.
    ``lost_after``: for sweeps, the seconds after which a message that nobody took counts as lost and is sent again.
    ``queue``: another than the task's own. ``once``: False for what the database does not say, so that a lost message holds up no other.
    """
    if not _BROKER.allows_request():
        return False
    key = _marker_key(task, arguments, share)
    marked = once and _set_marker(key, expires, lost_after)
    if marked is None:
        return True
    soon = max(
        UNMARKED_MESSAGE_SECONDS, lost_after or 0.0
    )  # whoever sends it by the clock does so again then
    more: dict[str, Any] = {"expires": soon if once and not marked else expires}
    if marked:
        more["headers"] = {MARKER_HEADER: key}
    if queue is not None:
        more["queue"] = queue
    try:
        # No retry: whoever reported a result must not wait for a broker that is away.
        current_app.signature(task).apply_async(arguments, retry=False, **more)
    except (OperationalError, OSError) as error:
        remove_marker(key)
        if _BROKER.record_failure():
            log.warning("The queue is away, the sweep will find what waits: %s", error)
        return False
    if _BROKER.came():
        log.warning("The queue is back.")
    return True


def remove_marker(key: str) -> None:
    """The message of this marker waits no longer."""
    try:
        caches[MARKER_CACHE].delete(key)
    except OSError as error:  # markers in files, and the disk fails: it ends by itself
        log.warning("A marker was not removed: %s", error)


def _marker_key(task: str, arguments: tuple[int | str, ...], share: int) -> str:
    """Without the arguments themselves: they may be an address."""
    return f"{task}:{hashlib.sha256(repr((arguments, share)).encode()).hexdigest()[:24]}"


def _set_marker(key: str, expires: float, lost_after: float | None) -> bool | None:
    """Whether a marker is set for a new message; None where one waits, False where none can be kept."""
    markers, now = caches[MARKER_CACHE], time.time()
    try:
        if not markers.add(key, now, expires):
            sent = markers.get(key, 0.0)
            # A time that has not come is from before the clock was set back.
            if lost_after is None or abs(now - sent) < lost_after:
                return None
            markers.set(key, now, expires)
    except OSError:
        return False
    return not getattr(markers, "is_away", isinstance(markers, DummyCache))
