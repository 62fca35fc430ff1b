"""The value ``Fault`` and the five expected errors, shared by all layers. Pure; every module may import it.

A ``Fault`` is created where the rule is known, in a formula or at the lock of an event, and reaches page and
API unchanged: a machine ``code``, the ``field`` of the input and ``params`` for the message. The messages are
in the ``words.py`` of the package or app that rejects, and are read by ``people.messages.describe``.

Each error has an HTTP status: *unreadable* (400), *invalid* (422), *not allowed* (403), *conflict* (409: the
state has changed, with the present state), *missing* (404). A programming error is none of these but an
ordinary exception.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self


@dataclass(frozen=True, slots=True)
class Fault:
    """One error in the caller's input or request: ``code`` for programs, ``params`` for the message.

    ``field``: the input field that is wrong, None if the error concerns no single field.
    """

    code: str
    field: str | None = None
    params: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    rule: str | None = None  # number of the violated rule (`R16`, `F2`)
    place: str | None = None  # key of a stage, where one check covers several stages

    def at(self, field: str | None, **extra_params: Any) -> Self:
        """Return the fault at another field, for a form of several parts.

        ``extra_params``: further values for the message.
        """
        return dataclasses.replace(self, field=field, params={**self.params, **extra_params})

    def __str__(self) -> str:
        return f"{self.code} {dict(self.all_params)}" if self.all_params else self.code

    @property
    def all_params(self) -> Mapping[str, Any]:
        """Values for the message, keyed by name: ``params``, and ``rule`` if there is one."""
        return self.params if self.rule is None else {**self.params, "rule": self.rule}


class CrawfordError(Exception):
    """Base of all expected errors; ``faults``: everything found at once, the most important one first."""

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
        own_faults = (Fault(code, field, params),) if code is not None else ()
        self.faults: tuple[Fault, ...] = (*own_faults, *faults)
        super().__init__(", ".join(map(str, self.faults)))

    @property
    def code(self) -> str:
        return self.faults[0].code

    @property
    def field(self) -> str | None:
        return self.faults[0].field

    @property
    def params(self) -> Mapping[str, Any]:
        return self.faults[0].params

    @property
    def all_params(self) -> Mapping[str, Any]:
        return self.faults[0].all_params


class Unreadable(CrawfordError):
    """The input cannot be parsed."""

    status = 400


class NotAllowed(CrawfordError):
    """The actor does not have the permission."""

    status = 403


class Missing(CrawfordError):
    """The object does not exist, or the actor may not see it."""

    status = 404


class HasStatus(Protocol):
    """An object with a status: an event, a stage, a match, an entry."""

    @property
    def status(self) -> str: ...


class Conflict(CrawfordError):
    """The state has changed since the caller read it.

    ``present`` describes the present state; an object with a status is reduced to that status. ``touched``:
    the object that has changed, or the audit log entries about it, from which the person who changed it is
    found.
    """

    status = 409

    def __init__(
        self,
        code: str,
        *,
        present: Mapping[str, Any] | HasStatus | None = None,
        field: str | None = None,
        touched: object = None,
        **params: Any,
    ) -> None:
        super().__init__(code, field=field, **params)
        self.touched = touched if touched is not None or isinstance(present, Mapping) else present
        if present is not None and not isinstance(present, Mapping):
            present = {"status": present.status}
        self.present: Mapping[str, Any] = present or {}


class Invalid(CrawfordError):
    """The input was understood, but a rule or a check rejects it."""

    status = 422


def raise_faults(faults: Sequence[Fault]) -> None:
    """Raise ``Invalid`` with all faults, if there are any."""
    if faults:
        raise Invalid(faults=faults)
