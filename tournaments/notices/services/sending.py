"""Whoever it concerns is told: notifications are spread to phones and addresses, and handed out, by a worker.

Each step is a row that says so, written before the next one is done: a worker that is killed loses nothing, and two of them do not take the same
one. Mail goes over to the mail outbox in one transaction with its row, so never twice. A push message of which nobody knows whether it arrived is
sent again, under the same topic and tag, so that it takes the place of the first one.
"""

import logging
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from people.services.pushing import Answered, Outcome, Post, post_to
from people.transactions import durable
from tournaments.engine.alerts import AboutMatch, Alert, Quiet, Way
from tournaments.models import Delivery, Notification, Subscription
from tournaments.models.notifications import REASON_LENGTH
from tournaments.notices.services.writing import Push, push_for, write_mail
from tournaments.selectors.recipients import Target, entries_for, plays_now, quiet_until, targets_of

log = logging.getLogger(__name__)
State = Delivery.State
# Pauses after the first try, the second …, as long as the notice is worth anything; the last one again and again.
PAUSES: Final = tuple(timedelta(seconds=seconds) for seconds in (10, 30, 60, 120, 300, 900, 1800))
TAKEN_LASTS: Final = timedelta(seconds=60)  # longer than a worker needs for a handful
LOOK_AGAIN: Final = timedelta(minutes=1)  # whether somebody who plays has finished
FAR: Final = timedelta(days=2)  # nothing waits that long: the clock was set back since
SPREAD_AT_ONCE: Final = 20
HANDFUL, LINES = 16, 8  # deliveries that are taken together, and how many of them go out at the same time
TURN: Final = 30.0  # seconds after which something else may wait for this worker; the sweep goes on


def send_due(now: datetime | None = None, *, post: Post = post_to) -> int:
    """Tell what is due; how many push messages were taken and mails written. ``post``: how a push service is asked."""
    ends, count = time.monotonic() + TURN, 0
    while spread_some(now=now or timezone.now()):
        pass
    with ThreadPoolExecutor(LINES) as lines:
        while time.monotonic() < ends and (taken := take_some(now=now or timezone.now())):
            pushes: list[tuple[Delivery, Push]] = []
            for delivery in taken:
                ready = _prepared(delivery, now or timezone.now())
                if isinstance(ready, Push):
                    pushes.append((delivery, ready))
                count += ready is True
            answers = lines.map(lambda one: post(one[1].endpoint, one[1].body, one[1].headers), pushes)
            for (delivery, _push), answer in zip(pushes, answers, strict=True):
                count += finish(delivery=delivery, answer=answer, now=now or timezone.now())
    return count


@durable
def spread_some(*, now: datetime) -> int:
    """Work out who is told by which way of what happened last; of how many things."""
    rows = Notification.objects.filter(spread_at=None).order_by("pk").select_related("event")
    found = list(rows.select_for_update(of=("self",), skip_locked=True)[:SPREAD_AT_ONCE])
    made = [one for row in found for one in _deliveries(row, now)]
    Delivery.objects.bulk_create(made, ignore_conflicts=True)
    Notification.objects.filter(pk__in=[row.pk for row in found]).update(spread_at=now)
    return len(found)


def _deliveries(row: Notification, now: datetime) -> list[Delivery]:
    alert = row.alert
    if alert is None or row.until <= now:
        return []
    return [
        Delivery(
            notification=row,
            entry_id=one.entry_id,
            way=one.way,
            subscription=one.subscription,
            user=one.user if one.way is Way.MAIL else None,
            rank=0 if alert.quiet is Quiet.COMES else 1,
            next_at=now,
        )
        for one in targets_of(row.event, entries_for(row, alert), type(alert))
    ]


