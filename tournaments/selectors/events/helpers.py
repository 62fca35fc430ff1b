"""Events for assistants and for viewers of clubs, who do not direct them."""

from collections.abc import Iterable

from people.models import Club, Restriction, Role, User
from people.selectors import assistances_of
from tournaments.engine.statuses import EVENT_OVER, EventStatus
from tournaments.models import Event
from tournaments.models.trail import event_id_from_scope

MAX_EVENTS = 30


def events_by_scopes(scopes: Iterable[str]) -> list[Event]:
    """Return the events with these audit scopes (``event:<id>``) that are not over, sorted by first date.

    Events that an operator removed are left out.
    """
    ids = [event_id_from_scope(scope) for scope in scopes]
    events = Event.objects.filter(pk__in=ids).exclude(status__in=EVENT_OVER) if ids else Event.objects.none()
    events = events.exclude(shut=Restriction.REMOVED).exclude(club__shut=Restriction.REMOVED)
    return list(events.select_related("club").order_by("starts_on", "pk"))


def events_assisted_by(user: User) -> list[Event]:
    """Return the events that ``user`` assists and that are not over; one query if there are none."""
    scopes = [row.scope for row in assistances_of(user)]
    return events_by_scopes(scopes) if scopes else []


def unlisted_events_for(clubs: Iterable[int]) -> list[Event]:
    """Return the unlisted events of these clubs (ids), latest first, for viewers; drafts are left out."""
    events = Event.objects.filter(club__in=list(clubs), visibility=Event.Visibility.UNLISTED, shut="")
    unlisted_events = events.exclude(status=EventStatus.DRAFT).select_related("club")
    return list(unlisted_events.order_by("-starts_on", "-pk")[:MAX_EVENTS])


def other_club_events(event: Event) -> list[Event]:
    """Return the other events of the event's club that are not over, sorted by first date."""
    events = Event.objects.filter(club=event.club_id).exclude(pk=event.pk).exclude(status__in=EVENT_OVER)
    return list(events.order_by("starts_on", "pk")[:MAX_EVENTS])


def viewer_club_ids(roles: Iterable[tuple[Club, str]]) -> list[int]:
    """Return the ids of the clubs in which the role is viewer."""
    return [club.pk for club, role in roles if role == Role.READER]
