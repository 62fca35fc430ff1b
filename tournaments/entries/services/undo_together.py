"""Undo of a step that changed several entries: import, withdrawal, move, approval, payment or seeds.

An entry that has changed again since the step stays as it is and is named in the result.
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
from tournaments.entries.services.entries import require_not_over, withdraw_locked, write_seeds
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
    """Undo a step that changed several entries, for those entries that have not changed since.

    Return what was undone.

    ``audit_id``: row of the audit log that records the step. Raises ``Conflict``: ``entry.undone_already``;
    ``entry.all_changed`` if all entries have changed since; and whatever the service for the manual change
    raises, for example once the draw is made.
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
        require_not_over(event)
    entries_by_id = {
        entry.pk: entry
        for entry in Entry.objects.select_for_update(of=("self",))
        .select_related("division")
        .filter(pk__in=entries_of_action(action), division__event=event)
        .order_by("pk")
    }
    undone_ids = _UNDO_BY_ACTION[type(action)](actor, event, row, action, entries_by_id)
    if not undone_ids:
        raise Conflict("entry.all_changed", present=event)
    named_entries = [
        NamedEntry(EntryId(pk), entries_by_id[pk].name if pk in entries_by_id else name)
        for pk, name in entries_of_action(action).items()
    ]
    undo = EntriesActionUndone(
        of=row.pk,
        what=row.action,
        entries=tuple(named_entry for named_entry in named_entries if named_entry.entry in undone_ids),
        kept=tuple(
            named_entry
            for named_entry in named_entries
            if named_entry.entry not in undone_ids and named_entry.name
        ),
    )
    row.undone_by = record_action(event, actor=actor, action=undo, subject=_division_of(row, event))
    row.save(update_fields=["undone_by"])
    return undo


_EntriesById = Mapping[int, Entry]


def _undo_added(
    actor: Actor, event: Event, _row: AuditEntry, _action: EntriesAdded, entries_by_id: _EntriesById
) -> set[int]:
    """Withdraw the added entries, which stay on the list as withdrawn; return their ids."""
    withdrawable_ids = [
        pk
        for pk, entry in entries_by_id.items()
        if EntryAction.WITHDRAW in allowed_actions(EntryStatus(entry.status))
    ]
    for pk in reversed(withdrawable_ids):
        withdraw_locked(actor, event, pk)
    return set(withdrawable_ids)


def _undo_withdrawn(
    actor: Actor, event: Event, row: AuditEntry, action: EntriesWithdrawn, entries_by_id: _EntriesById
) -> set[int]:
    """Reinstate the withdrawn entries; return their ids.

    Entries that moved up from the waiting list in their place wait again, unless their players were notified.
    """
    withdrawn_ids = [
        pk for pk, candidate in entries_by_id.items() if candidate.status == EntryStatus.WITHDRAWN
    ]
    if not withdrawn_ids:
        return set()
    notified_ids = notified_of_move_up(event, action.moved, row.at)
    rows = Entry.objects.select_for_update(of=("self",)).select_related("division")
    for entry in rows.filter(pk__in=set(action.moved) - notified_ids, slots=None).order_by("-pk"):
        if entry.status in ENTRY_HOLDS_PLACE:
            move_back_entry(actor, event, entry)
    for pk in withdrawn_ids:
        undo_withdrawal(actor, event, entries_by_id[pk], was_waiting=pk in action.waited)
    _restore_seeds(actor, event, {pk: seed for pk, seed in action.seeds.items() if pk in withdrawn_ids})
    return set(withdrawn_ids)


