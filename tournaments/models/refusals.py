"""Refusals in the one shape that pages and API know."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from people.errors import Conflict, Fault, Invalid
from tournaments.engine.errors import BadInput, TransitionRefused


@contextmanager
def engine_refusals(present: Mapping[str, Any] | None = None) -> Iterator[None]:
    """Turn the engine's refusals into errors that pages and API know: moved on → 409, bad input → 422."""
    try:
        yield
    except TransitionRefused as refused:
        raise Conflict(
            refused.code, present=present, status=refused.status, action=refused.action
        ) from refused
    except BadInput as bad:
        raise Invalid(faults=[Fault(bad.code, None, bad.params)]) from bad


def refuse(faults: Sequence[Fault]) -> None:
    """Raise ``Invalid`` with all faults, if there are any."""
    if faults:
        raise Invalid(faults=faults)
