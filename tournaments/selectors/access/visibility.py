"""Who may see which event, match and player. The only place that decides it; pages and API ask here.

A *draft* exists for directors of its club alone, and for those whom they asked to help with it. An *unlisted* event is open to whoever has its address and stands in
no list. A draw shows from its publication on. A player who is not *listed* has no page and is never linked; their
name stands in the draws of the events in which they took part.
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
    """An event as a visitor may see it; ``is_director_role`` if the visitor runs it.

    ``seasons`` changes with the league seasons before and after it, and is empty if there are none. ``notice_ends`` changes when a
    notice ends by itself; whatever else happens to one raises the event's version. ``entries_end``: when entries of a division close next.
    """

    event: Event
    directs: bool
    seasons: str = ""
    notice_ends: datetime | None = None
    entries_end: datetime | None = None

    @property
    def inside(self) -> bool:
        """Whether its pages are open to those alone who direct or help with it. All others show the same to everybody."""
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
        """As of the event."""
        return self.event.status == EventStatus.DRAFT or is_restricted(self.event)

    @property
    def role(self) -> str:
        return "director" if self.inside else ""


def listed_events() -> QuerySet[Event]:
    """Events that stand in lists: public ones that are no drafts any more, and that no operator has shut, alone or with their club."""
    public = Event.objects.filter(visibility=Event.Visibility.PUBLIC, shut="", club__shut="")
    return public.exclude(status=EventStatus.DRAFT)


def is_listed(event: Event) -> bool:
    """Whether ``event`` is one of the `listed_events`, which anyone can open."""
    public = event.visibility == Event.Visibility.PUBLIC and event.status != EventStatus.DRAFT
    return public and not is_restricted(event)


def site_events() -> QuerySet[Event]:
    """Those of them that stand in the lists of all clubs: of a new club they wait for a while (`Club.events_listed_from`)."""
    known = Q(club__events_listed_from=None) | Q(club__events_listed_from__lte=timezone.now())
    return listed_events().filter(known)


def is_restricted(event: Event) -> bool:
    """Whether an operator took ``event``, or its club, from the public."""
    return bool(event.shut or event.club.shut)


def is_removed(event: Event) -> bool:
    """Whether it is there for operators alone."""
    return Restriction.REMOVED in {event.shut, event.club.shut}


def front_page_events(
    club: Club | None = None, limit: int = FRONT_PAGE_EVENTS
) -> tuple[QuerySet[Event], ...]:
    """The events of a front page, of all clubs or of ``club``: running, and half as many upcoming and finished; lists have the rest."""
    events = site_events() if club is None else listed_events().filter(club=club)
    return (
        events.filter(status=EventStatus.RUNNING).order_by("-starts_on", "-pk")[:limit],
        events.filter(status=EventStatus.OPEN).order_by("starts_on", "pk")[: limit // 2],
        events.filter(status__in=EVENT_OVER).order_by("-ends_on", "-pk")[: limit // 2],
    )


def events_on_player_page(player: Player) -> QuerySet[Event]:
    """The listed events that stand on the public page of ``player``: of clubs that they or their keeper accepted."""
    return listed_events().filter(club__in=clubs_on_page(player))


def visible_event(visitor: Visitor, public_id: str) -> VisibleEvent:
    """The event, or ``Missing`` for one that does not exist or is still a draft of others."""
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
    direct = is_director_role(annotated_role(event, visitor, event.club))
    if _is_hidden_from(visitor, event, directs=direct):
        raise Missing("event.unknown")
    seasons = f"{event.before or ''}.{event.after or ''}" if event.before or event.after else ""
    return VisibleEvent(event, direct, seasons, event.notice_ends, event.entries_end)


def _next_entry_deadline() -> QuerySet[Division, Any]:
    """Of the event of the query around it: the next moment at which entries of a division close."""
    ahead = Division.objects.filter(event=OuterRef("pk"), entries_until__gt=timezone.now())
    return ahead.order_by("entries_until").values("entries_until")[:1]


def get_event_for_director(visitor: Visitor, public_id: str) -> Event:
    """The event, for directors of its club: a draft is ``Missing`` for others, any other event not theirs to run."""
    event = _event_with_role(visitor, public_id)
    if not is_director_role(annotated_role(event, visitor, event.club)):
        if _is_hidden_from(visitor, event, directs=False):
            raise Missing("event.unknown")
        raise NotAllowed("people.not_director")
    return event


def _event_with_role(visitor: Visitor, public_id: str) -> Event:
    """An event that is there, with the visitor's role in its club; one query."""
    events = annotate_role(Event.objects.select_related("club"), visitor, "club")
    event = one_or_none(events.filter(public_id=public_id))
    if event is None or is_removed(event):
        raise Missing("event.unknown")
    return event


def get_event_for_staff(visitor: Visitor, public_id: str) -> tuple[Event, bool]:
    """The event for whoever may give results and calls there, and whether they only help with it.

    Refused as `get_event_for_director` refuses; helping ends with the event.
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
    """Whether somebody may know what players agree to: who directs or helps with ``event``, and the club's readers, as streamers are."""
    return visitor is not None and (
        role_in(visitor, event.club) is not None or is_event_staff(visitor, event)
    )


def get_event_for_reader(visitor: Visitor, public_id: str) -> Event:
    """The event for whoever `can_read_consents`, refused as `get_event_for_director` refuses; a draft is for those alone who direct or help with it."""
    event = one_or_none(Event.objects.select_related("club").filter(public_id=public_id))
    if event is None:
        raise Missing("event.unknown")
    if event.status == EventStatus.DRAFT and not is_event_staff(visitor, event):
        raise Missing("event.unknown")
    if not can_read_consents(visitor, event):
        raise NotAllowed("people.not_director")
    return event


def is_event_staff(visitor: Visitor, event: Event) -> bool:
    """Whether somebody may give results and calls of ``event``: a director, or an assistant until it is over."""
    if may_direct(visitor, event.club):
        return True
    return event.status not in EVENT_OVER and may_assist(visitor, event.club, audit_scope(event))


def _is_hidden_from(visitor: Visitor, event: Event, *, directs: bool) -> bool:
    """Whether it is not there for this visitor: a draft of others, or shut. Who helps with an event sees it before and while it is hidden."""
    if is_removed(event):
        return True
    if directs:
        return False
    return (event.status == EventStatus.DRAFT or is_restricted(event)) and not is_event_staff(visitor, event)


def visible_match(visitor: Visitor, public_id: str) -> VisibleMatch:
    """The match, or ``Missing`` while its draw is not public."""
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
    direct = is_director_role(annotated_role(match, visitor, event.club))
    if _is_hidden_from(visitor, event, directs=direct):
        raise Missing("match.unknown")
    return VisibleMatch(match, event, direct, match.notice_ends)


def visible_player(visitor: Visitor, public_id: str) -> Player:
    """A listed player; a merged duplicate leads to the player that took over.

    One who is not listed is shown to themselves and to directors of their home club, and is missing for everybody else.
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
    """Whether it is themselves, or a director of their home club; of any club that knows them where they are at home nowhere. To
    have entered somebody makes nobody their keeper: it would undo that they left the lists.
    """
    if visitor is None or not visitor.is_authenticated:
        return False
    club = "home_club" if player.home_club_id is not None else "clubs"
    directed = Q(
        **{f"{club}__memberships__user_id": visitor.pk, f"{club}__memberships__role__in": DIRECTOR_ROLES}
    )
    directed &= ~Q(**{f"{club}__shut": Restriction.REMOVED})
    return Player.objects.filter(Q(user_id=visitor.pk) | directed, pk=player.pk).exists()
