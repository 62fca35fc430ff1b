"""What was sent with a key is done once: claimed before, marked in the very transaction that does it, answered the same again.

The mark is written by `people.transactions.durable` at the end of the service's own transaction, so whoever is killed between the
commit and the answer leaves a row that says that it was done; one that says nothing and is old was killed before.
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
CLAIM_TIMEOUT = timedelta(seconds=120)  # no request lasts so long: whoever claimed it is dead


@dataclass(frozen=True, slots=True)
class KeyClaim:
    """The request is ours to do; or, with a ``status``, it was answered so before."""

    pk: int
    status: int = 0
    body: str = ""


def digest(*parts: bytes) -> str:
    """One hash of all of these, each by its length."""
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "big") + part)
    return found.hexdigest()


def claim_key(*, scope: str, sent: str) -> KeyClaim:
    """Begin a request, or find the answer that it got.

    Refused: a key that was used for something else (422), one whose request is under way or whose answer is lost (409).
    """
    now = timezone.now()
    try:
        with transaction.atomic():
            return KeyClaim(KeptAnswer.objects.create(scope=scope, sent=sent, began_at=now).pk)
    except IntegrityError:
        row = KeptAnswer.objects.filter(scope=scope).first()
    if row is None:  # refused in this moment, so it can be sent again
        raise Conflict("request.key_running")
    if row.sent != sent:
        raise Invalid("request.key_used", field="Idempotency-Key")
    if row.status:
        return KeyClaim(row.pk, row.status, row.body)
    if row.done:
        raise Conflict("request.key_done")
    mine = KeptAnswer.objects.filter(pk=row.pk, began_at=row.began_at, done=False, status=0)
    if now - row.began_at > CLAIM_TIMEOUT and mine.update(began_at=now):
        return KeyClaim(row.pk)
    raise Conflict("request.key_running")


@contextmanager
def mark_done_on_commit(claimed: KeyClaim) -> Iterator[None]:
    """While a request is done: what it commits says so in the same transaction. What ends with an exception and did nothing is free."""

    def mark() -> None:
        KeptAnswer.objects.filter(pk=claimed.pk).update(done=True)

    token = BEFORE_COMMIT.set(mark)
    try:
        yield
    except BaseException:
        release_claim(claimed)
        raise
    finally:
        BEFORE_COMMIT.reset(token)


def save_response(claimed: KeyClaim, *, status: int, body: str) -> None:
    """Keep the answer to be given again."""
    KeptAnswer.objects.filter(pk=claimed.pk).update(done=True, status=status, body=body)


def mark_done(claimed: KeyClaim) -> None:
    """It was done, and answered with what nobody may read here: a repeat hears that it was done."""
    KeptAnswer.objects.filter(pk=claimed.pk).update(done=True)


def release_claim(claimed: KeyClaim) -> None:
    """Nothing was done: the same key can be used again. What was committed before it broke off stays done."""
    KeptAnswer.objects.filter(pk=claimed.pk, done=False).delete()


def discard_claim(claimed: KeyClaim) -> None:
    """It was refused, and said so. What a refusal itself commits (a wrong code is counted) keeps no key."""
    KeptAnswer.objects.filter(pk=claimed.pk).delete()


def erase_response_bodies() -> None:
    """Names may stand in what was answered: who is erased takes them along. That something was done stays known."""
    KeptAnswer.objects.exclude(status=0).update(done=True, status=0, body="")
