"""Who is notified by which way: the entries that an alert is for, and how each of them is reached as they have chosen."""

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
from people.zones import zone_called
from tournaments.engine.alerts import (
    QUIET_FROM,
    QUIET_UNTIL,
    Alert,
    Announced,
    DrawShown,
    RoundShown,
    ToConfirm,
    Way,
    Whom,
    quiet_end,
)
from tournaments.engine.statuses import IN_PLAY
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
from tournaments.selectors.access.links import last_day, today_of
from tournaments.selectors.entries import SPEAKING

Chosen = Mapping[str, frozenset[Way]]


@dataclass(frozen=True, slots=True)
class Target:
    """One way to one entry: a phone, or an account's mail. ``quiet``: when it begins and ends, in ``zone``."""

    entry_id: int
    way: Way
    language: str
    zone: ZoneInfo
    quiet: tuple[time, time]
    subscription: Subscription | None = None
    user: User | None = None
    address: str = ""

    @property
    def key(self) -> tuple[int, str, int | None]:
        """What it is known by among the ways to all entries."""
        return (
            self.entry_id,
            self.way,
            self.subscription.pk if self.subscription is not None else _pk(self.user),
        )

    @property
    def browser(self) -> Browser | None:
        found = self.subscription
        return None if found is None else Browser(found.endpoint, found.p256dh, found.auth)


def _pk(user: User | None) -> int | None:
    return None if user is None else user.pk


@dataclass(frozen=True, slots=True)
class Choice:
    """What somebody has chosen: by kind the ways, where they chose any; when nothing is to sound."""

    ways: Chosen
    quiet: tuple[time, time] = (QUIET_FROM, QUIET_UNTIL)

    def wants(self, kind: type[Alert], way: Way) -> bool:
        """Whether ``kind`` comes by ``way``; as usual where nothing was chosen."""
        return way in self.ways.get(kind.kind, kind.usual)


USUAL: Final = Choice({})


def choice_in(row: NotificationChoice | None) -> Choice:
    """What a row says; the usual where there is none."""
    if row is None:
        return USUAL
    ways = {
        kind: frozenset(way for way in Way if way in chosen)
        for kind, chosen in row.ways.items()
        if isinstance(chosen, list)
    }
    return Choice(ways, (row.quiet_from, row.quiet_until))


def entries_for(notification: Notification, alert: Alert) -> list[int]:
    """The entries, by database id, whose matter it is and who can be spoken to."""
    entries = Entry.objects.filter(division__event=notification.event_id, status__in=SPEAKING)
    match alert.whom:
        case Whom.ENTRIES:
            entries = entries.filter(pk__in=notification.entries)
        case Whom.DIVISION:
            division = alert.division if isinstance(alert, Announced) else None
            entries = entries if division is None else entries.filter(division=division)
        case Whom.STAGE | Whom.SIDES | Whom.OTHER:
            entries = entries.filter(pk__in=_slots_of(notification, alert).values("entry"))
    return list(entries.order_by("pk").values_list("pk", flat=True))


def _slots_of(notification: Notification, alert: Alert) -> QuerySet[MatchSlot]:
    slots = MatchSlot.objects.exclude(entry=None).order_by()
    match alert:
        case RoundShown():
            return slots.filter(match__stage=alert.stage, match__round__number=alert.round)
        case DrawShown():
            return slots.filter(match__stage=alert.stage)
        case ToConfirm():
            return slots.filter(match=alert.match).exclude(side=alert.side)
        case _:
            return slots.filter(match=notification.match_id)


