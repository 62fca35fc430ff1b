"""Create and change clubs, and manage the roles of their members."""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils.timezone import now

from faults import Conflict, Fault, Invalid, Missing, NotAllowed, raise_faults
from people import versions
from people.actors import Actor
from people.models import Club, Membership, Role, User
from people.permissions import may_create_club, require_owner
from people.rows import one_or_none
from people.services import audit
from people.services.operators import clean_reason, record_operator_action
from people.services.quotas import CLUBS, require_quota
from people.services.versions import raise_versions
from people.text import clean_line, web_address_faults
from people.timezones import timezone_names
from people.transactions import durable
from people.zones import club_zone

NAME_LIMIT = 120
ROLE_RANKS = {Role.READER: 1, Role.DIRECTOR: 2, Role.OWNER: 3}  # each includes the one before


def create_club(
    *,
    actor: Actor,
    name: str,
    city: str = "",
    country: str = "",
    website: str = "",
    about: str = "",
    timezone: str = "",
) -> Club:
    """Create a club with the actor as owner. Joins the caller's transaction, which adds a rating list."""
    name = _clean_name(name)
    if actor.user is not None and not may_create_club(actor.user):
        raise NotAllowed("club.guest")
    if actor.user is not None:
        require_club_quota(actor.user)
    club = Club.objects.create(
        name=name,
        city=city.strip(),
        country=country.strip().upper(),
        website=website.strip(),
        about=about.strip(),
        timezone=_clean_zone(timezone),
        events_listed_from=_events_listed_from(actor.user),
    )
    if actor.user is not None:
        Membership.objects.create(user=actor.user, club=club, role=Role.OWNER)
    audit.record_action(actor=actor, action="club.create", subject=club, club=club, data={"name": name})
    raise_versions([versions.club_topic(club.pk)])
    return club


def _events_listed_from(owner: User | None) -> datetime | None:
    """Return when the events of a new club of ``owner`` may appear in the lists of the site; None: at once.

    ``NEW_CLUB_DAYS`` after its creation. At once for the first club of a site, for a site where operators
    invite all accounts, for the program, for an operator, and for an owner of a club whose events are listed.
    """
    if owner is None or owner.is_staff or settings.ACCOUNTS == "invited" or not settings.NEW_CLUB_DAYS:
        return None
    if not Club.objects.exists():
        return None
    memberships = Membership.objects.filter(user=owner, role=Role.OWNER, club__shut="")
    if memberships.filter(club__events_listed_from=None).exists():
        return None
    return now() + timedelta(days=settings.NEW_CLUB_DAYS)


@durable
def list_events_at_once(*, actor: Actor, club_id: int, reason: str) -> Club:
    """Let the events of a new club appear in the site's lists without the waiting time.

    The caller has checked that the actor is an operator.
    """
    reason = clean_reason(reason)
    club = locked_club(club_id)
    if club.events_listed_from is None:
        raise Conflict("club.listed_already")
    club.events_listed_from = None
    club.save(update_fields=["events_listed_from"])
    record_operator_action(actor=actor, verb="list_club", subject=club, reason=reason)
    raise_versions([versions.club_events_topic(club.pk)])
    return club


@durable
def list_events_of_new_clubs(*, until: datetime) -> int:
    """Let the events of clubs whose waiting time ended by ``until`` appear in the site's lists.

    Returns the number of clubs.
    """
    clubs = Club.objects.select_for_update(of=("self",), no_key=True).filter(events_listed_from__lte=until)
    due_ids = list(clubs.order_by("pk").values_list("pk", flat=True))
    Club.objects.filter(pk__in=due_ids).update(events_listed_from=None)
    raise_versions([versions.club_events_topic(pk) for pk in due_ids])
    return len(due_ids)


def require_club_quota(user: User) -> None:
    """Raise if ``user`` may not own another club by their quota."""
    memberships = Membership.objects.filter(user=user, role=Role.OWNER)
    require_quota(CLUBS, actor=None, owner=user, get_count=memberships.count)


