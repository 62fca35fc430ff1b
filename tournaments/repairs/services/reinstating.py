"""Reinstatement of withdrawn entries: pages, API, check-in, players table, late entries, personal link.

The effect depends on the division. While it takes entries, the entry is active, or goes to the end of the
waiting list. If the entry left after the draw, its withdrawal is undone. If a bracket was drawn without the
entry, it takes a free place. Otherwise ``Conflict`` (409) is raised, with what to do instead.
"""

from typing import Final

from faults import Conflict
from people.actors import Actor
from people.models import AuditEntry
from people.transactions import durable
from tournaments.engine.new_entry import WhenFull
from tournaments.engine.statuses import EntryAction, EntryStatus, StageStatus, next_status
from tournaments.engine.trail.repairs import EntryWithdrawnAfterDraw
from tournaments.engine.types import MatchNo, Side
from tournaments.entries.services.entries import locked_entry, require_not_over, require_not_reentered
from tournaments.entries.services.own import own_entry
from tournaments.entries.services.registration import delete_unapproved
from tournaments.entries.services.returning import reinstate_entry, write_reinstatement
from tournaments.models import Entry, Event, Stage
from tournaments.models.trail import audit_scope
from tournaments.repairs.services.placing import late_entry_stage, place_entry, requested_line
from tournaments.repairs.services.undo import undo_repair_locked
from tournaments.selectors.access.phones import RequestOrigin, link_actor
from tournaments.selectors.doubts import ApprovalDoubt, doubts_by_entry
from tournaments.selectors.draws import load_draw
from tournaments.selectors.entries import can_change_entries
from tournaments.selectors.repairs.late import free_lines, stages_open_for_late
from tournaments.selectors.returning import self_reinstatement_error
from tournaments.store.lock import lock_for_director, lock_unless_removed
from tournaments.store.phones import authorize_device
from tournaments.store.waiting import fill_places

_WITHDRAWN_STATUSES: Final = (EntryStatus.WITHDRAWN,)


@durable
def reinstate(
    *,
    actor: Actor,
    event_id: int,
    entry_id: int,
    overrule: str = "",
    when_full: WhenFull = WhenFull.ASK,
) -> Entry:
    """Reinstate a withdrawn entry, before or after the draw; for directors.

    ``overrule``: reason to exceed the division's rating limit. ``when_full``: what to do if the division is
    full. Raises ``Conflict`` (409) if the entry is active (``entry.return_refused``), the division is full
    (``entry.full``), no place of the bracket is free (``late_entry.none_free``), or all rounds are drawn
    (``entry.rounds_drawn``).
    """
    return reinstate_locked(
        actor, lock_for_director(actor, event_id), entry_id, overrule=overrule, when_full=when_full
    )[0]


@durable
def reinstate_from_duplicate(
    *,
    actor: Actor,
    event_id: int,
    entry_id: int,
    overrule: str = "",
    when_full: WhenFull = WhenFull.ASK,
) -> Entry:
    """Reinstate a withdrawn entry whose player registered again under the same name.

    ``entry_id``: the new, pending entry, which is deleted. Raises ``Conflict`` if it does not match a
    withdrawn one.
    """
    event = lock_for_director(actor, event_id)
    duplicate = locked_entry(event, entry_id)
    doubt = doubts_by_entry(event, [duplicate]).get(duplicate.pk)
    if doubt is None or doubt.doubt is not ApprovalDoubt.WITHDREW or doubt.other is None:
        raise Conflict("entry.not_withdrawn_before", present=duplicate, name=duplicate.name)
    delete_unapproved(actor, event, duplicate)
    reinstated, _row = reinstate_locked(actor, event, doubt.other.pk, overrule=overrule, when_full=when_full)
    fill_places(actor, event, reinstated.division)
    return reinstated


