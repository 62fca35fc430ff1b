"""Idempotency keys: each key is claimed by one request, whose response is stored and repeated.

The request is marked as done by ``people.transactions.durable`` at the end of the service's transaction, so a
process that is killed between commit and response leaves a row marked as done; a request of an old row
without the mark was killed before the commit.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from faults import Conflict, Invalid
from people.models import KeptAnswer
from people.transactions import ACTIONS_BEFORE_COMMIT

RESPONSE_LIFETIME = timedelta(days=2)
CLAIM_TIMEOUT = timedelta(seconds=120)  # no request takes so long: its process has died


@dataclass(frozen=True, slots=True)
class KeyClaim:
    """The claim of an idempotency key.

    If ``status`` is set, the request was answered before, with ``body``.
    """

    pk: int
    status: int = 0
    body: str = ""


def digest(*parts: bytes) -> str:
    """Return one hash of all parts and their lengths."""
    hasher = hashlib.sha256()
    for part in parts:
        hasher.update(len(part).to_bytes(8, "big") + part)
    return hasher.hexdigest()


def claim_key(*, scope: str, request_digest: str) -> KeyClaim:
    """Claim a key for a request, or return the stored response of the same request.

    ``scope``: hash of sender and key. Raises ``Invalid`` (422) if the key was used for another request,
    ``Conflict`` (409) if the request is running or its response is no longer stored.
    """
    now = timezone.now()
    try:
        with transaction.atomic():
            return KeyClaim(KeptAnswer.objects.create(scope=scope, sent=request_digest, began_at=now).pk)
    except IntegrityError:
        row = KeptAnswer.objects.filter(scope=scope).first()
    if row is None:  # released just now, so it can be sent again
        raise Conflict("request.key_running")
    if row.sent != request_digest:
        raise Invalid("request.key_used", field="Idempotency-Key")
    if row.status:
        return KeyClaim(row.pk, row.status, row.body)
    if row.done:
        raise Conflict("request.key_done")
    expired_claim = KeptAnswer.objects.filter(pk=row.pk, began_at=row.began_at, done=False, status=0)
    if now - row.began_at > CLAIM_TIMEOUT and expired_claim.update(began_at=now):
        return KeyClaim(row.pk)
    raise Conflict("request.key_running")


@contextmanager
def mark_done_on_commit(claim: KeyClaim) -> Iterator[None]:
    """Let the transaction of the block mark the request as done; an exception in the block releases the key.

    A claim whose request was committed stays done.
    """

    def mark() -> None:
        KeptAnswer.objects.filter(pk=claim.pk).update(done=True)

    token = ACTIONS_BEFORE_COMMIT.set(mark)
    try:
        yield
    except BaseException:
        release_claim(claim)
        raise
    finally:
        ACTIONS_BEFORE_COMMIT.reset(token)


def save_response(claim: KeyClaim, *, status: int, body: str) -> None:
    """Store the response, to be returned to a repeated request."""
    KeptAnswer.objects.filter(pk=claim.pk).update(done=True, status=status, body=body)


def mark_done(claim: KeyClaim) -> None:
    """Mark the request as done without storing its response, which holds a secret.

    A repeated request gets an error.
    """
    KeptAnswer.objects.filter(pk=claim.pk).update(done=True)


def release_claim(claim: KeyClaim) -> None:
    """Release the key of a failed request; if the request was committed before the failure, it stays done."""
    KeptAnswer.objects.filter(pk=claim.pk, done=False).delete()


def discard_claim(claim: KeyClaim) -> None:
    """Delete the claim of a rejected request, even if it committed something (a counted wrong code)."""
    KeptAnswer.objects.filter(pk=claim.pk).delete()


def erase_response_bodies() -> None:
    """Delete the bodies of stored responses, which may contain erased names; the requests stay done."""
    KeptAnswer.objects.exclude(status=0).update(done=True, status=0, body="")
