"""Results that both players signed on their devices while offline.

Both players' reports are saved, or neither. Either player may send the result. It contains both signatures,
each by a key that the site has certified for a device of that entry. The effect is that of two equal reports,
each sent from its own device.
"""

import base64
import binascii
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from django.utils import timezone

from faults import Conflict, Invalid, NotAllowed
from people.transactions import durable
from tournaments.engine.matches.hand_over import (
    WinnerStatement,
    agreement_message,
    is_recent,
    parse_winner_statement,
    winner_message,
)
from tournaments.engine.types import Side
from tournaments.matches.services.reports import ReportOutcome, Submission, lock_match, receive_report
from tournaments.models import Entry, Match, Report
from tournaments.selectors.access.links import device_certificate, read_certificate
from tournaments.selectors.access.phones import LinkAccess, RequestOrigin, link_actor, link_devices
from tournaments.selectors.matches.claims import claim_from_report
from tournaments.store.load import match_from_slots, nearby_slots
from tournaments.store.results import current_match_state

_POINT_BYTES = 65  # bytes of an uncompressed point
_HALF_BYTES = 32  # bytes of r, and of s


@dataclass(frozen=True, slots=True)
class SignedStatement:
    """One player's signature (base64url) and the certificate of the device that signed."""

    certificate: str
    signature: str


@dataclass(frozen=True, slots=True)
class SignedResult:
    """A result signed by both players.

    ``won``: the signed text of the winner; ``agreed_at``: when the loser signed, in seconds since the epoch.
    """

    won: str
    winner: SignedStatement
    agreed_at: int
    loser: SignedStatement


@dataclass(frozen=True, slots=True)
class _Signatory:
    entry: Entry
    phone: RequestOrigin


def issue_certificate(*, entry: Entry, phone: RequestOrigin, key: str) -> str:
    """Return a certificate that binds a device's public key (``key``, base64url) to the entry.

    Raises ``Invalid`` for a malformed key and ``NotAllowed`` (403) for a device without access to the entry's
    link, because its signature would not be accepted.
    """
    _public_key(key)
    if link_devices(entry, phone.device).access in {LinkAccess.OTHER, LinkAccess.PENDING}:
        raise NotAllowed("phone.other")
    return device_certificate(entry, phone.device, key)


def submit_signed_result(*, sender: Entry, match_id: str, hand_over: SignedResult) -> ReportOutcome:
    """Record a result that both players signed; return the outcome of the second report, which confirms it.

    ``match_id``: public id. Idempotent. Raises ``Invalid`` (422) if the result is not signed by both players
    or too old, ``Missing`` (404) for an invalid certificate, ``NotAllowed`` (403) for an entry or device that
    may not report the match, and ``Conflict`` (409) if a later report exists or the result contradicts the
    confirmed one. Nothing is written then.
    """
    statement = parse_winner_statement(hand_over.won)
    if statement is None or statement.match != match_id:
        raise Invalid("hand_over.unreadable")
    winner = _verify_party(hand_over.winner, winner_message(hand_over.won))
    loser = _verify_party(hand_over.loser, agreement_message(hand_over.won, hand_over.agreed_at))
    if winner.entry.pk == loser.entry.pk or sender.pk not in {winner.entry.pk, loser.entry.pk}:
        raise NotAllowed("report.not_your_match")
    now = timezone.now().timestamp()
    if not (is_recent(statement.at, now) and is_recent(hand_over.agreed_at, now)):
        raise Invalid("hand_over.too_old")
    matches = Match.objects.filter(public_id=match_id, slots__entry=winner.entry)
    match_pk = matches.filter(slots__entry=loser.entry).values_list("pk", flat=True).first()
    if match_pk is None:
        raise NotAllowed("report.not_your_match")
    return _record_signed_result(match_pk, statement, winner, loser, hand_over.agreed_at)


@durable
def _record_signed_result(
    match_id: int, statement: WinnerStatement, winner: _Signatory, loser: _Signatory, agreed_at: int
) -> ReportOutcome:
    event, match, slots = lock_match(match_id)
    sides = {slot.entry_id: Side(slot.side) for slot in slots if slot.match_id == match.pk}
    if winner.entry.pk not in sides or loser.entry.pk not in sides:
        raise NotAllowed("report.not_your_match")
    claim = statement.claim(sides[winner.entry.pk])
    keys = (statement.key, f"{statement.key}-agreed")
    reports = list(Report.objects.filter(match=match).order_by("version"))
    if any(report.submission_key in keys and claim_from_report(report) != claim for report in reports):
        raise Conflict("report.key_used", present=current_match_state(match))
    # A later report means a change of mind, or a decision of the director.
    other_reports = [report for report in reports if report.submission_key not in keys]
    if any(
        report.created_at.timestamp() > _signed_at(report, statement, winner, agreed_at)
        for report in other_reports
    ):
        raise Conflict("hand_over.older", present=current_match_state(match))
    submissions = [
        Submission(
            link_actor(party.entry), party.entry, claim, key, phone=party.phone, is_signed_offline=True
        )
        for party, key in zip((winner, loser), keys, strict=True)
    ]
    receive_report(event, match, slots, submissions[0], None)
    slots = nearby_slots(match.pk)
    return receive_report(event, match_from_slots(slots, match_id), slots, submissions[1], None)


def _signed_at(report: Report, statement: WinnerStatement, winner: _Signatory, agreed_at: int) -> int:
    """Return when the author of ``report`` signed this result, in seconds since the epoch.

    For a report by a director or the loser it is the time of the loser's signature.
    """
    return statement.at if report.entry_id == winner.entry.pk else agreed_at


def _verify_party(signed: SignedStatement, message: bytes) -> _Signatory:
    entry, device, key = read_certificate(signed.certificate)
    try:
        raw = _decode_base64url(signed.signature)
        if len(raw) != 2 * _HALF_BYTES:
            raise ValueError
        r, s = int.from_bytes(raw[:_HALF_BYTES]), int.from_bytes(raw[_HALF_BYTES:])
        _public_key(key).verify(encode_dss_signature(r, s), message, ECDSA(SHA256()))
    except (InvalidSignature, ValueError):
        raise Invalid("hand_over.not_signed") from None
    return _Signatory(entry, RequestOrigin(device))


def _public_key(key: str) -> EllipticCurvePublicKey:
    try:
        point = _decode_base64url(key)
        if len(point) != _POINT_BYTES:
            raise ValueError
        return EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)
    except ValueError:
        raise Invalid("hand_over.key_odd") from None


def _decode_base64url(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError from error
