"""Undo of a step with several entries: imported, withdrawn, moved, approved, paid or seeded together.

Only what the step changed and what is still as it left it is undone; the other entries stay unchanged and are
named.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from faults import Conflict, Missing
from people.actors import Actor
from people.models import AuditEntry
from people.permissions import require_director
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.statuses import (
    ENTRY_HOLDS_PLACE,
    ENTRY_LISTED,
    EntryAction,
    EntryStatus,
    allowed_actions,
)
from tournaments.engine.trail.action import NamedEntry
from tournaments.engine.trail.entries import (
    EntriesActionUndone,
    EntriesAdded,
    EntriesApproved,
    EntriesMoved,
    EntriesPaid,
    EntriesWithdrawn,
    SeedsSet,
)
from tournaments.engine.types import EntryId
from tournaments.entries.services.details import write_paid
from tournaments.entries.services.entries import must_not_be_over, withdraw_locked, write_seeds
from tournaments.entries.services.registration import undo_approval
from tournaments.entries.services.returning import undo_withdrawal
from tournaments.entries.services.several import return_to_division
from tournaments.models import Division, Entry, EntryDetail, Event, LinkPhone
from tournaments.models.trail import audit_scope, parse_row
from tournaments.selectors.matrix_undo import notified_of_move_up
from tournaments.selectors.together import entries_of_action, is_undoable
from tournaments.store.event_state import step_entry
from tournaments.store.lock import lock_for_staff, record_action
from tournaments.store.waiting import fill_places, move_back_entry


@durable
def undo_bulk_action(*, actor: Actor, event_id: int, audit_id: int) -> EntriesActionUndone:
    """Undo what this row of the audit log did with several entries, for those that have not changed since.

    Raises ``Conflict``: ``entry.undone_already``; ``entry.all_changed`` if all have changed since; and
    whatever the service for the manual change raises, for example once the draw is made.
    """
    event = lock_for_staff(actor, event_id)
    rows = AuditEntry.objects.select_for_update(of=("self",))
    row = one_or_none(rows.filter(pk=audit_id, scope=audit_scope(event)))
    action: Any = parse_row(row) if row is not None else None
    if row is None or not is_undoable(action):
        raise Missing("entry.step_unknown")
    if not isinstance(action, EntriesApproved):
        require_director(actor, event.club)
    if row.undone_by_id is not None:
        raise Conflict("entry.undone_already", present=event)
    if not isinstance(action, EntriesPaid):
        must_not_be_over(event)
    here = {
        entry.pk: entry
        for entry in Entry.objects.select_for_update(of=("self",))
        .select_related("division")
        .filter(pk__in=entries_of_action(action), division__event=event)
        .order_by("pk")
    }
    done = _UNDO_BY_ACTION[type(action)](actor, event, row, action, here)
    if not done:
        raise Conflict("entry.all_changed", present=event)
    named = [
        NamedEntry(EntryId(pk), here[pk].name if pk in here else name)
        for pk, name in entries_of_action(action).items()
    ]
    undo = EntriesActionUndone(
        of=row.pk,
        what=row.action,
        entries=tuple(one for one in named if one.entry in done),
        kept=tuple(one for one in named if one.entry not in done and one.name),
    )
    row.undone_by = record_action(event, actor=actor, action=undo, subject=_division_of(row, event))
    row.save(update_fields=["undone_by"])
    return undo


_EntriesById = Mapping[int, Entry]


def _undo_added(
    actor: Actor, event: Event, _row: AuditEntry, _action: EntriesAdded, here: _EntriesById
) -> set[int]:
    """Withdraw the added entries; they stay on the list as withdrawn."""
    there = [
        pk for pk, one in here.items() if EntryAction.WITHDRAW in allowed_actions(EntryStatus(one.status))
    ]
    for pk in reversed(there):
        withdraw_locked(actor, event, pk)
    return set(there)


def _undo_withdrawn(
    actor: Actor, event: Event, row: AuditEntry, action: EntriesWithdrawn, here: _EntriesById
) -> set[int]:
    """Reinstate the withdrawn entries.

    Entries that moved up in their place wait again, unless they were notified.
    """
    out = [pk for pk, one in here.items() if one.status == EntryStatus.WITHDRAWN]
    if not out:
        return set()
    notified = notified_of_move_up(event, action.moved, row.at)
    rows = Entry.objects.select_for_update(of=("self",)).select_related("division")
    for entry in rows.filter(pk__in=set(action.moved) - notified, slots=None).order_by("-pk"):
        if entry.status in ENTRY_HOLDS_PLACE:
            move_back_entry(actor, event, entry)
    for pk in out:
        undo_withdrawal(actor, event, here[pk], waited=pk in action.waited)
    _restore_seeds(actor, event, {pk: seed for pk, seed in action.seeds.items() if pk in out})
    return set(out)


def _undo_moved(
    actor: Actor, event: Event, row: AuditEntry, action: EntriesMoved, here: _EntriesById
) -> set[int]:
    done: set[int] = set()
    for division in Division.objects.filter(event=event, pk__in={one.division for one in action.came_from}):
        own = {one.entry: one.seed for one in action.came_from if one.division == division.pk}
        moving = [
            entry
            for pk, entry in here.items()
            if pk in own
            and entry.division_id == row.subject_id
            and entry.status in (*ENTRY_LISTED, EntryStatus.WAITING)
        ]
        for entry in moving:
            if entry.status == EntryStatus.WAITING:  # the division was full when they were moved
                step_entry(entry, EntryAction.MOVE_UP)
        if moving:
            return_to_division(actor, event, moving, division)
            _restore_seeds(actor, event, {entry.pk: own[EntryId(entry.pk)] for entry in moving})
            done |= {entry.pk for entry in moving}
    left = _division_of(row, event)
    if done and left is not None:
        fill_places(actor, event, left)
    return done


def _undo_approved(
    actor: Actor, event: Event, _row: AuditEntry, action: EntriesApproved, here: _EntriesById
) -> set[int]:
    """Undo approvals, except of entries that have used their link since or are drawn."""
    known = set(LinkPhone.objects.filter(entry__in=here).values_list("entry", flat=True))
    drawn = set(Entry.objects.filter(pk__in=here, slots__isnull=False).values_list("pk", flat=True))
    wanted = {
        int(one.entry): one.new
        for one in action.before
        if one.entry in here.keys() - known - drawn
        and EntryAction.UNAPPROVE in allowed_actions(EntryStatus(here[one.entry].status))
    }
    if wanted:
        undo_approval(actor, event, wanted)
    return set(wanted)


def _undo_paid(
    actor: Actor, event: Event, _row: AuditEntry, action: EntriesPaid, _here: _EntriesById
) -> set[int]:
    rows = EntryDetail.objects.filter(entry__in=[one.entry for one in action.before], paid=action.paid)
    stands = set(rows.values_list("entry_id", "player_id"))
    wanted = [(int(one.entry), one.player) for one in action.before if (one.entry, one.player) in stands]
    return {entry.pk for entry in write_paid(actor, event, wanted, paid=not action.paid)}


def _undo_seeds(
    actor: Actor, event: Event, row: AuditEntry, action: SeedsSet, here: _EntriesById
) -> set[int]:
    """Restore the seeds of all of the entries or, if one has changed, of none, because seeds are an order."""
    wanted = {int(pk): seed for pk, seed in action.before.items()}
    for pk in wanted:
        entry = here.get(pk)
        if (
            entry is None
            or entry.division_id != row.subject_id
            or entry.seed != action.seeds.get(EntryId(pk))
        ):
            raise Conflict("entry.all_changed", present=event)
    division = next(iter(here.values())).division
    given = [seed for seed in wanted.values() if seed is not None]
    if Entry.objects.filter(division=division, seed__in=given).exclude(pk__in=wanted).exists():
        raise Conflict("entry.all_changed", present=event)
    write_seeds(actor, event, division, list(here.values()), wanted)
    return set(wanted)


def _restore_seeds(actor: Actor, event: Event, seeds: Mapping[int, int | None]) -> None:
    """Restore the previous seeds that no other entry has now."""
    here = list(Entry.objects.select_related("division").filter(pk__in=seeds))
    divisions = {one.division for one in here}
    rows = Entry.objects.filter(division__in=divisions, seed__isnull=False)
    taken = set(rows.values_list("division_id", "seed"))
    for division in divisions:
        free = [
            one
            for one in here
            if one.division_id == division.pk
            and seeds[one.pk] is not None
            and (division.pk, seeds[one.pk]) not in taken
        ]
        if free:
            write_seeds(actor, event, division, free, seeds)


def _division_of(row: AuditEntry, event: Event) -> Division | None:
    if row.subject_id is None or row.subject_type != Division._meta.label_lower:  # noqa: SLF001 (the documented way to a model's label)
        return None
    return one_or_none(Division.objects.filter(pk=row.subject_id, event=event))


_UNDO_BY_ACTION: Final[Mapping[type, Callable[..., Collection[int]]]] = {
    EntriesAdded: _undo_added,
    EntriesWithdrawn: _undo_withdrawn,
    EntriesMoved: _undo_moved,
    EntriesApproved: _undo_approved,
    EntriesPaid: _undo_paid,
    SeedsSet: _undo_seeds,
}
