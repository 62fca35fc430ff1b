"""The last save of the matrix taken back: who came goes, who left comes back, marks and texts are as before. As a whole, or not at all.

What was done by hand since is never written over: then all of it is refused. What somebody else knows of by now stays, and is named before and
after (`selectors.matrix_undo`): a place of which its player was notified, an approval with whose link somebody has spoken.
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
from tournaments.check_in.services.marking import take_marks_back
from tournaments.engine.matrix import NOTE, OWN
from tournaments.engine.statuses import HOLDS_PLACE, EntryAction, EntryStatus, allowed_actions
from tournaments.engine.trail.action import Named
from tournaments.engine.trail.entries import EntryDetailsSet
from tournaments.engine.trail.matrix import MatrixSaved, MatrixTakenBack
from tournaments.engine.types import EntryId
from tournaments.entries.services.details import write_note, write_paid
from tournaments.entries.services.entries import entry_in, must_not_be_over, take_out
from tournaments.entries.services.extra import write_extra
from tournaments.entries.services.registration import take_approval_back
from tournaments.entries.services.returning import put_as_before
from tournaments.matrix.services.before import Text, kept_by, texts_of
from tournaments.models import Entry, EntryDetail, Event
from tournaments.models.trail import read_row, scope_of
from tournaments.repairs.services.undo import take_repair_back
from tournaments.selectors.columns import columns_of
from tournaments.selectors.entries import SPEAKING
from tournaments.selectors.matrix import last_save
from tournaments.selectors.matrix_undo import Stays, stays
from tournaments.store.lock import changed, lock_for_director
from tournaments.store.waiting import move_back

NAMED: Final = 3  # rows of the trail since the save, where it cannot be taken back


@durable
def take_save_back(*, actor: Actor, event_id: int, audit_id: int) -> tuple[AuditEntry, list[str]]:
    """Everything that the save of this row did is as before; gives the row of the undo, and the names of those who stay as they are.

    Refused (409): another save came after it (``matrix.not_the_last``), it was taken back already (``matrix.back_already``), or something that
    it did is another thing by now (``matrix.changed_since``).
    """
    event = lock_for_director(actor, event_id)
    must_not_be_over(event)
    rows = AuditEntry.objects.select_for_update(of=("self",))
    row = one_or_none(rows.filter(pk=audit_id, scope=scope_of(event), action=MatrixSaved.kind))
    action = read_row(row) if row is not None else None
    if row is None or not isinstance(action, MatrixSaved):
        raise Missing("matrix.save_unknown")
    if row.undone_by_id is not None:
        raise Conflict("matrix.back_already", present=event, touched=(row.undone_by,))
    last = last_save(event)
    if last is None or last.pk != row.pk:
        raise Conflict("matrix.not_the_last", present=event, touched=(last,) if last is not None else None)
    left = stays(event, action, row.at)
    since = tuple(AuditEntry.objects.filter(scope=scope_of(event), pk__gt=row.pk).order_by("-pk")[:NAMED])
    try:
        _as_before(actor, event, action, left)
    except Conflict as error:
        error.touched = since
        raise
    named = tuple(Named(EntryId(pk), name) for pk, name in left.names.items())
    undo = MatrixTakenBack(of=row.pk, cells=action.cells, stayed=named)
    row.undone_by = changed(event, actor=actor, action=undo)
    row.save(update_fields=["undone_by"])
    return row.undone_by, list(left.names.values())


def _as_before(actor: Actor, event: Event, action: MatrixSaved, left: Stays) -> None:
    """Marks and lots first, then places that were given, then who left, and whoever came goes last: so nobody moves up in between."""
    present = {
        entry.pk: EntryStatus(entry.status)
        for entry in Entry.objects.filter(
            pk__in=[*action.entered, *action.left, *action.back], division__event=event
        )
    }
    _must_still(event, present, action.left, (EntryStatus.WITHDRAWN,))
    _must_still(event, present, action.back, SPEAKING)
    _must_still(event, present, action.entered, SPEAKING)
    try:
        for pk in reversed(action.marks):
            take_marks_back(actor, event, pk)
        for pk in reversed(action.late):
            take_repair_back(actor, event, pk)
    except CrawfordError as error:
        raise Conflict("matrix.changed_since", present=event) from error
    _pay_back(actor, event, action)
    _texts_back(actor, event, list(kept_by(event, action.key)))
    _places_back(actor, event, action, left)
    _approvals_back(actor, event, action, left)
    for one in (entry_in(event, pk) for pk in action.left):
        put_as_before(actor, event, one)
    for entry in reversed((*action.entered, *action.back)):
        take_out(actor, event, entry)


def _must_still(
    event: Event, present: dict[int, EntryStatus], entries: Sequence[EntryId], statuses: Sequence[EntryStatus]
) -> None:
    for pk in entries:
        if present.get(pk) not in statuses:
            raise Conflict("matrix.changed_since", present=event)


def _places_back(actor: Actor, event: Event, action: MatrixSaved, left: Stays) -> None:
    """Whoever moved up waits again, but for those who know of it, and those who have withdrawn since."""
    for entry in _entries(event, [pk for pk in action.moved if pk not in left.notified]):
        if entry.status in HOLDS_PLACE:
            move_back(actor, event, entry)


def _approvals_back(actor: Actor, event: Event, action: MatrixSaved, left: Stays) -> None:
    """Whoever was approved is expected again, but for those who have used their link since, or keep a place, or have withdrawn."""
    new = {one.entry: one.new for one in action.approved if one.entry not in left.names}
    wanted = [
        entry.pk
        for entry in _entries(event, list(new))
        if EntryAction.UNAPPROVE in allowed_actions(EntryStatus(entry.status))
    ]
    if wanted:
        take_approval_back(actor, event, {pk: new[EntryId(pk)] for pk in wanted})


def _entries(event: Event, wanted: Sequence[int]) -> list[Entry]:
    rows = Entry.objects.select_for_update(of=("self",)).select_related("division")
    found = {entry.pk: entry for entry in rows.filter(pk__in=wanted, division__event=event)}
    if any(entry.slots.exists() for entry in found.values()):  # drawn since
        raise Conflict("matrix.changed_since", present=event)
    return [found[pk] for pk in wanted if pk in found]


def _texts_back(actor: Actor, event: Event, texts: Sequence[Text]) -> None:
    """Notes, and what stands in columns that there still are; as the save wrote them, or all of it is refused."""
    now = texts_of(event, {one.player for one in texts})
    columns = {f"{OWN}{one.pk}" for one in columns_of(event)}
    texts = [one for one in texts if one.cell == NOTE or one.cell in columns]
    if any(now.get((one.entry, one.player), {}).get(one.cell, "") != one.after for one in texts):
        raise Conflict("matrix.changed_since", present=event)
    for one in texts:
        if one.cell == NOTE:
            write_note(actor, event, one.player, [one.entry], one.before)
    own = sorted((one for one in texts if one.cell != NOTE), key=attrgetter("entry", "player"))
    for (entry, player), cells in groupby(own, key=attrgetter("entry", "player")):
        values: Mapping[int, str] = {int(one.cell.removeprefix(OWN)): one.before for one in cells}
        for touched in write_extra(player, [entry], values):
            changed(event, actor=actor, action=EntryDetailsSet(fields=("extra",)), subject=touched)


def _pay_back(actor: Actor, event: Event, action: MatrixSaved) -> None:
    details = EntryDetail.objects.filter(entry__in=[one.entry for one in action.paid])
    now = {(row.entry_id, row.player_id): row.paid is True for row in details}
    if any(now.get((one.entry, one.player)) is one.paid for one in action.paid):
        raise Conflict("matrix.changed_since", present=event)
    for paid in (True, False):
        chosen = [(int(one.entry), one.player) for one in action.paid if one.paid is paid]
        if chosen:
            write_paid(actor, event, chosen, paid=paid)
