"""Undo of the last save of the players table, as a whole or not at all.

Manual changes since are never overwritten: they prevent the undo. What players already know of stays, and is
named before and after (`selectors.matrix_undo`): a place of which the player was notified, an approval whose
link was used.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from faults import Conflict, CrawfordError, Missing
from people.actors import Actor
from people.models import AuditEntry
from people.rows import one_or_none
from people.transactions import durable
from tournaments.check_in.services.marking import undo_check_in_locked
from tournaments.engine.matrix import CUSTOM_FIELD_PREFIX, NOTE_COLUMN
from tournaments.engine.statuses import ENTRY_HOLDS_PLACE, EntryAction, EntryStatus, allowed_actions
from tournaments.engine.trail.action import NamedEntry
from tournaments.engine.trail.entries import EntryDetailsSet
from tournaments.engine.trail.matrix import PlayersTableSaved, PlayersTableUndone
from tournaments.engine.types import EntryId
from tournaments.entries.services.details import write_note, write_paid
from tournaments.entries.services.entries import locked_entry, require_not_over, withdraw_locked
from tournaments.entries.services.extra import write_custom_values
from tournaments.entries.services.registration import undo_approval
from tournaments.entries.services.returning import undo_withdrawal
from tournaments.matrix.services.before import TextChange, stored_changes, texts_by_entry
from tournaments.models import Entry, EntryDetail, Event
from tournaments.models.trail import audit_scope, parse_row
from tournaments.repairs.services.undo import undo_repair_locked
from tournaments.selectors.columns import event_custom_fields
from tournaments.selectors.entries import CONFIRMED_STATUSES
from tournaments.selectors.matrix import last_save
from tournaments.selectors.matrix_undo import UndoExceptions, undo_exceptions
from tournaments.store.lock import lock_for_director, record_action
from tournaments.store.waiting import move_back_entry

MAX_LISTED_ROWS: Final = 3  # of the audit log since the save, shown if it cannot be undone


@durable
def undo_last_save(*, actor: Actor, event_id: int, audit_id: int) -> tuple[AuditEntry, list[str]]:
    """Undo the save with this audit log id; return the entry of the undo and the names of those unchanged.

    Raises ``Conflict``: a later save (``matrix.not_the_last``), already undone (``matrix.back_already``), or
    changed since (``matrix.changed_since``).
    """
    event = lock_for_director(actor, event_id)
    require_not_over(event)
    rows = AuditEntry.objects.select_for_update(of=("self",))
    row = one_or_none(rows.filter(pk=audit_id, scope=audit_scope(event), action=PlayersTableSaved.kind))
    action = parse_row(row) if row is not None else None
    if row is None or not isinstance(action, PlayersTableSaved):
        raise Missing("matrix.save_unknown")
    if row.undone_by_id is not None:
        raise Conflict("matrix.back_already", present=event, touched=(row.undone_by,))
    last = last_save(event)
    if last is None or last.pk != row.pk:
        raise Conflict("matrix.not_the_last", present=event, touched=(last,) if last is not None else None)
    exceptions = undo_exceptions(event, action, row.at)
    later_rows = tuple(
        AuditEntry.objects.filter(scope=audit_scope(event), pk__gt=row.pk).order_by("-pk")[:MAX_LISTED_ROWS]
    )
    try:
        _undo_changes(actor, event, action, exceptions)
    except Conflict as error:
        error.touched = later_rows
        raise
    named_entries = tuple(NamedEntry(EntryId(pk), name) for pk, name in exceptions.names.items())
    undo_action = PlayersTableUndone(of=row.pk, cells=action.cells, stayed=named_entries)
    row.undone_by = record_action(event, actor=actor, action=undo_action)
    row.save(update_fields=["undone_by"])
    return row.undone_by, list(exceptions.names.values())


def _undo_changes(actor: Actor, event: Event, action: PlayersTableSaved, exceptions: UndoExceptions) -> None:
    """Undo the changes in an order in which no entry moves up in between.

    Check-ins and repairs first, then places, then withdrawals, and new entries last.
    """
    status_by_entry = {
        entry.pk: EntryStatus(entry.status)
        for entry in Entry.objects.filter(
            pk__in=[*action.entered, *action.left, *action.back], division__event=event
        )
    }
    _must_have_status(event, status_by_entry, action.left, (EntryStatus.WITHDRAWN,))
    _must_have_status(event, status_by_entry, action.back, CONFIRMED_STATUSES)
    _must_have_status(event, status_by_entry, action.entered, CONFIRMED_STATUSES)
    try:
        for pk in reversed(action.marks):
            undo_check_in_locked(actor, event, pk)
        for pk in reversed(action.late):
            undo_repair_locked(actor, event, pk)
    except CrawfordError as error:
        raise Conflict("matrix.changed_since", present=event) from error
    _undo_paid(actor, event, action)
    _undo_texts(actor, event, list(stored_changes(event, action.key)))
    _undo_places(actor, event, action, exceptions)
    _undo_approvals(actor, event, action, exceptions)
    for withdrawn in (locked_entry(event, pk) for pk in action.left):
        undo_withdrawal(actor, event, withdrawn)
    for entry in reversed((*action.entered, *action.back)):
        withdraw_locked(actor, event, entry)


def _must_have_status(
    event: Event,
    status_by_entry: dict[int, EntryStatus],
    entries: Sequence[EntryId],
    statuses: Sequence[EntryStatus],
) -> None:
    for pk in entries:
        if status_by_entry.get(pk) not in statuses:
            raise Conflict("matrix.changed_since", present=event)


def _undo_places(actor: Actor, event: Event, action: PlayersTableSaved, exceptions: UndoExceptions) -> None:
    """Put entries that moved up back on the waiting list, except those notified or withdrawn since."""
    for entry in _lock_entries(event, [pk for pk in action.moved if pk not in exceptions.notified_entries]):
        if entry.status in ENTRY_HOLDS_PLACE:
            move_back_entry(actor, event, entry)


def _undo_approvals(
    actor: Actor, event: Event, action: PlayersTableSaved, exceptions: UndoExceptions
) -> None:
    """Undo approvals, except of entries that have used their link, keep a place or have withdrawn since."""
    new_by_entry = {
        approval.entry: approval.new for approval in action.approved if approval.entry not in exceptions.names
    }
    entry_ids = [
        entry.pk
        for entry in _lock_entries(event, list(new_by_entry))
        if EntryAction.UNAPPROVE in allowed_actions(EntryStatus(entry.status))
    ]
    if entry_ids:
        undo_approval(actor, event, {pk: new_by_entry[EntryId(pk)] for pk in entry_ids})


def _lock_entries(event: Event, entry_ids: Sequence[int]) -> list[Entry]:
    rows = Entry.objects.select_for_update(of=("self",)).select_related("division")
    entry_by_id = {entry.pk: entry for entry in rows.filter(pk__in=entry_ids, division__event=event)}
    if any(entry.slots.exists() for entry in entry_by_id.values()):  # drawn since
        raise Conflict("matrix.changed_since", present=event)
    return [entry_by_id[pk] for pk in entry_ids if pk in entry_by_id]


def _undo_texts(actor: Actor, event: Event, texts: Sequence[TextChange]) -> None:
    """Restore notes and existing custom fields. Raises ``Conflict`` if one has changed since the save."""
    current_texts = texts_by_entry(event, {change.player for change in texts})
    columns = {f"{CUSTOM_FIELD_PREFIX}{field.pk}" for field in event_custom_fields(event)}
    texts = [change for change in texts if change.cell == NOTE_COLUMN or change.cell in columns]
    if any(
        current_texts.get((change.entry, change.player), {}).get(change.cell, "") != change.after
        for change in texts
    ):
        raise Conflict("matrix.changed_since", present=event)
    for change in texts:
        if change.cell == NOTE_COLUMN:
            write_note(actor, event, change.player, [change.entry], change.before)
    custom_changes = sorted(
        (change for change in texts if change.cell != NOTE_COLUMN), key=attrgetter("entry", "player")
    )
    for (entry, player), cells in groupby(custom_changes, key=attrgetter("entry", "player")):
        values: Mapping[int, str] = {
            int(change.cell.removeprefix(CUSTOM_FIELD_PREFIX)): change.before for change in cells
        }
        for changed_entry in write_custom_values(player, [entry], values):
            record_action(
                event, actor=actor, action=EntryDetailsSet(fields=("extra",)), subject=changed_entry
            )


def _undo_paid(actor: Actor, event: Event, action: PlayersTableSaved) -> None:
    details = EntryDetail.objects.filter(entry__in=[payment.entry for payment in action.paid])
    paid_by_player = {(row.entry_id, row.player_id): row.paid is True for row in details}
    if any(paid_by_player.get((payment.entry, payment.player)) is payment.paid for payment in action.paid):
        raise Conflict("matrix.changed_since", present=event)
    for paid in (True, False):
        changed = [(int(payment.entry), payment.player) for payment in action.paid if payment.paid is paid]
        if changed:
            write_paid(actor, event, changed, paid=paid)
