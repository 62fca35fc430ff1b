"""Personal links and registration links: signed, revocable, and dead 30 days after the event.

A personal link is a signature over the entry's public id and its key version: nothing about it is stored, so nothing
can be stolen from the database, it can be printed again at any time, and raising the version revokes it. Whoever holds
it may do what that entry may do, and no more.
"""

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from faults import Missing
from people.rows import one_or_none
from tournaments.engine.statuses import ENTRY_UNCONFIRMED
from tournaments.models import Arrangement, CallWord, CheckIn, Entry, EntryPlayer, Event
from tournaments.selectors.access.visibility import is_removed, is_restricted

DAYS_AFTER_EVENT = 30
_ENTRY_SIGNER = Signer(salt="crawford.entry-link", sep=".")
_RECEIPT_SIGNER = Signer(salt="crawford.entry-receipt", sep=".")
_CERTIFICATE_SIGNER = Signer(salt="crawford.phone-key", sep=".")
_DISPLAY_SIGNER = Signer(salt="crawford.hall-names", sep=".")
_JOIN_SIGNER = Signer(salt="crawford.join-link", sep=".")
_CALENDAR_SIGNER = Signer(salt="crawford.calendar", sep=".")
_CERTIFICATE_PATTERN = re.compile(r"([0-9a-z]{1,16})-([0-9]{1,9})-([0-9a-z]{1,16})-([\w-]{87})", re.ASCII)
_TOKEN_PATTERN = re.compile(r"([0-9a-z]{1,16})-([0-9]{1,9})", re.ASCII)


def entry_token(entry: Entry) -> str:
    """The token of the entry's present personal link."""
    return _ENTRY_SIGNER.sign(f"{entry.public_id}-{entry.link_version}")


def receipt_token(entry: Entry) -> str:
    """What the phone keeps that entered somebody by the registration link: it tells how the entry stands, and speaks for nobody."""
    return _RECEIPT_SIGNER.sign(f"{entry.public_id}-{entry.link_version}")


def entry_from_receipt(token: str) -> Entry:
    """The entry that was registered with this receipt; ``Missing`` if it was turned away or its link was renewed."""
    public_id, version = _parse_token(_RECEIPT_SIGNER, token)
    found = one_or_none(
        Entry.objects.select_related("division__event__club").filter(
            public_id=public_id, link_version=version
        )
    )
    if found is None or is_removed(found.division.event):
        raise Missing("receipt.gone")
    return found


def join_token(event: Event) -> str:
    """The token of the event's present registration link."""
    return _JOIN_SIGNER.sign(f"{event.public_id}-{event.registration_version}")


def display_key(event: Event) -> str:
    """What the address of a screen holds that shows the names of the hall; and, while a check-in is open, its code; empty where all show
    their names in public and there is no check-in.
    """
    private = EntryPlayer.objects.filter(division__event=event).exclude(player__public_name="")
    needed = private.exists() or CheckIn.objects.filter(division__event=event).exists()
    return _DISPLAY_SIGNER.signature(event.public_id) if needed else ""


def is_display_key(event: Event, key: str) -> bool:
    """Whether a director gave the address of this screen."""
    return bool(key) and constant_time_compare(key, _DISPLAY_SIGNER.signature(event.public_id))


def entry_from_token(token: str) -> Entry:
    """The entry whose link this is, with the moment of the ``last_word`` before a call, of what was ``last_arranged`` with another side, and
    the id of the ``open_check_in`` of its division; ``Missing`` for a forged, revoked or expired link.
    """
    return _entry_for_link(*_parse_token(_ENTRY_SIGNER, token))


def _entry_for_link(public_id: str, version: int) -> Entry:
    # Whose account is suspended says nothing by a link either; a team goes on as long as one of it is not.
    allowed = EntryPlayer.objects.filter(entry=OuterRef("pk")).exclude(player__user__is_active=False)
    words = CallWord.objects.filter(entry=OuterRef("pk")).order_by("-at")
    arranged = Arrangement.objects.filter(Q(first=OuterRef("pk")) | Q(second=OuterRef("pk")))
    last = arranged.order_by("-changed_at").values("changed_at")[:1]
    entry = one_or_none(
        Entry.objects.select_related("division__event__club")
        .annotate(
            allowed=Exists(allowed),
            last_word=Subquery(words.values("at")[:1]),
            last_arranged=Subquery(last),
            open_check_in=Subquery(_open_check_ins().values("pk")[:1]),
        )
        .filter(public_id=public_id, link_version=version)
    )
    if entry is None:
        raise Missing("link.revoked")
    if is_removed(entry.division.event):
        raise Missing("link.revoked")
    if not entry.allowed:
        raise Missing("link.suspended", contact=settings.OPERATOR_CONTACT)
    if entry.status in ENTRY_UNCONFIRMED:
        raise Missing("link.not_approved")
    if event_today(entry.division.event) > last_link_day(entry.division.event):
        raise Missing("link.expired", days=DAYS_AFTER_EVENT)
    return entry


def _open_check_ins() -> QuerySet[CheckIn]:
    """Those of an entry's division in which its player can say now that they are here, the latest day first."""
    now = timezone.now()
    rows = CheckIn.objects.filter(division=OuterRef("division"), opens_at__lte=now)
    return rows.filter(Q(closes_at=None) | Q(closes_at__gt=now)).order_by("-day")


def calendar_token(entry: Entry) -> str:
    """What the address of the calendar of ``entry`` holds: it reads agreed times, speaks for nobody, and ends with the personal link."""
    return _CALENDAR_SIGNER.sign(f"{entry.public_id}-{entry.link_version}")


def entry_from_calendar_token(token: str) -> Entry:
    """The entry whose calendar this is; ``Missing`` as for a link."""
    return _entry_for_link(*_parse_token(_CALENDAR_SIGNER, token))


def phone_certificate(entry: Entry, device: str, key: str) -> str:
    """What a phone shows for its public ``key`` (base64url of an uncompressed point of P-256) where nobody can ask the site: that this key
    is of ``device`` and was opened with the entry's present link. Nothing of it is stored.
    """
    return _CERTIFICATE_SIGNER.sign(f"{entry.public_id}-{entry.link_version}-{device}-{key}")


def read_certificate(text: str) -> tuple[Entry, str, str]:
    """Entry, device and key; ``Missing`` as for a link, for it ends with it."""
    try:
        found = _CERTIFICATE_PATTERN.fullmatch(_CERTIFICATE_SIGNER.unsign(text))
    except BadSignature:
        found = None
    if found is None:
        raise Missing("link.broken")
    return _entry_for_link(found[1], int(found[2])), found[3], found[4]


def event_from_token(token: str) -> Event:
    """The event whose registration link this is; ``Missing`` for a forged or renewed one."""
    public_id, version = _parse_token(_JOIN_SIGNER, token)
    event = one_or_none(
        Event.objects.select_related("club").filter(public_id=public_id, registration_version=version)
    )
    if event is None or is_restricted(event):
        raise Missing("link.revoked")
    return event


def last_link_day(event: Event) -> date:
    """The last day on which the event's personal links work."""
    return event.ends_on + timedelta(days=DAYS_AFTER_EVENT)


def event_today(event: Event, now: datetime | None = None) -> date:
    """Today's date where the event takes place."""
    return (now or timezone.now()).astimezone(ZoneInfo(event.timezone)).date()


def _parse_token(signer: Signer, token: str) -> tuple[str, int]:
    try:
        found = _TOKEN_PATTERN.fullmatch(signer.unsign(token))
    except BadSignature:
        found = None
    if found is None:
        raise Missing("link.broken")
    return found[1], int(found[2])
