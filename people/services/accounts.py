"""Create and suspend accounts for the operator, and end all sessions of an account."""

from dataclasses import dataclass

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.urls import reverse

from faults import Conflict, Missing
from people.actors import Actor
from people.models import Membership, Role, User
from people.services import audit
from people.services.operators import OPERATORS_SCOPE, clean_reason
from people.services.sign_ins import drop_sessions
from people.transactions import durable


@dataclass(frozen=True, slots=True)
class AccountInvitation:
    """An invitation to an account. ``address`` is a secret link: whoever opens it chooses the password."""

    is_new: bool
    address: str


@durable
def invite_account(*, email: str, name: str = "") -> AccountInvitation:
    """Find or create the account of this e-mail address; return a one-time link for choosing its password.

    An existing account keeps its name, its second factor, and its password until another is chosen.
    """
    user = User.objects.filter(email__iexact=email.strip()).first()
    is_new = user is None
    if user is None:
        user = User.objects.create_user(email.strip(), name=name.strip())
    key = default_token_generator.make_token(user)
    path = reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key})
    return AccountInvitation(is_new, settings.SITE_URL + path)


@dataclass(frozen=True, slots=True)
class Suspension:
    """What suspending an account affects.

    ``clubs``: where it has a role; ``alone``: clubs without other owner.

    Both as club names.
    """

    account: User
    clubs: tuple[str, ...]
    alone: tuple[str, ...]

    def lines(self, *, lift: bool) -> list[str]:
        """Return the preview as lines for a terminal; ``lift``: of lifting the suspension."""
        consequence = (
            "can sign in again" if lift else "can no longer do anything and is signed out everywhere"
        )
        lines = [f"{self.account.email} {consequence}."]
        if self.clubs:
            lines.append(f"Roles that it keeps: {', '.join(self.clubs)}.")
        if self.alone and not lift:
            lines.append(
                f"Clubs without another owner: {', '.join(self.alone)}. Invite another owner first, or lift the suspension later."
            )
        return lines


def preview_suspension(email: str) -> Suspension:
    """Return what suspending the account of this e-mail address affects. Raises ``Missing``."""
    account = User.objects.filter(email__iexact=email.strip()).first()
    if account is None:
        raise Missing("account.unknown")
    memberships = list(
        Membership.objects.filter(user=account).select_related("club").order_by("club__name", "pk")
    )
    owners = Membership.objects.filter(role=Role.OWNER, user__is_active=True).exclude(user=account)
    co_owned_ids = set(
        owners.filter(club__in=[membership.club_id for membership in memberships]).values_list(
            "club_id", flat=True
        )
    )
    sole_owner_clubs = [
        membership.club.name
        for membership in memberships
        if membership.role == Role.OWNER and membership.club_id not in co_owned_ids
    ]
    return Suspension(
        account, tuple(membership.club.name for membership in memberships), tuple(sole_owner_clubs)
    )


@durable
def suspend_account(*, actor: Actor, email: str, lifts_suspension: bool = False, reason: str) -> User:
    """Suspend the account of this e-mail address; ``lifts_suspension``: end its suspension. End all its sessions.

    The account keeps roles and results; its invitations do not work meanwhile. Every service and page checks
    whether an account is active, so a suspension takes effect with the next request. Lifting it does not
    restore sessions.
    """
    reason = clean_reason(reason)
    account = User.objects.select_for_update().filter(email__iexact=email.strip()).first()
    if account is None:
        raise Missing("account.unknown")
    if actor.user is not None and account.is_staff:
        raise Conflict(
            "account.operator"
        )  # no operator can lock out the others: that requires access to the server
    if account.is_active is lifts_suspension:
        raise Conflict("account.active" if lifts_suspension else "account.suspended")
    account.is_active = lifts_suspension
    account.save(update_fields=["is_active"])
    if not lifts_suspension:
        drop_sessions(user=account)
    kind = "account.let_in" if lifts_suspension else "account.suspend"
    data = {"kind": "account", "reason": reason}
    audit.record_action(actor=actor, action=kind, subject=account, scope=OPERATORS_SCOPE, data=data)
    return account
