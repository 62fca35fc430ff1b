"""The registry of audit actions by their codes: all classes with a ``kind`` in this package."""

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
from tournaments.engine.trail.action import AuditAction


def _action_types_in(module: ModuleType) -> Iterator[type[AuditAction]]:
    """Yield the audit action classes that a module defines, without base classes, which have no code."""
    for member in vars(module).values():
        is_own_class = isinstance(member, type) and member.__module__ == module.__name__
        if is_own_class and issubclass(member, AuditAction) and "kind" in vars(member):
            yield member


_ACTION_TYPES: Final = tuple(
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
    for kind in _action_types_in(module)
)
ACTION_KINDS: Final[Mapping[str, type[AuditAction]]] = {
    action_type.kind: action_type for action_type in _ACTION_TYPES
}
if len(ACTION_KINDS) != len(_ACTION_TYPES):
    raise LookupError("two kinds of actions have the same code")
