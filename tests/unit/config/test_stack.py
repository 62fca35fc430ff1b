"""The room that is taken once for the frames of functions: calls at any depth above it map no memory."""

import resource
import threading
from collections.abc import Callable

import pytest

from config.stack import run_with_deep_stack


def faults_at_each_depth() -> int:
    """Pages of memory that came and went while functions were called from 400 depths, many times from each."""

    def leaf(a: int, b: int, c: int) -> int:
        return a + b + c

    def up(left: int) -> None:
        for _ in range(200):
            leaf(1, 2, 3)
        if left:
            up(left - 1)

    up(399)  # what is made once is there
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
    up(399)
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before


def in_a_thread(run: Callable[[], int]) -> int:
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(run()))
    thread.start()
    thread.join()
    return found[0]


def test_room_when_taken_then_calls_at_any_depth_map_no_memory():
    assert in_a_thread(lambda: run_with_deep_stack(faults_at_each_depth)) < 100


def test_room_gives_back_what_is_given_and_lets_faults_through():
    assert run_with_deep_stack(lambda: 7) == 7
    with pytest.raises(KeyError):
        run_with_deep_stack(lambda: {}["nothing"])
