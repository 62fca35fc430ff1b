"""Devices that may act by a personal link: the first one, and those that it, staff or an account allows.

Opening a link allows no device, as previews and other programs open links, too. Called under the event's
lock, in the transaction of the action for which the device is used.
"""

from collections.abc import Sequence
from typing import Final

from django.utils import timezone

from faults import Conflict, Missing, NotAllowed
from people.rows import one_or_none
from tournaments.engine.trail.phones import PhoneAllowed, PhoneRequested
from tournaments.models import Entry, Event, LinkPhone
from tournaments.selectors.access.phones import RequestOrigin, is_player_of, link_actor, link_device_rows
from tournaments.store.lock import record_action

MAX_DEVICES: Final = (
    40  # that ever asked by links of one entry: a machine that throws its cookie away is a new one each time
)
MAX_PENDING_DEVICES: Final = 5
_PHONE_FIELDS: Final = (
    "id",
    "device",
    "number",
    "link_version",
    "way",
    "since",
)  # of a phone, beside its entry


def authorize_device(event: Event, entry: Entry, phone: RequestOrigin) -> int:
    """Return the number of the device that acts for ``entry``, or 0 if the device cannot be recognised.

    The first device is allowed by this call; so is one on which a player of the entry is signed in. Raises
    ``NotAllowed`` (403) if other devices are allowed and this one is not, ``Missing`` if the link was
    replaced.
    """
    rows = _current_link_phones(entry) if phone.device else link_device_rows(entry)
    allowed_phones = [row for row in rows if row.link_version == entry.link_version and row.way]
    own_phone = next((row for row in allowed_phones if phone.device and row.device == phone.device), None)
    if own_phone is not None:
        return own_phone.number
    if not allowed_phones:
        return _allow_phone(entry, rows, phone.device, LinkPhone.Way.FIRST).number if phone.device else 0
    if phone.device and is_player_of(entry, phone.user_id):
        row = _allow_phone(entry, rows, phone.device, LinkPhone.Way.ACCOUNT)
        action = PhoneAllowed(phone=row.number, way=row.way)
        record_action(event, actor=link_actor(entry), action=action, subject=entry)
        return row.number
    raise NotAllowed("phone.other")


def _current_link_phones(entry: Entry) -> list[LinkPhone]:
    """Return the devices of an entry; one query. Raises ``Missing`` if its link was replaced."""
    entries = Entry.objects.filter(pk=entry.pk).order_by("phones__number")
    rows = list(entries.values_list("link_version", *(f"phones__{name}" for name in _PHONE_FIELDS)))
    if not rows or rows[0][0] != entry.link_version:
        raise Missing("link.revoked")
    return [
        LinkPhone(entry=entry, **dict(zip(_PHONE_FIELDS, values, strict=True)))
        for _link, *values in rows
        if values[0] is not None
    ]


def require_current_link(entry: Entry) -> None:
    """Raise ``Missing`` if the entry's link was replaced after ``entry`` was read."""
    now = one_or_none(Entry.objects.filter(pk=entry.pk).values_list("link_version", flat=True))
    if now != entry.link_version:
        raise Missing("link.revoked")


def allow_device(entry: Entry, device: str, way: LinkPhone.Way) -> LinkPhone:
    """Allow this browser to act by the current link of ``entry``; a browser known before keeps its number.

    ``device``: the random id of the browser; ``way``: why it is allowed.
    """
    return _allow_phone(entry, link_device_rows(entry), device, way)


def _allow_phone(entry: Entry, rows: Sequence[LinkPhone], device: str, way: LinkPhone.Way) -> LinkPhone:
    row = _get_or_build_phone(entry, rows, device)
    row.link_version, row.way, row.since = entry.link_version, way, timezone.now()
    row.save()
    return row


def request_device_access(event: Event, entry: Entry, device: str) -> LinkPhone:
    """Record for staff that this browser requests access.

    Idempotent; an allowed device is returned unchanged.

    Raises ``Conflict`` if too many requests are pending.
    """
    all_phones = link_device_rows(entry)
    rows = [row for row in all_phones if row.link_version == entry.link_version]
    own_phone = next((row for row in rows if row.device == device), None)
    if own_phone is not None:
        return own_phone
    if sum(not row.way for row in rows) >= MAX_PENDING_DEVICES:
        raise Conflict("phone.too_many")
    row = _get_or_build_phone(entry, all_phones, device)
    row.link_version, row.way, row.since = entry.link_version, "", timezone.now()
    row.save()
    record_action(event, actor=link_actor(entry), action=PhoneRequested(phone=row.number), subject=entry)
    return row


def _get_or_build_phone(entry: Entry, rows: Sequence[LinkPhone], device: str) -> LinkPhone:
    phone = next((row for row in rows if row.device == device), None)
    if phone is not None:
        return phone
    last_number = max((row.number for row in rows), default=0)
    if last_number >= MAX_DEVICES:
        raise Conflict("phone.too_many")
    return LinkPhone(entry=entry, device=device, number=last_number + 1)
