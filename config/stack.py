"""Room for the frames of Python's functions, taken once.

CPython keeps frames in pieces of 16 KB and gives a piece back to the system when the last function in it returns. Where a program works just
above the edge of a piece, every call up there maps memory and every return unmaps it: some hundreds of times for a page, over a
thousand where the depth is unlucky (CPython 3.11, `Python/pystate.c`, `push_chunk`). A frame that does not fit gets a piece of the next power of two, and what it
calls lives in the rest of that: so whoever works for long begins with one tall frame. Memory that is not touched costs nothing.
"""

from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")
STACK_SLOTS = (
    70_000  # of 8 bytes: a piece of 1 MB, 488 KB of it for what is called, some 3,000 functions deep
)


def run_with_deep_stack(run: Callable[[], Result]) -> Result:
    """What ``run`` gives back, from a stack with room for all that it calls."""
    return run()


run_with_deep_stack.__code__ = run_with_deep_stack.__code__.replace(co_stacksize=STACK_SLOTS)
