"""Membership of clubs in federations for a period; results stay on the lists on which they counted.

Days are those of the federation, and half-open: a club belongs from the beginning of ``since`` to the
beginning of ``until``. What is played in between counts on the federation's lists permanently. A change from
a past day or today on alters what has counted there, so the federation's owner has to agree: the actor has to
own both clubs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

from faults import Conflict, Fault, Invalid, Missing
from people import versions
from people.actors import Actor
from people.models import Affiliation, Club
from people.permissions import require_owner
from people.services import audit
from people.services.clubs import locked_club
from people.services.versions import raise_versions
from people.transactions import durable
from people.zones import FIRST_YEAR, LAST_YEAR, club_zone, midnight

ONE_DAY = timedelta(days=1)
Bound = datetime | None  # None: without a beginning, or without an end


@dataclass(frozen=True, slots=True)
class _FederationDays:
    """The time zone of a federation, and today's date there."""

    zone: ZoneInfo
    today: date

    @classmethod
    def of(cls, federation: Club) -> "_FederationDays":
        zone = club_zone(federation.pk, federation.timezone)
        return cls(zone, timezone.localdate(timezone=zone))

    def begins(self, day: date) -> datetime:
        return midnight(day, self.zone)

    def check(self, day: date, field: str) -> None:
        """Raise ``Invalid`` at ``field`` if the day is after tomorrow or outside of the supported years."""
        if day > self.today + ONE_DAY:
            raise Invalid(faults=[Fault("club.day_ahead", field, {"latest": self.today + ONE_DAY})])
        if not FIRST_YEAR <= day.year <= LAST_YEAR:
            raise Invalid(faults=[Fault("club.day_odd", field, {"first": FIRST_YEAR, "last": LAST_YEAR})])


def join_federation(*, actor: Actor, club_id: int, parent_id: int | None, since: date | None = None) -> Club:
    """Make the club a member of the federation with the id ``parent_id`` from the day ``since`` on.

    ``since`` is today by default; tomorrow, if the club leaves another federation for it. ``parent_id=None``
    makes the club independent (``leave_federation``). The actor has to own the club and the federation; also
    the federation that the club leaves, unless all results until today stay on its lists. A day in the past
    includes what was played since; if the club belonged to the same federation just before, the membership
    continues without a gap.
    """
    if parent_id is None:
        return leave_federation(actor=actor, club_id=club_id)
    return _join_federation(actor=actor, club_id=club_id, parent_id=parent_id, since=since)


@durable
def _join_federation(*, actor: Actor, club_id: int, parent_id: int, since: date | None) -> Club:
    # Entering a result of a club below locks that club's row: either the result is committed before the recount below,
    # or it is counted for the new federation.
    rows = Club.objects.select_for_update(of=("self",)).filter(pk__in=[parent_id, *_member_tree_ids(club_id)])
    club_by_id = {club.pk: club for club in rows.order_by("pk")}
    if not {club_id, parent_id} <= club_by_id.keys():
        raise Missing("club.unknown")
    club, parent = club_by_id[club_id], club_by_id[parent_id]
    require_owner(actor, club)
    if parent == club:
        raise Conflict("club.parent_loop")
    require_owner(actor, parent)
    days = _FederationDays.of(parent)
    affiliations = list(Affiliation.objects.filter(club=club).select_related("federation"))
    current = next((affiliation for affiliation in affiliations if affiliation.until is None), None)
    has_other = current is not None and current.federation_id != parent.pk
    since = since or (days.today + ONE_DAY if has_other else days.today)
    days.check(since, "since")
    begins = days.begins(since)
    if current is not None and not has_other and _is_not_later(current.begins, begins):
        return club  # it belongs there all that time
    _refuse_loop(club, parent, begins)
    before = club.parent_id
    if has_other and current is not None:
        _end_affiliation(actor, current, since, begins)
    _require_free_period(affiliations, parent, begins)
    same_federation = [
        affiliation
        for affiliation in affiliations
        if affiliation.pk and affiliation.federation_id == parent.pk
    ]
    adjacent = [
        affiliation
        for affiliation in same_federation
        if affiliation.ends is None or affiliation.ends >= begins
    ]
    earliest = min(
        adjacent, key=lambda affiliation: (affiliation.begins is not None, affiliation.begins), default=None
    )
    if earliest is not None and _is_not_later(earliest.begins, begins):
        since, begins = earliest.since, earliest.begins  # type: ignore[assignment]
    for affiliation in adjacent:
        affiliation.delete()
    Affiliation.objects.create(club=club, federation=parent, since=since, begins=begins)
    data = {"before": before, "after": parent.pk, "since": since.isoformat() if since else ""}
    _save_club(actor, club, parent, before, "club.join_federation", data)
    return club


