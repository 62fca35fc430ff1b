"""Found and change clubs, and give people roles in them."""

from django.db import transaction
from django.db.models import QuerySet

from faults import Conflict, Fault, Invalid, Missing
from people.actors import Actor
from people.models import Club, Membership, Role, User
from people.permissions import require_owner
from people.services import audit
from people.text import one_line

NAME_LIMIT = 120
MOST_OWNED = 50  # by somebody who founds one more


def create_club(
    *, actor: Actor, name: str, city: str = "", country: str = "", website: str = "", about: str = ""
) -> Club:
    """Make a club whose first owner is the actor. Joins the caller's transaction (a rating list is made beside it)."""
    name = _clean_name(name)
    if Membership.objects.filter(user=actor.user, role=Role.OWNER).count() >= MOST_OWNED:
        raise Invalid("club.too_many", field="name", limit=MOST_OWNED)
    club = Club.objects.create(
        name=name,
        city=city.strip(),
        country=country.strip().upper(),
        website=website.strip(),
        about=about.strip(),
    )
    if actor.user is not None:
        Membership.objects.create(user=actor.user, club=club, role=Role.OWNER)
    audit.record(actor=actor, action="club.create", subject=club, club=club, data={"name": name})
    return club


@transaction.atomic(durable=True)
def update_club(
    *,
    actor: Actor,
    club_id: int,
    name: str,
    city: str = "",
    country: str = "",
    website: str = "",
    about: str = "",
) -> Club:
    """Change what the club's page says."""
    club = _locked(club_id)
    require_owner(actor, club)
    changed = {
        "name": _clean_name(name),
        "city": city.strip(),
        "country": country.strip().upper(),
        "website": website.strip(),
        "about": about.strip(),
    }
    before = {key: getattr(club, key) for key in changed}
    for key, value in changed.items():
        setattr(club, key, value)
    club.version += 1
    club.save()
    audit.record(
        actor=actor, action="club.update", subject=club, club=club, data={"before": before, "after": changed}
    )
    return club


@transaction.atomic(durable=True)
def add_member(*, actor: Actor, club_id: int, email: str, role: str) -> Membership:
    """Give somebody with an account a role in the club."""
    club = _locked(club_id)
    require_owner(actor, club)
    wanted = _role(role)
    user = User.objects.filter(email__iexact=email.strip(), is_active=True).first()
    if user is None:
        raise Invalid("member.unknown", field="email", email=email.strip())
    if Membership.objects.filter(club=club, user=user).exists():
        raise Invalid("member.already", field="email", name=str(user))
    membership = Membership.objects.create(club=club, user=user, role=wanted)
    audit.record(
        actor=actor,
        action="member.add",
        subject=membership,
        club=club,
        data={"user": user.pk, "role": wanted},
    )
    return membership


@transaction.atomic(durable=True)
def change_role(*, actor: Actor, club_id: int, membership_id: int, role: str) -> Membership:
    """Give a member another role; the last owner stays one."""
    club = _locked(club_id)
    require_owner(actor, club)
    wanted = _role(role)
    membership = _member(club, membership_id)
    if membership.role == Role.OWNER and wanted != Role.OWNER:
        _keep_an_owner(club, membership)
    before, membership.role = membership.role, wanted
    membership.save(update_fields=["role"])
    audit.record(
        actor=actor,
        action="member.change_role",
        subject=membership,
        club=club,
        data={"user": membership.user_id, "before": before, "after": wanted},
    )
    return membership


@transaction.atomic(durable=True)
def remove_member(*, actor: Actor, club_id: int, membership_id: int) -> None:
    """Take somebody's role away; the last owner cannot go."""
    club = _locked(club_id)
    require_owner(actor, club)
    membership = _member(club, membership_id)
    if membership.role == Role.OWNER:
        _keep_an_owner(club, membership)
    audit.record(
        actor=actor,
        action="member.remove",
        subject=membership,
        club=club,
        data={"user": membership.user_id, "role": membership.role},
    )
    membership.delete()


@transaction.atomic(durable=True)
def join_federation(*, actor: Actor, club_id: int, parent_id: int | None) -> Club:
    """Make the club a member of a federation, or independent with ``parent_id=None``.

    Owners of both must agree: the actor has to own both sides.
    """
    club = _locked(club_id)
    require_owner(actor, club)
    parent = _club(Club.objects.all(), parent_id) if parent_id is not None else None
    above = parent
    while above is not None:
        if above.pk == club.pk:
            raise Conflict("club.parent_loop")
        above = above.parent
    if parent is not None:
        require_owner(actor, parent)
    before, club.parent = club.parent_id, parent
    club.version += 1
    club.save(update_fields=["parent", "version"])
    audit.record(
        actor=actor,
        action="club.join_federation",
        subject=club,
        club=club,
        data={"before": before, "after": parent_id},
    )
    return club


def _locked(club_id: int) -> Club:
    """The club, locked until the transaction ends."""
    return _club(Club.objects.select_for_update(of=("self",)), club_id)


def _club(clubs: QuerySet[Club], club_id: int) -> Club:
    club = clubs.filter(pk=club_id).first()
    if club is None:
        raise Missing("club.unknown")
    return club


def _member(club: Club, membership_id: int) -> Membership:
    membership = Membership.objects.filter(pk=membership_id, club=club).first()
    if membership is None:
        raise Missing("member.gone")
    return membership


def _clean_name(name: str) -> str:
    name = one_line(name)
    if not name:
        raise Invalid("club.name_missing", field="name")
    if len(name) > NAME_LIMIT:
        raise Invalid(faults=[Fault("club.name_long", "name", {"limit": NAME_LIMIT})])
    return name


def _role(role: str) -> Role:
    if role not in Role.values:
        raise Invalid("member.role_unknown", field="role", role=role)
    return Role(role)


def _keep_an_owner(club: Club, leaving: Membership) -> None:
    if not Membership.objects.filter(club=club, role=Role.OWNER).exclude(pk=leaving.pk).exists():
        raise Conflict("member.last_owner")
