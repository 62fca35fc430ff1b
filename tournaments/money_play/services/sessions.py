"""A points league of money play: agree on its options, start it, record sessions, strike a wrong one out, end it.

It has no draw and no matches, so its stage goes through the usual statuses at once, and nothing of it is rated (F12).
A session is a fact that is kept: a wrong one is struck out, and a correction is that and a new one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from django.utils import timezone

from faults import Conflict, Fault, Invalid, Missing, refuse
from people.actors import Actor
from people.rows import one_or_none
from people.text import one_line
from people.transactions import durable
from tournaments.engine.brackets.seeding import MIN_ENTRIES
from tournaments.engine.standings.money import MOST_POINTS, MoneySettings, check_money
from tournaments.engine.statuses import (
    EntryStatus,
    EventAction,
    EventStatus,
    StageAction,
    StageStatus,
)
from tournaments.engine.trail.money import (
    MoneyFinished,
    MoneyOpened,
    MoneyReopened,
    MoneyTakenBack,
    MoneyUpdated,
    SessionRecorded,
    SessionRestored,
    SessionStruck,
)
from tournaments.engine.types import EntryId
from tournaments.models import Entry, Event, MoneyScore, MoneySession, Stage
from tournaments.selectors.rounds.deadlines import today_at
from tournaments.store.claims import check_key
from tournaments.store.event_state import finish_if_over, reopen, step_event, step_stage, unstart_event
from tournaments.store.lock import changed, lock_for_director, stage_of

NOTE_LIMIT = 200
SESSIONS_LIMIT = 2000
_OPENING = (StageAction.DRAW, StageAction.PUBLISH, StageAction.START)
_TAKING_BACK = (StageAction.UNSTART, StageAction.UNPUBLISH, StageAction.DISCARD)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDetails:
    """What a director says about a session. ``scores``: points by the entry's database id, below zero if lost.

    ``outsider``: somebody from outside the league sat at the table, so the points need not make zero.
    """

    played_on: date
    scores: Mapping[int, int]
    note: str = ""
    outsider: bool = False


@durable
def update_money(*, actor: Actor, event_id: int, stage_id: int, settings: MoneySettings) -> Stage:
    """Change the options of money play and who is ranked; possible until the league starts (F13)."""
    event, stage = _locked(actor, event_id, stage_id)
    if stage.status != StageStatus.SETUP:
        raise Conflict("stage.already_drawn", present=stage)
    refuse(check_money(settings))
    stage.settings = replace(stage.settings, own=settings)
    stage.save(update_fields=["kept_settings"])
    changed(event, actor=actor, action=MoneyUpdated(settings=settings), subject=stage)
    return stage


@durable
def open_money(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Start a points league: it is public and sessions can be recorded. Players may still join later."""
    event, stage = _locked(actor, event_id, stage_id)
    entries = Entry.objects.filter(division_id=stage.division_id, status=EntryStatus.ACTIVE).count()
    _move(event, stage, *_OPENING)
    if entries < MIN_ENTRIES:
        raise Invalid("money.entries_few", count=entries, least=MIN_ENTRIES)
    if event.status != EventStatus.RUNNING:
        step_event(event, EventAction.START)
        event.registration_open = False
    changed(event, actor=actor, action=MoneyOpened(), subject=stage)
    return stage


