"""What a player does about the phones of their personal link: show a code on one that speaks, type it on another, or ask the desk."""

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
from tournaments.selectors.access.phones import Phone, PhoneRow, link_actor, phone_rows
from tournaments.store.lock import lock_unless_removed, record_action
from tournaments.store.phones import allow_phone, authorize_phone, request_phone_access, require_current_link

CODE_LIFETIME: Final = timedelta(minutes=10)
CODE_DIGITS: Final = 6
MAX_TRIES: Final = 5
_SALT: Final = "crawford.phone-code"


@dataclass(frozen=True, slots=True)
class NewPhoneCode:
    """A new code; it is kept nowhere in a way that could be read."""

    code: str
    until: datetime


@durable
def create_code(*, entry: Entry, phone: Phone) -> NewPhoneCode:
    """A code that lets one other phone speak by this link, typed there within ten minutes. It ends the one before.

    Only a phone that speaks itself may show one; while none does, the first that reports needs no code.
    """
    event = lock_unless_removed(entry.division.event_id)
    if not any(row.way and row.link_version == entry.link_version for row in phone_rows(entry)):
        raise Conflict("phone.nobody_yet")
    number = authorize_phone(event, entry, phone)
    code = f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}d}"
    until = timezone.now() + CODE_LIFETIME
    PhoneCode.objects.update_or_create(
        entry=entry,
        defaults={
            "digest": _digest(entry, code),
            "link_version": entry.link_version,
            "shown_by": number,
            "expires_at": until,
            "tries": 0,
        },
    )
    return NewPhoneCode(code, until)


def enter_code(*, entry: Entry, phone: Phone, code: str) -> int:
    """Let this phone in with a code that another one shows; gives its number. A wrong code is counted, and the fifth ends the right one."""
    number = _try_code(entry, phone, "".join(code.split()))
    if number is None:
        raise Invalid("phone.code_wrong", field="code")
    return number


@durable
def _try_code(entry: Entry, phone: Phone, code: str) -> int | None:
    """The number of the phone, or None for a code that is not good: a try is counted also where it is refused."""
    event = lock_unless_removed(entry.division.event_id)
    require_current_link(entry)
    spoken = [row for row in phone_rows(entry) if row.link_version == entry.link_version and row.way]
    own = next((row for row in spoken if row.device == phone.device), None)
    if own is not None:
        return own.number
    found = PhoneCode.objects.select_for_update(of=("self",)).filter(entry=entry).first()
    if found is None or found.link_version != entry.link_version or found.expires_at <= timezone.now():
        return None
    if not any(row.number == found.shown_by for row in spoken):  # it was forgotten meanwhile
        return None
    if not constant_time_compare(found.digest, _digest(entry, code)):
        found.tries += 1
        if found.tries < MAX_TRIES:
            found.save(update_fields=["tries"])
        else:
            found.delete()
            record_action(event, actor=link_actor(entry), action=CodesTried(tries=MAX_TRIES), subject=entry)
        return None
    found.delete()
    row = allow_phone(entry, phone.device, LinkPhone.Way.CODE)
    action = PhoneAllowed(phone=row.number, way=row.way)
    record_action(event, actor=link_actor(entry), action=action, subject=entry)
    return row.number


@durable
def request_access(*, entry: Entry, phone: Phone) -> PhoneRow:
    """Tell the desk that this phone wants to speak by the link; gives the number by which the desk knows it."""
    event = lock_unless_removed(entry.division.event_id)
    require_current_link(entry)
    if not phone.device:
        raise NotAllowed("phone.other")
    row = request_phone_access(event, entry, phone.device)
    return PhoneRow(row.number, row.way, row.since)


def _digest(entry: Entry, code: str) -> str:
    """Keyed with the site's secret: a code has so few digits that a hash alone would keep nothing secret."""
    text = f"{entry.public_id}-{entry.link_version}-{code}"
    return salted_hmac(_SALT, text, algorithm="sha256").hexdigest()
