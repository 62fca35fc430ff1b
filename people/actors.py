"""The actor of an action: a signed-in user, the holder of a personal link, or the program."""

from dataclasses import dataclass
from typing import Self

from people.models import User


@dataclass(frozen=True, slots=True)
class Actor:
    """The person or program for whom an action is done.

    ``user``: the signed-in user, else None. ``label``: the name for the audit log, which keeps the label even
    after the account is deleted.
    """

    user: User | None
    label: str

    @classmethod
    def of(cls, user: User) -> Self:
        # Other people read the audit log: an account without a name is labelled by the local part of its address only.
        return cls(user=user, label=(user.name or f"{user.email.partition('@')[0]}@…")[:160])

    @classmethod
    def with_label(cls, label: str) -> Self:
        return cls(user=None, label=label[:160])

    @classmethod
    def program(cls) -> Self:
        """Return the actor for Crawford itself: demo data, simulations, scheduled work."""
        return cls(user=None, label="Crawford")
