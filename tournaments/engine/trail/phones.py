"""Audit actions about phones of a personal link. ``phone``: its number among those of the link."""

from dataclasses import dataclass
from typing import ClassVar

from tournaments.engine.trail.action import AuditAction, ChangeScope


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneRequested(AuditAction):
    """An unknown phone requests to use the link."""

    kind: ClassVar[str] = "phone.ask"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    phone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneAllowed(AuditAction):
    """``way``: by a code, by the staff, or as the player's account; the first phone is logged by its first
    action.
    """

    kind: ClassVar[str] = "phone.let_in"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    phone: int
    way: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneRefused(AuditAction):
    """The staff rejected a phone's request, or removed an allowed phone."""

    kind: ClassVar[str] = "phone.refuse"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    phone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PhonesRemoved(AuditAction):
    """All phones of a link were removed; the next phone counts as the first again."""

    kind: ClassVar[str] = "phone.forget"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    phones: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CodesTried(AuditAction):
    """Codes were tried at a link until the code became invalid."""

    kind: ClassVar[str] = "phone.codes_tried"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    tries: int
