"""The embedded broker: messages as files in a folder, for an installation without a message server.

kombu's filesystem transport with four changes. Its writer creates a message's file before filling it, so a
reader can meet an empty one and fail (about one message in a hundred under load); its reader moves messages
to the system's temporary folder, which may be another disk, where a move is a copy. Here a message appears
complete or not at all, and is taken by one rename. The same holds for the table of the queues of an exchange:
kombu creates its file empty, so publishing at that moment fails. And a queue is written to that table before
the threads of this process count it as bound; in kombu's order a message that another thread publishes in
between is lost silently.
"""

import fcntl
import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import filesystem
from kombu.transport.filesystem import exchange_queue_t
from kombu.utils.json import dumps, loads


class Channel(filesystem.Channel):
    def queue_bind(
        self,
        queue: str,
        exchange: str | None = None,
        routing_key: str = "",
        arguments: Any = None,
        **more: Any,
    ) -> None:
        exchange = exchange or "amq.direct"
        if not self.state.has_binding(queue, exchange, routing_key):
            binding = self.typeof(exchange).prepare_bind(queue, exchange, routing_key, arguments)
            self._queue_bind(exchange, *binding)  # type: ignore[call-arg]  # three of them, not four
        super().queue_bind(queue, exchange, routing_key, arguments, **more)

    def _queue_bind(
        self, exchange: str, routing_key: str | None, pattern: str | None, queue: str | None
    ) -> None:
        file: Path = self._exchange_file(exchange)  # type: ignore[attr-defined]
        self.control_folder.mkdir(exist_ok=True)
        binding = exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with file.with_name(f"{file.name}.lock").open("w") as lock_file:  # closing the file releases the lock
            fcntl.flock(lock_file, fcntl.LOCK_EX)
            table = self.get_table(exchange)
            if binding not in table:
                partial_file = file.with_name(f"{file.name}.part")
                partial_file.write_text(dumps([binding, *table]))
                partial_file.rename(file)

    def _put(self, queue: str, message: Any, **_: Any) -> None:  # type: ignore[override]
        folder = Path(self.data_folder_out)
        # Names sort by age; the queue's name follows the first dot, as the parent's `_size` and `_purge` expect.
        name = f"{time.time_ns():020d}_{uuid.uuid4().hex}.{queue}.msg"
        partial_file = folder / f"{name}.part"
        partial_file.write_text(dumps(message))
        partial_file.rename(folder / name)

    def _get(self, queue: str, timeout: float | None = None) -> Any:  # noqa: ARG002 (the parent's signature)
        folder = Path(self.data_folder_in)
        for path in sorted(folder.glob(f"*.{queue}.msg")):
            if path.name.partition(".")[2] != f"{queue}.msg":
                continue
            claimed_file = path.with_name(f"{path.name}.taken")
            try:
                path.rename(claimed_file)
            except FileNotFoundError:
                continue  # another worker has taken it
            content = claimed_file.read_text()
            claimed_file.unlink()
            return loads(content)
        raise Empty


class Transport(filesystem.Transport):
    Channel = Channel
