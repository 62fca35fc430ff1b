"""The outbox: requests store mail in a table, a worker sends it.

So no page waits for a mail server, and a mail exists if and only if the change that causes it was committed.
If a server is unreachable or rejects temporarily, sending is repeated after growing pauses; then the mail is
given up, as the log and the admin show. No mail is sent twice: its row is marked before the text is sent, and
a mail of which nobody knows whether it arrived is not sent again.
"""

import logging
import smtplib
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.message import sanitize_address
from django.db import transaction
from django.db.models import Count, Min, Q
from django.utils import timezone

from people.models import OutgoingMail
from people.models.outbox import REASON_LENGTH
from people.services.hints import enqueue_task
from people.services.smtp import allow_data_time, reset_deadline
from people.transactions import durable

log = logging.getLogger(__name__)
TASK: Final = "people.tasks.send_mail"
BACKEND_PATH: Final = f"{__name__}.Outbox"  # the setting ``EMAIL_BACKEND`` of a site that sends mail
State = OutgoingMail.State
# Pauses after the first attempt, the second …: eight hours in all.
RETRY_DELAYS: Final = tuple(timedelta(minutes=minutes) for minutes in (0.25, 1, 5, 15, 30, 60, 120, 240))
# Longer than a worker may take for one mail (`people.tasks.send_mail`).
TAKEN_TIMEOUT: Final = timedelta(minutes=5)
MAX_MAILS_PER_RUN: Final = 50
RUN_SECONDS: Final = 30.0  # seconds until other work may use this worker; the next sweep continues
OK, OK_ELSEWHERE, PERMANENT_FAILURE = 250, 251, 500  # RFC 5321, 4.2


class Outbox(BaseEmailBackend):
    """Django's mail backend for the site and its libraries: stores mail in the outbox."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Store the messages in the outbox; return the number of messages."""
        store_mail(email_messages)
        return len(email_messages)


def store_mail(messages: Sequence[EmailMessage]) -> list[OutgoingMail]:
    """Store one row for each recipient of each message.

    A worker sends them once the transaction is committed.
    """
    rows = [_build_row(message, recipient) for message in messages for recipient in message.recipients()]
    stored_rows = OutgoingMail.objects.bulk_create(rows)
    transaction.on_commit(_notify_worker, robust=True)
    return stored_rows


def _notify_worker() -> None:
    enqueue_task(TASK)


@dataclass(frozen=True, slots=True)
class OutboxStatus:
    """State of the outbox. ``counts``: number of mails in each ``TurnState``.

    ``since``: when the oldest waiting mail was stored; None if none waits.
    """

    counts: Mapping[str, int]
    since: datetime | None


def outbox_status() -> OutboxStatus:
    """Return the state of the outbox for operators."""
    rows = OutgoingMail.objects.order_by()
    counts = dict(rows.values_list("state").annotate(count=Count("pk")))
    oldest_at = rows.filter(state=State.WAITING).aggregate(since=Min("written_at"))["since"]
    return OutboxStatus({str(state): counts.get(state, 0) for state in State.values}, oldest_at)


def _build_row(message: EmailMessage, recipient: str) -> OutgoingMail:
    encoding = message.encoding or settings.DEFAULT_CHARSET
    return OutgoingMail(
        recipient=sanitize_address(recipient, encoding),
        sender=sanitize_address(message.from_email, encoding),
        subject=str(message.subject)[:200],
        # The same text and Message-ID for all attempts.
        content=message.message().as_bytes(linesep="\r\n"),  # type: ignore[call-arg]  # Django adds it
    )


def send_due_mail(now: datetime | None = None) -> int:
    """Send the mail that is due; return how many mails a server accepted.

    Stops when no server can be reached, and after ``RUN_SECONDS`` or ``MAX_MAILS_PER_RUN``.
    """
    _give_up_unsure(now or timezone.now())
    connection = get_connection(settings.MAIL_BACKEND)
    count, deadline = 0, time.monotonic() + RUN_SECONDS
    try:
        for _ in range(MAX_MAILS_PER_RUN):
            if time.monotonic() > deadline or (mail := _claim_next_mail(now or timezone.now())) is None:
                break
            try:
                connection.open()
            except (OSError, smtplib.SMTPException) as error:
                _schedule_retry(mail, error)
                break
            count += _send(connection, mail)
    finally:
        with suppress(OSError, smtplib.SMTPException):
            connection.close()
    return count


