"""Save several cells of the players table together: all changes or, if anything is wrong, none.

Each change is made by its own service, with an entry in the audit log and notifications. A final entry
records the save for its undo. Places are freed first, so that the waiting list comes before new entries.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from faults import Conflict, Fault, Invalid, raise_faults
from people.actors import Actor
from people.ids import new_public_id
from people.models import AuditEntry
from people.permissions import require_director
from people.transactions import durable
from tournaments.check_in.services.marking import check_in_locked, lock_entries, uncheck_locked
from tournaments.engine.check_in import CheckInMethod
from tournaments.engine.matrix import (
    CHECKED_IN_COLUMN,
    CUSTOM_FIELD_PREFIX,
    NOTE_COLUMN,
    PAID_COLUMN,
    CellAction,
    CellChange,
    CellRequest,
    CheckState,
    action_for,
    split_changes,
)
from tournaments.engine.new_entry import NewEntry, WhenFull
from tournaments.engine.statuses import EntryStatus
from tournaments.engine.trail.entries import EntryDetailsSet
from tournaments.engine.trail.matrix import PlayersTableSaved, PreviousPayment
from tournaments.engine.types import EntryId
from tournaments.entries.services.details import write_note, write_paid
from tournaments.entries.services.entries import require_not_over, withdraw_locked
from tournaments.entries.services.extra import clean_custom_values, write_custom_values
from tournaments.entries.services.limits import clean_reason
from tournaments.entries.services.registration import approve_at_check_in
from tournaments.matrix.services.before import (
    AuditSnapshot,
    is_unlogged_text,
    store_previous_texts,
    texts_by_entry,
)
from tournaments.matrix.services.entering import (
    Newcomer,
    SaveResult,
    chosen_when_full,
    enter_entries,
    enter_newcomers,
)
from tournaments.matrix.services.stale import stale_cells_conflict
from tournaments.models import EntryDetail, EntryPlayer, Event
from tournaments.repairs.services.late_entry import place_at_random
from tournaments.repairs.services.reinstating import reinstate_locked
from tournaments.selectors.matrix import DivisionColumn, PersonRow, PlayersTable, load_players_table
from tournaments.store.lock import lock_for_staff, record_action
from tournaments.store.waiting import allocate_places, move_up_entry

MAX_CELLS: Final = 4096  # per save


@durable
def save_players_table(
    *,
    actor: Actor,
    event_id: int,
    changes: Sequence[CellChange] = (),
    new: Sequence[Newcomer] = (),
    overrule: str = "",
    when_full: WhenFull = WhenFull.ASK,
    new_when_full: WhenFull = WhenFull.ASK,
) -> SaveResult:
    """Change the cells as requested; cells that already have the value are unchanged.

    ``overrule``: reason for players whom the limit of a division excludes. ``when_full``: for players ahead
    of a waiting list, or in a draw beyond its places. ``new_when_full``: for players entered in a full
    division that is open; ``ASK`` puts them on its waiting list.

    Raises ``Conflict`` (``matrix.stale``) if cells have changed since the user saw them, with names and
    current values; ``Invalid`` (``matrix.locked``) for a cell that cannot be changed here; ``NotAllowed`` if
    an assistant changes anything but check-in; and whatever the services of the changes raise.
    """
    event = lock_for_staff(actor, event_id)
    if new or any(change.cell.column != CHECKED_IN_COLUMN for change in changes):
        require_director(actor, event.club)
    if len(changes) > MAX_CELLS:
        raise Invalid("matrix.too_many", limit=MAX_CELLS)
    require_not_over(event)
    table = load_players_table(event)
    pending_changes, stale_changes = split_changes(table.cells(), changes)
    people = {person.public_id: person for person in table.people}
    if stale_changes:
        raise stale_cells_conflict(event, table, people, stale_changes)
    text_player_ids = {
        people[pending.cell.player].pk for pending in pending_changes if is_unlogged_text(pending.cell.column)
    }
    texts_before, snapshot = texts_by_entry(event, text_player_ids), AuditSnapshot.now(event)
    change_count = len(pending_changes) + sum(
        len(newcomer.divisions) + newcomer.is_checked_in + newcomer.paid for newcomer in new
    )
    result = SaveResult(change_count, when_full, new_when_full)
    steps = _plan_steps(table, people, pending_changes)
    _withdraw(actor, event, steps, result)
    _admit(actor, event, table, steps, result, clean_reason(overrule))
    people = {
        name: replace(row, pk=result.replaced_players.get(row.pk, row.pk)) for name, row in people.items()
    }
    text_player_ids = {result.replaced_players.get(pk, pk) for pk in text_player_ids}
    texts_before = {
        (entry, result.replaced_players.get(pk, pk)): cells for (entry, pk), cells in texts_before.items()
    }
    newcomer_by_player = enter_newcomers(actor, event, table, new, result, clean_reason(overrule))
    _check_in(actor, event, pending_changes, people, newcomer_by_player, result)
    _set_paid(actor, event, pending_changes, people, newcomer_by_player, result)
    for change in pending_changes:
        if change.cell.column == NOTE_COLUMN:
            person = people[change.cell.player]
            write_note(actor, event, person.pk, person.payable_entries, change.requested_value)
    _write_custom_values(actor, event, pending_changes, people)
    if result.moved:
        key = new_public_id()
        store_previous_texts(event, text_player_ids, texts_before, key)
        result.audit_id = _record_save(actor, event, result, snapshot, key).pk
    return result


@dataclass(frozen=True, slots=True)
class _PlannedStep:
    step: CellAction
    person: PersonRow
    column: DivisionColumn
    entry: int | None


def _plan_steps(
    table: PlayersTable, people: Mapping[str, PersonRow], changes: Iterable[CellChange]
) -> list[_PlannedStep]:
    """Return the steps for the changed cells of divisions. Raises ``Invalid`` with all errors found."""
    columns = {column.key: column for column in table.columns}
    steps: list[_PlannedStep] = []
    faults: list[Fault] = []
    for change in changes:
        if change.cell.column not in columns:
            continue
        column, person = columns[change.cell.column], people[change.cell.player]
        cell = person.cells[column.division.pk]
        action = action_for(cell.state, CellRequest(change.requested_value))
        params = {"name": person.name, "division": str(column.division)}
        field = f"{change.cell.player}:{change.cell.column}"
        if cell.lock_reason:
            faults.append(Fault("matrix.locked", field, params))
        elif action is CellAction.DECLINE:
            faults.append(Fault("matrix.expected", field, params))
        elif action is not None:
            steps.append(_PlannedStep(action, person, column, cell.entry))
    raise_faults(faults)
    return steps


def _withdraw(actor: Actor, event: Event, steps: Sequence[_PlannedStep], result: SaveResult) -> None:
    for step in steps:
        if step.step is CellAction.WITHDRAW and step.entry is not None:
            withdraw_locked(actor, event, step.entry)
            result.left.append(step.entry)


def _admit(
    actor: Actor,
    event: Event,
    table: PlayersTable,
    steps: Sequence[_PlannedStep],
    result: SaveResult,
    overrule: str,
) -> None:
    """Give places first to pending and waiting entries, then to new ones."""
    for step in steps:
        if step.entry is None:
            continue
        if step.step is CellAction.REINSTATE:
            _reinstate(actor, event, step.entry, step.column, result, overrule)
        elif step.step in {CellAction.APPROVE, CellAction.ADMIT}:
            entry = lock_entries(event, [step.entry])[0]
            if step.step is CellAction.APPROVE:
                result.replaced_players |= approve_at_check_in(actor, event, [entry], overrule)
            elif entry.status == EntryStatus.WAITING:  # unless this save has already moved it up
                allocate_places(
                    actor, event, entry.division, 1, result.when_full, may_wait=False, waiting_entry=entry
                )
                move_up_entry(actor, event, entry, by_hand=True)
            if entry.status == EntryStatus.ACTIVE and not step.column.open:
                result.late.append(place_at_random(actor, event, step.column.stage.pk, entry).pk)
    for column in table.columns:
        new_entries = [
            NewEntry(player_id=step.person.pk, overrule=overrule)
            for step in steps
            if step.step is CellAction.ENTER and step.column is column
        ]
        try:
            enter_entries(actor, event, column, new_entries, result)
        except Invalid as error:
            raise _fault_at_cells(error) from error


def _reinstate(
    actor: Actor, event: Event, entry_id: int, column: DivisionColumn, result: SaveResult, overrule: str
) -> None:
    """Reinstate an entry; in a full division that is open as ``result`` says for new entries."""
    when_full = chosen_when_full(column.division, result.new_when_full) if column.open else result.when_full
    try:
        entry, row = reinstate_locked(actor, event, entry_id, overrule=overrule, when_full=when_full)
    except Invalid as error:
        raise _fault_at_cells(error) from error
    if row is not None:
        result.late.append(row.pk)
        return
    result.back.append(entry_id)
    if entry.status == EntryStatus.WAITING:
        result.waits.append(entry.name)


def _fault_at_cells(error: Invalid) -> Invalid:
    return Invalid(faults=[fault.at("cells") for fault in error.faults])


def _changed_ticks(
    column: str, changes: Iterable[CellChange], people: Mapping[str, PersonRow], new_players: Iterable[int]
) -> dict[int, bool]:
    """Return the new ticks of this column, keyed by player id; those of ``new_players`` are set."""
    ticks = {
        people[change.cell.player].pk: change.requested_value == CheckState.YES
        for change in changes
        if change.cell.column == column
    }
    return ticks | dict.fromkeys(new_players, True)


def _check_in(
    actor: Actor,
    event: Event,
    changes: Iterable[CellChange],
    people: Mapping[str, PersonRow],
    newcomer_by_player: Mapping[int, Newcomer],
    result: SaveResult,
) -> None:
    """Check players in or out, with all their single entries that have a check-in today."""
    ticks = _changed_ticks(
        CHECKED_IN_COLUMN,
        changes,
        people,
        (pk for pk, newcomer in newcomer_by_player.items() if newcomer.is_checked_in),
    )
    if not ticks:
        return
    person_by_id = {person.pk: person for person in load_players_table(event).people}
    for pk in ticks:
        if not person_by_id[pk].marked:
            raise Conflict("matrix.no_check_in", present=event, name=person_by_id[pk].name)
    checked_in = [entry for pk, is_ticked in ticks.items() if is_ticked for entry in person_by_id[pk].marked]
    checked_out = [
        entry for pk, is_ticked in ticks.items() if not is_ticked for entry in person_by_id[pk].marked
    ]
    rows = (
        check_in_locked(actor, event, lock_entries(event, checked_in), None, CheckInMethod.LIST)
        if checked_in
        else []
    )
    rows += uncheck_locked(actor, event, lock_entries(event, checked_out), None) if checked_out else []
    result.check_in_audit_ids += [row.pk for row in rows]


def _set_paid(
    actor: Actor,
    event: Event,
    changes: Iterable[CellChange],
    people: Mapping[str, PersonRow],
    newcomer_by_player: Mapping[int, Newcomer],
    result: SaveResult,
) -> None:
    ticks = _changed_ticks(
        PAID_COLUMN, changes, people, (pk for pk, newcomer in newcomer_by_player.items() if newcomer.paid)
    )
    if not ticks:
        return
    rows = EntryPlayer.objects.filter(division__event=event, player__in=ticks).exclude(
        entry__status=EntryStatus.WITHDRAWN
    )
    players = list(rows.order_by("entry_id").values_list("entry_id", "player_id"))
    was_paid = {
        (row.entry_id, row.player_id): row.paid is True
        for row in EntryDetail.objects.filter(entry__division__event=event, player__in=ticks)
    }
    result.paid += [
        PreviousPayment(EntryId(entry), player, was_paid.get((entry, player), False))
        for entry, player in players
        if was_paid.get((entry, player), False) is not ticks[player]
    ]
    for paid in (True, False):
        changed = [(entry, player) for entry, player in players if ticks[player] is paid]
        if changed:
            write_paid(actor, event, changed, paid=paid)


def _write_custom_values(
    actor: Actor, event: Event, changes: Iterable[CellChange], people: Mapping[str, PersonRow]
) -> None:
    """Save the values of custom fields. The audit log records the change without the values."""
    values_by_player: dict[str, dict[int, str]] = {}
    for change in changes:
        if change.cell.column.startswith(CUSTOM_FIELD_PREFIX):
            field_id = int(change.cell.column.removeprefix(CUSTOM_FIELD_PREFIX))
            values_by_player.setdefault(change.cell.player, {})[field_id] = change.requested_value
    for name, values in values_by_player.items():
        person = people[name]
        for entry in write_custom_values(
            person.pk, person.payable_entries, clean_custom_values(event, values)
        ):
            record_action(event, actor=actor, action=EntryDetailsSet(fields=("extra",)), subject=entry)


def _record_save(
    actor: Actor, event: Event, result: SaveResult, snapshot: AuditSnapshot, key: str
) -> AuditEntry:
    approved, moved = snapshot.since(event)
    action = PlayersTableSaved(
        cells=result.moved,
        entered=tuple(map(EntryId, result.entered)),
        left=tuple(map(EntryId, result.left)),
        back=tuple(map(EntryId, result.back)),
        marks=tuple(result.check_in_audit_ids),
        late=tuple(result.late),
        paid=tuple(result.paid),
        approved=approved,
        moved=moved,
        key=key,
    )
    return record_action(event, actor=actor, action=action)
