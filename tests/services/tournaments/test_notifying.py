"""What people are told follows from what is done, in the same transaction, whatever way it was done."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import transaction

from tests.factories import an_event
from tests.support.rounds import publish_next, where
from tournaments.engine import alerts
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.statuses import EventAction, MatchAction
from tournaments.engine.types import Side
from tournaments.events.services.events import change_event_status
from tournaments.hall.services.calling import call_next, move_match, set_table
from tournaments.models import Notification
from tournaments.notices.services.announcing import announce, change_announcement
from tournaments.notices.services.deadlines import notify_deadlines
from tournaments.notices.services.notifying import notify
from tournaments.rounds.services.deadlines import set_deadlines

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return an_event(4, tables=2).publish()


def alerts_since(before: int) -> list[alerts.Alert | None]:
    return [row.alert for row in Notification.objects.filter(pk__gt=before)]


def last() -> int:
    return Notification.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def test_notification_when_called_moved_and_sent_back_then_each_is_written(tournament):
    assert isinstance(Notification.objects.get().alert, alerts.DrawPublished)
    before, at = last(), {"actor": tournament.actor, "event_id": tournament.event.pk}
    first, second = call_next(**at, everything=True)
    set_table(**at, match_id=second.pk, table=None)
    move_match(**at, match_id=first.pk, action=MatchAction.SEND_BACK)
    assert alerts_since(before) == [
        alerts.MatchCalled(match=first.pk, table=1),
        alerts.MatchCalled(match=second.pk, table=2),
        alerts.MatchCalled(match=second.pk, table=None),
        alerts.CallCleared(match=first.pk),
    ]
    assert set(Notification.objects.filter(pk__gt=before).values_list("match_id", flat=True)) == {
        first.pk,
        second.pk,
    }


def test_notification_when_reported_then_the_other_side_and_when_disputed_then_both(tournament):
    match = tournament.playable()[0]
    before = last()
    tournament.says(match, "a", 7, 3)
    tournament.says(match, "b", 3, 7)
    assert alerts_since(before) == [
        alerts.ResultToConfirm(match=match.pk, side=Side.A, version=1),
        alerts.ResultDisputed(match=match.pk, version=2),
    ]
    tournament.settle(match, "a")  # whose result stands sees it; nobody has to do anything
    assert len(alerts_since(before)) == 2


def test_notification_when_what_happened_is_taken_back_with_its_transaction_then_there_is_none(tournament):
    before = last()
    with transaction.atomic():
        notify(tournament.event, alerts.EventCancelled())
        transaction.set_rollback(True)
    assert alerts_since(before) == []
    with pytest.raises(ValueError, match="moved_up"):
        notify(tournament.event, alerts.PlaceReceived())


def test_notification_when_the_event_changes_or_something_is_announced_then_it_is_told(tournament):
    before, at = last(), {"actor": tournament.actor, "event_id": tournament.event.pk}
    notice = announce(**at, text="Dinner is ready")
    longer = notice.made_at + timedelta(hours=1)
    same = {"notice_id": notice.pk, "text": "Dinner is ready", "division_id": None}
    change_announcement(**at, **same, until=longer, seen=1)  # that it stands for an hour is no news
    change_announcement(**at, **same | {"text": "Dinner at eight"}, until=longer, seen=2)
    change_event_status(**at, action=EventAction.CANCEL)
    change_event_status(**at, action=EventAction.RESTORE)
    assert alerts_since(before) == [
        alerts.AnnouncementMade(notice=notice.pk, version=1),
        alerts.AnnouncementMade(notice=notice.pk, version=3),
        alerts.EventCancelled(),
        alerts.EventChanged(what=(alerts.RESTORED,)),
    ]


def test_notification_when_a_last_day_is_near_then_both_sides_once_for_each_day():
    tournament = an_event(4, system="round_robin", lengths=[5], swiss=SwissSettings())
    publish_next(tournament)
    day = tournament.event.starts_on + timedelta(days=20)
    set_deadlines(**where(tournament), deadlines={1: day})
    before = last()
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    assert notify_deadlines(noon - timedelta(days=3)) == 0
    assert (notify_deadlines(noon - timedelta(days=2)), notify_deadlines(noon - timedelta(days=1))) == (2, 0)
    assert [row.day for row in alerts_since(before)] == [day.isoformat()] * 2
    set_deadlines(**where(tournament), deadlines={1: day + timedelta(days=1)})
    assert notify_deadlines(noon) == 2
    assert isinstance(day, date)
