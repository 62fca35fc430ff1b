"""Audit actions about devices (phones) that use a personal link.

``phone``: the number of the device among those of the link.
"""

from dataclasses import dataclass
from typing import ClassVar

from tournaments.engine.trail.action import AuditAction, ChangeScope


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneRequested(AuditAction):
    """An unknown device asked to be allowed to use the personal link."""

    kind: ClassVar[str] = "phone.ask"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    phone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneAllowed(AuditAction):
    """A device was allowed to use the personal link.

    ``way``: by a code, by the staff, or as the player's account. The first device of a link is allowed at
    once and logged by its first action.
    """

    kind: ClassVar[str] = "phone.let_in"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    phone: int
    way: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneRefused(AuditAction):
    """The staff rejected the request of a device, or removed a device that was allowed."""

    kind: ClassVar[str] = "phone.refuse"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    phone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PhonesRemoved(AuditAction):
    """All devices of a personal link were removed; the next device counts as the first again.

    ``phones``: how many were removed.
    """

    kind: ClassVar[str] = "phone.forget"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    phones: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CodesTried(AuditAction):
    """Wrong codes were entered at a personal link until its code became invalid; ``tries``: how often."""

    kind: ClassVar[str] = "phone.codes_tried"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    tries: int
