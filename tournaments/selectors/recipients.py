"""Recipients of notifications, and the channels by which each is reached."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, time
from typing import Final
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db.models import F, Q, QuerySet

from people.models import User
from people.webpush import Browser, site_key
from people.zones import zone_by_name
from tournaments.engine.alerts import (
    QUIET_HOURS_END,
    QUIET_HOURS_START,
    Alert,
    AnnouncementMade,
    Channel,
    DrawPublished,
    Recipients,
    ResultToConfirm,
    RoundPublished,
    quiet_hours_end,
)
from tournaments.engine.statuses import PLAYERS_BUSY
from tournaments.models import (
    Entry,
    EntryPlayer,
    Event,
    MatchSlot,
    Notification,
    NotificationChoice,
    SubscribedFor,
    Subscription,
)
from tournaments.selectors.access.links import last_link_day
from tournaments.selectors.entries import CONFIRMED_STATUSES
from tournaments.selectors.event_dates import event_today

ChannelsByKind = Mapping[str, frozenset[Channel]]


@dataclass(frozen=True, slots=True)
class DeliveryTarget:
    """One way to reach an entry: a device with push notifications, or the e-mail address of an account.

    ``channel``: the channel; ``quiet_hours``: start and end of the quiet hours, in ``zone``.
    """

    entry_id: int
    channel: Channel
    language: str
    zone: ZoneInfo
    quiet_hours: tuple[time, time]
    subscription: Subscription | None = None
    user: User | None = None
    address: str = ""

    @property
    def key(self) -> tuple[int, str, int | None]:
        """The key of the target among all targets: entry id, channel, and id of subscription or account."""
        return (
            self.entry_id,
            self.channel,
            self.subscription.pk if self.subscription is not None else _user_pk(self.user),
        )

    @property
    def browser(self) -> Browser | None:
        subscription = self.subscription
        return (
            None
            if subscription is None
            else Browser(subscription.endpoint, subscription.p256dh, subscription.auth)
        )


def _user_pk(user: User | None) -> int | None:
    return None if user is None else user.pk


@dataclass(frozen=True, slots=True)
class NotificationPreferences:
    """The chosen channels for each kind of notification, and the quiet hours (start and end)."""

    channels_by_kind: ChannelsByKind
    quiet_hours: tuple[time, time] = (QUIET_HOURS_START, QUIET_HOURS_END)

    def wants(self, kind: type[Alert], channel: Channel) -> bool:
        """Return whether notifications of ``kind`` are sent by ``channel``, by choice or by default."""
        return channel in self.channels_by_kind.get(kind.kind, kind.default_channels)


DEFAULT_PREFERENCES: Final = NotificationPreferences({})


def preferences_from_row(row: NotificationChoice | None) -> NotificationPreferences:
    """Return the preferences stored in a row; the defaults for None."""
    if row is None:
        return DEFAULT_PREFERENCES
    channels_by_kind = {
        kind: frozenset(channel for channel in Channel if channel in chosen)
        for kind, chosen in row.ways.items()
        if isinstance(chosen, list)
    }
    return NotificationPreferences(channels_by_kind, (row.quiet_from, row.quiet_until))


def entries_to_notify(notification: Notification, alert: Alert) -> list[int]:
    """Return the ids of the entries to which the notification goes and that take part or wait."""
    entries = Entry.objects.filter(division__event=notification.event_id, status__in=CONFIRMED_STATUSES)
    match alert.recipients:
        case Recipients.ENTRIES:
            entries = entries.filter(pk__in=notification.entries)
        case Recipients.DIVISION:
            division = alert.division if isinstance(alert, AnnouncementMade) else None
            entries = entries if division is None else entries.filter(division=division)
        case Recipients.STAGE | Recipients.SIDES | Recipients.OTHER:
            entries = entries.filter(pk__in=_slots_to_notify(notification, alert).values("entry"))
    return list(entries.order_by("pk").values_list("pk", flat=True))


def _slots_to_notify(notification: Notification, alert: Alert) -> QuerySet[MatchSlot]:
    slots = MatchSlot.objects.exclude(entry=None).order_by()
    match alert:
        case RoundPublished():
            return slots.filter(match__stage=alert.stage, match__round__number=alert.round)
        case DrawPublished():
            return slots.filter(match__stage=alert.stage)
        case ResultToConfirm():
            return slots.filter(match=alert.match).exclude(side=alert.side)
        case _:
            return slots.filter(match=notification.match_id)


def delivery_targets(event: Event, entries: Collection[int], kind: type[Alert]) -> list[DeliveryTarget]:
    """Return how to reach ``entries`` with a notification of ``kind``; at most six queries.

    Devices whose personal link is revoked or expired are left out.
    """
    zone = zone_by_name(event.timezone)
    choices = {
        row.entry_id: preferences_from_row(row)
        for row in NotificationChoice.objects.filter(entry__in=entries)
    }
    target_by_key: dict[tuple[int, str, int | None], DeliveryTarget] = {}
    if event_today(event) <= last_link_day(event):
        rows = SubscribedFor.objects.filter(entry__in=entries, link_version=F("entry__link_version"))
        for row in _current_site_phones(rows):
            assert row.entry_id is not None
            choice = choices.get(row.entry_id, DEFAULT_PREFERENCES)
            if choice.wants(kind, Channel.PUSH):
                language = row.subscription.language
                _add_target(
                    target_by_key,
                    DeliveryTarget(
                        row.entry_id, Channel.PUSH, language, zone, choice.quiet_hours, row.subscription
                    ),
                )
    for target in _account_targets(event, entries, kind):
        _add_target(target_by_key, target)
    return list(target_by_key.values())


def _add_target(
    target_by_key: dict[tuple[int, str, int | None], DeliveryTarget], target: DeliveryTarget
) -> None:
    target_by_key.setdefault(target.key, target)


def _current_site_phones(rows: QuerySet[SubscribedFor]) -> Iterable[SubscribedFor]:
    """Yield the subscriptions made with the current site key; the push service rejects all others."""
    current_key = site_key()
    return (
        row
        for row in rows.select_related("subscription").order_by("pk")
        if row.subscription.site_key == current_key
    )


def _account_targets(event: Event, entries: Collection[int], kind: type[Alert]) -> Iterable[DeliveryTarget]:
    """Yield devices and e-mail addresses of the accounts of the entries' players.

    For a minor, those of the guardian's account.
    """
    player_rows = EntryPlayer.objects.filter(entry__in=entries).order_by("entry_id", "position")
    entries_by_user: dict[int, list[int]] = {}
    for entry, minor, user, guardian in player_rows.values_list(
        "entry_id", "player__minor", "player__user_id", "player__guardian_id"
    ):
        user_id = guardian if minor else user
        if user_id is not None:
            entries_by_user.setdefault(user_id, []).append(entry)
    if not entries_by_user:
        return
    users = User.objects.filter(pk__in=entries_by_user, is_active=True).in_bulk()
    choices = preferences_by_user(users, event)
    phones: dict[int, list[Subscription]] = {}
    for row in _current_site_phones(SubscribedFor.objects.filter(user__in=users)):
        assert row.user_id is not None
        phones.setdefault(row.user_id, []).append(row.subscription)
    addresses: dict[int, str] = {}
    if settings.MAIL_WORKS and any(choice.wants(kind, Channel.MAIL) for choice in choices.values()):
        verified_addresses = EmailAddress.objects.filter(user__in=users, verified=True).order_by(
            "-primary", "pk"
        )
        for user_id, address in verified_addresses.values_list("user_id", "email"):
            addresses.setdefault(user_id, address)
    for pk, account in users.items():
        choice, zone = choices[pk], zone_by_name(account.timezone or event.timezone)
        for entry in entries_by_user[pk]:
            if choice.wants(kind, Channel.PUSH):
                for phone in phones.get(pk, []):
                    language = account.language or phone.language
                    yield DeliveryTarget(
                        entry, Channel.PUSH, language, zone, choice.quiet_hours, phone, account
                    )
            if pk in addresses and choice.wants(kind, Channel.MAIL):
                language, address = account.language, addresses[pk]
                yield DeliveryTarget(
                    entry, Channel.MAIL, language, zone, choice.quiet_hours, None, account, address
                )


def preferences_by_user(users: Collection[int], event: Event) -> dict[int, NotificationPreferences]:
    """Return the accounts' preferences for ``event``, else their general ones, keyed by account id.

    One query.
    """
    rows = NotificationChoice.objects.filter(Q(event=None) | Q(event=event), user__in=users)
    row_by_key = {(row.user_id, row.event_id): row for row in rows}
    return {
        pk: preferences_from_row(row_by_key.get((pk, event.pk)) or row_by_key.get((pk, None))) for pk in users
    }


def quiet_hours_end_for(target: DeliveryTarget, now: datetime) -> datetime | None:
    """Return when the target's current quiet hours end; None if ``now`` is not in them."""
    return quiet_hours_end(now.astimezone(target.zone), *target.quiet_hours)


def is_playing_now(entry: int, excluded_match: int | None) -> bool:
    """Return whether a player of ``entry`` is called or playing in any event.

    ``excluded_match``: id of a match that does not count.
    """
    people = EntryPlayer.objects.filter(entry=entry).values("player")
    slots = MatchSlot.objects.filter(match__status__in=PLAYERS_BUSY, entry__entry_players__player__in=people)
    return slots.exclude(match=excluded_match).exists()
