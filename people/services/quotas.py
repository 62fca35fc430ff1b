"""How much one account and one club may have, so that nobody fills the site; and more of it, where an operator says so.

A quota says no to one more, and takes nothing away: whoever has more than that keeps it. What everybody may have stands in the
settings (`QUOTA_CLUBS` and so on); an `Allowance` stands in its place for one account or club. The row of the account or club is
locked before anything is counted, so of two requests at once the second one counts what the first has made.
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
    """``is_per_account``: counted for each account, otherwise for each club. ``is_daily``: what came in the last 24 hours."""

    code: str
    is_per_account: bool = False
    is_daily: bool = False

    @property
    def usual(self) -> int:
        """What everybody may have here."""
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
    one.code: one for one in (CLUBS, CHECKS, MEMBERS, INVITATIONS, PLAYERS, ENTRIES, LISTS, ARCHIVES)
}


def require_quota(
    quota: Quota, *, actor: Actor | None, owner: User | Club, have: Callable[[], int], more: int = 1
) -> None:
    """Refuse (409) what would be more of ``quota`` than ``owner`` may have; ``have`` counts, once the owner is locked.

    Joins the caller's transaction, which makes what is asked for. The program itself (demo, simulation) has no quotas.
    """
    if actor is not None and is_program(actor):
        return
    _lock_owner(owner)
    found, limit = have(), quota_limit(quota, owner)
    if found + more > limit:
        raise Conflict(f"quota.{quota.code}", limit=limit, have=found, contact=settings.OPERATOR_CONTACT)


def quota_limit(quota: Quota, owner: User | Club) -> int:
    """How much of it this account or club may have."""
    given = allowances_of(owner).get(quota.code)
    return quota.usual if given is None else given


def allowances_of(owner: User | Club) -> dict[str, int]:
    """What an operator allowed, by the code of the quota."""
    rows = Allowance.objects.all()
    rows = rows.filter(user=owner.pk) if isinstance(owner, User) else rows.filter(club=owner.pk)
    return dict(rows.values_list("quota", "amount"))


@durable
def set_allowance(
    *, actor: Actor, owner: User | Club, quota: str, amount: int | None, reason: str
) -> int | None:
    """Allow ``owner`` so much of a quota; None: as much as everybody. What was allowed before, None for the usual.

    The caller has made sure that an operator asks. Less than there is takes nothing away.
    """
    reason = clean_reason(reason)
    kind = QUOTAS.get(quota)
    if kind is None or kind.is_per_account is not isinstance(owner, User):
        raise Missing("quota.unknown")
    if amount is not None and not 0 <= amount <= MAX_AMOUNT:
        raise Invalid("quota.amount", field="amount", limit=MAX_AMOUNT)
    _lock_owner(owner)
    place: dict[str, Any] = {"user_id" if isinstance(owner, User) else "club_id": owner.pk}
    before = allowances_of(owner).get(quota)
    if before == amount:
        raise Conflict("quota.same")
    if amount is None:
        Allowance.objects.filter(quota=quota, **place).delete()
    else:
        Allowance.objects.update_or_create(quota=quota, **place, defaults={"amount": amount})
    record_operator_action(
        actor=actor, verb="quota", subject=owner, reason=reason, quota=quota, before=before, after=amount
    )
    return before


def _lock_owner(owner: User | Club) -> None:
    rows = User.objects.all() if isinstance(owner, User) else Club.objects.all()
    rows.select_for_update(of=("self",), no_key=True).values_list("pk").get(pk=owner.pk)