@durable
def reinstate_own(*, actor: Actor, public_id: str) -> Entry:
    """Reinstate an entry, as its player or guardian; in a full division it goes on the waiting list."""
    entry = own_entry(actor, public_id, _WITHDRAWN_STATUSES)
    return _reinstate_self(actor, lock_unless_removed(entry.division.event_id), entry.pk)


@durable
def reinstate_by_link(*, entry: Entry, phone: RequestOrigin) -> Entry:
    """Reinstate the entry of a personal link, from a device that has access."""
    event = lock_unless_removed(entry.division.event_id)
    number = authorize_device(event, entry, phone)
    return _reinstate_self(link_actor(entry), event, entry.pk, number)


def reinstate_locked(
    actor: Actor,
    event: Event,
    entry_id: int,
    *,
    overrule: str = "",
    when_full: WhenFull = WhenFull.ASK,
    stage_id: int | None = None,
    match: MatchNo | None = None,
    side: Side = Side.A,
) -> tuple[Entry, AuditEntry | None]:
    """Reinstate an entry, as `reinstate`; return it and the audit log entry of the repair, or None.

    The caller has locked ``event``. The audit log entry is that of a late entry, which can be undone, or of
    an undone withdrawal, which cannot. ``stage_id``, ``match`` and ``side``: the place in a drawn bracket,
    otherwise random.
    """
    entry = locked_entry(event, entry_id)
    require_not_over(event)
    next_status(EntryStatus(entry.status), EntryAction.RETURN)
    require_not_reentered(entry, reject_reentries=False)
    first_stage = Stage.objects.filter(division=entry.division).order_by("position").first()
    if first_stage is None or can_change_entries(first_stage):
        return reinstate_entry(actor, event, entry, overrule=overrule, when_full=when_full), None
    if entry.slots.exists():
        return _undo_withdrawal(actor, event, entry)
    if stage_id is None:
        late_stage = (
            stages_open_for_late(event).filter(division=entry.division).order_by("position", "pk").first()
        )
        if late_stage is None:
            raise _too_late_conflict(entry, first_stage)
        stage_id = late_stage.pk
    draw = load_draw(late_entry_stage(event, stage_id))
    places = free_lines(draw)
    line = requested_line(draw, places, match, side)
    write_reinstatement(actor, event, entry, overrule=overrule, when_full=when_full, may_wait=False)
    return entry, place_entry(actor, event, draw, entry, line, places, is_new=True)


def _reinstate_self(actor: Actor, event: Event, entry_id: int, phone: int = 0) -> Entry:
    entry = locked_entry(event, entry_id)
    next_status(EntryStatus(entry.status), EntryAction.RETURN)
    reason = self_reinstatement_error(event, entry)
    if reason:
        raise Conflict(reason, present=event)
    return reinstate_entry(actor, event, entry, when_full=WhenFull.WAIT, device_number=phone)


def _undo_withdrawal(actor: Actor, event: Event, entry: Entry) -> tuple[Entry, AuditEntry]:
    """Undo the withdrawal of an entry after the draw, if nothing depends on it."""
    rows = AuditEntry.objects.filter(
        scope=audit_scope(event),
        action=EntryWithdrawnAfterDraw.kind,
        subject_type=entry._meta.label_lower,  # noqa: SLF001 (public API of Django models)
        subject_id=entry.pk,
        undone_by=None,
    )
    row = rows.order_by("-pk").first()
    if row is None:
        raise Conflict("late_entry.was_drawn", present=entry, name=entry.name)
    undo = undo_repair_locked(actor, event, row.pk)
    entry.refresh_from_db()
    return entry, undo


def _too_late_conflict(entry: Entry, first_stage: Stage) -> Conflict:
    """Return the ``Conflict`` that says why an entry cannot be reinstated any more, and what can be done."""
    is_fixed = first_stage.system in Stage.ROUND_ROBINS and first_stage.status != StageStatus.FINISHED
    return Conflict(
        "entry.rounds_drawn" if is_fixed else "entry.return_too_late", present=first_stage, name=entry.name
    )
