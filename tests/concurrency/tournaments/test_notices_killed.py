"""A weekend of notices, with the worker killed three times while it hands them out: each that is due goes out, mail once, push under one topic."""

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from people.models import OutgoingMail
from people.services.outbox import BACKEND_PATH
from people.services.pushing import PushOutcome, PushResult
from tests.factories import Tournament, an_event
from tests.support.killed import killed_at
from tests.support.lanes import in_full
from tests.support.notices import a_phone, an_account
from tests.support.races import race
from tournaments.engine.alerts import ALERT_KINDS
from tournaments.hall.services.calling import call_next
from tournaments.models import Delivery, Entry, Notification, NotificationChoice
from tournaments.notices.services.announcing import announce
from tournaments.notices.services.sending import (
    CLAIM_PERIOD,
    DELIVERY_BATCH_SIZE,
    create_deliveries,
    send_due_deliveries,
)
from tournaments.notices.services.writing import push_topic

pytestmark = pytest.mark.django_db(transaction=True)
ENTRIES, ACCOUNTS = (128, 16) if in_full() else (4, 1)
State = Delivery.State


class Recorder:
    """A push service that takes everything, and notes each topic in a file, so that it outlives whoever is killed."""

    def __init__(self, file: Path) -> None:
        self.file = file
        file.touch()

    def __call__(self, endpoint: str, _body: bytes, headers: Mapping[str, str]) -> PushResult:
        with self.file.open("a") as file:
            file.write(f"{endpoint} {headers['Topic']}\n")
        return PushResult(PushOutcome.TAKEN)

    def taken(self) -> Counter[str]:
        return Counter(self.file.read_text().splitlines())


def later() -> None:
    """So long that whatever a killed worker had taken is free again."""
    for row in Delivery.objects.filter(state=State.TAKEN):
        row.taken_at -= CLAIM_PERIOD + timedelta(seconds=1)
        row.save()


def test_weekend_when_the_worker_is_killed_three_times_then_each_due_notice_goes_out_and_mail_once(
    tmp_path: Path, settings
) -> None:
    settings.MAIL_WORKS, settings.EMAIL_BACKEND = True, BACKEND_PATH
    tournament: Tournament = an_event(ENTRIES, tables=ENTRIES // 2).publish()
    entries = list(Entry.objects.order_by("pk"))
    for entry in entries:
        a_phone(entry)
        # Nobody sleeps here, whatever the time is.
        NotificationChoice.objects.create(entry=entry, quiet_from="00:00", quiet_until="00:00")
    for entry in entries[:ACCOUNTS]:
        user = an_account(entry)
        ways = {kind: ["mail"] for kind in ALERT_KINDS}
        NotificationChoice.objects.create(user=user, ways=ways, quiet_from="00:00", quiet_until="00:00")
    service = Recorder(tmp_path / "taken")
    at = {"actor": tournament.actor, "event_id": tournament.event.pk}
    kills = iter((9, 30, 45) if in_full() else (6, 12, 21))
    killed = 0
    wave = 0
    while matches := tournament.playable():
        wave += 1
        announce(**at, text=f"Wave {wave}")
        if wave > 1:
            send_due_deliveries(push_sender=service)
        call_next(**at, everything=True)
        for step in kills if wave == 1 else ():
            killed += killed_at(step, lambda: send_due_deliveries(push_sender=service))
            later()
        send_due_deliveries(push_sender=service)
        sent = Notification.objects.filter(kind="called", match__in=matches)
        assert {row.state for row in Delivery.objects.filter(notification__in=sent)} == {State.SENT}
        for match in matches:
            tournament.says(match, "a", match.length, 3)
        send_due_deliveries(push_sender=service)
        for match in matches:
            tournament.settle(match, "a", 3)
        if not in_full():
            break
    send_due_deliveries(push_sender=service)
    assert killed == 3
    later()
    Delivery.objects.filter(state=State.WAITING).update(next_at=timezone.now())
    send_due_deliveries(push_sender=service)
    rows = Delivery.objects.select_related("notification", "subscription")
    assert not rows.filter(state__in=[State.WAITING, State.TAKEN, State.FAILED]).exists()
    assert not Notification.objects.filter(spread_at=None).exists()
    # What was sent, by phone and topic: as often as it is told, and more often only where nobody could know.
    due = Counter(
        f"{row.subscription.endpoint} {push_topic(row.notification.alert, row.entry_id)}"
        for row in rows.filter(state=State.SENT, way="push")
    )
    taken = service.taken()
    assert set(taken) == set(due)
    assert not due - taken
    assert (taken - due).total() <= 3 * DELIVERY_BATCH_SIZE
    mails = rows.filter(way="mail", state=State.SENT)
    assert mails.count() == OutgoingMail.objects.count() > 0
    assert len(set(mails.values_list("mail", flat=True))) == mails.count()


@pytest.mark.postgres
def test_two_workers_when_at_the_same_moment_then_each_phone_is_told_once(tmp_path: Path) -> None:
    tournament = an_event(4, tables=2).publish()
    Notification.objects.all().delete()
    for entry in Entry.objects.all():
        a_phone(entry)
    call_next(actor=tournament.actor, event_id=tournament.event.pk, everything=True)
    create_deliveries(now=timezone.now())
    service = Recorder(tmp_path / "taken")
    outcomes = race(
        lambda: send_due_deliveries(push_sender=service),
        lambda: send_due_deliveries(push_sender=service),
        meet_after='FROM "tournaments_delivery"',
    )
    assert [one.error for one in outcomes] == [None, None]
    assert sorted(service.taken().values()) == [1, 1, 1, 1]
    assert sorted(one.value for one in outcomes) == [0, 4]
