"""Every kind of action that the trail tells, by its code: each class with a ``kind`` in the modules beside this one."""

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Final

from tournaments.engine.trail import (
    arranging,
    check_in,
    divisions,
    draws,
    entries,
    events,
    matches,
    matrix,
    money,
    notices,
    phones,
    prizes,
    quiz,
    repairs,
    series,
)
from tournaments.engine.trail.action import TrailAction


def _kinds_in(module: ModuleType) -> Iterator[type[TrailAction]]:
    """The classes that a module defines itself; a common base of some has no code."""
    for one in vars(module).values():
        own = isinstance(one, type) and one.__module__ == module.__name__
        if own and issubclass(one, TrailAction) and "kind" in vars(one):
            yield one


_EVERY: Final = tuple(
    kind
    for module in (
        events,
        divisions,
        entries,
        draws,
        matches,
        arranging,
        repairs,
        money,
        notices,
        phones,
        prizes,
        quiz,
        series,
        check_in,
        matrix,
    )
    for kind in _kinds_in(module)
)
KINDS: Final[Mapping[str, type[TrailAction]]] = {one.kind: one for one in _EVERY}
if len(KINDS) != len(_EVERY):
    raise LookupError("two kinds of actions have the same code")
