"""The embedded broker: messages as files in a folder, for an installation with no server.

kombu's filesystem transport, with two changes. Its writer creates a message's file before filling it, so a reader can meet an
empty one and fail (about one message in a hundred under load); its reader takes messages to the system's temporary folder,
which may be another disk, where a move is a copy. Here a message appears whole or not at all, and is taken by one rename.
"""

import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps, loads


class Channel(filesystem.Channel):
    def _put(self, queue: str, message: Any, **_: Any) -> None:  # type: ignore[override]
        folder = Path(self.data_folder_out)
        # Names sort by age; the queue's name stands after the first dot, as the parent's `_size` and `_purge` expect.
        name = f"{time.time_ns():020d}_{uuid.uuid4().hex}.{queue}.msg"
        unfinished = folder / f"{name}.part"
        unfinished.write_text(dumps(message))
        unfinished.rename(folder / name)

    def _get(self, queue: str, timeout: float | None = None) -> Any:  # noqa: ARG002 (the parent's signature)
        folder = Path(self.data_folder_in)
        for path in sorted(folder.glob(f"*.{queue}.msg")):
            if path.name.partition(".")[2] != f"{queue}.msg":
                continue
            taken = path.with_name(f"{path.name}.taken")
            try:
                path.rename(taken)
            except FileNotFoundError:
                continue  # another worker was quicker
            content = taken.read_text()
            taken.unlink()
            return loads(content)
        raise Empty


class Transport(filesystem.Transport):
    Channel = Channel