@durable
def update_club(
    *,
    actor: Actor,
    club_id: int,
    name: str,
    city: str = "",
    country: str = "",
    website: str = "",
    about: str = "",
    timezone: str = "",
) -> Club:
    """Change the details of a club that its page shows; for owners."""
    club = locked_club(club_id)
    require_owner(actor, club)
    new_values = {
        "name": _clean_name(name),
        "city": city.strip(),
        "country": country.strip().upper(),
        "website": website.strip(),
        "about": about.strip(),
        "timezone": _clean_zone(timezone),
    }
    before = {key: getattr(club, key) for key in new_values}
    for key, value in new_values.items():
        setattr(club, key, value)
    club.version += 1
    club.save()
    audit.record_action(
        actor=actor,
        action="club.update",
        subject=club,
        club=club,
        data={"before": before, "after": new_values},
    )
    raise_versions([versions.club_topic(club.pk), versions.NAMES])
    return club


@durable
def change_role(*, actor: Actor, club_id: int, membership_id: int, role: str) -> Membership:
    """Give a member a lower role; a higher one needs an invitation.

    The last owner's role cannot be changed.
    """
    club = locked_club(club_id)
    require_owner(actor, club)
    new_role = parse_member_role(role)
    membership = _get_member(club, membership_id)
    if ROLE_RANKS[new_role] > ROLE_RANKS[Role(membership.role)]:
        raise Conflict("member.by_invitation", name=str(membership.user))
    if membership.role == Role.OWNER and new_role != Role.OWNER:
        _require_other_owner(club, membership)
    before, membership.role = membership.role, new_role
    membership.save(update_fields=["role"])
    audit.record_action(
        actor=actor,
        action="member.change_role",
        subject=membership,
        club=club,
        data={"user": membership.user_id, "before": before, "after": new_role},
    )
    return membership


@durable
def remove_member(*, actor: Actor, club_id: int, membership_id: int) -> None:
    """Remove a member's role; the last owner cannot be removed."""
    club = locked_club(club_id)
    require_owner(actor, club)
    membership = _get_member(club, membership_id)
    if membership.role == Role.OWNER:
        _require_other_owner(club, membership)
    audit.record_action(
        actor=actor,
        action="member.remove",
        subject=membership,
        club=club,
        data={"user": membership.user_id, "role": membership.role},
    )
    membership.delete()


@durable
def leave_club(*, actor: Actor, club_id: int) -> None:
    """Remove the actor's own role in a club; the last owner has to appoint another owner first."""
    club = locked_club(club_id)
    user = actor.user
    membership = Membership.objects.filter(club=club, user=user).first() if user is not None else None
    if membership is None:
        raise Missing("member.gone")
    if membership.role == Role.OWNER:
        _require_other_owner(club, membership)
    audit.record_action(
        actor=actor,
        action="member.leave",
        subject=membership,
        club=club,
        data={"user": membership.user_id, "role": membership.role},
    )
    membership.delete()


def store_effective_zone(*, club_id: int) -> None:
    """Store the derived time zone of a club that has set none. Joins the caller's transaction."""
    Club.objects.filter(pk=club_id, timezone="").update(timezone=club_zone(club_id).key)


def locked_club(club_id: int) -> Club:
    """Return the club, locked until the transaction ends."""
    club = one_or_none(Club.objects.select_for_update(of=("self",)).filter(pk=club_id))
    if club is None:
        raise Missing("club.unknown")
    return club


def _get_member(club: Club, membership_id: int) -> Membership:
    membership = one_or_none(Membership.objects.filter(pk=membership_id, club=club))
    if membership is None:
        raise Missing("member.gone")
    return membership


def _clean_name(name: str) -> str:
    name = clean_line(name)
    if not name:
        raise Invalid("club.name_missing", field="name")
    if len(name) > NAME_LIMIT:
        raise Invalid(faults=[Fault("club.name_long", "name", {"limit": NAME_LIMIT})])
    raise_faults(web_address_faults(name))
    return name


def _clean_zone(name: str) -> str:
    name = name.strip()
    if name and name not in timezone_names():
        raise Invalid(faults=[Fault("club.timezone_unknown", "timezone", {"timezone": name[:64]})])
    return name


def parse_member_role(role: str) -> Role:
    """Return the role with this code.

    Raises ``Invalid`` for unknown codes and for an assistant, who is no member.
    """
    if role not in ROLE_RANKS:
        raise Invalid("member.role_unknown", field="role", role=role)
    return Role(role)


def _require_other_owner(club: Club, leaving: Membership) -> None:
    other_owners = Membership.objects.filter(club=club, role=Role.OWNER, user__is_active=True).exclude(
        pk=leaving.pk
    )
    if not other_owners.exists():
        raise Conflict("member.last_owner")
