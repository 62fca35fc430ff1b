"""Personal links and registration links: signed, revocable, expired 30 days after the event.

A personal link is a signature over the entry's public id and its link version. The link itself is not stored,
so it cannot be stolen from the database and can be printed again at any time; a higher link version revokes
it. Its holder may do what the entry may do, and no more.
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
    """Return the token with which the device that registered an entry reads the entry's status.

    The token allows no actions. It becomes invalid when the entry's personal link is renewed.
    """
    return _RECEIPT_SIGNER.sign(f"{entry.public_id}-{entry.link_version}")


def entry_from_receipt(token: str) -> Entry:
    """Return the entry of a registration receipt.

    Raises ``Missing`` if the token is forged, the entry was declined, its personal link was renewed or its
    event was removed.
    """
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

    An empty string if every player shows their name in public and no division has a check-in.
    """
    private_names = EntryPlayer.objects.filter(division__event=event).exclude(player__public_name="")
    is_needed = private_names.exists() or CheckIn.objects.filter(division__event=event).exists()
    return _DISPLAY_SIGNER.signature(event.public_id) if is_needed else ""


def is_display_key(event: Event, key: str) -> bool:
    """Return whether ``key`` is the event's display key (``display_key``)."""
    return bool(key) and constant_time_compare(key, _DISPLAY_SIGNER.signature(event.public_id))


def entry_from_token(token: str) -> Entry:
    """Return the entry of a personal link; raise ``Missing`` if the link cannot be used now.

    That is if the link is forged, revoked or expired, the entry is not approved, all accounts of its players
    are suspended, or its event was removed. The entry is annotated with ``last_word`` (time of its last
    up-next notice), ``last_arranged`` (last change of its arrangements) and ``open_check_in`` (id of its
    division's open check-in).
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
    """Subquery: the open check-ins of the division of the outer query's entry, latest day first."""
    now = timezone.now()
    rows = CheckIn.objects.filter(division=OuterRef("division"), opens_at__lte=now)
    return rows.filter(Q(closes_at=None) | Q(closes_at__gt=now)).order_by("-day")


def calendar_token(entry: Entry) -> str:
    """Return the token of the entry's calendar address, which only shows agreed times.

    The token is valid as long as the entry's personal link.
    """
    return _CALENDAR_SIGNER.sign(f"{entry.public_id}-{entry.link_version}")


def entry_from_calendar_token(token: str) -> Entry:
    """Return the entry of a calendar token; raises ``Missing`` in the same cases as ``entry_from_token``."""
    return _entry_for_link(*_parse_token(_CALENDAR_SIGNER, token))


def device_certificate(entry: Entry, device: str, key: str) -> str:
    """Return a signed text that binds the public ``key`` to ``device`` and the entry's current personal link.

    With it, what the device has signed can be checked where the site cannot be reached. ``key``: base64url of
    an uncompressed point of P-256. The certificate is not stored.
    """
    return _CERTIFICATE_SIGNER.sign(f"{entry.public_id}-{entry.link_version}-{device}-{key}")


def read_certificate(text: str) -> tuple[Entry, str, str]:
    """Return the entry, the device id and the public key of a certificate (``device_certificate``).

    Raises ``Missing`` if it is forged, or if the entry's personal link is no longer valid.
    """
    try:
        parts = _CERTIFICATE_PATTERN.fullmatch(_CERTIFICATE_SIGNER.unsign(text))
    except BadSignature:
        parts = None
    if parts is None:
        raise Missing("link.broken")
    return _entry_for_link(parts[1], int(parts[2])), parts[3], parts[4]


def event_from_token(token: str) -> Event:
    """Return the event of a registration link.

    Raises ``Missing`` if the link is forged or was renewed, or if an operator restricted the event.
    """
    public_id, version = _parse_token(_JOIN_SIGNER, token)
    event = one_or_none(
        Event.objects.select_related("club").filter(public_id=public_id, registration_version=version)
    )
    if event is None or is_restricted(event):
        raise Missing("link.revoked")
    return event


def last_link_day(event: Event) -> date:
    """Return the last date on which the event's personal links work."""
    return event.ends_on + timedelta(days=DAYS_AFTER_EVENT)


def _parse_token(signer: Signer, token: str) -> tuple[str, int]:
    try:
        parts = _TOKEN_PATTERN.fullmatch(signer.unsign(token))
    except BadSignature:
        parts = None
    if parts is None:
        raise Missing("link.broken")
    return parts[1], int(parts[2])
