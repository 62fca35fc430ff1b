"""Reserve memory for the frames of Python functions once.

CPython keeps frames in chunks of 16 KB and frees a chunk when the last function in it returns. Just above the
edge of a chunk, every call maps memory and every return unmaps it: some hundreds of times for a page, over a
thousand at an unlucky depth (CPython 3.11, `Python/pystate.c`, `push_chunk`). A frame that does not fit gets
a chunk of the next power of two, and its callees use the rest of that: so a long-running thread begins with
one large frame. Untouched memory costs nothing.
"""

from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")
STACK_SLOTS = (
    70_000  # of 8 bytes: a piece of 1 MB, 488 KB of it for what is called, some 3,000 functions deep
)


def run_with_deep_stack(run: Callable[[], Result]) -> Result:
    """Return the result of ``run``, called from a frame with room for the frames of all its callees."""
    return run()


run_with_deep_stack.__code__ = run_with_deep_stack.__code__.replace(co_stacksize=STACK_SLOTS)
