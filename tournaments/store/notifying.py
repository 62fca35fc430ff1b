"""Store notifications in the transaction of the change that causes them.

A worker sends them (``notices.services.sending``). ``record_action`` calls ``notify_of_action``, which knows
the notifications of each kind of action, so no service can forget them. Recipients are computed later by the
worker: the request waits for one row only.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, TypeAlias

from django.db import models, transaction
from django.utils import timezone

from people.services.hints import enqueue_task
from tournaments.engine import alerts
from tournaments.engine.alerts import Alert, Recipients
from tournaments.engine.matches.reporting import Reporter
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.trail.action import AuditAction
from tournaments.engine.trail.draws import DrawPublished, RoundPublished
from tournaments.engine.trail.entries import EntryMovedUp
from tournaments.engine.trail.events import EventCancelled, EventRestored, EventUpdated
from tournaments.engine.trail.matches import (
    CallsUndone,
    MatchCalled,
    MatchesCalled,
    MatchReturnedToQueue,
    ResultAgreed,
    ResultReported,
    TableAssigned,
    TablesSwapped,
)
from tournaments.engine.trail.notices import AnnouncementChanged, AnnouncementMade, NoticeRestored
from tournaments.engine.types import Side
from tournaments.models import Event, Match, Notice, Notification

SEND_NOTICES_TASK: Final = "tournaments.tasks.send_notices"
_Alerts: TypeAlias = Iterable[tuple[Alert, Collection[int]]]


def write_notification(event: Event, alert: Alert, entries: Collection[int] = ()) -> None:
    """Store ``alert``; a worker sends it once this transaction is committed.

    ``entries``: ids of the recipients, for kinds that need them (``Recipients.ENTRIES``).
    """
    _write_notifications(event, [(alert, entries)])


def notify_of_action(event: Event, action: AuditAction, subject: models.Model) -> None:
    """Store the notifications that this action causes, if any."""
    build_alerts = _ALERTS_BY_ACTION.get(type(action))
    if build_alerts is not None:
        _write_notifications(event, build_alerts(action, subject))


def _write_notifications(event: Event, alerts_and_entries: _Alerts) -> None:
    now, rows = timezone.now(), []
    for alert, entries in alerts_and_entries:
        if (alert.recipients is Recipients.ENTRIES) is not bool(entries):
            raise ValueError(f"{alert.kind}: entries are named for it alone whose kind asks for them")
        match = alert.match if isinstance(alert, alerts.MatchAlert) else None
        row = Notification(
            event=event, match_id=match, entries=[*entries], made_at=now, until=now + alert.lifetime
        )
        row.alert = alert
        rows.append(row)
    if rows:
        Notification.objects.bulk_create(rows)
        transaction.on_commit(_wake_worker, robust=True)


def _wake_worker() -> None:
    enqueue_task(SEND_NOTICES_TASK)


def _alerts_for_call(_action: AuditAction, match: Any) -> _Alerts:
    assert isinstance(match, Match)
    return [(alerts.MatchCalled(match=match.pk, table=match.table), ())]


def _alerts_for_calls(action: Any, _subject: object) -> _Alerts:
    return [
        (alerts.MatchCalled(match=called_match.pk, table=called_match.table), ())
        for called_match in action.matches
    ]


def _alerts_for_table(_action: AuditAction, match: Any) -> _Alerts:
    return _alerts_for_call(_action, match) if match.status == MatchStatus.CALLED else []


def _alerts_for_swap(action: Any, _subject: object) -> _Alerts:
    """Return call notifications with the new tables, for the matches that are called already."""
    moved_ids = [moved_match.pk for moved_match in action.moved]
    called_ids = set(
        Match.objects.filter(pk__in=moved_ids, status=MatchStatus.CALLED)
        .order_by()
        .values_list("pk", flat=True)
    )
    return [
        (alerts.MatchCalled(match=moved_match.pk, table=moved_match.table), ())
        for moved_match in action.moved
        if moved_match.pk in called_ids
    ]


def _alerts_for_return(_action: AuditAction, match: Any) -> _Alerts:
    return [(alerts.CallCleared(match=match.pk), ())]


def _alerts_for_undone_calls(action: Any, _subject: object) -> _Alerts:
    return [(alerts.CallCleared(match=called_match.pk), ()) for called_match in action.matches]


def _alerts_for_report(action: Any, match: Any) -> _Alerts:
    if action.decision is MatchStatus.DISPUTED:
        return [(alerts.ResultDisputed(match=match.pk, version=action.version), ())]
    if action.decision is MatchStatus.REPORTED and action.by is not Reporter.DIRECTOR:
        return [(alerts.ResultToConfirm(match=match.pk, side=Side(action.by), version=action.version), ())]
    return []


def _alerts_for_draw(_action: AuditAction, stage: Any) -> _Alerts:
    return [(alerts.DrawPublished(stage=stage.pk), ())]


def _alerts_for_round(action: Any, stage: Any) -> _Alerts:
    return [(alerts.RoundPublished(stage=stage.pk, round=action.round), ())]


def _alerts_for_change(action: Any, _event: object) -> _Alerts:
    changed_fields = tuple(
        name
        for name in alerts.EVENT_CHANGE_CODES
        if action.before.get(name, "") != action.after.get(name, "")
    )
    return [(alerts.EventChanged(what=changed_fields), ())] if changed_fields else []


def _alerts_for_restore(_action: AuditAction, _event: object) -> _Alerts:
    return [(alerts.EventChanged(what=(alerts.RESTORED,)), ())]


def _alerts_for_cancellation(_action: AuditAction, _event: object) -> _Alerts:
    return [(alerts.EventCancelled(), ())]


def _alerts_for_announcement(action: Any, _event: object) -> _Alerts:
    notice = Notice.objects.filter(pk=action.notice).only("version", "division_id").get()
    return [
        (
            alerts.AnnouncementMade(
                notice=action.notice, version=notice.version, division=notice.division_id
            ),
            (),
        )
    ]


def _alerts_for_edit(action: Any, _event: object) -> _Alerts:
    """Return a new announcement if text or division changed; a longer display time is not announced."""
    return _alerts_for_announcement(action, _event) if {"text", "division"} & set(action.after) else []


def _alerts_for_moved_up(_action: AuditAction, entry: Any) -> _Alerts:
    return [(alerts.PlaceReceived(), [entry.pk])]


_ALERTS_BY_ACTION: Final[Mapping[type[AuditAction], Callable[[Any, Any], _Alerts]]] = {
    MatchCalled: _alerts_for_call,
    MatchesCalled: _alerts_for_calls,
    TableAssigned: _alerts_for_table,
    TablesSwapped: _alerts_for_swap,
    MatchReturnedToQueue: _alerts_for_return,
    CallsUndone: _alerts_for_undone_calls,
    ResultReported: _alerts_for_report,
    ResultAgreed: _alerts_for_report,
    DrawPublished: _alerts_for_draw,
    RoundPublished: _alerts_for_round,
    EventUpdated: _alerts_for_change,
    EventCancelled: _alerts_for_cancellation,
    EventRestored: _alerts_for_restore,
    AnnouncementMade: _alerts_for_announcement,
    AnnouncementChanged: _alerts_for_edit,
    NoticeRestored: _alerts_for_announcement,
    EntryMovedUp: _alerts_for_moved_up,
}
