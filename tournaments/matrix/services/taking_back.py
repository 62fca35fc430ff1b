"""The last save of the matrix taken back: who came goes, who left comes back, marks are as before. As a whole, or not at all.

Whoever moved up from a waiting list meanwhile has been told and stays in, so a division may hold one more than it has room for; who was approved
stays approved. Notes and what stands in columns of the event's own are not in the trail, so they stay, too.
"""

from collections.abc import Sequence

from faults import Conflict, CrawfordError, Missing
from people.actors import Actor
from people.models import AuditEntry
from people.transactions import durable
from tournaments.check_in.services.marking import take_marks_back
from tournaments.engine.statuses import EntryAction, EntryStatus
from tournaments.engine.trail.matrix import MatrixSaved, MatrixTakenBack
from tournaments.engine.types import EntryId
from tournaments.entries.services.details import write_paid
from tournaments.entries.services.entries import must_not_be_over, step
from tournaments.models import Entry, EntryDetail, Event
from tournaments.models.trail import read_row, scope_of
from tournaments.repairs.services.undo import take_repair_back
from tournaments.selectors.entries import SPEAKING
from tournaments.selectors.matrix import last_save
from tournaments.store.lock import changed, lock_for_director


@durable
def take_save_back(*, actor: Actor, event_id: int, audit_id: int) -> AuditEntry:
    """Everything that the save of this row did is as before; gives the row of the undo.

    Refused (409): another save came after it (``matrix.not_the_last``), it was taken back already (``matrix.back_already``), or something that
    it did is another thing by now (``matrix.changed_since``).
    """
    event = lock_for_director(actor, event_id)
    must_not_be_over(event)
    rows = AuditEntry.objects.select_for_update(of=("self",))
    row = rows.filter(pk=audit_id, scope=scope_of(event), action=MatrixSaved.kind).first()
    action = read_row(row) if row is not None else None
    if row is None or not isinstance(action, MatrixSaved):
        raise Missing("matrix.save_unknown")
    if row.undone_by_id is not None:
        raise Conflict("matrix.back_already", present=event)
    last = last_save(event)
    if last is None or last.pk != row.pk:
        raise Conflict("matrix.not_the_last", present=event)
    _as_before(actor, event, action)
    undo = MatrixTakenBack(of=row.pk, cells=action.cells)
    row.undone_by = changed(event, actor=actor, action=undo)
    row.save(update_fields=["undone_by"])
    return row.undone_by


def _as_before(actor: Actor, event: Event, action: MatrixSaved) -> None:
    present = {
        entry.pk: EntryStatus(entry.status)
        for entry in Entry.objects.filter(
            pk__in=[*action.entered, *action.left, *action.back], division__event=event
        )
    }
    _must_still(event, present, action.left, (EntryStatus.WITHDRAWN,))
    _must_still(event, present, action.back, (EntryStatus.ACTIVE,))
    _must_still(event, present, action.entered, SPEAKING)
    try:
        for pk in reversed(action.marks):
            take_marks_back(actor, event, pk)
        for pk in reversed(action.late):
            take_repair_back(actor, event, pk)
    except CrawfordError as error:
        raise Conflict("matrix.changed_since", present=event) from error
    _pay_back(actor, event, action)
    for entry in action.left:
        step(actor, event, entry, EntryAction.RETURN)
    for entry in reversed((*action.entered, *action.back)):
        step(actor, event, entry, EntryAction.WITHDRAW)


def _must_still(
    event: Event, present: dict[int, EntryStatus], entries: Sequence[EntryId], statuses: Sequence[EntryStatus]
) -> None:
    for pk in entries:
        if present.get(pk) not in statuses:
            raise Conflict("matrix.changed_since", present=event)


def _pay_back(actor: Actor, event: Event, action: MatrixSaved) -> None:
    details = EntryDetail.objects.filter(entry__in=[one.entry for one in action.paid])
    now = {(row.entry_id, row.player_id): row.paid is True for row in details}
    if any(now.get((one.entry, one.player)) is one.paid for one in action.paid):
        raise Conflict("matrix.changed_since", present=event)
    for paid in (True, False):
        chosen = [(int(one.entry), one.player) for one in action.paid if one.paid is paid]
        if chosen:
            write_paid(actor, event, chosen, paid=paid)
