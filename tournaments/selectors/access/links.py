"""Personal links and registration links: signed, revocable, expired 30 days after the event.

A personal link is a signature over the entry's public id and its link version. Nothing about it is stored, so
it cannot be stolen from the database and can be printed again at any time; raising the version revokes it. It
allows its holder what the entry may do, and no more.
"""

import re
from datetime import date, timedelta

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
from tournaments.selectors.event_dates import event_today

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
    """Return the token of the entry's current personal link."""
    return _ENTRY_SIGNER.sign(f"{entry.public_id}-{entry.link_version}")


def receipt_token(entry: Entry) -> str:
    """Return the token by which the phone that registered an entry reads its status; it allows no actions."""
    return _RECEIPT_SIGNER.sign(f"{entry.public_id}-{entry.link_version}")


def entry_from_receipt(token: str) -> Entry:
    """Return the entry of this receipt; raise ``Missing`` if it was declined or its link was renewed."""
    public_id, version = _parse_token(_RECEIPT_SIGNER, token)
    entry = one_or_none(
        Entry.objects.select_related("division__event__club").filter(
            public_id=public_id, link_version=version
        )
    )
    if entry is None or is_removed(entry.division.event):
        raise Missing("receipt.gone")
    return entry


def join_token(event: Event) -> str:
    """Return the token of the event's current registration link."""
    return _JOIN_SIGNER.sign(f"{event.public_id}-{event.registration_version}")


def display_key(event: Event) -> str:
    """Return the key in the address of a display that shows private names and the hall code.

    Empty if all players show their names in public and there is no check-in.
    """
    private_names = EntryPlayer.objects.filter(division__event=event).exclude(player__public_name="")
    is_needed = private_names.exists() or CheckIn.objects.filter(division__event=event).exists()
    return _DISPLAY_SIGNER.signature(event.public_id) if is_needed else ""


def is_display_key(event: Event, key: str) -> bool:
    """Return whether the key is that of the event's display."""
    return bool(key) and constant_time_compare(key, _DISPLAY_SIGNER.signature(event.public_id))


def entry_from_token(token: str) -> Entry:
    """Return the entry of this link; raise ``Missing`` if it is forged, revoked or expired.

    Annotated with ``last_word`` (time of the last up-next notice), ``last_arranged`` (last change of an
    arrangement) and ``open_check_in`` (id of the open check-in of its division).
    """
    return _entry_for_link(*_parse_token(_ENTRY_SIGNER, token))


def _entry_for_link(public_id: str, version: int) -> Entry:
    # A suspended account cannot act by a link either; a team may while one of its accounts is not suspended.
    allowed_players = EntryPlayer.objects.filter(entry=OuterRef("pk")).exclude(player__user__is_active=False)
    notices = CallWord.objects.filter(entry=OuterRef("pk")).order_by("-at")
    arrangements = Arrangement.objects.filter(Q(first=OuterRef("pk")) | Q(second=OuterRef("pk")))
    last_change = arrangements.order_by("-changed_at").values("changed_at")[:1]
    entry = one_or_none(
        Entry.objects.select_related("division__event__club")
        .annotate(
            allowed=Exists(allowed_players),
            last_word=Subquery(notices.values("at")[:1]),
            last_arranged=Subquery(last_change),
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
    """Open check-ins of the division of the outer query's entry, latest day first."""
    now = timezone.now()
    rows = CheckIn.objects.filter(division=OuterRef("division"), opens_at__lte=now)
    return rows.filter(Q(closes_at=None) | Q(closes_at__gt=now)).order_by("-day")


def calendar_token(entry: Entry) -> str:
    """Return the token of the entry's calendar: it only reads agreed times, and ends with the link."""
    return _CALENDAR_SIGNER.sign(f"{entry.public_id}-{entry.link_version}")


def entry_from_calendar_token(token: str) -> Entry:
    """Return the entry of this calendar; raise ``Missing`` as for a link."""
    return _entry_for_link(*_parse_token(_CALENDAR_SIGNER, token))


def phone_certificate(entry: Entry, device: str, key: str) -> str:
    """Return a certificate that the public ``key`` belongs to ``device`` and the entry's current link.

    For use where the site cannot be reached. ``key``: base64url of an uncompressed point of P-256. Nothing of
    it is stored.
    """
    return _CERTIFICATE_SIGNER.sign(f"{entry.public_id}-{entry.link_version}-{device}-{key}")


def read_certificate(text: str) -> tuple[Entry, str, str]:
    """Return entry, device and key; raise ``Missing`` as for a link, with which it ends."""
    try:
        parts = _CERTIFICATE_PATTERN.fullmatch(_CERTIFICATE_SIGNER.unsign(text))
    except BadSignature:
        parts = None
    if parts is None:
        raise Missing("link.broken")
    return _entry_for_link(parts[1], int(parts[2])), parts[3], parts[4]


def event_from_token(token: str) -> Event:
    """Return the event of this registration link; raise ``Missing`` if it is forged or renewed."""
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


def _parse_token(signer: Signer, token: str) -> tuple[str, int]:
    try:
        parts = _TOKEN_PATTERN.fullmatch(signer.unsign(token))
    except BadSignature:
        parts = None
    if parts is None:
        raise Missing("link.broken")
    return parts[1], int(parts[2])
