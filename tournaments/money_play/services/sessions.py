"""Points leagues of money play: set the options, start, record sessions, strike a wrong one, finish.

A league has no draw and no matches, so its stage goes through the usual statuses at once, and nothing of it
is rated (rule F12). A session is permanent: a wrong one is struck (marked as not counting), and a correction
strikes it and adds a new one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from django.utils import timezone

from faults import Conflict, Fault, Invalid, Missing, raise_faults
from people.actors import Actor
from people.rows import one_or_none
from people.text import clean_line
from people.transactions import durable
from tournaments.engine.brackets.seeding import MIN_ENTRIES
from tournaments.engine.standings.money import MAX_POINTS, MoneySettings, check_money_settings
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
    MoneyReturnedToSetup,
    MoneyUpdated,
    SessionRecorded,
    SessionRestored,
    SessionStruck,
)
from tournaments.engine.types import EntryId
from tournaments.models import Entry, Event, MoneyScore, MoneySession, Stage
from tournaments.selectors.event_dates import event_today
from tournaments.store.claims import check_submission_key
from tournaments.store.event_state import (
    finish_stage_if_over,
    reopen_stage,
    step_event,
    step_stage,
    unstart_event,
)
from tournaments.store.lock import get_stage, lock_for_director, record_action

MAX_NOTE_LENGTH = 200
MAX_SESSIONS = 2000
_OPENING_ACTIONS = (StageAction.DRAW, StageAction.PUBLISH, StageAction.START)
_UNDO_OPENING_ACTIONS = (StageAction.UNSTART, StageAction.UNPUBLISH, StageAction.DISCARD)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDetails:
    """Details of a session. ``scores``: points, keyed by the entry's database id, negative if lost.

    ``outsider``: a person from outside of the league played, so the points need not sum to zero.
    """

    played_on: date
    scores: Mapping[int, int]
    note: str = ""
    outsider: bool = False


@durable
def update_money_settings(*, actor: Actor, event_id: int, stage_id: int, settings: MoneySettings) -> Stage:
    """Change the options of a points league, and who is ranked.

    Raises ``Conflict`` once the league has started (rule F13).
    """
    event, stage = _lock_stage(actor, event_id, stage_id)
    if stage.status != StageStatus.SETUP:
        raise Conflict("stage.already_drawn", present=stage)
    raise_faults(check_money_settings(settings))
    stage.settings = replace(stage.settings, own=settings)
    stage.save(update_fields=["kept_settings"])
    record_action(event, actor=actor, action=MoneyUpdated(settings=settings), subject=stage)
    return stage


@durable
def open_points_league(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Start a points league: it is public and sessions can be recorded. Players may still join later."""
    event, stage = _lock_stage(actor, event_id, stage_id)
    entries = Entry.objects.filter(division_id=stage.division_id, status=EntryStatus.ACTIVE).count()
    _step_stage(event, stage, *_OPENING_ACTIONS)
    if entries < MIN_ENTRIES:
        raise Invalid("money.entries_few", count=entries, least=MIN_ENTRIES)
    if event.status != EventStatus.RUNNING:
        step_event(event, EventAction.START)
        event.registration_open = False
    record_action(event, actor=actor, action=MoneyOpened(), subject=stage)
    return stage


