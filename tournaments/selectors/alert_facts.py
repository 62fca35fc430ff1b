"""What an alert says to one entry, read when it is sent: and nothing at all where it is not true any more."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

from django.utils import timezone

from people.rows import one_or_none
from tournaments.engine import alerts
from tournaments.engine.alerts import AboutMatch, Alert
from tournaments.engine.notices import Announcement
from tournaments.engine.statuses import (
    AHEAD,
    DRAW_SHOWN,
    EVENT_OVER,
    PAIRED,
    UNDER_WAY,
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
from tournaments.selectors.matches.arrangements import arranged_of, between_its_sides, may_arrange
from tournaments.selectors.notices import shown_now


@dataclass(frozen=True, slots=True)
class Facts:
    """What the words of an alert are made of; ``mine`` and ``theirs`` are points, ``code`` and ``section`` those of the round."""

    event: Event
    entry: Entry
    opponent: str = ""
    table: int | None = None
    length: int = 0
    section: str = ""
    code: str = ""
    mine: int = 0
    theirs: int = 0
    day: date | None = None
    begins: datetime | None = None
    place: str = ""
    text: str = ""


def facts_of(alert: Alert, entry_id: int) -> Facts | None:
    """What ``alert`` says to the entry now, with names as the audience reads them; None where it is true no more."""
    entry = one_or_none(Entry.objects.select_related("division__event__club").filter(pk=entry_id))
    if entry is None:
        return None
    event = entry.division.event
    if is_removed(event) or event.status == EventStatus.DRAFT:
        return None
    facts = Facts(event, entry)
    return _of_match(alert, facts) if isinstance(alert, AboutMatch) else OF_OTHERS[type(alert)](alert, facts)


def _of_match(alert: AboutMatch, facts: Facts) -> Facts | None:
    match = one_or_none(Match.objects.select_related("stage", "round").filter(pk=alert.match))
    running = facts.event.status == EventStatus.RUNNING
    if match is None or not running or match.stage.status not in UNDER_WAY:
        return None
    slots = list(MatchSlot.objects.filter(match=match).select_related("entry"))
    mine = next((slot for slot in slots if slot.entry_id == facts.entry.pk), None)
    if mine is None:
        return None
    still = OF_MATCHES[type(alert)](alert, match, mine, facts)
    if still is None:
        return None
    return _with_match(still, match, slots)


def _with_match(facts: Facts, match: Match, slots: list[MatchSlot]) -> Facts:
    other = next((slot.entry for slot in slots if slot.entry_id != facts.entry.pk), None)
    return replace(
        facts,
        opponent=other.name if other is not None else "",
        table=match.table,
        length=match.length,
        section=match.round.section,
        code=match.round.code,
        day=match.round.deadline,
    )


def _called(alert: alerts.MatchCalled, match: Match, _mine: MatchSlot, facts: Facts) -> Facts | None:
    """Still called, and to that table: another one is an alert of its own."""
    return facts if match.status == MatchStatus.CALLED and match.table == alert.table else None


def _near(alert: alerts.MatchNear, match: Match, _mine: MatchSlot, facts: Facts) -> Facts | None:
    """Still ahead, this is the last word that was given of it, and nobody of theirs has been called to another one since."""
    if match.status not in AHEAD or is_busy(facts.entry):
        return None
    word = CallWord.objects.filter(match=match, entry=facts.entry).first()
    if word is None or word.begins_at.isoformat() != alert.begins:
        return None
    return replace(facts, begins=word.begins_at)


def _waits_again(_alert: object, match: Match, _mine: MatchSlot, facts: Facts) -> Facts | None:
    return facts if match.status == MatchStatus.READY else None


def _to_confirm(alert: alerts.ToConfirm, match: Match, mine: MatchSlot, facts: Facts) -> Facts | None:
    if match.status != MatchStatus.REPORTED or mine.side == alert.side:
        return None
    report = Report.objects.filter(match=match, version=alert.version, state=Report.State.OPEN).first()
    if report is None:
        return None
    scores = (report.score_a, report.score_b)
    own, others = scores if mine.side == "a" else scores[::-1]
    return replace(facts, mine=own, theirs=others)


def _disputed(alert: alerts.ResultDisputed, match: Match, _mine: MatchSlot, facts: Facts) -> Facts | None:
    """Until it is settled, or one of them says something new."""
    if match.status != MatchStatus.DISPUTED:
        return None
    newer = Report.objects.filter(match=match, version__gt=alert.version)
    return None if newer.exists() else facts


def _deadline(alert: alerts.DeadlineNear, match: Match, _mine: MatchSlot, facts: Facts) -> Facts | None:
    day = match.round.deadline
    return facts if match.status in PAIRED and day is not None and day.isoformat() == alert.day else None


def _written(alert: alerts.Written, match: Match, _mine: MatchSlot, facts: Facts) -> Facts | None:
    """Not answered yet, and nobody has closed it."""
    if match.status not in PAIRED or not match.stage.by_arrangement:
        return None
    talks = between_its_sides().filter(match=match, closed_at=None)
    rows = MatchMessage.objects.filter(arrangement__in=talks)
    message = one_or_none(rows.filter(pk=alert.message).exclude(entry=facts.entry))
    if message is None or rows.filter(entry=facts.entry, pk__gt=message.pk).exists():
        return None
    return facts


def _times(
    alert: alerts.TimesOffered | alerts.TimesAnswered, match: Match, _mine: MatchSlot, facts: Facts
) -> Facts | None:
    """Still the last word."""
    match.stage.division = facts.entry.division
    found = arranged_of(match)
    if found.version != alert.version or not may_arrange(match):
        return None
    begins = found.offers[0].at if found.offers else found.agreed
    return replace(facts, begins=begins, place="" if found.offers else found.place)


def _meeting(alert: alerts.MeetingNear, match: Match, _mine: MatchSlot, facts: Facts) -> Facts | None:
    match.stage.division = facts.entry.division
    found = arranged_of(match)
    if found.agreed is None or found.agreed.isoformat() != alert.at or not may_arrange(match):
        return None
    return replace(facts, begins=found.agreed, place=found.place)


# What it takes for an alert about a match to be true still.
OF_MATCHES: Final[Mapping[type[AboutMatch], Callable[[Any, Match, MatchSlot, Facts], Facts | None]]] = {
    alerts.MatchCalled: _called,
    alerts.MatchNear: _near,
    alerts.CallTakenBack: _waits_again,
    alerts.ToConfirm: _to_confirm,
    alerts.ResultDisputed: _disputed,
    alerts.DeadlineNear: _deadline,
    alerts.Written: _written,
    alerts.TimesOffered: _times,
    alerts.TimesAnswered: _times,
    alerts.MeetingNear: _meeting,
}


def _drawn(alert: alerts.DrawShown, facts: Facts) -> Facts | None:
    return _first_match(facts, alert.stage, 0)


def _paired(alert: alerts.RoundShown, facts: Facts) -> Facts | None:
    return _first_match(facts, alert.stage, alert.round)


def _first_match(facts: Facts, stage_id: int, number: int) -> Facts | None:
    """The match of the entry in that round, or its first one that is to be played; without one they sit out or wait."""
    stage = one_or_none(Stage.objects.filter(pk=stage_id, status__in=DRAW_SHOWN))
    if stage is None or facts.event.status in EVENT_OVER:
        return None
    matches = Match.objects.filter(stage=stage, slots__entry=facts.entry).select_related("round")
    if number:
        matches = matches.filter(round__number=number)
        if not matches.exists():
            return None  # the round was taken back
    match = matches.filter(status__in=PAIRED).order_by("round__number", "number").first()
    if match is None:
        return facts
    return _with_match(facts, match, list(MatchSlot.objects.filter(match=match).select_related("entry")))


def _event_changed(_alert: object, facts: Facts) -> Facts | None:
    return None if facts.event.status in EVENT_OVER else facts


def _event_off(_alert: object, facts: Facts) -> Facts | None:
    return facts if facts.event.status == EventStatus.CANCELLED else None


def _announced(alert: alerts.Announced, facts: Facts) -> Facts | None:
    rows = Notice.objects.filter(shown_now(timezone.now()), pk=alert.notice, version=alert.version)
    news = row.news if (row := rows.first()) is not None else None
    return replace(facts, text=news.text) if isinstance(news, Announcement) else None


def _moved_up(_alert: object, facts: Facts) -> Facts | None:
    going_on = facts.event.status not in EVENT_OVER
    return facts if going_on and facts.entry.status == EntryStatus.ACTIVE else None


OF_OTHERS: Final[Mapping[type[Alert], Callable[[Any, Facts], Facts | None]]] = {
    alerts.DrawShown: _drawn,
    alerts.RoundShown: _paired,
    alerts.EventChanged: _event_changed,
    alerts.EventOff: _event_off,
    alerts.Announced: _announced,
    alerts.MovedUp: _moved_up,
}
