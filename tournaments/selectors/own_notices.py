"""Notification settings of a person, for their own page."""

from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.db.models import Q, QuerySet

from people.models import User
from people.rows import one_or_none
from tournaments.engine.statuses import EVENT_CHANGEABLE, EventStatus
from tournaments.models import Entry, Event, NotificationChoice
from tournaments.selectors.entries import CONFIRMED_STATUSES
from tournaments.selectors.recipients import NotificationPreferences, preferences_from_row


@dataclass(frozen=True, slots=True)
class ConfigurableEvent:
    """A current event of the person. ``own``: the person has made settings for this event."""

    public_id: str
    name: str
    own: bool


def entry_notification_choice(entry: Entry) -> NotificationPreferences:
    """Return the notification settings for the personal link of ``entry``, or the defaults."""
    return preferences_from_row(NotificationChoice.objects.filter(entry=entry).first())


def user_notification_choice(user: User, event: Event | None) -> NotificationPreferences:
    """Return the account's notification settings for ``event``, else its general settings or the defaults."""
    rows = NotificationChoice.objects.filter(Q(event=None) | Q(event=event), user=user)
    row_by_event = {row.event_id: row for row in rows}
    event_choice = row_by_event.get(event.pk) if event is not None else None
    return preferences_from_row(event_choice or row_by_event.get(None))


def configurable_events(user: User) -> list[ConfigurableEvent]:
    """Return the current events for which the account can make notification settings.

    These are the events in which its player, or a player whom it looks after, takes part or waits.
    """
    rows = _own_events(user).order_by("starts_on", "pk").values_list("pk", "public_id", "name").distinct()
    configured_ids = set(
        NotificationChoice.objects.filter(user=user).exclude(event=None).values_list("event_id", flat=True)
    )
    return [ConfigurableEvent(public_id, name, pk in configured_ids) for pk, public_id, name in rows]


def configurable_event(user: User, public_id: str) -> Event | None:
    """Return the event with this public id if the account can make settings for it, or None."""
    return one_or_none(_own_events(user).filter(public_id=public_id).distinct())


def _own_events(user: User) -> QuerySet[Event]:
    played_by_user = Q(divisions__entries__entry_players__player__user=user) | Q(
        divisions__entries__entry_players__player__guardian=user
    )
    current_events = Event.objects.filter(
        played_by_user, status__in=EVENT_CHANGEABLE, divisions__entries__status__in=CONFIRMED_STATUSES
    )
    return current_events.exclude(status=EventStatus.DRAFT)


def has_verified_address(user: User) -> bool:
    """Return whether the account has a verified e-mail address."""
    is_verified: bool = EmailAddress.objects.filter(user=user, verified=True).exists()
    return is_verified
