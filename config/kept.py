"""Messages of a newer release, while a worker is still the older one: kept, not thrown away, for the worker that comes next.

Celery throws a message away that names a task which it does not know, and fails one with an argument too many. What most messages tell of the
database knows as well, but not everything: so such a message goes into a queue from which nobody is fed, a line of the log says so, and a worker that starts
gives out what it knows. An old worker that starts again leaves it there.
"""

import inspect
import logging
from collections.abc import Callable
from typing import Any, Final

from celery import Celery, Task
from celery.exceptions import Ignore
from kombu import Message

from config.queues import ROUTES
from people.services.hints import MARKER_HEADER, remove_marker

log = logging.getLogger(__name__)
DEFERRED_QUEUE: Final = "kept"
_DEFAULT_QUEUE: Final = "live"


class DeferringTask(Task):  # type: ignore[type-arg]  # it has none when it runs
    """A task that keeps a message whose arguments it cannot take, and removes the marker of the one that it was given
    (`people.services.hints`) before it reads anything: what is committed from now on needs another message.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if marker := (self.request.headers or {}).get(MARKER_HEADER):
            remove_marker(marker)
        if not _accepts_arguments(self.run, args, kwargs):
            if self.request.called_directly:
                return self.run(*args, **kwargs)
            made = self.app.amqp.create_task_message(
                self.request.id, self.name, args, kwargs, expires=self.request.expires
            )
            with self.app.producer_pool.acquire(block=True) as producer:
                _publish(
                    producer,
                    DEFERRED_QUEUE,
                    made.body,
                    headers=made.headers,
                    serializer="json",
                    **made.properties,
                )
            log_deferred(self.name)
            raise Ignore
        return self.run(*args, **kwargs)


def _accepts_arguments(run: Callable[..., Any], args: Any, kwargs: Any) -> bool:
    try:
        inspect.signature(run).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def log_deferred(task: str) -> None:
    log.warning("A message for %s is of a newer release: kept for a worker of that release.", task)


def defer_message(app: Celery, message: Message) -> None:
    """Put a message aside as it came. Whoever calls acknowledges it after that."""
    with app.producer_pool.acquire(block=True) as producer:
        _republish(producer, DEFERRED_QUEUE, message)


def requeue_deferred(app: Celery) -> int:
    """Whatever was kept and this release knows goes into its queue again; how many. For a worker that starts."""
    count, unknown = 0, []
    with app.connection_for_write() as connection:
        channel: Any = connection.default_channel
        producer = connection.Producer(channel)
        while (message := channel.basic_get(DEFERRED_QUEUE)) is not None:
            name = message.headers.get("task", "")
            if name in app.tasks:
                _republish(producer, ROUTES.get(name, {}).get("queue", _DEFAULT_QUEUE), message)
                message.ack()
                count += 1
            else:
                unknown.append(message)
        for message in unknown:
            _republish(producer, DEFERRED_QUEUE, message)
            message.ack()
    if count:
        log.warning("%s kept messages of this release were given out.", count)
    return count


def _republish(producer: Any, queue: str, message: Message) -> None:
    properties = {name: message.properties.get(name) for name in ("correlation_id", "reply_to", "priority")}
    _publish(
        producer, queue, message.body, headers=message.headers,
        content_type=message.content_type, content_encoding=message.content_encoding,
        **{name: value for name, value in properties.items() if value is not None},
    )  # fmt: skip


def _publish(producer: Any, queue: str, body: Any, **more: Any) -> None:
    """Straight into the queue, whether or not anybody is fed from it."""
    producer.publish(body, exchange="", routing_key=queue, **more)
