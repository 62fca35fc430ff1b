"""Messages that wait for workers: their number in each queue, and the age of the oldest message."""

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from config.queues import QUEUES

# Header of each message, set when it is sent (`config.watch.tasks`): seconds since 1970.
SENT_AT_HEADER: Final = "sent_at"
_REDIS_TIMEOUT_SECONDS: Final = 1.0  # timeout for Redis
_NANOSECONDS: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class QueueState:
    """State of a queue. ``count``: messages that no worker has taken.

    ``age``: seconds since the oldest of them was sent, 0 if there is none.
    """

    count: int = 0
    age: float = 0.0


def queue_states() -> Mapping[str, QueueState]:
    """Return the state of each queue, keyed by queue name; empty for a broker of another kind.

    Raises the errors of the broker's client.
    """
    url = str(settings.CELERY_BROKER_URL)
    if url.startswith(("redis:", "rediss:")):
        return _redis_queue_states(url)
    if url.startswith("filesystem:"):
        return _folder_queue_states(Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"]))
    return {}


def _redis_queue_states(url: str) -> Mapping[str, QueueState]:
    """Return the states of queues in Redis: kombu adds messages to the left of a list and takes the last."""
    import redis  # noqa: PLC0415 (a tenth of a second, where there is none to ask)

    with redis.Redis.from_url(
        url, socket_connect_timeout=_REDIS_TIMEOUT_SECONDS, socket_timeout=_REDIS_TIMEOUT_SECONDS
    ) as client:
        pipe = client.pipeline(transaction=False)
        for queue in QUEUES:
            pipe.llen(queue)
            pipe.lindex(queue, -1)
        replies: list[Any] = pipe.execute()
    counts, oldest = replies[::2], replies[1::2]
    return {
        queue: QueueState(count, _age_seconds(_sent_at(raw)) if raw else 0.0)
        for queue, count, raw in zip(QUEUES, counts, oldest, strict=True)
    }


def _sent_at(raw: bytes) -> float | None:
    """Return when a message of kombu was sent, or None if it has no such header."""
    try:
        sent_at = json.loads(raw)["headers"][SENT_AT_HEADER]
    except (ValueError, TypeError, KeyError):
        return None
    return float(sent_at) if isinstance(sent_at, int | float) else None


def _folder_queue_states(folder: Path) -> Mapping[str, QueueState]:
    """Return the states of queues in a folder: a file's name is its time and its queue (`config.broker`)."""
    names = sorted(path.name for path in folder.glob("*.msg"))
    return {
        queue: _file_queue_state(name for name in names if name.endswith(f".{queue}.msg")) for queue in QUEUES
    }


def _file_queue_state(names: Iterable[str]) -> QueueState:
    file_names = list(names)
    timestamp_text = file_names[0].partition("_")[0] if file_names else ""
    return QueueState(
        len(file_names),
        _age_seconds(int(timestamp_text) / _NANOSECONDS) if timestamp_text.isdecimal() else 0.0,
    )


def _age_seconds(sent_at: float | None) -> float:
    """Return the age in seconds; 0 for a time in the future, from before the clock was set back."""
    return 0.0 if sent_at is None else max(0.0, time.time() - sent_at)
