"""Deeds about the phones that speak by a personal link. A phone is known by its number among those of the link."""

from dataclasses import dataclass
from typing import ClassVar

from tournaments.engine.trail.action import AuditAction, ChangeScope


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneRequested(AuditAction):
    """A phone that nobody knows wants to speak by the link."""

    kind: ClassVar[str] = "phone.ask"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    phone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneAllowed(AuditAction):
    """``way``: by a code, at the desk, or as the account of the player; the first phone is told by what it said."""

    kind: ClassVar[str] = "phone.let_in"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    phone: int
    way: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneRefused(AuditAction):
    """The desk says no to a phone that asks, or forgets one that was let in."""

    kind: ClassVar[str] = "phone.refuse"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    phone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PhonesRemoved(AuditAction):
    """All phones of a link; the next one that says something is the first again."""

    kind: ClassVar[str] = "phone.forget"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    phones: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CodesTried(AuditAction):
    """Somebody tried codes at a link until the code was worth nothing any more."""

    kind: ClassVar[str] = "phone.codes_tried"
    reach: ClassVar[ChangeScope] = ChangeScope.DIVISION
    tries: int
