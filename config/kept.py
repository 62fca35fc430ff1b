"""Messages of a newer release.

An older worker sets them aside for a newer worker, instead of discarding them.

Celery discards a message for an unknown task, and fails a message with an argument too many. Most of their
content is in the database as well, but not all of it: such a message goes to a queue that no worker consumes,
with a line in the log, and a starting worker puts the messages that it knows back. An older worker leaves
them there.
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
    """A task that sets a message aside if it does not accept the message's arguments (`defer_message`).

    It removes the marker of its own message (`people.services.hints`) before it reads anything: for what is
    committed from now on, another message has to be sent.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if marker := (self.request.headers or {}).get(MARKER_HEADER):
            remove_marker(marker)
        if not _accepts_arguments(self.run, args, kwargs):
            if self.request.called_directly:
                return self.run(*args, **kwargs)
            task_message = self.app.amqp.create_task_message(
                self.request.id, self.name, args, kwargs, expires=self.request.expires
            )
            with self.app.producer_pool.acquire(block=True) as producer:
                _publish(
                    producer,
                    DEFERRED_QUEUE,
                    task_message.body,
                    headers=task_message.headers,
                    serializer="json",
                    **task_message.properties,
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
    """Put a message unchanged into the queue of deferred messages. The caller acknowledges it afterwards."""
    with app.producer_pool.acquire(block=True) as producer:
        _republish(producer, DEFERRED_QUEUE, message)


def requeue_deferred(app: Celery) -> int:
    """Put the deferred messages that this release knows back into their queues; return their number.

    Called when a worker starts.
    """
    count, unknown_messages = 0, []
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
                unknown_messages.append(message)
        for message in unknown_messages:
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
    """Publish straight into the queue, whether or not it has consumers."""
    producer.publish(body, exchange="", routing_key=queue, **more)
