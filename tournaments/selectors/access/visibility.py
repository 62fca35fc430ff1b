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
from people.models import Club, Player, Shut
from people.permissions import (
    DIRECTING,
    Visitor,
    directs,
    may_assist,
    may_direct,
    role_in,
    role_with,
    with_role,
)
from people.rows import one_or_none
from people.selectors import clubs_on_page
from tournaments.engine.statuses import DRAW_SHOWN, EVENT_OVER, EventStatus
from tournaments.models import Division, Event, Match
from tournaments.models.trail import scope_of
from tournaments.selectors.notices import next_end

LIST_LIMIT = 24  # events of a kind on a front page


@dataclass(frozen=True, slots=True)
class VisibleEvent:
    """An event as a visitor may see it; ``directs`` if the visitor runs it.

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
        return self.event.status == EventStatus.DRAFT or is_shut(self.event)

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
        return self.event.status == EventStatus.DRAFT or is_shut(self.event)

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
    return public and not is_shut(event)


def events_of_the_site() -> QuerySet[Event]:
    """Those of them that stand in the lists of all clubs: of a new club they wait for a while (`Club.events_listed_from`)."""
    known = Q(club__events_listed_from=None) | Q(club__events_listed_from__lte=timezone.now())
    return listed_events().filter(known)


def is_shut(event: Event) -> bool:
    """Whether an operator took ``event``, or its club, from the public."""
    return bool(event.shut or event.club.shut)


def is_removed(event: Event) -> bool:
    """Whether it is there for operators alone."""
    return Shut.REMOVED in {event.shut, event.club.shut}


def shown_events(club: Club | None = None, limit: int = LIST_LIMIT) -> tuple[QuerySet[Event], ...]:
    """The events of a front page, of all clubs or of ``club``: running, and half as many upcoming and finished; lists have the rest."""
    events = events_of_the_site() if club is None else listed_events().filter(club=club)
    return (
        events.filter(status=EventStatus.RUNNING).order_by("-starts_on", "-pk")[:limit],
        events.filter(status=EventStatus.OPEN).order_by("starts_on", "pk")[: limit // 2],
        events.filter(status__in=EVENT_OVER).order_by("-ends_on", "-pk")[: limit // 2],
    )


def events_on_page(player: Player) -> QuerySet[Event]:
    """The listed events that stand on the public page of ``player``: of clubs that they or their keeper accepted."""
    return listed_events().filter(club__in=clubs_on_page(player))


def visible_event(visitor: Visitor, public_id: str) -> VisibleEvent:
    """The event, or ``Missing`` for one that does not exist or is still a draft of others."""
    event = one_or_none(
        with_role(Event.objects.select_related("club"), visitor, "club")
        .annotate(
            before=F("follows__version"),
            after=Sum("followed_by__version"),
            notice_ends=next_end("pk"),
            entries_end=Subquery(_next_cut_off()),
        )
        .filter(public_id=public_id)
    )
    if event is None:
        raise Missing("event.unknown")
    direct = directs(role_with(event, visitor, event.club))
    if _is_away(visitor, event, directs=direct):
        raise Missing("event.unknown")
    seasons = f"{event.before or ''}.{event.after or ''}" if event.before or event.after else ""
    return VisibleEvent(event, direct, seasons, event.notice_ends, event.entries_end)


def _next_cut_off() -> QuerySet[Division, Any]:
    """Of the event of the query around it: the next moment at which entries of a division close."""
    ahead = Division.objects.filter(event=OuterRef("pk"), entries_until__gt=timezone.now())
    return ahead.order_by("entries_until").values("entries_until")[:1]


def event_directed_by(visitor: Visitor, public_id: str) -> Event:
    """The event, for directors of its club: a draft is ``Missing`` for others, any other event not theirs to run."""
    event = _with_role(visitor, public_id)
    if not directs(role_with(event, visitor, event.club)):
        if _is_away(visitor, event, directs=False):
            raise Missing("event.unknown")
        raise NotAllowed("people.not_director")
    return event


def _with_role(visitor: Visitor, public_id: str) -> Event:
    """An event that is there, with the visitor's role in its club; one query."""
    events = with_role(Event.objects.select_related("club"), visitor, "club")
    event = one_or_none(events.filter(public_id=public_id))
    if event is None or is_removed(event):
        raise Missing("event.unknown")
    return event