def _send(connection: BaseEmailBackend, mail: OutgoingMail) -> bool:
    try:
        _deliver(connection, mail, lambda: _mark_handed(mail))
    except _ClaimLost:
        connection.close()
    except (smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused) as error:
        # The server has rejected the mail. The next one uses a new connection.
        connection.close()
        _schedule_retry(mail, error, is_permanent=_smtp_code(error) >= PERMANENT_FAILURE)
    except (OSError, smtplib.SMTPException) as error:
        connection.close()
        if mail.state == State.HANDED:
            _give_up(mail, State.UNSURE, _reason_of(error))
        else:
            _schedule_retry(mail, error)
    else:
        mail.delete()
        return True
    return False


def _deliver(connection: BaseEmailBackend, mail: OutgoingMail, before_data: Callable[[], None]) -> None:
    """Send a mail as ``smtplib`` does, but call ``before_data`` just before its text is sent."""
    client = getattr(connection, "connection", None)
    content = bytes(mail.content)
    if not isinstance(client, smtplib.SMTP):
        raise TypeError(settings.MAIL_BACKEND)
    reset_deadline(client)
    client.ehlo_or_helo_if_needed()
    code, response = client.mail(mail.sender)
    if code != OK:
        raise smtplib.SMTPSenderRefused(code, response, mail.sender)
    code, response = client.rcpt(mail.recipient)
    if code not in {OK, OK_ELSEWHERE}:
        raise smtplib.SMTPRecipientsRefused({mail.recipient: (code, response)})
    before_data()
    allow_data_time(client)
    code, response = client.data(content)
    if code != OK:
        raise smtplib.SMTPDataError(code, response)


@durable
def _claim_next_mail(now: datetime) -> OutgoingMail | None:
    """Claim and return the next mail that is due and that no other worker has claimed.

    None if there is none.
    """
    # The first attempt has no due time, as the clock may have been set back since.
    waiting = Q(state=State.WAITING) & (Q(next_at__lte=now) | Q(tries=0))
    abandoned = Q(state=State.TAKEN) & _claim_expired_q(now)
    due_mail = OutgoingMail.objects.filter(waiting | abandoned).order_by("next_at", "pk")
    mail = due_mail.select_for_update(skip_locked=True).first()
    if mail is not None:
        mail.state, mail.taken_at, mail.tries = State.TAKEN, now, mail.tries + 1
        mail.save(update_fields=["state", "taken_at", "tries"])
    return mail


def _claim_expired_q(now: datetime) -> Q:
    """Return a condition for claims whose worker has died: old ones.

    Also those in the future, from before a clock was set back.
    """
    return Q(taken_at__lt=now - TAKEN_TIMEOUT) | Q(taken_at__gt=now + TAKEN_TIMEOUT)


class _ClaimLost(Exception):
    """Another worker claimed the mail meanwhile."""


def _mark_handed(mail: OutgoingMail) -> None:
    claimed_mail = OutgoingMail.objects.filter(pk=mail.pk, state=State.TAKEN, taken_at=mail.taken_at)
    if not claimed_mail.update(state=State.HANDED):
        raise _ClaimLost
    mail.state = State.HANDED


def _schedule_retry(mail: OutgoingMail, error: Exception, *, is_permanent: bool = False) -> None:
    if is_permanent or mail.tries > len(RETRY_DELAYS):
        _give_up(mail, State.GIVEN_UP, _reason_of(error))
        return
    mail.state, mail.reason = State.WAITING, _reason_of(error)
    mail.next_at = timezone.now() + RETRY_DELAYS[mail.tries - 1]
    mail.save(update_fields=["state", "reason", "next_at"])
    log.warning("Mail %s waits %s: %s", mail.pk, RETRY_DELAYS[mail.tries - 1], mail.reason)


def _give_up(mail: OutgoingMail, state: State, reason: str) -> None:
    mail.state, mail.reason, mail.content = state, reason, b""
    mail.save(update_fields=["state", "reason", "content"])
    log.error("Mail %s is not sent (%s): %s", mail.pk, mail.get_state_display(), reason)


def _give_up_unsure(now: datetime) -> None:
    """Give up mails whose worker died while it sent the text: they may have arrived."""
    for mail in OutgoingMail.objects.filter(_claim_expired_q(now), state=State.HANDED):
        _give_up(mail, State.UNSURE, "the worker ended while it was sent")


def _smtp_code(error: smtplib.SMTPException) -> int:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return max(code for code, _ in error.recipients.values())
    return int(getattr(error, "smtp_code", 0))


def _reason_of(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        error = smtplib.SMTPResponseException(*next(iter(error.recipients.values())))
    if isinstance(error, smtplib.SMTPResponseException):
        response = error.smtp_error
        text = response.decode(errors="replace") if isinstance(response, bytes) else str(response)
        return f"{error.smtp_code} {text}"[:REASON_LENGTH]
    return f"{type(error).__name__}: {error}"[:REASON_LENGTH]
