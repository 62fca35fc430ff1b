"""Messages to workers are hints: the database says what is to be done, and a sweep finds what no message told.

So a broker that is away fails nothing and holds nobody up. It is left alone for a few seconds before it is asked again.
"""

import logging
from typing import Any

from celery import current_app
from kombu.exceptions import OperationalError

from people.away import Away

log = logging.getLogger(__name__)
LEFT_ALONE = 5.0


_BROKER = Away(LEFT_ALONE)


def hint(task: str, *arguments: int | str, expires: float | None = None) -> bool:
    """Tell a worker of this task; whether the broker took it. Call it after the commit."""
    if not _BROKER.is_asked_now():
        return False
    more: dict[str, Any] = {} if expires is None else {"expires": expires}
    try:
        # No retry: whoever reported a result must not wait for a broker that is away.
        current_app.signature(task).apply_async(arguments, retry=False, **more)
    except (OperationalError, OSError) as error:
        if _BROKER.went():
            log.warning("The queue is away, the sweep will find what waits: %s", error)
        return False
    if _BROKER.came():
        log.warning("The queue is back.")
    return True
