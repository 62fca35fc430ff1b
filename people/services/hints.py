"""Messages to workers are hints: the database says what is to be done, and a sweep finds what no message told.

So a broker that is away fails nothing and holds nobody up. It is left alone for a few seconds before it is asked again.
"""

import logging
import threading
import time
from typing import Any

from celery import current_app
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)
LEFT_ALONE = 5.0


class _Broker:
    """What this process knows of it, for all its threads."""

    asked_again = 0.0
    lost = False
    _alone = threading.Lock()

    @classmethod
    def is_asked_now(cls) -> bool:
        """Whether this message is tried. While the broker is away one is, now and then, and nobody else waits with it."""
        if not cls.lost:
            return time.monotonic() >= cls.asked_again
        with cls._alone:
            if time.monotonic() < cls.asked_again:
                return False
            cls.asked_again = time.monotonic() + LEFT_ALONE
            return True


def hint(task: str, *arguments: int | str, expires: float | None = None) -> bool:
    """Tell a worker of this task; whether the broker took it. Call it after the commit."""
    if not _Broker.is_asked_now():
        return False
    more: dict[str, Any] = {} if expires is None else {"expires": expires}
    try:
        # No retry: whoever reported a result must not wait for a broker that is away.
        current_app.signature(task).apply_async(arguments, retry=False, **more)
    except (OperationalError, OSError) as error:
        _Broker.asked_again = time.monotonic() + LEFT_ALONE
        if not _Broker.lost:
            _Broker.lost = True
            log.warning("The queue is away, the sweep will find what waits: %s", error)
        return False
    if _Broker.lost:
        _Broker.lost, _Broker.asked_again = False, 0.0
        log.warning("The queue is back.")
    return True
