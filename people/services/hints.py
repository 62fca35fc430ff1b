"""Messages to workers, which may be lost: the database holds the work, and a periodic sweep finds it.

So an unreachable broker causes no failure and no delay; the next attempt comes after a few seconds. At most
one message waits for the same task with the same arguments. The sender sets a marker beside the queue, and
the worker removes it before it begins to read (``config.kept``), so a change that is committed later always
gets another message. A marker left behind expires with its message.
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
MARKER_CACHE: Final = "waiting"  # the cache beside the queue (`config.environment.marker_cache_settings`)
MARKER_HEADER: Final = "waiting"  # the header of a message that names its marker
MESSAGE_SECONDS: Final = 600.0  # after which a message that no worker took has expired
SWEEP_SECONDS: Final = 15  # between two sweeps, which find work without a message
# Sweeps have a queue of their own. Every worker of `live` serves it, also those started by units and compose files of earlier releases.
SWEEP_QUEUE: Final = "celery"
UNMARKED_MESSAGE_SECONDS: Final = float(SWEEP_SECONDS)  # the expiry where no marker can be set
RESEND_SECONDS: Final = 60.0  # until a sweep sends again what waits where work takes long


_BROKER = CircuitBreaker(BROKER_PAUSE_SECONDS)


def enqueue_task(
    task: str,
    *arguments: int | str,
    expires: float = MESSAGE_SECONDS,
    message_number: int = 0,
    lost_after: float | None = None,
    queue: str | None = None,
    sets_marker: bool = True,
) -> bool:
    """Send a message for this task to the workers; return whether such a message is waiting now.

    To be called after the commit. Nothing is sent while an equal message waits. Returns False if the broker
    cannot be reached. ``message_number``: a different number for each of several equal messages that may wait
    together, so that as many workers share the work. ``lost_after``: for sweeps, the seconds after which a
    message that no worker took counts as lost and is sent again. ``queue``: replaces the task's own.
    ``sets_marker``: False for work that the database does not hold; no marker is set.
    """
    if not _BROKER.allows_request():
        return False
    key = _marker_key(task, arguments, message_number)
    marker_state = sets_marker and _set_marker(key, expires, lost_after)
    if marker_state is None:
        return True
    short_expiry = max(UNMARKED_MESSAGE_SECONDS, lost_after or 0.0)  # periodic senders repeat it by then
    options: dict[str, Any] = {"expires": short_expiry if sets_marker and not marker_state else expires}
    if marker_state:
        options["headers"] = {MARKER_HEADER: key}
    if queue is not None:
        options["queue"] = queue
    try:
        # No retry: a user who reports a result must not wait for a broker that is away.
        current_app.signature(task).apply_async(arguments, retry=False, **options)
    except (OperationalError, OSError) as error:
        remove_marker(key)
        if _BROKER.record_failure():
            log.warning("The queue is away, the sweep will find what waits: %s", error)
        return False
    if _BROKER.record_success():
        log.warning("The queue is back.")
    return True


def remove_marker(key: str) -> None:
    """Remove the marker of a message that a worker has taken or that could not be sent."""
    try:
        caches[MARKER_CACHE].delete(key)
    except OSError as error:  # markers in files, and the disk fails: it expires
        log.warning("A marker was not removed: %s", error)


def _marker_key(task: str, arguments: tuple[int | str, ...], share: int) -> str:
    """Return the marker's key; arguments are hashed, because they may contain an e-mail address."""
    return f"{task}:{hashlib.sha256(repr((arguments, share)).encode()).hexdigest()[:24]}"


def _set_marker(key: str, expires: float, lost_after: float | None) -> bool | None:
    """Return True if a marker was set for a new message.

    None if a message waits, False if it was not stored.
    """
    marker_cache, now = caches[MARKER_CACHE], time.time()
    try:
        if not marker_cache.add(key, now, expires):
            sent_at = marker_cache.get(key, 0.0)
            # A time in the future is from before the clock was set back.
            if lost_after is None or abs(now - sent_at) < lost_after:
                return None
            marker_cache.set(key, now, expires)
    except OSError:
        return False
    return not getattr(marker_cache, "is_away", isinstance(marker_cache, DummyCache))
