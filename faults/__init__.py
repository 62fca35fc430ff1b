"""What is wrong, as one value, and the five answers that follow from it. The lowest floor: everybody may import it. PURE.

A ``Fault`` is made where the rule is known, in a formula or at the lock of an event, and goes unchanged to page and API: a
machine ``code``, the ``field`` of the input, ``params`` for the words. The words themselves stand in the ``words.py`` of
the room or app that refuses, and are read by ``people.messages.describe``.

Five kinds of errors, because five answers follow: *unreadable* (400), *invalid* (422), *not allowed* (403), *conflict* (409:
the state moved on, with the present state), *missing* (404). A fault of ours is none of these: it is an ordinary exception.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: ``code`` for machines, ``field`` of the input it concerns, ``params`` for the words."""

    code: str
    field: str | None = None
    params: Mapping[str, Any] = dataclasses.field(default_factory=dict, hash=False)
    rule: str | None = None  # the number of the rule it offends (`R16`, `F2`)
    place: str | None = (
        None  # which of several things it concerns, where one check looks at many: the key of a stage
    )

    def at(self, field: str | None, **more: Any) -> Self:
        """The same at another field, as a form of several parts names it; ``more`` for the words, such as a line."""
        return dataclasses.replace(self, field=field, params={**self.params, **more})

    def __str__(self) -> str:
        return f"{self.code} {dict(self.all_params)}" if self.all_params else self.code

    @property
    def all_params(self) -> Mapping[str, Any]:
        """Everything that the words may name: ``params``, and the rule where there is one."""
        return self.params if self.rule is None else {**self.params, "rule": self.rule}


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
    """The input cannot be understood."""

    status = 400


class NotAllowed(CrawfordError):
    """This person may not do this."""

    status = 403


class Missing(CrawfordError):
    """There is no such thing, or none that this person may see."""

    status = 404


class HasStatus(Protocol):
    """An event, a stage, a match, an entry."""

    @property
    def status(self) -> str: ...


class Conflict(CrawfordError):
    """The state has moved on since the caller looked.

    ``present`` describes what it is now; of anything with a status, that status. ``touched``: the thing that is another one now, or rows
    that tell what was done to it, for whoever says who did it.
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
    """Understood, and refused by a rule or a check."""

    status = 422


def raise_faults(faults: Sequence[Fault]) -> None:
    """Raise ``Invalid`` with all faults, if there are any."""
    if faults:
        raise Invalid(faults=faults)
