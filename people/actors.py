"""Who acts: a signed-in user, somebody holding a personal link, or the program itself. Services take an ``Actor``."""

from dataclasses import dataclass
from typing import Self

from people.models import User


@dataclass(frozen=True, slots=True)
class Actor:
    """``user`` if signed in, and a ``label`` that the audit trail keeps even when the account is gone."""

    user: User | None
    label: str

    @classmethod
    def of(cls, user: User) -> Self:
        # Others read the trail: an account without a name is known by the part of its address that names it, no more.
        return cls(user=user, label=(user.name or f"{user.email.partition('@')[0]}@…")[:160])

    @classmethod
    def named(cls, label: str) -> Self:
        return cls(user=None, label=label[:160])

    @classmethod
    def program(cls) -> Self:
        """Crawford itself: demo data, simulations, scheduled work."""
        return cls(user=None, label="Crawford")
