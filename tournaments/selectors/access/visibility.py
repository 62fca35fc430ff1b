"""Who may see which event, match and player; the only place that decides it, for pages and API.

A *draft* is visible only to directors of its club and assistants of the event. An *unlisted* event is open to
anyone with its address and is in no list. A draw is visible once published. A player who is not *listed* has
no page and is never linked; their name is shown in the draws of their events.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum
from django.utils import timezone

from faults import Missing, NotAllowed
from people.models import Club, Player, Restriction
from people.permissions import (
    DIRECTOR_ROLES,
    Visitor,
    annotate_role,
    annotated_role,
    is_director_role,
    may_assist,
    may_direct,
    role_in,
)
from people.rows import one_or_none
from people.selectors import clubs_on_page
from tournaments.engine.statuses import DRAW_PUBLIC, EVENT_OVER, EventStatus
from tournaments.models import Division, Event, Match
from tournaments.models.trail import audit_scope
from tournaments.selectors.notices import next_notice_end

FRONT_PAGE_EVENTS = 24  # events of a kind on a front page


@dataclass(frozen=True, slots=True)
class VisibleEvent:
    """An event as a visitor may see it; ``directs``: the visitor may direct it.

    ``seasons`` changes with the previous and next league seasons, and is empty if there are none.
    ``notice_ends``: when a notice ends next by itself (other changes of notices raise the event's version).
    ``entries_end``: when entries of a division close next.
    """

    event: Event
    directs: bool
    seasons: str = ""
    notice_ends: datetime | None = None
    entries_end: datetime | None = None

    @property
    def inside(self) -> bool:
        """Whether only staff can open its pages. All other events look the same to everyone."""
        return self.event.status == EventStatus.DRAFT or is_restricted(self.event)

    @property
    def role(self) -> str:
        return "director" if self.inside else ""


@dataclass(frozen=True, slots=True)
class VisibleMatch:
    """A match of a published draw and the event it belongs to."""

    match: Match
    event: Event
    directs: bool
    notice_ends: datetime | None = None

    @property
    def inside(self) -> bool:
        """Whether only staff can open its pages, as those of the event."""
        return self.event.status == EventStatus.DRAFT or is_restricted(self.event)

    @property
    def role(self) -> str:
        return "director" if self.inside else ""


def listed_events() -> QuerySet[Event]:
    """Public events in lists: neither drafts nor restricted by an operator, alone or with their club."""
    public_events = Event.objects.filter(visibility=Event.Visibility.PUBLIC, shut="", club__shut="")
    return public_events.exclude(status=EventStatus.DRAFT)


def is_listed(event: Event) -> bool:
    """Return whether ``event`` is one of ``listed_events``, which anyone can open."""
    is_public = event.visibility == Event.Visibility.PUBLIC and event.status != EventStatus.DRAFT
    return is_public and not is_restricted(event)


def site_events() -> QuerySet[Event]:
    """Listed events in the lists of all clubs.

    Those of a new club are delayed (``Club.events_listed_from``).
    """
    is_club_listed = Q(club__events_listed_from=None) | Q(club__events_listed_from__lte=timezone.now())
    return listed_events().filter(is_club_listed)


def is_restricted(event: Event) -> bool:
    """Return whether an operator restricted ``event`` or its club."""
    return bool(event.shut or event.club.shut)


def is_removed(event: Event) -> bool:
    """Return whether the event is visible to operators only."""
    return Restriction.REMOVED in {event.shut, event.club.shut}


def front_page_events(
    club: Club | None = None, limit: int = FRONT_PAGE_EVENTS
) -> tuple[QuerySet[Event], ...]:
    """Running, upcoming and finished events of a front page, of ``club`` or of all clubs.

    At most ``limit`` running ones and half as many of each of the others; lists have the rest.
    """
    events = site_events() if club is None else listed_events().filter(club=club)
    return (
        events.filter(status=EventStatus.RUNNING).order_by("-starts_on", "-pk")[:limit],
        events.filter(status=EventStatus.OPEN).order_by("starts_on", "pk")[: limit // 2],
        events.filter(status__in=EVENT_OVER).order_by("-ends_on", "-pk")[: limit // 2],
    )


def events_on_player_page(player: Player) -> QuerySet[Event]:
    """Listed events on the public page of ``player``: of clubs that they or their home club accepted."""
    return listed_events().filter(club__in=clubs_on_page(player))


def visible_event(visitor: Visitor, public_id: str) -> VisibleEvent:
    """Return the event; raise ``Missing`` if it does not exist or is a draft that the visitor may not see."""
    event = one_or_none(
        annotate_role(Event.objects.select_related("club"), visitor, "club")
        .annotate(
            before=F("follows__version"),
            after=Sum("followed_by__version"),
            notice_ends=next_notice_end("pk"),
            entries_end=Subquery(_next_entry_deadline()),
        )
        .filter(public_id=public_id)
    )
    if event is None:
        raise Missing("event.unknown")
    can_direct = is_director_role(annotated_role(event, visitor, event.club))
    if _is_hidden_from(visitor, event, directs=can_direct):
        raise Missing("event.unknown")
    seasons = f"{event.before or ''}.{event.after or ''}" if event.before or event.after else ""
    return VisibleEvent(event, can_direct, seasons, event.notice_ends, event.entries_end)


def _next_entry_deadline() -> QuerySet[Division, Any]:
    """Subquery: the next moment at which entries of a division of the outer event close."""
    open_divisions = Division.objects.filter(event=OuterRef("pk"), entries_until__gt=timezone.now())
    return open_divisions.order_by("entries_until").values("entries_until")[:1]


def get_event_for_director(visitor: Visitor, public_id: str) -> Event:
    """Return the event for a director of its club.

    Others get ``Missing`` for a hidden event, else ``NotAllowed``.
    """
    event = _event_with_role(visitor, public_id)
    if not is_director_role(annotated_role(event, visitor, event.club)):
        if _is_hidden_from(visitor, event, directs=False):
            raise Missing("event.unknown")
        raise NotAllowed("people.not_director")
    return event


def _event_with_role(visitor: Visitor, public_id: str) -> Event:
    """Return an event that is not removed, with the visitor's role in its club; one query."""
    events = annotate_role(Event.objects.select_related("club"), visitor, "club")
    event = one_or_none(events.filter(public_id=public_id))
    if event is None or is_removed(event):
        raise Missing("event.unknown")
    return event


def get_event_for_staff(visitor: Visitor, public_id: str) -> tuple[Event, bool]:
    """Return the event for its staff, and whether the visitor is an assistant only.

    Raises as ``get_event_for_director``; assistants have access until the event is over.
    """
    event = _event_with_role(visitor, public_id)
    if is_director_role(annotated_role(event, visitor, event.club)):
        return event, False
    if is_event_staff(visitor, event):
        return event, True
    if _is_hidden_from(visitor, event, directs=False):
        raise Missing("event.unknown")
    raise NotAllowed("people.not_director")


def can_read_consents(visitor: Visitor, event: Event) -> bool:
    """Return whether the visitor may see consents of players: staff, and viewers such as streamers."""
    return visitor is not None and (
        role_in(visitor, event.club) is not None or is_event_staff(visitor, event)
    )


def get_event_for_reader(visitor: Visitor, public_id: str) -> Event:
    """Return the event for visitors who ``can_read_consents``; a draft is for its staff only.

    Raises as ``get_event_for_director``.
    """
    event = one_or_none(Event.objects.select_related("club").filter(public_id=public_id))
    if event is None:
        raise Missing("event.unknown")
    if event.status == EventStatus.DRAFT and not is_event_staff(visitor, event):
        raise Missing("event.unknown")
    if not can_read_consents(visitor, event):
        raise NotAllowed("people.not_director")
    return event


def is_event_staff(visitor: Visitor, event: Event) -> bool:
    """Return whether the visitor may give results and calls: a director, or an assistant until it is over."""
    if may_direct(visitor, event.club):
        return True
    return event.status not in EVENT_OVER and may_assist(visitor, event.club, audit_scope(event))


def _is_hidden_from(visitor: Visitor, event: Event, *, directs: bool) -> bool:
    """Return whether the event is a draft or restricted for this visitor.

    Staff see it before and while it is hidden.
    """
    if is_removed(event):
        return True
    if directs:
        return False
    return (event.status == EventStatus.DRAFT or is_restricted(event)) and not is_event_staff(visitor, event)


def visible_match(visitor: Visitor, public_id: str) -> VisibleMatch:
    """Return the match; raise ``Missing`` while its draw is not public."""
    match = one_or_none(
        annotate_role(
            Match.objects.select_related("round", "stage__division__event__club"),
            visitor,
            "stage__division__event__club",
        )
        .annotate(notice_ends=next_notice_end("stage__division__event"))
        .filter(public_id=public_id, stage__status__in=DRAW_PUBLIC)
    )
    if match is None:
        raise Missing("match.unknown")
    event = match.stage.division.event
    can_direct = is_director_role(annotated_role(match, visitor, event.club))
    if _is_hidden_from(visitor, event, directs=can_direct):
        raise Missing("match.unknown")
    return VisibleMatch(match, event, can_direct, match.notice_ends)


def visible_player(visitor: Visitor, public_id: str) -> Player:
    """Return a listed player, following merged duplicates; raise ``Missing`` for an unlisted one.

    Unlisted players are visible to themselves and to directors of their home club.
    """
    player = one_or_none(
        Player.objects.select_related("home_club", "merged_into").filter(public_id=public_id)
    )
    while player is not None and player.merged_into is not None:
        player = Player.objects.select_related("home_club", "merged_into").get(pk=player.merged_into.pk)
    if player is None or not (player.listed or can_view_unlisted(visitor, player)):
        raise Missing("player.unknown")
    return player


def can_view_unlisted(visitor: Visitor, player: Player) -> bool:
    """Return whether the visitor is the player, or a director of their home club.

    Without a home club: a director of any club that knows them. Entering a player gives no access, as it
    would undo their choice to leave the lists.
    """
    if visitor is None or not visitor.is_authenticated:
        return False
    club_path = "home_club" if player.home_club_id is not None else "clubs"
    by_director = Q(
        **{
            f"{club_path}__memberships__user_id": visitor.pk,
            f"{club_path}__memberships__role__in": DIRECTOR_ROLES,
        }
    )
    by_director &= ~Q(**{f"{club_path}__shut": Restriction.REMOVED})
    return Player.objects.filter(Q(user_id=visitor.pk) | by_director, pk=player.pk).exists()
