"""What waits for workers: how many messages lie in each queue, and since when the oldest one does."""

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from config.queues import QUEUES

# Of each message, written when it is sent (`config.watch.tasks`): seconds since 1970.
SENT_AT_HEADER: Final = "sent_at"
_REDIS_TIMEOUT_SECONDS: Final = 1.0  # seconds for Redis
_NANOSECONDS: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class QueueState:
    """``count``: messages that no worker has taken; ``age``: seconds since the oldest of them was sent, 0 where there is none."""

    count: int = 0
    age: float = 0.0


def queue_states() -> Mapping[str, QueueState]:
    """By queue. Nothing for a broker that cannot be looked into. Raises what the broker's client raises when it is away."""
    url = str(settings.CELERY_BROKER_URL)
    if url.startswith(("redis:", "rediss:")):
        return _redis_queue_states(url)
    if url.startswith("filesystem:"):
        return _folder_queue_states(Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"]))
    return {}


def _redis_queue_states(url: str) -> Mapping[str, QueueState]:
    """Kombu puts messages in at the left end of a list and takes them from the right one."""
    import redis  # noqa: PLC0415 (a tenth of a second, where there is none to ask)

    with redis.Redis.from_url(
        url, socket_connect_timeout=_REDIS_TIMEOUT_SECONDS, socket_timeout=_REDIS_TIMEOUT_SECONDS
    ) as client:
        pipe = client.pipeline(transaction=False)
        for queue in QUEUES:
            pipe.llen(queue)
            pipe.lindex(queue, -1)
        found: list[Any] = pipe.execute()
    counts, oldest = found[::2], found[1::2]
    return {
        queue: QueueState(count, _age_seconds(_sent_at(raw)) if raw else 0.0)
        for queue, count, raw in zip(QUEUES, counts, oldest, strict=True)
    }


def _sent_at(raw: bytes) -> float | None:
    """Of a message as kombu writes it; None for one of an earlier release, or of nobody's."""
    try:
        sent = json.loads(raw)["headers"][SENT_AT_HEADER]
    except (ValueError, TypeError, KeyError):
        return None
    return float(sent) if isinstance(sent, int | float) else None


def _folder_queue_states(folder: Path) -> Mapping[str, QueueState]:
    """The name of a message begins with when it was written and goes on with its queue (`config.broker`)."""
    names = sorted(path.name for path in folder.glob("*.msg"))
    return {
        queue: _file_queue_state(name for name in names if name.endswith(f".{queue}.msg")) for queue in QUEUES
    }


def _file_queue_state(names: Iterable[str]) -> QueueState:
    ours = list(names)
    written = ours[0].partition("_")[0] if ours else ""
    return QueueState(len(ours), _age_seconds(int(written) / _NANOSECONDS) if written.isdecimal() else 0.0)


def _age_seconds(sent: float | None) -> float:
    """A time that has not come is from before the clock was set back."""
    return 0.0 if sent is None else max(0.0, time.time() - sent)
