"""Write down what single people are to be told, in the transaction in which it happens. A worker tells it (`notices.services.sending`).

`notify_of` knows what follows from each kind of action, so no service can forget it: `lock.changed` asks. Who is told is worked out later, so whoever
waits for an answer waits for one row.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, TypeAlias

from django.db import models, transaction
from django.utils import timezone

from people.services.hints import hint
from tournaments.engine import alerts
from tournaments.engine.alerts import Alert, Whom
from tournaments.engine.matches.reporting import Reporter
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.trail.action import TrailAction
from tournaments.engine.trail.draws import DrawPublished, RoundPublished
from tournaments.engine.trail.entries import EntryMovedUp
from tournaments.engine.trail.events import EventCalledOff, EventRestored, EventUpdated
from tournaments.engine.trail.matches import (
    CallsUndone,
    MatchCalled,
    MatchesCalled,
    MatchSentBack,
    ResultAgreed,
    ResultReported,
    TableGiven,
    TablesSwapped,
)
from tournaments.engine.trail.notices import Announced, AnnouncementChanged, NoticeShownAgain
from tournaments.engine.types import Side
from tournaments.models import Event, Match, Notice, Notification

TASK: Final = "tournaments.tasks.send_notices"
_Found: TypeAlias = Iterable[tuple[Alert, Collection[int]]]


def write_notification(event: Event, alert: Alert, entries: Collection[int] = ()) -> None:
    """``alert`` is told when this transaction is committed. ``entries``: ids, of a kind that asks for them."""
    _write(event, [(alert, entries)])


def notify_of(event: Event, action: TrailAction, subject: models.Model) -> None:
    """Whatever somebody is told of this action."""
    follows = _FOLLOWS.get(type(action))
    if follows is not None:
        _write(event, follows(action, subject))


def _write(event: Event, found: _Found) -> None:
    now, rows = timezone.now(), []
    for one, entries in found:
        if (one.whom is Whom.ENTRIES) is not bool(entries):
            raise ValueError(f"{one.kind}: entries are named for it alone whose kind asks for them")
        match = one.match if isinstance(one, alerts.AboutMatch) else None
        row = Notification(
            event=event, match_id=match, entries=[*entries], made_at=now, until=now + one.lasts
        )
        row.alert = one
        rows.append(row)
    if rows:
        Notification.objects.bulk_create(rows)
        transaction.on_commit(_hint, robust=True)


def _hint() -> None:
    hint(TASK)


def _called(_action: TrailAction, match: Any) -> _Found:
    assert isinstance(match, Match)
    return [(alerts.MatchCalled(match=match.pk, table=match.table), ())]


def _all_called(action: Any, _subject: object) -> _Found:
    return [(alerts.MatchCalled(match=one.pk, table=one.table), ()) for one in action.matches]


def _table_given(_action: TrailAction, match: Any) -> _Found:
    return _called(_action, match) if match.status == MatchStatus.CALLED else []


def _swapped(action: Any, _subject: object) -> _Found:
    """Of those that were called; who plays has been told by the director."""
    moved = [one.pk for one in action.moved]
    called = set(
        Match.objects.filter(pk__in=moved, status=MatchStatus.CALLED).order_by().values_list("pk", flat=True)
    )
    return [
        (alerts.MatchCalled(match=one.pk, table=one.table), ()) for one in action.moved if one.pk in called
    ]


def _sent_back(_action: TrailAction, match: Any) -> _Found:
    return [(alerts.CallTakenBack(match=match.pk), ())]


def _calls_undone(action: Any, _subject: object) -> _Found:
    return [(alerts.CallTakenBack(match=one.pk), ()) for one in action.matches]


def _reported(action: Any, match: Any) -> _Found:
    if action.decision is MatchStatus.DISPUTED:
        return [(alerts.ResultDisputed(match=match.pk, version=action.version), ())]
    if action.decision is MatchStatus.REPORTED and action.by is not Reporter.DIRECTOR:
        return [(alerts.ToConfirm(match=match.pk, side=Side(action.by), version=action.version), ())]
    return []


def _drawn(_action: TrailAction, stage: Any) -> _Found:
    return [(alerts.DrawShown(stage=stage.pk), ())]


def _paired(action: Any, stage: Any) -> _Found:
    return [(alerts.RoundShown(stage=stage.pk, round=action.round), ())]


def _event_changed(action: Any, _event: object) -> _Found:
    what = tuple(
        name for name in alerts.WHAT_CHANGED if action.before.get(name, "") != action.after.get(name, "")
    )
    return [(alerts.EventChanged(what=what), ())] if what else []


def _event_on(_action: TrailAction, _event: object) -> _Found:
    return [(alerts.EventChanged(what=(alerts.RESTORED,)), ())]


def _event_off(_action: TrailAction, _event: object) -> _Found:
    return [(alerts.EventOff(), ())]


def _announced(action: Any, _event: object) -> _Found:
    notice = Notice.objects.filter(pk=action.notice).only("version", "division_id").get()
    return [(alerts.Announced(notice=action.notice, version=notice.version, division=notice.division_id), ())]


def _announced_anew(action: Any, _event: object) -> _Found:
    """Other words, or others who are told; that it stands longer is no news."""
    return _announced(action, _event) if {"text", "division"} & set(action.after) else []


def _moved_up(_action: TrailAction, entry: Any) -> _Found:
    return [(alerts.MovedUp(), [entry.pk])]


_FOLLOWS: Final[Mapping[type[TrailAction], Callable[[Any, Any], _Found]]] = {
    MatchCalled: _called,
    MatchesCalled: _all_called,
    TableGiven: _table_given,
    TablesSwapped: _swapped,
    MatchSentBack: _sent_back,
    CallsUndone: _calls_undone,
    ResultReported: _reported,
    ResultAgreed: _reported,
    DrawPublished: _drawn,
    RoundPublished: _paired,
    EventUpdated: _event_changed,
    EventCalledOff: _event_off,
    EventRestored: _event_on,
    Announced: _announced,
    AnnouncementChanged: _announced_anew,
    NoticeShownAgain: _announced,
    EntryMovedUp: _moved_up,
}
