"""A process that is killed with -9 at a step of its work: after the statement of that number, wherever that is."""

import os
import random
import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection

from tests.support.lanes import in_full

# In every run the steps are so far apart at most, chosen by chance; in `.ci/long` it is each of them.
FAR_APART = 12


def killed_at(step: int, work: Callable[[], object]) -> bool:
    """Do ``work`` in a child of this process, killed right after its ``step``-th statement; whether it came to that.

    What is left of it is what a power cut leaves: a transaction that nobody ends, or work that nobody has told of.
    """
    connection.close()
    child = os.fork()
    if child == 0:
        _work_until(step, work)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return True
    assert os.waitstatus_to_exitcode(status) == 0, "the work failed; its traceback is in what it printed"
    return False


def _work_until(step: int, work: Callable[[], object]) -> None:
    """Never returns: this is the child."""
    done = 0

    def count(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal done
        result = execute(sql, params, many, context)
        done += 1
        if done == step:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    try:
        with connection.execute_wrapper(count):
            work()
    except BaseException:
        import traceback

        traceback.print_exc()
        os._exit(1)
    os._exit(0)


@pytest.fixture
def steps() -> Callable[[], Iterator[int]]:
    """Numbers of steps, from the first ones to as far as the work goes."""
    seed = int(os.environ.get("SEED") or random.SystemRandom().randrange(10**6))
    print(f"SEED={seed}")
    rng = random.Random(seed)

    def chosen() -> Iterator[int]:
        step = 0
        while True:
            far = (
                FAR_APART if step else FAR_APART // 2
            )  # the shortest work has eight statements, and is to be killed once
            step += 1 if in_full() else rng.randint(1, far)
            yield step

    return chosen