@durable
def take_back_money(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Started by mistake: possible as long as no session was recorded."""
    event, stage = _locked(actor, event_id, stage_id)
    if stage.sessions.exists():
        raise Conflict("money.has_sessions", present=stage)
    _move(event, stage, *_TAKING_BACK)
    unstart_event(event)
    changed(event, actor=actor, action=MoneyTakenBack(), subject=stage)
    return stage


@durable
def finish_money(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """The last session was played: the table is final, and the event over if everything in it is."""
    event, stage = _locked(actor, event_id, stage_id)
    _must_run(event, stage)
    if not stage.sessions.filter(struck_at=None).exists():
        raise Conflict("money.no_sessions", present=stage)
    finish_if_over(event, stage)
    changed(event, actor=actor, action=MoneyFinished(), subject=stage)
    return stage


@durable
def reopen_money(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Go on with a league that was ended: more sessions, or a correction."""
    event, stage = _locked(actor, event_id, stage_id)
    reopen(event, stage)
    if event.status != EventStatus.RUNNING:
        raise Conflict("money.not_running", present=event)
    changed(event, actor=actor, action=MoneyReopened(), subject=stage)
    return stage


@durable
def record_session(
    *,
    actor: Actor,
    event_id: int,
    stage_id: int,
    details: SessionDetails,
    submission_key: str,
    seen: int | None = None,
    corrects: int | None = None,
) -> MoneySession:
    """Keep what was won and lost in a session. The same ``submission_key`` again is the same session.

    ``seen`` is the number of the last session that the director knew of: a later one may be this very session, recorded
    by somebody else (409). ``corrects`` is the session, by id, that is struck out because this one takes its place.
    """
    check_key(submission_key)
    event, stage = _locked(actor, event_id, stage_id)
    before = MoneySession.objects.filter(stage=stage, submission_key=submission_key).first()
    if before is not None:
        return before
    _must_run(event, stage)
    last = MoneySession.objects.filter(stage=stage).order_by("-number").first()
    number = last.number if last is not None else 0
    if seen is not None and seen != number:
        raise Conflict("money.session_meanwhile", number=number, present=stage)
    wrong = _session(stage, corrects) if corrects is not None else None
    if wrong is not None and wrong.struck_at is not None:
        raise Conflict("money.struck", number=wrong.number, present=stage)
    faults = _session_faults(event, stage, details)
    if number >= SESSIONS_LIMIT:
        faults.append(Fault("money.too_many_sessions", None, {"limit": SESSIONS_LIMIT}))
    if faults:
        raise Invalid(faults=faults)
    if wrong is not None:
        wrong.struck_at = timezone.now()
        wrong.save(update_fields=["struck_at"])
    session = MoneySession.objects.create(
        stage=stage,
        number=number + 1,
        submission_key=submission_key,
        played_on=details.played_on,
        note=one_line(details.note),
    )
    MoneyScore.objects.bulk_create(
        [
            MoneyScore(session=session, entry_id=entry, points=points)
            for entry, points in details.scores.items()
        ]
    )
    action = SessionRecorded(
        session=session.number,
        scores={EntryId(entry): points for entry, points in details.scores.items()},
        corrects=wrong.number if wrong is not None else None,
    )
    changed(event, actor=actor, action=action, subject=session)
    return session


@durable
def strike_session(*, actor: Actor, event_id: int, stage_id: int, session_id: int) -> MoneySession:
    """Let a wrong session count for nothing; it stays on the list, crossed out."""
    event, stage = _locked(actor, event_id, stage_id)
    _must_run(event, stage)
    session = _session(stage, session_id)
    if session.struck_at is not None:
        raise Conflict("money.struck", number=session.number, present=stage)
    session.struck_at = timezone.now()
    session.save(update_fields=["struck_at"])
    changed(event, actor=actor, action=SessionStruck(session=session.number), subject=session)
    return session


@durable
def restore_session(*, actor: Actor, event_id: int, stage_id: int, session_id: int) -> MoneySession:
    """Let a session that was struck out count again."""
    event, stage = _locked(actor, event_id, stage_id)
    _must_run(event, stage)
    session = _session(stage, session_id)
    if session.struck_at is None:
        raise Conflict("money.not_struck", number=session.number, present=stage)
    session.struck_at = None
    session.save(update_fields=["struck_at"])
    changed(event, actor=actor, action=SessionRestored(session=session.number), subject=session)
    return session


def _session_faults(event: Event, stage: Stage, details: SessionDetails) -> list[Fault]:
    faults = []
    if details.played_on > today_at(event):
        faults.append(Fault("money.day_to_come", "played_on"))
    elif not event.starts_on <= details.played_on <= event.ends_on:
        params = {"first": event.starts_on, "last": event.ends_on}
        faults.append(Fault("money.day_outside", "played_on", params))
    if len(one_line(details.note)) > NOTE_LIMIT:
        faults.append(Fault("money.note_long", "note", {"limit": NOTE_LIMIT}))
    known = set(
        Entry.objects.filter(division_id=stage.division_id, pk__in=details.scores).values_list(
            "pk", flat=True
        )
    )
    if known != set(details.scores):
        raise Missing("entry.unknown")
    if len(details.scores) < MIN_ENTRIES:
        faults.append(Fault("money.too_few", "scores", {"least": MIN_ENTRIES}))
    faults += [
        Fault("money.points_odd", f"points-{pk}", {"limit": MOST_POINTS})
        for pk, points in details.scores.items()
        if abs(points) > MOST_POINTS
    ]
    off = sum(details.scores.values())
    if off and not details.outsider:
        faults.append(Fault("money.sum_over" if off > 0 else "money.sum_under", "scores", {"off": abs(off)}))
    return faults


def _locked(actor: Actor, event_id: int, stage_id: int) -> tuple[Event, Stage]:
    event = lock_for_director(actor, event_id)
    return event, stage_of(event, stage_id, {Stage.System.MONEY})


def _move(event: Event, stage: Stage, *actions: StageAction) -> None:
    for action in actions:
        step_stage(event, stage, action)
    stage.save(update_fields=["status"])


def _must_run(event: Event, stage: Stage) -> None:
    if event.status != EventStatus.RUNNING or stage.status != StageStatus.RUNNING:
        raise Conflict("money.not_running", present=stage)


def _session(stage: Stage, session_id: int) -> MoneySession:
    session = one_or_none(MoneySession.objects.filter(pk=session_id, stage=stage))
    if session is None:
        raise Missing("money.unknown")
    return session
