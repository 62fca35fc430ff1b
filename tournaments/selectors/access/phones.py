"""The devices that have opened personal links: which are allowed, which are pending, and their numbers.

A “phone” is any browser that has opened an entry's personal link; pages call it by its number (“phone 2”).
"""

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
class RequestOrigin:
    """The device and the account that a request comes from.

    ``device``: the browser's random id, empty for one of our own programs; ``user_id``: the account that is
    signed in in that browser.
    """

    device: str = ""
    user_id: int | None = None


NO_ORIGIN: Final = RequestOrigin()


class LinkAccess(StrEnum):
    """The access of one browser to a personal link.

    ``FREE``: no browser has been allowed yet; ``OTHER``: other browsers have been allowed, and this browser
    has not requested access.
    """

    FREE = "free"
    ALLOWED = "yes"
    PENDING = "asks"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class LinkDevice:
    """A device of a personal link, for display. ``allowed_by``: how it was allowed, empty while it is pending."""

    number: int
    allowed_by: str
    since: datetime

    @property
    def is_pending(self) -> bool:
        return not self.allowed_by


@dataclass(frozen=True, slots=True)
class LinkDevices:
    """The access of one browser to a personal link, and all devices of that link.

    ``access``: the browser's access; ``number``: the browser's own number among the devices, 0 if it has
    none.
    """

    access: LinkAccess
    number: int
    devices: tuple[LinkDevice, ...]


@dataclass(frozen=True, slots=True)
class PendingDevice:
    """A device that has requested access to an entry's personal link.

    ``entry`` and ``name``: the entry's public id and name; ``number``: the device's number; ``since``: when
    it requested access.
    """

    entry: str
    name: str
    number: int
    since: datetime


def link_device_rows(entry: Entry) -> list[LinkPhone]:
    """Return the rows of all devices that ever used or requested links of ``entry``, sorted by number.

    Devices of the current link have the entry's ``link_version``; the others belong to revoked links.
    """
    return list(LinkPhone.objects.filter(entry=entry).order_by("number"))


def link_devices(entry: Entry, device: str) -> LinkDevices:
    """Return the access of browser ``device`` to the current link of ``entry``, and all devices of the link.

    One query.
    """
    rows = [row for row in link_device_rows(entry) if row.link_version == entry.link_version]
    own_phone = next((row for row in rows if device and row.device == device), None)
    if own_phone is not None:
        access = LinkAccess.ALLOWED if own_phone.way else LinkAccess.PENDING
    else:
        access = LinkAccess.OTHER if any(row.way for row in rows) else LinkAccess.FREE
    listed_phones = tuple(LinkDevice(row.number, row.way, row.since) for row in rows)
    return LinkDevices(access, own_phone.number if own_phone is not None else 0, listed_phones)


def current_devices(entry: Entry) -> tuple[LinkDevice, ...]:
    """Return the devices of the current personal link of ``entry``, pending devices included."""
    return link_devices(entry, "").devices


def pending_device_rows() -> QuerySet[LinkPhone]:
    """Return the rows of all devices, in all events, that wait for staff to allow their access."""
    return LinkPhone.objects.filter(
        way="", link_version=F("entry__link_version"), entry__status__in=ENTRY_LISTED
    )


def pending_devices(event: Event, entries: Collection[int] | None = None) -> list[PendingDevice]:
    """Return the devices in ``event`` that wait for permission, longest waiting first.

    ``entries``: entry ids, only devices of these entries; None: of all. At most ``MAX_PENDING_LISTED``
    devices.
    """
    rows = pending_device_rows().filter(entry__division__event=event)
    if entries is not None:
        rows = rows.filter(entry__in=entries)
    rows = rows.select_related("entry").order_by("since", "pk")
    return [
        PendingDevice(row.entry.public_id, row.entry.name, row.number, row.since)
        for row in rows[:MAX_PENDING_LISTED]
    ]


def device_numbers_by_report(reports: Collection[Report]) -> dict[int, int]:
    """Return the number of the device that sent each report, as a dictionary keyed by report id.

    Reports whose device is not known are left out. One query, no query if no report names a device.
    """
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
    """Return the holder of the personal link of ``entry`` as an actor, named for the audit log."""
    return Actor.with_label(f"{LINK_LABEL_PREFIX}{entry.name}")
