"""What can go wrong in a service, as values that pages and the API both understand.

An error carries a machine ``code`` and ``params``; the words live in each app's ``messages.py``. Five kinds, because
five answers follow: *unreadable* (400), *invalid* (422), *not allowed* (403), *conflict* (409: the state moved on, with
the present state), *missing* (404). A fault of ours is none of these: it is an ordinary exception.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: ``code`` for machines, ``field`` of the input it concerns, ``params`` for the words."""

    code: str
    field: str | None = None
    params: Mapping[str, Any] = dataclasses.field(default_factory=lambda: _NOTHING)


class CrawfordError(Exception):
    """Base of all expected errors; ``faults`` holds everything found at once, the first one leading."""

    status: ClassVar[int] = 400

    def __init__(
        self,
        code: str | None = None,
        *,
        field: str | None = None,
        faults: Sequence[Fault] = (),
        **params: Any,
    ) -> None:
        if code is None and not faults:
            raise TypeError("an error needs a code or at least one fault")
        lead = (Fault(code, field, params),) if code is not None else ()
        self.faults: tuple[Fault, ...] = (*lead, *faults)
        super().__init__(", ".join(fault.code for fault in self.faults))

    @property
    def code(self) -> str:
        return self.faults[0].code

    @property
    def field(self) -> str | None:
        return self.faults[0].field

    @property
    def params(self) -> Mapping[str, Any]:
        return self.faults[0].params


class Unreadable(CrawfordError):
    """The input cannot be understood."""

    status = 400


class NotAllowed(CrawfordError):
    """This person may not do this."""

    status = 403


class Missing(CrawfordError):
    """There is no such thing, or none that this person may see."""

    status = 404


class Conflict(CrawfordError):
    """The state has moved on since the caller looked; ``present`` describes what it is now."""

    status = 409

    def __init__(
        self, code: str, *, present: Mapping[str, Any] | None = None, field: str | None = None, **params: Any
    ) -> None:
        super().__init__(code, field=field, **params)
        self.present: Mapping[str, Any] = present or {}


class Invalid(CrawfordError):
    """Understood, and refused by a rule or a check."""

    status = 422
