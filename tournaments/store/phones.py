"""Which phone speaks by a personal link: the first that says something, and those that it, the desk or the player's account let in.

Opening a link binds nothing: previews and other programs open links, too. Called under the event's lock, by whatever takes somebody's
word by a link; what it writes stands or falls with that word.
"""

from collections.abc import Sequence
from typing import Final

from django.utils import timezone

from faults import Conflict, Missing, NotAllowed
from people.rows import one_or_none
from tournaments.engine.trail.phones import PhoneAsked, PhoneLetIn
from tournaments.models import Entry, Event, LinkPhone
from tournaments.selectors.access.phones import Phone, is_player_of, link_actor, phones_in
from tournaments.store.lock import changed

PHONES_LIMIT: Final = (
    40  # that ever asked by links of one entry: a machine that throws its cookie away is a new one each time
)
ASKING_LIMIT: Final = 5
_OWN: Final = ("id", "device", "number", "link_version", "way", "since")  # of a phone, beside its entry


def heard_from(event: Event, entry: Entry, phone: Phone) -> int:
    """The number of the phone that speaks for ``entry``; 0 where nobody says which. Refused (403) if others speak and it may not.

    The first one is let in by this; so is one in which somebody is signed in as a player of the entry.
    """
    rows = _with_link(entry) if phone.device else phones_in(entry)
    speaking = [row for row in rows if row.link_version == entry.link_version and row.way]
    own = next((row for row in speaking if phone.device and row.device == phone.device), None)
    if own is not None:
        return own.number
    if not speaking:
        return _let_in(entry, rows, phone.device, LinkPhone.Way.FIRST).number if phone.device else 0
    if phone.device and is_player_of(entry, phone.user_id):
        row = _let_in(entry, rows, phone.device, LinkPhone.Way.ACCOUNT)
        action = PhoneLetIn(phone=row.number, way=row.way)
        changed(event, actor=link_actor(entry), action=action, subject=entry)
        return row.number
    raise NotAllowed("phone.other")


def _with_link(entry: Entry) -> list[LinkPhone]:
    """`phones_in` of an entry whose link is the present one, refused as `present_link` does; one query."""
    found = Entry.objects.filter(pk=entry.pk).order_by("phones__number")
    rows = list(found.values_list("link_version", *(f"phones__{name}" for name in _OWN)))
    if not rows or rows[0][0] != entry.link_version:
        raise Missing("link.revoked")
    return [
        LinkPhone(entry=entry, **dict(zip(_OWN, own, strict=True)))
        for _link, *own in rows
        if own[0] is not None
    ]


def present_link(entry: Entry) -> None:
    """Refuse a link that was made anew after it was read."""
    now = one_or_none(Entry.objects.filter(pk=entry.pk).values_list("link_version", flat=True))
    if now != entry.link_version:
        raise Missing("link.revoked")


def let_in(entry: Entry, device: str, way: LinkPhone.Way) -> LinkPhone:
    """From now on this browser speaks by the present link of ``entry``; it keeps its number if it ever had one."""
    return _let_in(entry, phones_in(entry), device, way)


def _let_in(entry: Entry, rows: Sequence[LinkPhone], device: str, way: LinkPhone.Way) -> LinkPhone:
    row = _row_of(entry, rows, device)
    row.link_version, row.way, row.since = entry.link_version, way, timezone.now()
    row.save()
    return row


def asks(event: Event, entry: Entry, device: str) -> LinkPhone:
    """Note for the desk that this browser wants to speak; once, however often it asks. Who speaks already stays as it is."""
    every = phones_in(entry)
    rows = [row for row in every if row.link_version == entry.link_version]
    own = next((row for row in rows if row.device == device), None)
    if own is not None:
        return own
    if sum(not row.way for row in rows) >= ASKING_LIMIT:
        raise Conflict("phone.too_many")
    row = _row_of(entry, every, device)
    row.link_version, row.way, row.since = entry.link_version, "", timezone.now()
    row.save()
    changed(event, actor=link_actor(entry), action=PhoneAsked(phone=row.number), subject=entry)
    return row


def _row_of(entry: Entry, rows: Sequence[LinkPhone], device: str) -> LinkPhone:
    found = next((row for row in rows if row.device == device), None)
    if found is not None:
        return found
    last = max((row.number for row in rows), default=0)
    if last >= PHONES_LIMIT:
        raise Conflict("phone.too_many")
    return LinkPhone(entry=entry, device=device, number=last + 1)
