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
    """An event that a visitor may see. ``can_direct``: True if the visitor may direct the event.

    ``seasons_version``: a version string of the previous and next league seasons, empty if there are none.
    ``notice_ends``: when the next notice ends without anyone's action (other changes of notices raise the
    event's version). ``entries_end``: when registration for one of its divisions closes next.
    """

    event: Event
    can_direct: bool
    seasons_version: str = ""
    notice_ends: datetime | None = None
    entries_end: datetime | None = None

    @property
    def is_staff_only(self) -> bool:
        """Whether only staff can open the event's pages; otherwise the pages look the same to everyone."""
        return self.event.status == EventStatus.DRAFT or is_restricted(self.event)

    @property
    def role(self) -> str:
        return "director" if self.is_staff_only else ""


@dataclass(frozen=True, slots=True)
class VisibleMatch:
    """A match of a published draw that a visitor may see, and its event.

    ``can_direct``: True if the visitor may direct the event; ``notice_ends``: when the event's next notice
    ends.
    """

    match: Match
    event: Event
    can_direct: bool
    notice_ends: datetime | None = None

    @property
    def is_staff_only(self) -> bool:
        """Whether only staff can open the match's pages, because the event is a draft or restricted."""
        return self.event.status == EventStatus.DRAFT or is_restricted(self.event)

    @property
    def role(self) -> str:
        return "director" if self.is_staff_only else ""


def listed_events() -> QuerySet[Event]:
    """Return the events that public lists may show: public, not a draft, not restricted by an operator.

    An event of a restricted club is not listed either.
    """
    public_events = Event.objects.filter(visibility=Event.Visibility.PUBLIC, shut="", club__shut="")
    return public_events.exclude(status=EventStatus.DRAFT)


def is_listed(event: Event) -> bool:
    """Return whether public lists may show ``event`` (``listed_events``) and anyone may open its pages."""
    is_public = event.visibility == Event.Visibility.PUBLIC and event.status != EventStatus.DRAFT
    return is_public and not is_restricted(event)


def site_events() -> QuerySet[Event]:
    """Return the listed events that lists of all clubs show.

    Events of a new club appear there only from ``Club.events_listed_from`` on.
    """
    is_club_listed = Q(club__events_listed_from=None) | Q(club__events_listed_from__lte=timezone.now())
    return listed_events().filter(is_club_listed)


def is_restricted(event: Event) -> bool:
    """Return whether an operator restricted ``event`` or its club."""
    return bool(event.shut or event.club.shut)


def is_removed(event: Event) -> bool:
    """Return whether an operator removed the event or its club, so that only operators can see it."""
    return Restriction.REMOVED in {event.shut, event.club.shut}


def front_page_events(
    club: Club | None = None, limit: int = FRONT_PAGE_EVENTS
) -> tuple[QuerySet[Event], ...]:
    """Return the running, the upcoming and the finished events of a front page, as three querysets.

    The events of ``club``, or of all clubs: at most ``limit`` running events and half as many of each other
    kind.
    """
    events = site_events() if club is None else listed_events().filter(club=club)
    return (
        events.filter(status=EventStatus.RUNNING).order_by("-starts_on", "-pk")[:limit],
        events.filter(status=EventStatus.OPEN).order_by("starts_on", "pk")[: limit // 2],
        events.filter(status__in=EVENT_OVER).order_by("-ends_on", "-pk")[: limit // 2],
    )


def events_on_player_page(player: Player) -> QuerySet[Event]:
    """Return the listed events on the public page of ``player``, of the clubs accepted for that page.

    The player, or their home club, decides which clubs are accepted.
    """
    return listed_events().filter(club__in=clubs_on_page(player))


def visible_event(visitor: Visitor, public_id: str) -> VisibleEvent:
    """Return the event, annotated with what the version of its page depends on; one query.

    Raises ``Missing`` if the event does not exist, or if it is a draft or restricted and the visitor is not
    staff.
    """
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
    """Subquery: the next time at which registration for a division of the outer query's event closes."""
    open_divisions = Division.objects.filter(event=OuterRef("pk"), entries_until__gt=timezone.now())
    return open_divisions.order_by("entries_until").values("entries_until")[:1]


def get_event_for_director(visitor: Visitor, public_id: str) -> Event:
    """Return the event if the visitor may direct it.

    Raises ``Missing`` if the visitor may not see the event, and ``NotAllowed`` if they may see but not direct
    it.
    """
    event = _event_with_role(visitor, public_id)
    if not is_director_role(annotated_role(event, visitor, event.club)):
        if _is_hidden_from(visitor, event, directs=False):
            raise Missing("event.unknown")
        raise NotAllowed("people.not_director")
    return event


def _event_with_role(visitor: Visitor, public_id: str) -> Event:
    """Return the event, annotated with the visitor's role in its club; one query.

    Raises ``Missing`` if the event does not exist or was removed by an operator.
    """
    events = annotate_role(Event.objects.select_related("club"), visitor, "club")
    event = one_or_none(events.filter(public_id=public_id))
    if event is None or is_removed(event):
        raise Missing("event.unknown")
    return event


def get_event_for_staff(visitor: Visitor, public_id: str) -> tuple[Event, bool]:
    """Return the event for its staff, and whether the visitor is only an assistant.

    Assistants have access until the event is over. Raises ``Missing`` if the visitor may not see the event,
    and ``NotAllowed`` if they may see it but are not its staff.
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
    """Return whether the visitor may see the consents of players.

    True for the event's staff and for all members of its club with a role, such as viewers who stream
    matches.
    """
    return visitor is not None and (
        role_in(visitor, event.club) is not None or is_event_staff(visitor, event)
    )


def get_event_for_reader(visitor: Visitor, public_id: str) -> Event:
    """Return the event for a visitor who may read its players' consents (``can_read_consents``).

    Raises ``Missing`` if it does not exist or is a draft and the visitor is not staff, and ``NotAllowed`` if
    the visitor may not read consents.
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
    """Return whether the visitor may enter calls and results of the event.

    Directors may at any time, assistants until the event is over.
    """
    if may_direct(visitor, event.club):
        return True
    return event.status not in EVENT_OVER and may_assist(visitor, event.club, audit_scope(event))


def _is_hidden_from(visitor: Visitor, event: Event, *, directs: bool) -> bool:
    """Return whether the visitor may not see the event, because it is a draft, restricted or removed.

    ``directs``: the visitor is a director. Staff see drafts and hidden events, but no removed events.
    """
    if is_removed(event):
        return True
    if directs:
        return False
    return (event.status == EventStatus.DRAFT or is_restricted(event)) and not is_event_staff(visitor, event)


def visible_match(visitor: Visitor, public_id: str) -> VisibleMatch:
    """Return the match; raise ``Missing`` unless its draw is published and the visitor may see its event."""
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
    """Return the player, or for a merged duplicate the player that it was merged into.

    Raises ``Missing`` for an unlisted player, unless the visitor may see the player (``can_view_unlisted``).
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
    """Return whether the visitor may see an unlisted player: the player, or a director of the home club.

    Without a home club, directors of every club that knows the player may. Having entered the player in an
    event gives no access, because that would undo the player's choice to leave the lists.
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
