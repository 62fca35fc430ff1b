"""Access of devices to a personal link: create a code, enter the code on another device, or ask the staff."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from faults import Conflict, Invalid, NotAllowed
from people.transactions import durable
from tournaments.engine.trail.phones import CodesTried, PhoneAllowed
from tournaments.models import Entry, LinkPhone, PhoneCode
from tournaments.selectors.access.phones import LinkDevice, RequestOrigin, link_actor, link_device_rows
from tournaments.store.lock import lock_unless_removed, record_action
from tournaments.store.phones import (
    allow_device,
    authorize_device,
    request_device_access,
    require_current_link,
)

CODE_LIFETIME: Final = timedelta(minutes=10)
CODE_DIGITS: Final = 6
MAX_TRIES: Final = 5
_SALT: Final = "crawford.phone-code"


@dataclass(frozen=True, slots=True)
class NewPhoneCode:
    """A new access code and when it expires. The database stores only a keyed digest of the code."""

    code: str
    until: datetime


@durable
def create_access_code(*, entry: Entry, phone: RequestOrigin) -> NewPhoneCode:
    """Create a code that gives one other device access to this personal link, valid for ten minutes.

    The code replaces the earlier one. Raises ``NotAllowed`` for a device without access, and ``Conflict``
    (409, ``phone.nobody_yet``) while no device has access: the first that reports a result then needs no
    code.
    """
    event = lock_unless_removed(entry.division.event_id)
    if not any(row.way and row.link_version == entry.link_version for row in link_device_rows(entry)):
        raise Conflict("phone.nobody_yet")
    phone_number = authorize_device(event, entry, phone)
    code = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}d}"
    expires_at = timezone.now() + CODE_LIFETIME
    PhoneCode.objects.update_or_create(
        entry=entry,
        defaults={
            "digest": _digest(entry, code),
            "link_version": entry.link_version,
            "shown_by": phone_number,
            "expires_at": expires_at,
            "tries": 0,
        },
    )
    return NewPhoneCode(code, expires_at)


def redeem_access_code(*, entry: Entry, phone: RequestOrigin, code: str) -> int:
    """Give this device access with a code from another device; return the number of this device on the link.

    Raises ``Invalid`` for a wrong code. Wrong codes are counted; the fifth deletes the stored code.
    """
    number = _try_code(entry, phone, "".join(code.split()))
    if number is None:
        raise Invalid("phone.code_wrong", field="code")
    return number


@durable
def _try_code(entry: Entry, phone: RequestOrigin, code: str) -> int | None:
    """Return the number of the device if the code is right, else None.

    None instead of an exception, so that the count of wrong codes is committed.
    """
    event = lock_unless_removed(entry.division.event_id)
    require_current_link(entry)
    allowed_rows = [
        row for row in link_device_rows(entry) if row.link_version == entry.link_version and row.way
    ]
    own_row = next((row for row in allowed_rows if row.device == phone.device), None)
    if own_row is not None:
        return own_row.number
    phone_code = PhoneCode.objects.select_for_update(of=("self",)).filter(entry=entry).first()
    if (
        phone_code is None
        or phone_code.link_version != entry.link_version
        or phone_code.expires_at <= timezone.now()
    ):
        return None
    if not any(
        row.number == phone_code.shown_by for row in allowed_rows
    ):  # the phone that showed the code was removed
        return None
    if not constant_time_compare(phone_code.digest, _digest(entry, code)):
        phone_code.tries += 1
        if phone_code.tries < MAX_TRIES:
            phone_code.save(update_fields=["tries"])
        else:
            phone_code.delete()
            record_action(event, actor=link_actor(entry), action=CodesTried(tries=MAX_TRIES), subject=entry)
        return None
    phone_code.delete()
    row = allow_device(entry, phone.device, LinkPhone.Way.CODE)
    action = PhoneAllowed(phone=row.number, way=row.way)
    record_action(event, actor=link_actor(entry), action=action, subject=entry)
    return row.number


@durable
def request_access(*, entry: Entry, phone: RequestOrigin) -> LinkDevice:
    """Ask the staff to give this device access to the link.

    Returns the device's row, with the number that the staff see.
    """
    event = lock_unless_removed(entry.division.event_id)
    require_current_link(entry)
    if not phone.device:
        raise NotAllowed("phone.other")
    row = request_device_access(event, entry, phone.device)
    return LinkDevice(row.number, row.way, row.since)


def _digest(entry: Entry, code: str) -> str:
    """Return a digest of the code, keyed with the site's secret.

    A plain hash of few digits can be reversed.
    """
    text = f"{entry.public_id}-{entry.link_version}-{code}"
    return salted_hmac(_SALT, text, algorithm="sha256").hexdigest()