@durable
def undo_open_points_league(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Undo the start of a league. Raises ``Conflict`` if a session was recorded."""
    event, stage = _lock_stage(actor, event_id, stage_id)
    if stage.sessions.exists():
        raise Conflict("money.has_sessions", present=stage)
    _step_stage(event, stage, *_UNDO_OPENING_ACTIONS)
    unstart_event(event)
    record_action(event, actor=actor, action=MoneyReturnedToSetup(), subject=stage)
    return stage


@durable
def finish_points_league(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Finish the league: its table is final, and the event is over if all its stages are."""
    event, stage = _lock_stage(actor, event_id, stage_id)
    _require_running(event, stage)
    if not stage.sessions.filter(struck_at=None).exists():
        raise Conflict("money.no_sessions", present=stage)
    finish_stage_if_over(event, stage)
    record_action(event, actor=actor, action=MoneyFinished(), subject=stage)
    return stage


@durable
def reopen_points_league(*, actor: Actor, event_id: int, stage_id: int) -> Stage:
    """Reopen a finished league for more sessions, or a correction."""
    event, stage = _lock_stage(actor, event_id, stage_id)
    reopen_stage(event, stage)
    if event.status != EventStatus.RUNNING:
        raise Conflict("money.not_running", present=event)
    record_action(event, actor=actor, action=MoneyReopened(), subject=stage)
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
    """Record the points of a session. The same ``submission_key`` again returns the same session.

    ``seen``: number of the last session that the director has seen; raises ``Conflict`` (409) if there is a
    later one, which may be this very session, recorded by another director. ``corrects``: id of a session
    that is struck because this one replaces it.
    """
    check_submission_key(submission_key)
    event, stage = _lock_stage(actor, event_id, stage_id)
    existing = MoneySession.objects.filter(stage=stage, submission_key=submission_key).first()
    if existing is not None:
        return existing
    _require_running(event, stage)
    last = MoneySession.objects.filter(stage=stage).order_by("-number").first()
    number = last.number if last is not None else 0
    if seen is not None and seen != number:
        raise Conflict("money.session_meanwhile", number=number, present=stage)
    corrected = _session_or_404(stage, corrects) if corrects is not None else None
    if corrected is not None and corrected.struck_at is not None:
        raise Conflict("money.struck", number=corrected.number, present=stage)
    faults = _session_faults(event, stage, details)
    if number >= MAX_SESSIONS:
        faults.append(Fault("money.too_many_sessions", None, {"limit": MAX_SESSIONS}))
    if faults:
        raise Invalid(faults=faults)
    if corrected is not None:
        corrected.struck_at = timezone.now()
        corrected.save(update_fields=["struck_at"])
    session = MoneySession.objects.create(
        stage=stage,
        number=number + 1,
        submission_key=submission_key,
        played_on=details.played_on,
        note=clean_line(details.note),
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
        corrects=corrected.number if corrected is not None else None,
    )
    record_action(event, actor=actor, action=action, subject=session)
    return session


@durable
def strike_session(*, actor: Actor, event_id: int, stage_id: int, session_id: int) -> MoneySession:
    """Strike a wrong session: it no longer counts and stays on the list, crossed out."""
    event, stage = _lock_stage(actor, event_id, stage_id)
    _require_running(event, stage)
    session = _session_or_404(stage, session_id)
    if session.struck_at is not None:
        raise Conflict("money.struck", number=session.number, present=stage)
    session.struck_at = timezone.now()
    session.save(update_fields=["struck_at"])
    record_action(event, actor=actor, action=SessionStruck(session=session.number), subject=session)
    return session


@durable
def restore_session(*, actor: Actor, event_id: int, stage_id: int, session_id: int) -> MoneySession:
    """Restore a struck session, so that it counts again."""
    event, stage = _lock_stage(actor, event_id, stage_id)
    _require_running(event, stage)
    session = _session_or_404(stage, session_id)
    if session.struck_at is None:
        raise Conflict("money.not_struck", number=session.number, present=stage)
    session.struck_at = None
    session.save(update_fields=["struck_at"])
    record_action(event, actor=actor, action=SessionRestored(session=session.number), subject=session)
    return session


def _session_faults(event: Event, stage: Stage, details: SessionDetails) -> list[Fault]:
    faults = []
    if details.played_on > event_today(event):
        faults.append(Fault("money.day_to_come", "played_on"))
    elif not event.starts_on <= details.played_on <= event.ends_on:
        params = {"first": event.starts_on, "last": event.ends_on}
        faults.append(Fault("money.day_outside", "played_on", params))
    if len(clean_line(details.note)) > MAX_NOTE_LENGTH:
        faults.append(Fault("money.note_long", "note", {"limit": MAX_NOTE_LENGTH}))
    entry_ids = set(
        Entry.objects.filter(division_id=stage.division_id, pk__in=details.scores).values_list(
            "pk", flat=True
        )
    )
    if entry_ids != set(details.scores):
        raise Missing("entry.unknown")
    if len(details.scores) < MIN_ENTRIES:
        faults.append(Fault("money.too_few", "scores", {"least": MIN_ENTRIES}))
    faults += [
        Fault("money.points_odd", f"points-{pk}", {"limit": MAX_POINTS})
        for pk, points in details.scores.items()
        if abs(points) > MAX_POINTS
    ]
    point_sum = sum(details.scores.values())
    if point_sum and not details.outsider:
        faults.append(
            Fault("money.sum_over" if point_sum > 0 else "money.sum_under", "scores", {"off": abs(point_sum)})
        )
    return faults


def _lock_stage(actor: Actor, event_id: int, stage_id: int) -> tuple[Event, Stage]:
    event = lock_for_director(actor, event_id)
    return event, get_stage(event, stage_id, {Stage.System.MONEY})


def _step_stage(event: Event, stage: Stage, *actions: StageAction) -> None:
    for action in actions:
        step_stage(event, stage, action)
    stage.save(update_fields=["status"])


def _require_running(event: Event, stage: Stage) -> None:
    if event.status != EventStatus.RUNNING or stage.status != StageStatus.RUNNING:
        raise Conflict("money.not_running", present=stage)


def _session_or_404(stage: Stage, session_id: int) -> MoneySession:
    session = one_or_none(MoneySession.objects.filter(pk=session_id, stage=stage))
    if session is None:
        raise Missing("money.unknown")
    return session
