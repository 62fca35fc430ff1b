"""What a refused step is answered with."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tournaments.engine.errors import TransitionRefused


@contextmanager
def engine_refusals(present: Mapping[str, Any] | None = None) -> Iterator[None]:
    """A step that the engine's table refuses is answered with ``present``, where its status alone would say too little."""
    try:
        yield
    except TransitionRefused as refused:
        if present is not None:
            refused.present = present
        raise
