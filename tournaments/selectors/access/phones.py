"""The phones of personal links: which are allowed, which are pending, and their numbers (“phone 2”)."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from django.db.models import F, QuerySet

from people.actors import Actor
from tournaments.engine.statuses import ENTRY_LISTED
from tournaments.models import Entry, EntryPlayer, Event, LinkPhone, Report

MAX_PENDING_LISTED: Final = 50
LINK_LABEL_PREFIX: Final = "link: "  # how the trail's name of somebody begins who holds a link


@dataclass(frozen=True, slots=True)
class Phone:
    """Where a request comes from.

    ``device``: the browser's random id, empty for a program of ours; ``user_id``: the account that is signed
    in there.
    """

    device: str = ""
    user_id: int | None = None


NO_PHONE: Final = Phone()


class LinkAccess(StrEnum):
    """The access of a browser to a link.

    ``FREE``: no browser has used it yet; ``OTHER``: others have, and this one has not requested access.
    """

    FREE = "free"
    ALLOWED = "yes"
    PENDING = "asks"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class PhoneRow:
    """A phone for display. ``way``: how it was allowed, empty while it is pending."""

    number: int
    way: str
    since: datetime

    @property
    def asks(self) -> bool:
        return not self.way


@dataclass(frozen=True, slots=True)
class LinkPhones:
    """One browser and the phones of a link. ``number``: its own, 0 if it has none."""

    speaks: LinkAccess
    number: int
    phones: tuple[PhoneRow, ...]


@dataclass(frozen=True, slots=True)
class PendingPhone:
    """A phone that requests access for an entry."""

    entry: str
    name: str
    number: int
    since: datetime


def phone_rows(entry: Entry) -> list[LinkPhone]:
    """Return all phones that ever used or requested links of ``entry``, by number.

    Those of the current link have its version.
    """
    return list(LinkPhone.objects.filter(entry=entry).order_by("number"))


def link_phones(entry: Entry, device: str) -> LinkPhones:
    """Return the access of this browser to the current link of ``entry``, and its phones; one query."""
    rows = [row for row in phone_rows(entry) if row.link_version == entry.link_version]
    own_phone = next((row for row in rows if device and row.device == device), None)
    if own_phone is not None:
        access = LinkAccess.ALLOWED if own_phone.way else LinkAccess.PENDING
    else:
        access = LinkAccess.OTHER if any(row.way for row in rows) else LinkAccess.FREE
    listed_phones = tuple(PhoneRow(row.number, row.way, row.since) for row in rows)
    return LinkPhones(access, own_phone.number if own_phone is not None else 0, listed_phones)


def current_phones(entry: Entry) -> tuple[PhoneRow, ...]:
    """The phones of the current link of ``entry``, pending ones included."""
    return link_phones(entry, "").phones


def pending_phone_rows() -> QuerySet[LinkPhone]:
    """Rows of phones that wait for staff."""
    return LinkPhone.objects.filter(
        way="", link_version=F("entry__link_version"), entry__status__in=ENTRY_LISTED
    )


def pending_phones(event: Event, entries: Collection[int] | None = None) -> list[PendingPhone]:
    """Pending phones in ``event``, of these entries or of all, longest waiting first."""
    rows = pending_phone_rows().filter(entry__division__event=event)
    if entries is not None:
        rows = rows.filter(entry__in=entries)
    rows = rows.select_related("entry").order_by("since", "pk")
    return [
        PendingPhone(row.entry.public_id, row.entry.name, row.number, row.since)
        for row in rows[:MAX_PENDING_LISTED]
    ]


def device_numbers_by_report(reports: Collection[Report]) -> dict[int, int]:
    """The number of the phone that sent each report, by report id; one query, none if no phone is known."""
    entries = {report.entry_id for report in reports if report.device}
    if not entries:
        return {}
    rows = LinkPhone.objects.filter(entry__in=entries).values_list("entry_id", "device", "number")
    number_by_device: dict[tuple[int | None, str], int] = {
        (entry, device): number for entry, device, number in rows
    }
    return {
        report.pk: number_by_device[report.entry_id, report.device]
        for report in reports
        if (report.entry_id, report.device) in number_by_device
    }


def is_player_of(entry: Entry, user_id: int | None) -> bool:
    """Return whether the account of this id is a player of ``entry``."""
    return user_id is not None and EntryPlayer.objects.filter(entry=entry, player__user_id=user_id).exists()


def link_actor(entry: Entry) -> Actor:
    """The holder of the link of ``entry``, as the audit log names them."""
    return Actor.named(f"{LINK_LABEL_PREFIX}{entry.name}")
