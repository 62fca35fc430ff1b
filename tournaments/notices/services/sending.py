"""Create the deliveries of notifications to devices and mail addresses and send them, in a worker.

Each step is saved before the next one: a worker that is killed loses nothing, and two workers never claim the
same delivery. A mail enters the mail outbox in the transaction that marks its delivery as sent, so it is
never sent twice. A push message with an unknown outcome is sent again with the same topic and tag, so that it
replaces the first one.
"""

import logging
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from people.services.pushing import PushOutcome, PushResult, PushSender, send_push
from people.transactions import durable
from tournaments.engine.alerts import Alert, Channel, MatchAlert, QuietHoursPolicy
from tournaments.models import Delivery, Notification, Subscription
from tournaments.models.notifications import REASON_LENGTH
from tournaments.notices.services.writing import PushMessage, push_message_for, queue_mail
from tournaments.selectors.recipients import (
    DeliveryTarget,
    delivery_targets,
    entries_to_notify,
    is_playing_now,
    quiet_hours_end_for,
)

log = logging.getLogger(__name__)
State = Delivery.State
# Pauses between tries while the notification is valid; the last one repeats.
RETRY_PAUSES: Final = tuple(timedelta(seconds=seconds) for seconds in (10, 30, 60, 120, 300, 900, 1800))
CLAIM_PERIOD: Final = timedelta(seconds=60)  # longer than a worker needs for a batch
RECHECK_PERIOD: Final = timedelta(minutes=1)  # whether a player has finished another match
MAX_WAIT: Final = timedelta(days=2)  # a later due time means that the clock was set back since
SPREAD_BATCH_SIZE: Final = 20
DELIVERY_BATCH_SIZE, SENDER_THREADS = (
    16,
    8,
)  # deliveries claimed together, and threads that send them
MAX_RUN_SECONDS: Final = 30.0  # seconds before the worker yields to other tasks; the periodic task continues


def send_due_deliveries(now: datetime | None = None, *, push_sender: PushSender = send_push) -> int:
    """Send due deliveries. Return the number of push messages accepted and mails written.

    ``push_sender``: the function that calls a push service.
    """
    stop_at, count = time.monotonic() + MAX_RUN_SECONDS, 0
    while create_deliveries(now=now or timezone.now()):
        pass
    with ThreadPoolExecutor(SENDER_THREADS) as executor:
        while time.monotonic() < stop_at and (claimed := claim_deliveries(now=now or timezone.now())):
            pushes: list[tuple[Delivery, PushMessage]] = []
            for delivery in claimed:
                prepared = _prepare_delivery(delivery, now or timezone.now())
                if isinstance(prepared, PushMessage):
                    pushes.append((delivery, prepared))
                count += prepared is True
            answers = executor.map(
                lambda pair: push_sender(pair[1].endpoint, pair[1].body, pair[1].headers), pushes
            )
            for (delivery, _push), answer in zip(pushes, answers, strict=True):
                count += finish_delivery(delivery=delivery, answer=answer, now=now or timezone.now())
    return count


@durable
def create_deliveries(*, now: datetime) -> int:
    """Create the deliveries of the next new notifications. Return the number of notifications handled."""
    rows = Notification.objects.filter(spread_at=None).order_by("pk").select_related("event")
    notifications = list(rows.select_for_update(of=("self",), skip_locked=True)[:SPREAD_BATCH_SIZE])
    deliveries = [delivery for row in notifications for delivery in _new_deliveries(row, now)]
    Delivery.objects.bulk_create(deliveries, ignore_conflicts=True)
    Notification.objects.filter(pk__in=[row.pk for row in notifications]).update(spread_at=now)
    return len(notifications)


def _new_deliveries(row: Notification, now: datetime) -> list[Delivery]:
    alert = row.alert
    if alert is None or row.until <= now:
        return []
    return [
        Delivery(
            notification=row,
            entry_id=target.entry_id,
            way=target.channel,
            subscription=target.subscription,
            user=target.user if target.channel is Channel.MAIL else None,
            rank=0 if alert.quiet_hours_policy is QuietHoursPolicy.SEND else 1,
            next_at=now,
        )
        for target in delivery_targets(row.event, entries_to_notify(row, alert), type(alert))
    ]


@durable
def claim_deliveries(*, now: datetime) -> list[Delivery]:
    """Claim the next due deliveries that no other worker has, the most urgent first.

    Includes those that a worker claimed longer than ``CLAIM_PERIOD`` ago without finishing them. Returns at
    most ``DELIVERY_BATCH_SIZE``.
    """
    due = Q(state=State.WAITING) & (Q(next_at__lte=now) | Q(next_at__gt=now + MAX_WAIT))
    abandoned = Q(taken_at__lt=now - CLAIM_PERIOD) | Q(taken_at__gt=now + CLAIM_PERIOD)
    rows = Delivery.objects.filter(due | (Q(state=State.TAKEN) & abandoned)).order_by("rank", "next_at", "pk")
    pks = list(rows.select_for_update(skip_locked=True).values_list("pk", flat=True)[:DELIVERY_BATCH_SIZE])
    if not pks:
        return []
    Delivery.objects.filter(pk__in=pks).update(state=State.TAKEN, taken_at=now, tries=F("tries") + 1)
    claimed = Delivery.objects.filter(pk__in=pks).select_related("notification__event", "subscription")
    return list(claimed.order_by("rank", "next_at", "pk"))


