"""Events for assistants and for viewers of clubs."""

from collections.abc import Iterable

from people.models import Club, Restriction, Role, User
from people.selectors import assistances_of
from tournaments.engine.statuses import EVENT_OVER, EventStatus
from tournaments.models import Event
from tournaments.models.trail import event_id_from_scope

MAX_EVENTS = 30


def events_by_scopes(scopes: Iterable[str]) -> list[Event]:
    """The events of these audit scopes that are not over, by first day."""
    ids = [event_id_from_scope(scope) for scope in scopes]
    events = Event.objects.filter(pk__in=ids).exclude(status__in=EVENT_OVER) if ids else Event.objects.none()
    events = events.exclude(shut=Restriction.REMOVED).exclude(club__shut=Restriction.REMOVED)
    return list(events.select_related("club").order_by("starts_on", "pk"))


def events_assisted_by(user: User) -> list[Event]:
    """The events that ``user`` assists and that are not over; one query if there are none."""
    scopes = [row.scope for row in assistances_of(user)]
    return events_by_scopes(scopes) if scopes else []


def unlisted_events_for(clubs: Iterable[int]) -> list[Event]:
    """Unlisted events of these clubs without drafts, latest first, for viewers."""
    events = Event.objects.filter(club__in=list(clubs), visibility=Event.Visibility.UNLISTED, shut="")
    unlisted_events = events.exclude(status=EventStatus.DRAFT).select_related("club")
    return list(unlisted_events.order_by("-starts_on", "-pk")[:MAX_EVENTS])


def other_club_events(event: Event) -> list[Event]:
    """Other events of the club that are not over."""
    events = Event.objects.filter(club=event.club_id).exclude(pk=event.pk).exclude(status__in=EVENT_OVER)
    return list(events.order_by("starts_on", "pk")[:MAX_EVENTS])


def reader_club_ids(roles: Iterable[tuple[Club, str]]) -> list[int]:
    """Ids of the clubs in which the role is viewer only."""
    return [club.pk for club, role in roles if role == Role.READER]
