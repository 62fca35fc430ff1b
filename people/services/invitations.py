"""Invite a person to a role; accept, decline and withdraw invitations. The only way to get a role."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from faults import Conflict, Invalid, Missing, raise_faults
from people.actors import Actor
from people.ids import hash_token
from people.models import Assistance, Membership, Role, RoleInvitation, User
from people.permissions import may_invite, require_director, require_inviter
from people.rows import one_or_none
from people.services import audit
from people.services.clubs import ROLE_RANKS, locked_club, parse_member_role, require_club_quota
from people.services.quotas import INVITATIONS, MEMBERS, require_quota
from people.text import clean_line, web_address_faults
from people.transactions import durable

INVITATION_LIFETIME = timedelta(days=14)
MAX_OPEN_INVITATIONS = 60  # of one club
LABEL_LIMIT = 120
GUEST_EMAIL_DOMAIN = "guest.invalid"  # RFC 2606: an address that cannot exist


@dataclass(frozen=True, slots=True)
class NewInvitation:
    """A new invitation, and the secret ``token`` of its link, which is not stored.

    If the token is lost, a new invitation is needed.
    """

    invitation: RoleInvitation
    token: str


@durable
def invite(
    *,
    actor: Actor,
    club_id: int,
    role: str,
    email: str = "",
    label: str = "",
    scopes: Sequence[str] = (),
) -> NewInvitation:
    """Create an invitation to ``role``, with a link that works once, for 14 days.

    ``scopes``: for an assistant, the events ("event:17"); the caller has checked that they are the club's.
    Does not reveal whether ``email`` has an account.
    """
    club = locked_club(club_id)
    require_inviter(actor, club, role)
    new_role = Role.ASSISTANT if role == Role.ASSISTANT else parse_member_role(role)
    if (new_role is Role.ASSISTANT) is not bool(scopes):
        raise Invalid("member.role_unknown", field="role", role=role)
    recent_invitations = RoleInvitation.objects.filter(
        club=club, made_at__gt=timezone.now() - timedelta(days=1)
    )
    require_quota(INVITATIONS, actor=actor, owner=club, get_count=recent_invitations.count)
    pending = RoleInvitation.objects.filter(club=club, accepted_at=None, withdrawn_at=None)
    if pending.filter(expires_at__gt=timezone.now()).count() >= MAX_OPEN_INVITATIONS:
        raise Invalid("invitation.too_many", field="role", limit=MAX_OPEN_INVITATIONS)
    now, token = timezone.now(), secrets.token_urlsafe(24)
    invitation = RoleInvitation.objects.create(
        club=club,
        role=new_role,
        scopes=list(scopes),
        email=email.strip().lower(),
        label=clean_line(label)[:LABEL_LIMIT],
        secret_hash=hash_token(token),
        made_by=actor.user,
        expires_at=now + INVITATION_LIFETIME,
    )
    audit.record_action(
        actor=actor,
        action="invitation.make",
        subject=invitation,
        club=club,
        data={"role": new_role, "label": invitation.label, "scopes": invitation.scopes},
    )
    return NewInvitation(invitation, token)


def open_invitation(token: str) -> RoleInvitation:
    """Return the invitation of this link if it can still be accepted.

    Raises ``Missing`` with the reason otherwise.
    """
    rows = RoleInvitation.objects.select_related("club", "made_by")
    invitation = rows.filter(secret_hash=hash_token(token)).first()
    if invitation is None:
        raise Missing("invitation.unknown")
    if invitation.accepted_at is not None:
        raise Missing("invitation.used")
    if invitation.withdrawn_at is not None or not (
        invitation.made_by is None or may_invite(invitation.made_by, invitation.club, invitation.role)
    ):
        raise Missing("invitation.withdrawn")
    if invitation.expires_at <= timezone.now():
        raise Missing("invitation.expired")
    return invitation


def is_open_invitation(token: str) -> bool:
    """Return whether ``token`` is that of an invitation that can be accepted."""
    try:
        return bool(token and open_invitation(token))
    except Missing:
        return False


@durable
def accept_invitation(*, user: User, token: str) -> RoleInvitation:
    """Give ``user`` the role of the invitation. Raises if they have this role or a higher one."""
    invitation = _lock_invitation(token)
    return _grant_role(invitation, user)


@durable
def accept_invitation_as_guest(*, name: str, token: str) -> RoleInvitation:
    """Accept an assistant's invitation under ``name``, without an account.

    Creates a guest account without address and password that cannot create clubs and is usable only in the
    present browser.
    """
    name = clean_line(name)
    if not name:
        raise Invalid("guest.name_missing", field="name")
    if len(name) > LABEL_LIMIT:
        raise Invalid("guest.name_long", field="name", limit=LABEL_LIMIT)
    raise_faults(web_address_faults(name))
    invitation = _lock_invitation(token)
    if invitation.role != Role.ASSISTANT:
        raise Conflict("invitation.needs_account")
    guest = User.objects.create_user(
        f"{secrets.token_hex(12)}@{GUEST_EMAIL_DOMAIN}", name=name, is_guest=True
    )
    return _grant_role(invitation, guest)


@durable
def decline_invitation(*, token: str) -> RoleInvitation:
    """End the invitation: its recipient declines the role."""
    invitation = _lock_invitation(token)
    _end_invitation(invitation)
    actor = Actor.with_label("–")
    audit.record_action(
        actor=actor,
        action="invitation.decline",
        subject=invitation,
        club=invitation.club,
        data=_audit_data(invitation),
    )
    return invitation


@durable
def withdraw_invitation(*, actor: Actor, club_id: int, public_id: str) -> RoleInvitation:
    """Withdraw an invitation before it is accepted."""
    club = locked_club(club_id)
    invitation = one_or_none(RoleInvitation.objects.filter(club=club, public_id=public_id))
    if invitation is None:
        require_director(actor, club)
        raise Missing("invitation.unknown")
    require_inviter(actor, club, invitation.role)
    if invitation.accepted_at is not None or invitation.withdrawn_at is not None:
        raise Conflict("invitation.answered")
    _end_invitation(invitation)
    audit.record_action(
        actor=actor, action="invitation.withdraw", subject=invitation, club=club, data=_audit_data(invitation)
    )
    return invitation


@durable
def end_assistance(*, actor: Actor, club_id: int, assistance_id: int) -> Assistance:
    """End an assistant's work at an event; for directors and for the assistant. Return the deleted row."""
    club = locked_club(club_id)
    assistance = one_or_none(Assistance.objects.select_related("user").filter(pk=assistance_id, club=club))
    is_own = assistance is not None and actor.user is not None and assistance.user_id == actor.user.pk
    if not is_own:
        require_director(actor, club)
    if assistance is None:
        raise Missing("member.gone")
    facts = {"user": assistance.user_id, "name": str(assistance.user), "scope": assistance.scope}
    audit.record_action(actor=actor, action="assistant.end", subject=assistance, club=club, data=facts)
    assistance.delete()
    return assistance