def event_at_desk_of(visitor: Visitor, public_id: str) -> tuple[Event, bool]:
    """The event for whoever may give results and calls there, and whether they only help with it.

    Refused as `event_directed_by` refuses; helping ends with the event.
    """
    event = _with_role(visitor, public_id)
    if directs(role_with(event, visitor, event.club)):
        return event, False
    if helps_at(visitor, event):
        return event, True
    if _is_away(visitor, event, directs=False):
        raise Missing("event.unknown")
    raise NotAllowed("people.not_director")


def reads_for_club(visitor: Visitor, event: Event) -> bool:
    """Whether somebody may know what players agree to: who directs or helps with ``event``, and the club's readers, as streamers are."""
    return visitor is not None and (role_in(visitor, event.club) is not None or helps_at(visitor, event))


def event_inside(visitor: Visitor, public_id: str) -> Event:
    """The event for whoever `reads_for_club`, refused as `event_directed_by` refuses; a draft is for those alone who direct or help with it."""
    event = one_or_none(Event.objects.select_related("club").filter(public_id=public_id))
    if event is None:
        raise Missing("event.unknown")
    if event.status == EventStatus.DRAFT and not helps_at(visitor, event):
        raise Missing("event.unknown")
    if not reads_for_club(visitor, event):
        raise NotAllowed("people.not_director")
    return event


def helps_at(visitor: Visitor, event: Event) -> bool:
    """Whether somebody may give results and calls of ``event``: a director, or an assistant until it is over."""
    if may_direct(visitor, event.club):
        return True
    return event.status not in EVENT_OVER and may_assist(visitor, event.club, scope_of(event))


def _is_away(visitor: Visitor, event: Event, *, directs: bool) -> bool:
    """Whether it is not there for this visitor: a draft of others, or shut. Who helps with an event sees it before and while it is hidden."""
    if is_removed(event):
        return True
    if directs:
        return False
    return (event.status == EventStatus.DRAFT or is_shut(event)) and not helps_at(visitor, event)


def visible_match(visitor: Visitor, public_id: str) -> VisibleMatch:
    """The match, or ``Missing`` while its draw is not public."""
    match = one_or_none(
        with_role(
            Match.objects.select_related("round", "stage__division__event__club"),
            visitor,
            "stage__division__event__club",
        )
        .annotate(notice_ends=next_end("stage__division__event"))
        .filter(public_id=public_id, stage__status__in=DRAW_SHOWN)
    )
    if match is None:
        raise Missing("match.unknown")
    event = match.stage.division.event
    direct = directs(role_with(match, visitor, event.club))
    if _is_away(visitor, event, directs=direct):
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
    if player is None or not (player.listed or knows(visitor, player)):
        raise Missing("player.unknown")
    return player


def knows(visitor: Visitor, player: Player) -> bool:
    """Whether it is themselves, or a director of their home club; of any club that knows them where they are at home nowhere. To
    have entered somebody makes nobody their keeper: it would undo that they left the lists.
    """
    if visitor is None or not visitor.is_authenticated:
        return False
    club = "home_club" if player.home_club_id is not None else "clubs"
    directed = Q(**{f"{club}__memberships__user_id": visitor.pk, f"{club}__memberships__role__in": DIRECTING})
    directed &= ~Q(**{f"{club}__shut": Shut.REMOVED})
    return Player.objects.filter(Q(user_id=visitor.pk) | directed, pk=player.pk).exists()
