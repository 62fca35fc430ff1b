"""Idempotency keys: a request is claimed, marked in its own transaction, and its response repeated.

The mark is written by ``people.transactions.durable`` at the end of the service's transaction, so a process
that is killed between commit and response leaves a row marked as done; an old row without a mark was killed
before the commit.
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
from people.transactions import BEFORE_COMMIT

RESPONSE_LIFETIME = timedelta(days=2)
CLAIM_TIMEOUT = timedelta(seconds=120)  # no request takes so long: its process has died


@dataclass(frozen=True, slots=True)
class KeyClaim:
    """A claimed request; with a ``status`` it was answered before, with ``body``."""

    pk: int
    status: int = 0
    body: str = ""


def digest(*parts: bytes) -> str:
    """Return one hash of all parts, each with its length."""
    hasher = hashlib.sha256()
    for part in parts:
        hasher.update(len(part).to_bytes(8, "big") + part)
    return hasher.hexdigest()


def claim_key(*, scope: str, request_digest: str) -> KeyClaim:
    """Claim a request, or return its stored response.

    Raises ``Invalid`` (422) if the key was used for another request, ``Conflict`` (409) if the request is
    running or its response is lost.
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
    """Mark the request as done in the transaction that it commits. An exception releases the claim.

    A claim whose request was committed stays done.
    """

    def mark() -> None:
        KeptAnswer.objects.filter(pk=claim.pk).update(done=True)

    token = BEFORE_COMMIT.set(mark)
    try:
        yield
    except BaseException:
        release_claim(claim)
        raise
    finally:
        BEFORE_COMMIT.reset(token)


def save_response(claim: KeyClaim, *, status: int, body: str) -> None:
    """Store the response for repeats."""
    KeptAnswer.objects.filter(pk=claim.pk).update(done=True, status=status, body=body)


def mark_done(claim: KeyClaim) -> None:
    """Mark as done without a readable response (it holds a secret): a repeat gets an error."""
    KeptAnswer.objects.filter(pk=claim.pk).update(done=True)


def release_claim(claim: KeyClaim) -> None:
    """Release the key, as nothing was done; what was committed before the failure stays done."""
    KeptAnswer.objects.filter(pk=claim.pk, done=False).delete()


def discard_claim(claim: KeyClaim) -> None:
    """Delete the claim of a rejected request. Commits of the rejection (a counted wrong code) keep no key."""
    KeptAnswer.objects.filter(pk=claim.pk).delete()


def erase_response_bodies() -> None:
    """Delete the bodies of stored responses, which may contain erased names; that they were done stays."""
    KeptAnswer.objects.exclude(status=0).update(done=True, status=0, body="")