def _prepare_delivery(delivery: Delivery, now: datetime) -> PushMessage | bool:
    """Return the push message of a delivery, or True if a mail was written.

    False if the delivery has to wait or was dropped (too late, not wanted any more, no longer true).
    """
    row, alert = delivery.notification, delivery.notification.alert
    if alert is None or row.until <= now:
        _end_delivery(
            delivery, State.FAILED if delivery.reason else State.DROPPED, delivery.reason or "too late"
        )
        return False
    target = _current_target(delivery, alert)
    if target is None:
        _end_delivery(delivery, State.DROPPED, "nobody wants it here any more")
        return False
    wait_until = _held_until(delivery, alert, target, now)
    if wait_until is not None:
        if alert.quiet_hours_policy is QuietHoursPolicy.DROP or wait_until >= row.until:
            _end_delivery(delivery, State.DROPPED, "nobody may be disturbed before it is over")
        else:
            _claimed_rows(delivery).update(state=State.WAITING, next_at=wait_until, tries=F("tries") - 1)
        return False
    prepared: PushMessage | bool | None = (
        queue_mail(delivery_id=delivery.pk, taken_at=delivery.taken_at, target=target, now=now)
        if target.channel is Channel.MAIL
        else push_message_for(delivery, alert, target, now)
    )
    if prepared is None:
        _end_delivery(delivery, State.DROPPED, "true no more")
    return prepared or False


def _current_target(delivery: Delivery, alert: Alert) -> DeliveryTarget | None:
    """Return the current target of the delivery, or None if it may no longer be sent there.

    That is, the recipient deselected it, the personal link was revoked, or the account lost the entry.
    """
    key = (delivery.entry_id, delivery.way, delivery.subscription_id or delivery.user_id)
    targets = delivery_targets(delivery.notification.event, [delivery.entry_id], type(alert))
    return next((target for target in targets if target.key == key), None)


def _held_until(delivery: Delivery, alert: Alert, target: DeliveryTarget, now: datetime) -> datetime | None:
    """Return until when the delivery has to wait, or None.

    Reasons are quiet hours and, for push messages, another match in progress (checked again each minute).
    """
    if alert.quiet_hours_policy is QuietHoursPolicy.SEND:
        return None
    until = quiet_hours_end_for(target, now)
    if until is None and target.channel is Channel.PUSH:
        match = alert.match if isinstance(alert, MatchAlert) else None
        return now + RECHECK_PERIOD if is_playing_now(delivery.entry_id, match) else None
    return until


@durable
def finish_delivery(*, delivery: Delivery, answer: PushResult, now: datetime) -> bool:
    """Record the outcome of a push message. Return whether the push service accepted it.

    Deletes a subscription that no longer exists at the push service; plans another try if that makes sense.
    """
    match answer.outcome:
        case PushOutcome.TAKEN:
            return bool(_claimed_rows(delivery).update(state=State.SENT, sent_at=now, reason=""))
        case PushOutcome.GONE:
            _end_delivery(delivery, State.FAILED, f"this phone is not woken any more: {answer.reason}")
            Subscription.objects.filter(deliveries=delivery).delete()
        case PushOutcome.REFUSED:
            _end_delivery(delivery, State.FAILED, answer.reason)
            log.error("A push service refuses notice %s: %s", delivery.pk, answer.reason)
        case PushOutcome.LATER:
            _schedule_retry(delivery, answer, now)
    return False


def _schedule_retry(delivery: Delivery, answer: PushResult, now: datetime) -> None:
    pause = RETRY_PAUSES[min(delivery.tries, len(RETRY_PAUSES)) - 1]
    retry_at = now + max(pause, timedelta(seconds=answer.wait))
    if retry_at >= delivery.notification.until:
        _end_delivery(delivery, State.FAILED, answer.reason)
    else:
        _claimed_rows(delivery).update(
            state=State.WAITING, next_at=retry_at, reason=answer.reason[:REASON_LENGTH]
        )


def _claimed_rows(delivery: Delivery) -> QuerySet[Delivery]:
    """Return the row of the delivery as a queryset, which is empty if another worker has claimed it since."""
    return Delivery.objects.filter(pk=delivery.pk, state=State.TAKEN, taken_at=delivery.taken_at)


def _end_delivery(delivery: Delivery, state: State, reason: str) -> None:
    _claimed_rows(delivery).update(state=state, reason=reason[:REASON_LENGTH])
