"""The content of a notification to one entry, read when the notification is sent.

The functions return None if the notification no longer applies.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

from django.utils import timezone

from people.rows import one_or_none
from tournaments.engine import alerts
from tournaments.engine.alerts import Alert, MatchAlert
from tournaments.engine.notices import Announcement
from tournaments.engine.statuses import (
    AWAITING_RESULT,
    DRAW_PUBLIC,
    EVENT_OVER,
    STAGE_UNDER_WAY,
    UPCOMING,
    EntryStatus,
    EventStatus,
    MatchStatus,
)
from tournaments.models import (
    CallWord,
    Entry,
    Event,
    Match,
    MatchMessage,
    MatchSlot,
    Notice,
    Report,
    Stage,
)
from tournaments.selectors.access.visibility import is_removed
from tournaments.selectors.hall.calling import is_busy
from tournaments.selectors.matches.arrangements import arrangement_of_match, can_arrange, current_arrangements
from tournaments.selectors.notices import current_notices_q


@dataclass(frozen=True, slots=True)
class AlertFacts:
    """The facts for the text of a notification to ``entry``; those that do not apply are empty.

    ``own_points`` and ``opponent_points``: points of the entry and of its opponent in the reported result;
    ``section`` and ``code`` name the round; ``day``: the round's deadline; ``begins`` and ``place``: when and
    where the match is to start; ``text``: an announcement.
    """

    event: Event
    entry: Entry
    opponent: str = ""
    table: int | None = None
    length: int = 0
    section: str = ""
    code: str = ""
    own_points: int = 0
    opponent_points: int = 0
    day: date | None = None
    begins: datetime | None = None
    place: str = ""
    text: str = ""


def load_alert_facts(alert: Alert, entry_id: int) -> AlertFacts | None:
    """Return the current facts of ``alert`` for the entry of this id.

    None if the entry no longer exists, its event is hidden, or the notification no longer applies.
    """
    entry = one_or_none(Entry.objects.select_related("division__event__club").filter(pk=entry_id))
    if entry is None:
        return None
    event = entry.division.event
    if is_removed(event) or event.status == EventStatus.DRAFT:
        return None
    facts = AlertFacts(event, entry)
    return (
        _match_alert_facts(alert, facts)
        if isinstance(alert, MatchAlert)
        else OTHER_ALERT_CHECKS[type(alert)](alert, facts)
    )


def _match_alert_facts(alert: MatchAlert, facts: AlertFacts) -> AlertFacts | None:
    match = one_or_none(Match.objects.select_related("stage", "round").filter(pk=alert.match))
    is_running = facts.event.status == EventStatus.RUNNING
    if match is None or not is_running or match.stage.status not in STAGE_UNDER_WAY:
        return None
    slots = list(MatchSlot.objects.filter(match=match).select_related("entry"))
    own_slot = next((slot for slot in slots if slot.entry_id == facts.entry.pk), None)
    if own_slot is None:
        return None
    current_facts = MATCH_ALERT_CHECKS[type(alert)](alert, match, own_slot, facts)
    if current_facts is None:
        return None
    return _add_match(current_facts, match, slots)


def _add_match(facts: AlertFacts, match: Match, slots: list[MatchSlot]) -> AlertFacts:
    opponent = next((slot.entry for slot in slots if slot.entry_id != facts.entry.pk), None)
    return replace(
        facts,
        opponent=opponent.name if opponent is not None else "",
        table=match.table,
        length=match.length,
        section=match.round.section,
        code=match.round.code,
        day=match.round.deadline,
    )


def _check_called(
    alert: alerts.MatchCalled, match: Match, _own_slot: MatchSlot, facts: AlertFacts
) -> AlertFacts | None:
    """Return the facts while the match is still called to that table.

    A call to another table has a notification of its own.
    """
    return facts if match.status == MatchStatus.CALLED and match.table == alert.table else None


def _check_up_next(
    alert: alerts.MatchUpNext, match: Match, _own_slot: MatchSlot, facts: AlertFacts
) -> AlertFacts | None:
    """Return the facts if this is still the entry's latest up-next notice of the match.

    None once the match is called, or while the entry is at another table.
    """
    if match.status not in UPCOMING or is_busy(facts.entry):
        return None
    notice = CallWord.objects.filter(match=match, entry=facts.entry).first()
    if notice is None or notice.begins_at.isoformat() != alert.begins:
        return None
    return replace(facts, begins=notice.begins_at)


def _check_returned(
    _alert: object, match: Match, _own_slot: MatchSlot, facts: AlertFacts
) -> AlertFacts | None:
    return facts if match.status == MatchStatus.READY else None


def _check_to_confirm(
    alert: alerts.ResultToConfirm, match: Match, own_slot: MatchSlot, facts: AlertFacts
) -> AlertFacts | None:
    if match.status != MatchStatus.REPORTED or own_slot.side == alert.side:
        return None
    report = Report.objects.filter(match=match, version=alert.version, state=Report.State.OPEN).first()
    if report is None:
        return None
    scores = (report.score_a, report.score_b)
    own_score, opponent_score = scores if own_slot.side == "a" else scores[::-1]
    return replace(facts, own_points=own_score, opponent_points=opponent_score)


def _check_disputed(
    alert: alerts.ResultDisputed, match: Match, _own_slot: MatchSlot, facts: AlertFacts
) -> AlertFacts | None:
    """Return the facts until the dispute is settled or a side sends a newer report."""
    if match.status != MatchStatus.DISPUTED:
        return None
    newer = Report.objects.filter(match=match, version__gt=alert.version)
    return None if newer.exists() else facts


def _check_deadline(
    alert: alerts.DeadlineNear, match: Match, _own_slot: MatchSlot, facts: AlertFacts
) -> AlertFacts | None:
    day = match.round.deadline
    return (
        facts
        if match.status in AWAITING_RESULT and day is not None and day.isoformat() == alert.day
        else None
    )


def _check_message(
    alert: alerts.MessageReceived, match: Match, _own_slot: MatchSlot, facts: AlertFacts
) -> AlertFacts | None:
    """Return the facts until the entry has written a later message or the arrangement is closed."""
    if match.status not in AWAITING_RESULT or not match.stage.by_arrangement:
        return None
    open_arrangements = current_arrangements().filter(match=match, closed_at=None)
    rows = MatchMessage.objects.filter(arrangement__in=open_arrangements)
    message = one_or_none(rows.filter(pk=alert.message).exclude(entry=facts.entry))
    if message is None or rows.filter(entry=facts.entry, pk__gt=message.pk).exists():
        return None
    return facts


def _check_times(
    alert: alerts.TimesOffered | alerts.TimesAnswered, match: Match, _own_slot: MatchSlot, facts: AlertFacts
) -> AlertFacts | None:
    """Return the facts while the arrangement still has the version that the notification is about."""
    match.stage.division = facts.entry.division
    arrangement = arrangement_of_match(match)
    if arrangement.version != alert.version or not can_arrange(match):
        return None
    begins = arrangement.offers[0].at if arrangement.offers else arrangement.agreed
    return replace(facts, begins=begins, place="" if arrangement.offers else arrangement.place)


def _check_meeting(
    alert: alerts.AgreedTimeNear, match: Match, _own_slot: MatchSlot, facts: AlertFacts
) -> AlertFacts | None:
    match.stage.division = facts.entry.division
    arrangement = arrangement_of_match(match)
    if arrangement.agreed is None or arrangement.agreed.isoformat() != alert.at or not can_arrange(match):
        return None
    return replace(facts, begins=arrangement.agreed, place=arrangement.place)


# The check by which a match notification still applies.
MATCH_ALERT_CHECKS: Final[
    Mapping[type[MatchAlert], Callable[[Any, Match, MatchSlot, AlertFacts], AlertFacts | None]]
] = {
    alerts.MatchCalled: _check_called,
    alerts.MatchUpNext: _check_up_next,
    alerts.CallCleared: _check_returned,
    alerts.ResultToConfirm: _check_to_confirm,
    alerts.ResultDisputed: _check_disputed,
    alerts.DeadlineNear: _check_deadline,
    alerts.MessageReceived: _check_message,
    alerts.TimesOffered: _check_times,
    alerts.TimesAnswered: _check_times,
    alerts.AgreedTimeNear: _check_meeting,
}


def _check_draw(alert: alerts.DrawPublished, facts: AlertFacts) -> AlertFacts | None:
    return _add_first_match(facts, alert.stage, 0)


def _check_round(alert: alerts.RoundPublished, facts: AlertFacts) -> AlertFacts | None:
    return _add_first_match(facts, alert.stage, alert.round)


def _add_first_match(facts: AlertFacts, stage_id: int, round_number: int) -> AlertFacts | None:
    """Add the entry's first match without a result to the facts, from round ``round_number`` if not 0.

    The facts stay without a match if the entry has none. None if the stage's draw is not public, the event is
    over, or the entry has no match in the requested round.
    """
    stage = one_or_none(Stage.objects.filter(pk=stage_id, status__in=DRAW_PUBLIC))
    if stage is None or facts.event.status in EVENT_OVER:
        return None
    matches = Match.objects.filter(stage=stage, slots__entry=facts.entry).select_related("round")
    if round_number:
        matches = matches.filter(round__number=round_number)
        if not matches.exists():
            return None  # the round was taken back
    match = matches.filter(status__in=AWAITING_RESULT).order_by("round__number", "number").first()
    if match is None:
        return facts
    return _add_match(facts, match, list(MatchSlot.objects.filter(match=match).select_related("entry")))


def _check_event_changed(_alert: object, facts: AlertFacts) -> AlertFacts | None:
    return None if facts.event.status in EVENT_OVER else facts


def _check_event_cancelled(_alert: object, facts: AlertFacts) -> AlertFacts | None:
    return facts if facts.event.status == EventStatus.CANCELLED else None


def _check_announcement(alert: alerts.AnnouncementMade, facts: AlertFacts) -> AlertFacts | None:
    rows = Notice.objects.filter(current_notices_q(timezone.now()), pk=alert.notice, version=alert.version)
    news = row.news if (row := rows.first()) is not None else None
    return replace(facts, text=news.text) if isinstance(news, Announcement) else None


def _check_moved_up(_alert: object, facts: AlertFacts) -> AlertFacts | None:
    is_ongoing = facts.event.status not in EVENT_OVER
    return facts if is_ongoing and facts.entry.status == EntryStatus.ACTIVE else None


OTHER_ALERT_CHECKS: Final[Mapping[type[Alert], Callable[[Any, AlertFacts], AlertFacts | None]]] = {
    alerts.DrawPublished: _check_draw,
    alerts.RoundPublished: _check_round,
    alerts.EventChanged: _check_event_changed,
    alerts.EventCancelled: _check_event_cancelled,
    alerts.AnnouncementMade: _check_announcement,
    alerts.PlaceReceived: _check_moved_up,
}