@durable
def leave_federation(*, actor: Actor, club_id: int, until: date | None = None) -> Club:
    """Make the club independent of its federation from the day ``until`` on.

    ``until`` is tomorrow by default: today is the last day. What the club played before stays on the
    federation's lists; an earlier day removes results from them, and needs the federation's owner, too.
    """
    club = locked_club(club_id)
    require_owner(actor, club)
    current = Affiliation.objects.filter(club=club, until=None).select_related("federation").first()
    if current is None:
        return club
    days = _FederationDays.of(current.federation)
    until = until or days.today + ONE_DAY
    days.check(until, "until")
    _end_affiliation(actor, current, until, days.begins(until))
    data = {"before": current.federation_id, "after": None, "until": until.isoformat()}
    _save_club(actor, club, None, current.federation_id, "club.join_federation", data)
    return club


def _member_tree_ids(club_id: int) -> set[int]:
    """Return the ids of the club and of all its present and past member clubs, at every level."""
    club_ids, frontier = {club_id}, {club_id}
    while frontier:
        member_ids = Affiliation.objects.filter(federation__in=frontier).values_list("club_id", flat=True)
        frontier = set(member_ids) - club_ids
        club_ids |= frontier
    return club_ids


def _is_not_later(bound: Bound, other: datetime) -> bool:
    return bound is None or bound <= other


def _end_affiliation(actor: Actor, affiliation: Affiliation, until: date, ends: datetime) -> None:
    """End ``affiliation`` before the day ``until``; delete it if it would not have begun by then.

    ``ends``: the beginning of ``until``. If that is in the past, the actor has to own the federation.
    """
    if ends <= timezone.now():
        require_owner(actor, affiliation.federation)
    if affiliation.begins is not None and affiliation.begins >= ends:
        affiliation.delete()
        return
    affiliation.until, affiliation.ends = until, ends
    affiliation.save(update_fields=["until", "ends"])


def _require_free_period(affiliations: list[Affiliation], parent: Club, begins: datetime) -> None:
    """Raise ``Conflict`` if the club belongs to another federation than ``parent`` after ``begins``."""
    for affiliation in affiliations:
        if (
            affiliation.pk
            and affiliation.federation_id != parent.pk
            and (affiliation.ends is None or affiliation.ends > begins)
        ):
            raise Conflict("club.other_federation", name=affiliation.federation.name)


def _refuse_loop(club: Club, parent: Club, begins: datetime) -> None:
    """Raise ``Conflict`` if ``club`` is a federation above ``parent`` at any time from ``begins`` on."""
    pending: list[tuple[int, datetime]] = [(parent.pk, begins)]
    visited = set(pending)
    while pending:
        club_id, start = pending.pop()
        for affiliation in Affiliation.objects.filter(club=club_id):
            if affiliation.ends is not None and affiliation.ends <= start:
                continue
            if affiliation.federation_id == club.pk:
                raise Conflict("club.parent_loop")
            step = (affiliation.federation_id, max(start, affiliation.begins or start))
            if step not in visited:
                visited.add(step)
                pending.append(step)


def _save_club(
    actor: Actor, club: Club, parent: Club | None, before: int | None, action: str, data: Mapping[str, object]
) -> None:
    """Save the club's present federation, and write the audit logs of the club and its federations.

    ``before``: the id of the previous federation, or None.
    """
    club.parent = parent
    club.version += 1
    if parent is not None and parent.events_listed_from is None:
        club.events_listed_from = None  # the federation answers for the club
    club.save(update_fields=["parent", "version", "events_listed_from"])
    audit.record_action(actor=actor, action=action, subject=club, club=club, data=data)
    for federation in Club.objects.filter(pk__in=[pk for pk in (before, club.parent_id) if pk]).order_by(
        "pk"
    ):
        is_joining = federation.pk == club.parent_id
        audit.record_action(
            actor=actor,
            action="federation.joined" if is_joining else "federation.left",
            subject=club,
            club=federation,
            data={"name": club.name, **{key: data[key] for key in ("since", "until") if key in data}},
        )
    sides = {club.pk, before, club.parent_id}
    # Membership affects ranks as well as names: pages with names are those with ranks.
    raise_versions([versions.NAMES, *(versions.club_topic(pk) for pk in sides if pk is not None)])