def targets_of(event: Event, entries: Collection[int], kind: type[Alert]) -> list[Target]:
    """How each of ``entries`` is told of ``kind`` now; six queries at most. Nobody by a link that is revoked or over."""
    zone = zone_called(event.timezone)
    choices = {row.entry_id: choice_in(row) for row in NotificationChoice.objects.filter(entry__in=entries)}
    found: dict[tuple[int, str, int | None], Target] = {}
    if today_of(event) <= last_day(event):
        rows = SubscribedFor.objects.filter(entry__in=entries, link_version=F("entry__link_version"))
        for row in _of_this_site(rows):
            assert row.entry_id is not None
            choice = choices.get(row.entry_id, USUAL)
            if choice.wants(kind, Way.PUSH):
                language = row.subscription.language
                _add(found, Target(row.entry_id, Way.PUSH, language, zone, choice.quiet, row.subscription))
    for one in _of_accounts(event, entries, kind):
        _add(found, one)
    return list(found.values())


def _add(found: dict[tuple[int, str, int | None], Target], target: Target) -> None:
    found.setdefault(target.key, target)


def _of_this_site(rows: QuerySet[SubscribedFor]) -> Iterable[SubscribedFor]:
    """Phones that the push service takes a message for: a site with another key than they were made with is refused."""
    made_with = site_key()
    return (
        row
        for row in rows.select_related("subscription").order_by("pk")
        if row.subscription.site_key == made_with
    )


def _of_accounts(event: Event, entries: Collection[int], kind: type[Alert]) -> Iterable[Target]:
    """Phones and mail of the accounts of their players, and of the guardians of minors."""
    people = EntryPlayer.objects.filter(entry__in=entries).order_by("entry_id", "position")
    owners: dict[int, list[int]] = {}
    for entry, minor, user, guardian in people.values_list(
        "entry_id", "player__minor", "player__user_id", "player__guardian_id"
    ):
        owner = guardian if minor else user
        if owner is not None:
            owners.setdefault(owner, []).append(entry)
    if not owners:
        return
    users = User.objects.filter(pk__in=owners, is_active=True).in_bulk()
    choices = choices_of(users, event)
    phones: dict[int, list[Subscription]] = {}
    for row in _of_this_site(SubscribedFor.objects.filter(user__in=users)):
        assert row.user_id is not None
        phones.setdefault(row.user_id, []).append(row.subscription)
    addresses: dict[int, str] = {}
    if settings.MAIL_WORKS and any(choice.wants(kind, Way.MAIL) for choice in choices.values()):
        verified = EmailAddress.objects.filter(user__in=users, verified=True).order_by("-primary", "pk")
        for owner, address in verified.values_list("user_id", "email"):
            addresses.setdefault(owner, address)
    for pk, account in users.items():
        choice, zone = choices[pk], zone_called(account.timezone or event.timezone)
        for entry in owners[pk]:
            if choice.wants(kind, Way.PUSH):
                for phone in phones.get(pk, []):
                    language = account.language or phone.language
                    yield Target(entry, Way.PUSH, language, zone, choice.quiet, phone, account)
            if pk in addresses and choice.wants(kind, Way.MAIL):
                language, address = account.language, addresses[pk]
                yield Target(entry, Way.MAIL, language, zone, choice.quiet, None, account, address)


def choices_of(users: Collection[int], event: Event) -> dict[int, Choice]:
    """What these accounts have chosen for ``event``, else in general; one query."""
    rows = NotificationChoice.objects.filter(Q(event=None) | Q(event=event), user__in=users)
    found = {(row.user_id, row.event_id): row for row in rows}
    return {pk: choice_in(found.get((pk, event.pk)) or found.get((pk, None))) for pk in users}


def quiet_until(target: Target, now: datetime) -> datetime | None:
    """When the quiet hours end in which ``now`` lies for them; None outside of any."""
    return quiet_end(now.astimezone(target.zone), *target.quiet)


def plays_now(entry: int, but: int | None) -> bool:
    """Whether somebody of ``entry`` sits at a match, here or in another event; ``but``: not at this one."""
    people = EntryPlayer.objects.filter(entry=entry).values("player")
    slots = MatchSlot.objects.filter(match__status__in=IN_PLAY, entry__entry_players__player__in=people)
    return slots.exclude(match=but).exists()
