"""The embedded broker: whole messages, each taken once, none lost between two readers."""

import threading
import uuid
from pathlib import Path

import pytest
from kombu import Connection, Exchange, Queue

from config import environment


def connection(folder: Path) -> Connection:
    url, options = environment.broker_settings(f"filesystem://{folder}", folder)
    return Connection(
        url, transport="config.broker:Transport", transport_options={**options, "polling_interval": 0.001}
    )


@pytest.fixture
def name() -> str:
    """A queue of the test's own: kombu remembers for a whole process which queues it has bound."""
    return uuid.uuid4().hex


def read_until_empty(folder: Path, name: str | Queue, patience: float) -> list[int]:
    found: list[int] = []
    with connection(folder) as line:
        queue = line.SimpleQueue(name)
        while True:
            try:
                message = queue.get(timeout=patience)
            except queue.Empty:
                return found
            found.append(message.payload["list"])
            message.ack()


def test_message_when_written_then_read_in_order(tmp_path: Path, name: str) -> None:
    with connection(tmp_path) as line:
        queue = line.SimpleQueue(name)
        for number in range(20):
            queue.put({"list": number})
        assert queue.qsize() == 20

    assert read_until_empty(tmp_path, name, 0.2) == list(range(20))


def test_message_when_readers_race_a_writer_then_each_is_read_once(tmp_path: Path, name: str) -> None:
    count, results = 600, []
    readers = [
        threading.Thread(target=lambda: results.append(read_until_empty(tmp_path, name, 2.0)), daemon=True)
        for _ in range(2)
    ]
    for reader in readers:
        reader.start()
    with connection(tmp_path) as line:
        queue = line.SimpleQueue(name)
        for number in range(count):
            queue.put({"list": number})
    for reader in readers:
        reader.join()

    assert sorted(number for found in results for number in found) == list(range(count))


@pytest.mark.parametrize("again", range(5))
def test_queues_when_several_bind_them_at_once_in_an_empty_folder_then_every_message_arrives(
    tmp_path: Path, name: str, again: int
) -> None:
    names = [f"{name}{number}" for number in range(12)]
    together, faults = threading.Barrier(len(names)), []

    def publish(own: str) -> None:
        together.wait()
        try:
            with connection(tmp_path) as line:
                queue = line.SimpleQueue(Queue(own, Exchange(name), routing_key=own))
                queue.put({"list": again})
        except Exception as fault:
            faults.append(fault)

    writers = [threading.Thread(target=publish, args=(own,)) for own in names]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    assert faults == []
    own_queues = [Queue(own, Exchange(name), routing_key=own) for own in names]
    assert [read_until_empty(tmp_path, own, 0.05) for own in own_queues] == [[again]] * len(names)


def test_message_when_unfinished_then_invisible(tmp_path: Path, name: str) -> None:
    with connection(tmp_path) as line:
        queue = line.SimpleQueue(name)
        queue.put({"list": 1})
        whole = next((tmp_path / "queue").glob(f"*.{name}.msg"))
        whole.rename(whole.with_name(f"{whole.name}.part"))
        assert queue.qsize() == 0
        with pytest.raises(queue.Empty):
            queue.get(timeout=0.05)


def test_message_when_other_queue_has_same_ending_then_left_alone(tmp_path: Path, name: str) -> None:
    with connection(tmp_path) as line:
        other = line.SimpleQueue(f"club.{name}")
        other.put({"list": 7})
        queue = line.SimpleQueue(name)
        with pytest.raises(queue.Empty):
            queue.get(timeout=0.05)
        assert other.get(timeout=1).payload == {"list": 7}
