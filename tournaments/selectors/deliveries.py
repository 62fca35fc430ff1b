"""Delivery states of notifications, for the director's board and the page that a notification opens."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from django.db.models import Q

from people.models import OutgoingMail
from tournaments.engine.alerts import MatchCalled
from tournaments.models import Delivery, Notification


class NotificationStatus(StrEnum):
    """How far the delivery of a notification has come.

    ``UNREACHABLE``: no device and no mail address is known, or the player has turned notifications off.
    """

    OPENED = "opened"
    SENT = "sent"
    WAITING = "waiting"
    FAILED = "failed"
    UNREACHABLE = "no_way"


@dataclass(frozen=True, slots=True)
class NotificationDelivery:
    """The delivery state of the last notification about a match to one of its entries.

    ``at``: when the notification was opened, or else sent, or else created.
    """

    match_id: int
    entry_id: int
    status: NotificationStatus
    at: datetime


# With several phones the best status counts.
_STATUSES_BEST_FIRST: Final = tuple(NotificationStatus)


def notification_deliveries(
    matches: Collection[int], kinds: Collection[str] = (MatchCalled.kind,)
) -> dict[int, list[NotificationDelivery]]:
    """Return the delivery state of the last notification to each entry, keyed by match id; one query.

    ``matches``: match ids; ``kinds``: only notifications of these kinds. Matches without such a notification
    are left out. If no recipient was found, both sides are ``UNREACHABLE``; of several devices, the best
    state counts.
    """
    rows = Notification.objects.filter(match__in=matches, kind__in=kinds)
    rows = rows.filter(Q(match__slots__entry__isnull=False)).order_by("pk")
    delivery_by_match: dict[int, dict[int, tuple[int, NotificationDelivery]]] = {}
    columns = (
        *("pk", "match_id", "made_at", "spread_at", "match__slots__entry"),
        *("deliveries__entry", "deliveries__state", "deliveries__sent_at", "deliveries__opened_at"),
        "deliveries__mail__state",
    )
    for (
        pk,
        match,
        made_at,
        spread_at,
        entry,
        delivery_entry,
        state,
        sent_at,
        opened_at,
        mail_state,
    ) in rows.values_list(*columns):
        is_delivered_to = delivery_entry == entry
        status = (
            _notification_status(state, opened_at, mail_state)
            if is_delivered_to
            else NotificationStatus.UNREACHABLE
            if spread_at
            else NotificationStatus.WAITING
        )
        at = (opened_at or sent_at or made_at) if is_delivered_to else made_at
        delivery = NotificationDelivery(match, entry, status, at)
        previous = delivery_by_match.setdefault(match, {}).get(entry)
        is_newer = previous is None or previous[0] < pk
        if is_newer or _STATUSES_BEST_FIRST.index(status) < _STATUSES_BEST_FIRST.index(previous[1].status):  # type: ignore[index]
            delivery_by_match[match][entry] = pk, delivery
    return {
        match: [latest_delivery for _pk, latest_delivery in entries.values()]
        for match, entries in delivery_by_match.items()
    }


def _notification_status(
    state: str, opened_at: datetime | None, mail_state: str | None
) -> NotificationStatus:
    if opened_at is not None:
        return NotificationStatus.OPENED
    if state == Delivery.State.SENT:
        if mail_state in {OutgoingMail.State.GIVEN_UP, OutgoingMail.State.UNSURE}:
            return NotificationStatus.FAILED
        return NotificationStatus.SENT if mail_state is None else NotificationStatus.WAITING
    return (
        NotificationStatus.FAILED
        if state in {Delivery.State.FAILED, Delivery.State.DROPPED}
        else NotificationStatus.WAITING
    )
