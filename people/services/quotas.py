"""Quotas: how much one account and one club may have, unless an operator allows another number.

A quota rejects additions and removes nothing. Defaults are settings (`QUOTA_CLUBS` and so on); an
``Allowance`` replaces them for one account or club. The row of the account or club is locked before counting,
so of two concurrent requests the second one counts what the first has added.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from people.models import Allowance, Club, User
from people.permissions import is_program
from people.services.operators import clean_reason, record_operator_action
from people.transactions import durable

MAX_AMOUNT: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Quota:
    """A limit. ``is_per_account``: counted for each account, otherwise for each club.

    ``is_daily``: what was added within 24 hours is counted.
    """

    code: str
    is_per_account: bool = False
    is_daily: bool = False

    @property
    def default_amount(self) -> int:
        """Return the default amount on this site."""
        return int(settings.QUOTAS[self.code])


CLUBS: Final = Quota("clubs", is_per_account=True)
CHECKS: Final = Quota("checks", is_per_account=True, is_daily=True)
MEMBERS: Final = Quota("members")
INVITATIONS: Final = Quota("invitations", is_daily=True)
PLAYERS: Final = Quota("players")
ENTRIES: Final = Quota("entries")
LISTS: Final = Quota("lists")
ARCHIVES: Final = Quota("archives", is_daily=True)
QUOTAS: Final = {
    quota.code: quota for quota in (CLUBS, CHECKS, MEMBERS, INVITATIONS, PLAYERS, ENTRIES, LISTS, ARCHIVES)
}


def require_quota(
    quota: Quota, *, actor: Actor | None, owner: User | Club, get_count: Callable[[], int], added: int = 1
) -> None:
    """Raise ``Conflict`` if ``added`` more would exceed the quota of ``owner``, whose row it locks.

    ``get_count`` returns the present number; it is called after locking. Joins the caller's transaction,
    which makes the addition. The program as ``actor`` (demo, simulation) has no quotas.
    """
    if actor is not None and is_program(actor):
        return
    _lock_owner(owner)
    current_count, limit = get_count(), quota_limit(quota, owner)
    if current_count + added > limit:
        raise Conflict(
            f"quota.{quota.code}", limit=limit, have=current_count, contact=settings.OPERATOR_CONTACT
        )


def quota_limit(quota: Quota, owner: User | Club) -> int:
    """Return the amount that this account or club may have."""
    allowance = allowances_of(owner).get(quota.code)
    return quota.default_amount if allowance is None else allowance


def allowances_of(owner: User | Club) -> dict[str, int]:
    """Return the amounts that an operator has set for this account or club, keyed by quota code."""
    rows = Allowance.objects.all()
    rows = rows.filter(user=owner.pk) if isinstance(owner, User) else rows.filter(club=owner.pk)
    return dict(rows.values_list("quota", "amount"))


@durable
def set_allowance(
    *, actor: Actor, owner: User | Club, quota: str, amount: int | None, reason: str
) -> int | None:
    """Set the quota with the code ``quota`` for ``owner``; None: to the default.

    Returns the previous allowance, None if there was none. The caller has checked that the actor is an
    operator. A quota below the present number removes nothing.
    """
    reason = clean_reason(reason)
    kind = QUOTAS.get(quota)
    if kind is None or kind.is_per_account is not isinstance(owner, User):
        raise Missing("quota.unknown")
    if amount is not None and not 0 <= amount <= MAX_AMOUNT:
        raise Invalid("quota.amount", field="amount", limit=MAX_AMOUNT)
    _lock_owner(owner)
    owner_fields: dict[str, Any] = {"user_id" if isinstance(owner, User) else "club_id": owner.pk}
    before = allowances_of(owner).get(quota)
    if before == amount:
        raise Conflict("quota.same")
    if amount is None:
        Allowance.objects.filter(quota=quota, **owner_fields).delete()
    else:
        Allowance.objects.update_or_create(quota=quota, **owner_fields, defaults={"amount": amount})
    record_operator_action(
        actor=actor, verb="quota", subject=owner, reason=reason, quota=quota, before=before, after=amount
    )
    return before


def _lock_owner(owner: User | Club) -> None:
    rows = User.objects.all() if isinstance(owner, User) else Club.objects.all()
    rows.select_for_update(of=("self",), no_key=True).values_list("pk").get(pk=owner.pk)