@durable
def take_some(*, now: datetime) -> list[Delivery]:
    """The next ones that are due and that nobody is at, marked as ours; what cannot wait first."""
    due = Q(state=State.WAITING) & (Q(next_at__lte=now) | Q(next_at__gt=now + FAR))
    left = Q(taken_at__lt=now - TAKEN_LASTS) | Q(taken_at__gt=now + TAKEN_LASTS)
    rows = Delivery.objects.filter(due | (Q(state=State.TAKEN) & left)).order_by("rank", "next_at", "pk")
    pks = list(rows.select_for_update(skip_locked=True).values_list("pk", flat=True)[:HANDFUL])
    if not pks:
        return []
    Delivery.objects.filter(pk__in=pks).update(state=State.TAKEN, taken_at=now, tries=F("tries") + 1)
    taken = Delivery.objects.filter(pk__in=pks).select_related("notification__event", "subscription")
    return list(taken.order_by("rank", "next_at", "pk"))


def _prepared(delivery: Delivery, now: datetime) -> Push | bool:
    """What goes to the push service, or True where a mail was written; False where it waits or is dropped."""
    row, alert = delivery.notification, delivery.notification.alert
    if alert is None or row.until <= now:
        _end(delivery, State.FAILED if delivery.reason else State.DROPPED, delivery.reason or "too late")
        return False
    target = _target_of(delivery, alert)
    if target is None:
        _end(delivery, State.DROPPED, "nobody wants it here any more")
        return False
    later = _held(delivery, alert, target, now)
    if later is not None:
        if alert.quiet is Quiet.FALLS or later >= row.until:
            _end(delivery, State.DROPPED, "nobody may be disturbed before it is over")
        else:
            _ours(delivery).update(state=State.WAITING, next_at=later, tries=F("tries") - 1)
        return False
    ready: Push | bool | None = (
        write_mail(delivery_id=delivery.pk, taken_at=delivery.taken_at, target=target, now=now)
        if target.way is Way.MAIL
        else push_for(delivery, alert, target, now)
    )
    if ready is None:
        _end(delivery, State.DROPPED, "true no more")
    return ready or False


def _target_of(delivery: Delivery, alert: Alert) -> Target | None:
    """The way as it stands now: it may have been chosen off, revoked, or taken from an account."""
    wanted = (delivery.entry_id, delivery.way, delivery.subscription_id or delivery.user_id)
    found = targets_of(delivery.notification.event, [delivery.entry_id], type(alert))
    return next((one for one in found if one.key == wanted), None)


def _held(delivery: Delivery, alert: Alert, target: Target, now: datetime) -> datetime | None:
    """Until when it waits: in quiet hours, and as long as they sit at another match."""
    if alert.quiet is Quiet.COMES:
        return None
    until = quiet_until(target, now)
    if until is None and target.way is Way.PUSH:
        about = alert.match if isinstance(alert, AboutMatch) else None
        return now + LOOK_AGAIN if plays_now(delivery.entry_id, about) else None
    return until


@durable
def finish(*, delivery: Delivery, answer: Answered, now: datetime) -> bool:
    """Write down what became of a message; whether the push service has it."""
    match answer.outcome:
        case Outcome.TAKEN:
            return bool(_ours(delivery).update(state=State.SENT, sent_at=now, reason=""))
        case Outcome.GONE:
            _end(delivery, State.FAILED, f"this phone is not woken any more: {answer.reason}")
            Subscription.objects.filter(deliveries=delivery).delete()
        case Outcome.REFUSED:
            _end(delivery, State.FAILED, answer.reason)
            log.error("A push service refuses notice %s: %s", delivery.pk, answer.reason)
        case Outcome.LATER:
            _later(delivery, answer, now)
    return False


def _later(delivery: Delivery, answer: Answered, now: datetime) -> None:
    pause = PAUSES[min(delivery.tries, len(PAUSES)) - 1]
    later = now + max(pause, timedelta(seconds=answer.wait))
    if later >= delivery.notification.until:
        _end(delivery, State.FAILED, answer.reason)
    else:
        _ours(delivery).update(state=State.WAITING, next_at=later, reason=answer.reason[:REASON_LENGTH])


def _ours(delivery: Delivery) -> QuerySet[Delivery]:
    """The row, as long as nobody else has taken it since."""
    return Delivery.objects.filter(pk=delivery.pk, state=State.TAKEN, taken_at=delivery.taken_at)


def _end(delivery: Delivery, state: State, reason: str) -> None:
    _ours(delivery).update(state=state, reason=reason[:REASON_LENGTH])
