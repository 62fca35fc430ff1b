"""Permissions in clubs. The only module that reads roles; services and views call it."""

from typing import TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Model, OuterRef, QuerySet, Subquery

from faults import NotAllowed
from people.actors import Actor
from people.models import Assistance, Club, Membership, Player, Restriction, Role, User
from people.rows import one_or_none

DIRECTOR_ROLES = frozenset({Role.OWNER, Role.DIRECTOR})
Visitor = User | AnonymousUser | None
R = TypeVar("R", bound=Model)


def role_in(user: Visitor, club: Club) -> Role | None:
    """Return the role of ``user`` in ``club``, or None; None in a club that an operator removed."""
    if user is None or not user.is_authenticated or not user.is_active or club.shut == Restriction.REMOVED:
        return None
    role = one_or_none(Membership.objects.filter(user_id=user.pk, club=club).values_list("role", flat=True))
    return Role(role) if role else None


def annotate_role(rows: "QuerySet[R, R]", user: Visitor, club: str) -> "QuerySet[R, R]":
    """Add to each row the role of ``user`` in the row's club; ``annotated_role`` reads it.

    ``club``: the lookup path from the row to the club's id.
    """
    if user is None or not user.is_authenticated:
        return rows
    roles = Membership.objects.filter(user_id=user.pk, club=OuterRef(club)).order_by().values("role")
    annotated: QuerySet[R, R] = rows.annotate(role_there=Subquery(roles[:1]))  # type: ignore[assignment]
    return annotated


def annotated_role(row: Model, user: Visitor, club: Club) -> Role | None:
    """Return the role of ``user`` in ``club`` that ``annotate_role`` added to ``row``.

    Else as ``role_in``.
    """
    role = getattr(row, "role_there", None)
    if not role or user is None or not user.is_active or club.shut == Restriction.REMOVED:
        return None
    return Role(role)


def may_direct(user: Visitor, club: Club) -> bool:
    """Return whether ``user`` runs the club's events: owners and directors."""
    return is_director_role(role_in(user, club))


def is_director_role(role: Role | None) -> bool:
    """Return whether a person with this role runs the club's events."""
    return role in DIRECTOR_ROLES


def is_club_owner(user: Visitor, club: Club) -> bool:
    """Return whether ``user`` manages the club itself and its people: owners."""
    return role_in(user, club) is Role.OWNER


def may_assist(user: Visitor, club: Club, scope: str) -> bool:
    """Return whether ``user`` may handle results and calls of the event: its directors and assistants.

    ``scope``: the event, as in the audit log. The caller checks that the event is not over.
    """
    if user is None or not user.is_authenticated or not user.is_active or club.shut == Restriction.REMOVED:
        return False
    return may_direct(user, club) or Assistance.objects.filter(user_id=user.pk, scope=scope).exists()


def can_decide_for(user: Visitor, player: Player) -> bool:
    """Return whether ``user`` decides for ``player``: the player's own account.

    For a minor only the guardian's.
    """
    if user is None or not user.is_authenticated or not user.is_active:
        return False
    return user.pk == (player.guardian_id if player.minor else player.user_id)


def may_invite(user: Visitor, club: Club, role: str) -> bool:
    """Return whether ``user`` may invite people to ``role``: owners to any, directors as assistants only."""
    return may_direct(user, club) if role == Role.ASSISTANT else is_club_owner(user, club)


def may_create_club(user: Visitor) -> bool:
    """Return whether ``user`` may create a club: every full account."""
    return bool(user is not None and user.is_authenticated and user.is_active and not user.is_guest)


def require_director(actor: Actor, club: Club) -> None:
    """Raise ``NotAllowed`` unless ``actor`` is a director of ``club`` or the program (demo, simulation)."""
    if not (is_program(actor) or may_direct(actor.user, club)):
        raise NotAllowed("people.not_director")


def require_inviter(actor: Actor, club: Club, role: str) -> None:
    """Raise ``NotAllowed`` unless ``actor`` may invite people to ``role``."""
    if not (is_program(actor) or may_invite(actor.user, club, role)):
        raise NotAllowed("people.not_director" if role == Role.ASSISTANT else "people.not_owner")


def require_owner(actor: Actor, club: Club) -> None:
    """Raise ``NotAllowed`` unless ``actor`` is an owner of ``club``."""
    if not (is_program(actor) or is_club_owner(actor.user, club)):
        raise NotAllowed("people.not_owner")


def require_home_director(actor: Actor, player: Player, club: Club) -> None:
    """Raise ``NotAllowed`` if the home of ``player`` is another club that the actor does not direct.

    Any club may enter any public player in an event and then knows that player, but may not rename, hide or
    merge them.
    """
    home = player.home_club
    if home is not None and home.pk != club.pk and not (is_program(actor) or may_direct(actor.user, home)):
        raise NotAllowed("player.other_club", club=home.name)


def is_program(actor: Actor) -> bool:
    return actor == Actor.program()