def _undo_moved(
    actor: Actor, event: Event, row: AuditEntry, action: EntriesMoved, entries_by_id: _EntriesById
) -> set[int]:
    undone_ids: set[int] = set()
    for division in Division.objects.filter(
        event=event, pk__in={placement.division for placement in action.came_from}
    ):
        previous_seeds = {
            placement.entry: placement.seed
            for placement in action.came_from
            if placement.division == division.pk
        }
        moving = [
            entry
            for pk, entry in entries_by_id.items()
            if pk in previous_seeds
            and entry.division_id == row.subject_id
            and entry.status in (*ENTRY_LISTED, EntryStatus.WAITING)
        ]
        for entry in moving:
            if entry.status == EntryStatus.WAITING:  # the division was full when they were moved
                step_entry(entry, EntryAction.MOVE_UP)
        if moving:
            return_to_division(actor, event, moving, division)
            _restore_seeds(actor, event, {entry.pk: previous_seeds[EntryId(entry.pk)] for entry in moving})
            undone_ids |= {entry.pk for entry in moving}
    left_division = _division_of(row, event)
    if undone_ids and left_division is not None:
        fill_places(actor, event, left_division)
    return undone_ids


def _undo_approved(
    actor: Actor, event: Event, _row: AuditEntry, action: EntriesApproved, entries_by_id: _EntriesById
) -> set[int]:
    """Undo the approvals, except of entries that have used their personal link since or are drawn.

    Return the ids.
    """
    used_link_ids = set(LinkPhone.objects.filter(entry__in=entries_by_id).values_list("entry", flat=True))
    drawn_ids = set(
        Entry.objects.filter(pk__in=entries_by_id, slots__isnull=False).values_list("pk", flat=True)
    )
    created_players = {
        int(approval.entry): approval.new
        for approval in action.before
        if approval.entry in entries_by_id.keys() - used_link_ids - drawn_ids
        and EntryAction.UNAPPROVE in allowed_actions(EntryStatus(entries_by_id[approval.entry].status))
    }
    if created_players:
        undo_approval(actor, event, created_players)
    return set(created_players)


def _undo_paid(
    actor: Actor, event: Event, _row: AuditEntry, action: EntriesPaid, _entries_by_id: _EntriesById
) -> set[int]:
    rows = EntryDetail.objects.filter(
        entry__in=[payment.entry for payment in action.before], paid=action.paid
    )
    unchanged_pairs = set(rows.values_list("entry_id", "player_id"))
    pairs = [
        (int(payment.entry), payment.player)
        for payment in action.before
        if (payment.entry, payment.player) in unchanged_pairs
    ]
    return {entry.pk for entry in write_paid(actor, event, pairs, paid=not action.paid)}


def _undo_seeds(
    actor: Actor, event: Event, row: AuditEntry, action: SeedsSet, entries_by_id: _EntriesById
) -> set[int]:
    """Restore the seeds of all entries; return their ids.

    Raises ``Conflict`` if one seed has changed since, because seeds are an order.
    """
    previous_seeds = {int(pk): seed for pk, seed in action.before.items()}
    for pk in previous_seeds:
        entry = entries_by_id.get(pk)
        if (
            entry is None
            or entry.division_id != row.subject_id
            or entry.seed != action.seeds.get(EntryId(pk))
        ):
            raise Conflict("entry.all_changed", present=event)
    division = next(iter(entries_by_id.values())).division
    restored_seeds = [seed for seed in previous_seeds.values() if seed is not None]
    if (
        Entry.objects.filter(division=division, seed__in=restored_seeds)
        .exclude(pk__in=previous_seeds)
        .exists()
    ):
        raise Conflict("entry.all_changed", present=event)
    write_seeds(actor, event, division, list(entries_by_id.values()), previous_seeds)
    return set(previous_seeds)


def _restore_seeds(actor: Actor, event: Event, seeds: Mapping[int, int | None]) -> None:
    """Restore the previous seeds (keyed by entry id), except those that another entry has now."""
    entries = list(Entry.objects.select_related("division").filter(pk__in=seeds))
    divisions = {entry.division for entry in entries}
    rows = Entry.objects.filter(division__in=divisions, seed__isnull=False)
    taken = set(rows.values_list("division_id", "seed"))
    for division in divisions:
        restorable = [
            entry
            for entry in entries
            if entry.division_id == division.pk
            and seeds[entry.pk] is not None
            and (division.pk, seeds[entry.pk]) not in taken
        ]
        if restorable:
            write_seeds(actor, event, division, restorable, seeds)


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
