"""Write a notification in the recipient's language, as a push message or as a mail."""

import base64
import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from people.audience import Audience, override_audience
from people.models import OutgoingMail
from people.rows import one_or_none
from people.services.outbox import BACKEND_PATH, store_mail
from people.transactions import durable
from people.webpush import authorization_header, encrypt_message
from tournaments.engine.alerts import Alert, QuietHoursPolicy
from tournaments.models import Delivery
from tournaments.selectors.access.links import entry_token
from tournaments.selectors.access.off_links import unsubscribe_token
from tournaments.selectors.alert_facts import AlertFacts, load_alert_facts
from tournaments.selectors.recipients import DeliveryTarget
from tournaments.shared.words.alerts import AlertText, alert_text

MAIL_BATCH_SIZE: Final = 100  # checked in one run, of mails that wait for a mail server
MAX_TOPIC_LENGTH: Final = 32
State = Delivery.State


@dataclass(frozen=True, slots=True)
class PushMessage:
    """An encrypted push message, ready to be sent.

    ``endpoint``: the browser's address at its push service.
    """

    endpoint: str
    body: bytes
    headers: dict[str, str]


def push_message_for(
    delivery: Delivery, alert: Alert, target: DeliveryTarget, now: datetime
) -> PushMessage | None:
    """Return the push message to the browser of ``target``, or None if the notification no longer applies."""
    loaded = _texts_for_entry(alert, delivery.entry_id, target.language)
    browser = target.browser
    if loaded is None or browser is None:
        return None
    facts, content, language = loaded
    payload = push_payload(alert, facts, content, language, delivery.public_id)
    headers = {
        "Authorization": authorization_header(browser.endpoint, now.timestamp()),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(max(0, int((delivery.notification.until - now).total_seconds()))),
        "Topic": push_topic(alert, delivery.entry_id),
        "Urgency": "high" if alert.quiet_hours_policy is QuietHoursPolicy.SEND else "normal",
    }
    body = encrypt_message(json.dumps(payload, ensure_ascii=False).encode(), browser)
    return PushMessage(browser.endpoint, body, headers)


def push_topic(alert: Alert, entry_id: int) -> str:
    """Return the topic by which a notification to an entry replaces an earlier one at the push service.

    At most 32 characters (RFC 8030, 5.4), and different for every entry.
    """
    topic = f"{alert.topic}-{entry_id}"
    if len(topic) <= MAX_TOPIC_LENGTH:
        return topic
    return base64.urlsafe_b64encode(hashlib.sha256(topic.encode()).digest()).decode()[:MAX_TOPIC_LENGTH]


def push_payload(
    alert: Alert, facts: AlertFacts, content: AlertText, language: str, public_id: str
) -> dict[str, str]:
    """Return the payload for the service worker: all that it shows, and the address that it opens on a tap.

    ``public_id``: the id of the delivery, with which the page records that the notification was opened.
    """
    return {
        "title": content.title,
        "body": content.body,
        "tag": f"{alert.topic}-{facts.entry.public_id}",
        "url": f"{reverse('player:home', args=[entry_token(facts.entry)])}?notice={public_id}",
        "lang": language,
        "kind": alert.kind,
    }


def _texts_for_entry(alert: Alert, entry_id: int, language: str) -> tuple[AlertFacts, AlertText, str] | None:
    language = language or settings.LANGUAGE_CODE
    with override_audience(Audience.HALL), override(language):
        facts = load_alert_facts(alert, entry_id)
        return None if facts is None else (facts, alert_text(alert, facts), language)


@durable
def queue_mail(
    *, delivery_id: int, taken_at: datetime | None, target: DeliveryTarget, now: datetime
) -> bool | None:
    """Put the mail of a delivery into the mail outbox and mark the delivery as sent, in one transaction.

    ``taken_at``: when this worker claimed the delivery. Returns True if done, None if the notification no
    longer applies, False if another worker has claimed the delivery since. Without an outbox, sends the mail
    at once.
    """
    rows = Delivery.objects.select_for_update(of=("self",)).select_related("notification")
    row = one_or_none(rows.filter(pk=delivery_id, state=State.TAKEN, taken_at=taken_at))
    alert = row.notification.alert if row is not None else None
    if row is None or alert is None or target.user is None:
        return False
    loaded = _texts_for_entry(alert, row.entry_id, target.language)
    if loaded is None:
        return None
    _facts, content, language = loaded
    with override(language):
        message = build_mail(content, alert.kind, target.user.pk, target.address)
    if settings.EMAIL_BACKEND == BACKEND_PATH:
        (row.mail,) = store_mail([message])
    else:  # a computer without a mail server, which shows mail and sends none
        message.send()
    row.state, row.sent_at = State.SENT, now
    row.save(update_fields=["mail", "state", "sent_at"])
    return True


def build_mail(content: AlertText, kind: str, user_id: int, address: str) -> EmailMessage:
    """Return a mail in the active language, with the headers for one-click unsubscribe (RFC 8058)."""
    unsubscribe_url = settings.SITE_URL + reverse(
        "player:notices-off", args=[unsubscribe_token(user_id, kind)]
    )
    text = _(
        "%(body)s\n\nYour matches: %(page)s\n\nYou receive this because you play there with an account.\n"
        "Notification settings: %(choices)s\nUnsubscribe: %(off)s"
    ) % {
        "body": content.body,
        "page": settings.SITE_URL + reverse("player:me"),
        "choices": settings.SITE_URL + reverse("player:notices"),
        "off": unsubscribe_url,
    }
    headers = {
        "List-Unsubscribe": f"<{unsubscribe_url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }
    return EmailMessage(f"[Crawford] {content.title}", text, None, [address], headers=headers)


@durable
def drop_outdated_mail(*, now: datetime) -> int:
    """Drop mails that wait in the outbox and whose notification no longer applies. Return their number."""
    is_waiting = Q(mail__state=OutgoingMail.State.WAITING)
    rows = Delivery.objects.filter(is_waiting).select_related("notification").order_by("pk")
    dropped = 0
    for row in rows[:MAIL_BATCH_SIZE]:
        alert = row.notification.alert
        is_late = row.notification.until <= now
        if alert is not None and not is_late and load_alert_facts(alert, row.entry_id) is not None:
            continue
        mail = OutgoingMail.objects.filter(delivery=row, state=OutgoingMail.State.WAITING)
        if mail.select_for_update(skip_locked=True).first() is not None:
            mail.delete()
            reason = "too late" if is_late else "true no more"
            Delivery.objects.filter(pk=row.pk).update(state=State.DROPPED, sent_at=None, reason=reason)
            dropped += 1
    return dropped