def _lock_invitation(token: str) -> RoleInvitation:
    """Lock the club of the invitation of this link, so that requests wait for each other.

    Return the invitation.
    """
    club = (
        RoleInvitation.objects.filter(secret_hash=hash_token(token)).values_list("club_id", flat=True).first()
    )
    if club is None:
        raise Missing("invitation.unknown")
    locked_club(club)
    return open_invitation(token)


def _end_invitation(invitation: RoleInvitation) -> None:
    invitation.withdrawn_at = timezone.now()
    invitation.email = ""
    invitation.save(update_fields=["withdrawn_at", "email"])


def _audit_data(invitation: RoleInvitation) -> dict[str, str]:
    return {"role": invitation.role, "label": invitation.label}


def _grant_role(invitation: RoleInvitation, user: User) -> RoleInvitation:
    subject: Membership | Assistance
    if invitation.role == Role.ASSISTANT:
        current_scopes = set(
            Assistance.objects.filter(user=user, scope__in=invitation.scopes).values_list("scope", flat=True)
        )
        new_scopes = [scope for scope in invitation.scopes if scope not in current_scopes]
        if not new_scopes:
            raise Conflict("invitation.has_role")
        rows = [
            Assistance.objects.create(user=user, club=invitation.club, scope=scope) for scope in new_scopes
        ]
        subject = rows[0]
    else:
        subject = _grant_membership(invitation, user)
    invitation.accepted_by, invitation.accepted_at, invitation.email = user, timezone.now(), ""
    invitation.save(update_fields=["accepted_by", "accepted_at", "email"])
    data = {"user": user.pk, "role": invitation.role, "scopes": invitation.scopes}
    actor = Actor.of(user)
    audit.record_action(
        actor=actor, action="invitation.accept", subject=subject, club=invitation.club, data=data
    )
    return invitation


def _grant_membership(invitation: RoleInvitation, user: User) -> Membership:
    if user.is_guest:
        raise Conflict("invitation.needs_account")
    membership = Membership.objects.filter(club=invitation.club, user=user).first()
    if invitation.role == Role.OWNER and (membership is None or membership.role != Role.OWNER):
        require_club_quota(user)
    if membership is None:
        members = Membership.objects.filter(club=invitation.club)
        require_quota(MEMBERS, actor=None, owner=invitation.club, get_count=members.count)
        return Membership.objects.create(club=invitation.club, user=user, role=invitation.role)
    if ROLE_RANKS[Role(membership.role)] >= ROLE_RANKS[Role(invitation.role)]:
        raise Conflict("invitation.has_role")
    membership.role = invitation.role
    membership.save(update_fields=["role"])
    return membership
