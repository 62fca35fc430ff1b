"""Save several cells of the players table together: all changes or, if anything is wrong, none.

Each change is made by its own service, with a row in the audit log and notifications. A final row records the
save for its undo. Places are freed first, so that the waiting list comes before new entries.
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
    CHECKED_IN,
    CUSTOM_FIELD,
    NOTE,
    PAID,
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
from tournaments.entries.services.entries import must_not_be_over, withdraw_locked
from tournaments.entries.services.extra import clean_custom_values, write_custom_values
from tournaments.entries.services.limits import clean_reason
from tournaments.entries.services.registration import approve_at_check_in
from tournaments.matrix.services.before import AuditSnapshot, is_unlogged_text, store_previous_texts, texts_of
from tournaments.matrix.services.entering import (
    Newcomer,
    SaveResult,
    default_when_full,
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
) -> SaveResult:
    """Change the cells as requested; cells that already have the value are unchanged.

    ``overrule``: reason for players whom the limit of a division excludes. ``when_full``: for players ahead
    of a waiting list, or in a draw beyond its places; players entered in a full division go on its waiting
    list.

    Raises ``Conflict`` (``matrix.stale``) if cells have changed since they were seen, with names and current
    values; ``Invalid`` (``matrix.locked``) for a cell that cannot be changed here; ``NotAllowed`` if an
    assistant changes anything but check-in; and whatever the services of the changes raise.
    """
    event = lock_for_staff(actor, event_id)
    if new or any(change.cell.column != CHECKED_IN for change in changes):
        require_director(actor, event.club)
    if len(changes) > MAX_CELLS:
        raise Invalid("matrix.too_many", limit=MAX_CELLS)
    must_not_be_over(event)
    matrix = load_players_table(event)
    todo, stale = split_changes(matrix.cells(), changes)
    people = {person.public_id: person for person in matrix.people}
    if stale:
        raise stale_cells_conflict(event, matrix, people, stale)
    texts = {people[one.cell.player].pk for one in todo if is_unlogged_text(one.cell.column)}
    before, rows = texts_of(event, texts), AuditSnapshot.now(event)
    moved = len(todo) + sum(len(one.divisions) + one.here + one.paid for one in new)
    saved = SaveResult(moved=moved, when_full=when_full)
    steps = _plan_steps(matrix, people, todo)
    _withdraw(actor, event, steps, saved)
    _admit(actor, event, matrix, steps, saved, clean_reason(overrule))
    people = {
        name: replace(one, pk=saved.replaced_players.get(one.pk, one.pk)) for name, one in people.items()
    }
    texts = {saved.replaced_players.get(pk, pk) for pk in texts}
    before = {(entry, saved.replaced_players.get(pk, pk)): cells for (entry, pk), cells in before.items()}
    entered = enter_newcomers(actor, event, matrix, new, saved, clean_reason(overrule))
    _check_in(actor, event, todo, people, entered, saved)
    _set_paid(actor, event, todo, people, entered, saved)
    for change in todo:
        if change.cell.column == NOTE:
            person = people[change.cell.player]
            write_note(actor, event, person.pk, person.payable_entries, change.wanted)
    _write_custom_values(actor, event, todo, people)
    if saved.moved:
        key = new_public_id()
        store_previous_texts(event, texts, before, key)
        saved.audit_id = _record_save(actor, event, saved, rows, key).pk
    return saved


@dataclass(frozen=True, slots=True)
class _PlannedStep:
    step: CellAction
    person: PersonRow
    column: DivisionColumn
    entry: int | None


def _plan_steps(
    matrix: PlayersTable, people: Mapping[str, PersonRow], todo: Iterable[CellChange]
) -> list[_PlannedStep]:
    """Return the steps in the divisions. Raises ``Invalid`` with all faults."""
    columns = {column.key: column for column in matrix.columns}
    found: list[_PlannedStep] = []
    faults: list[Fault] = []
    for change in todo:
        if change.cell.column not in columns:
            continue
        column, person = columns[change.cell.column], people[change.cell.player]
        stand = person.cells[column.division.pk]
        wanted = action_for(stand.state, CellRequest(change.wanted))
        about = {"name": person.name, "division": str(column.division)}
        where = f"{change.cell.player}:{change.cell.column}"
        if stand.locked:
            faults.append(Fault("matrix.locked", where, about))
        elif wanted is CellAction.DECLINE:
            faults.append(Fault("matrix.expected", where, about))
        elif wanted is not None:
            found.append(_PlannedStep(wanted, person, column, stand.entry))
    raise_faults(faults)
    return found


def _withdraw(actor: Actor, event: Event, steps: Sequence[_PlannedStep], saved: SaveResult) -> None:
    for one in steps:
        if one.step is CellAction.WITHDRAW and one.entry is not None:
            withdraw_locked(actor, event, one.entry)
            saved.left.append(one.entry)


def _admit(
    actor: Actor,
    event: Event,
    matrix: PlayersTable,
    steps: Sequence[_PlannedStep],
    saved: SaveResult,
    overrule: str,
) -> None:
    """Admit entries in this order: pending and waiting ones, then new ones."""
    for one in steps:
        if one.entry is None:
            continue
        if one.step is CellAction.REINSTATE:
            _reinstate(actor, event, one.entry, one.column, saved, overrule)
        elif one.step in {CellAction.APPROVE, CellAction.ADMIT}:
            entry = lock_entries(event, [one.entry])[0]
            if one.step is CellAction.APPROVE:
                saved.replaced_players |= approve_at_check_in(actor, event, [entry], overrule)
            elif entry.status == EntryStatus.WAITING:  # unless this save has already moved it up
                allocate_places(
                    actor, event, entry.division, 1, saved.when_full, may_wait=False, already=entry
                )
                move_up_entry(actor, event, entry, by_hand=True)
            if entry.status == EntryStatus.ACTIVE and not one.column.open:
                saved.late.append(place_at_random(actor, event, one.column.stage.pk, entry).pk)
    for column in matrix.columns:
        wanted = [
            NewEntry(player_id=one.person.pk, overrule=overrule)
            for one in steps
            if one.step is CellAction.ENTER and one.column is column
        ]
        try:
            enter_entries(actor, event, column, wanted, saved)
        except Invalid as error:
            raise _fault_at_cells(error) from error


def _reinstate(
    actor: Actor, event: Event, returning: int, column: DivisionColumn, saved: SaveResult, overrule: str
) -> None:
    """Reinstate an entry by its service; in a full open division, at the end of its waiting list."""
    when_full = default_when_full(column.division) if column.open else saved.when_full
    try:
        entry, row = reinstate_locked(actor, event, returning, overrule=overrule, when_full=when_full)
    except Invalid as error:
        raise _fault_at_cells(error) from error
    if row is not None:
        saved.late.append(row.pk)
        return
    saved.back.append(returning)
    if entry.status == EntryStatus.WAITING:
        saved.waits.append(entry.name)


def _fault_at_cells(error: Invalid) -> Invalid:
    return Invalid(faults=[fault.at("cells") for fault in error.faults])


def _changed_ticks(
    column: str, todo: Iterable[CellChange], people: Mapping[str, PersonRow], new: Iterable[int]
) -> dict[int, bool]:
    """Return the changed ticks of this column by player id, with those of ``new`` players set."""
    asked = {
        people[one.cell.player].pk: one.wanted == CheckState.YES for one in todo if one.cell.column == column
    }
    return asked | dict.fromkeys(new, True)


def _check_in(
    actor: Actor,
    event: Event,
    todo: Iterable[CellChange],
    people: Mapping[str, PersonRow],
    entered: Mapping[int, Newcomer],
    saved: SaveResult,
) -> None:
    """Check players in or out, in all single entries with a check-in today."""
    asked = _changed_ticks(CHECKED_IN, todo, people, (pk for pk, one in entered.items() if one.here))
    if not asked:
        return
    now = {person.pk: person for person in load_players_table(event).people}
    for pk in asked:
        if not now[pk].marked:
            raise Conflict("matrix.no_check_in", present=event, name=now[pk].name)
    come = [entry for pk, here in asked.items() if here for entry in now[pk].marked]
    gone = [entry for pk, here in asked.items() if not here for entry in now[pk].marked]
    rows = check_in_locked(actor, event, lock_entries(event, come), None, CheckInMethod.LIST) if come else []
    rows += uncheck_locked(actor, event, lock_entries(event, gone), None) if gone else []
    saved.marks += [row.pk for row in rows]


def _set_paid(
    actor: Actor,
    event: Event,
    todo: Iterable[CellChange],
    people: Mapping[str, PersonRow],
    entered: Mapping[int, Newcomer],
    saved: SaveResult,
) -> None:
    asked = _changed_ticks(PAID, todo, people, (pk for pk, one in entered.items() if one.paid))
    if not asked:
        return
    rows = EntryPlayer.objects.filter(division__event=event, player__in=asked).exclude(
        entry__status=EntryStatus.WITHDRAWN
    )
    players = list(rows.order_by("entry_id").values_list("entry_id", "player_id"))
    known = {
        (row.entry_id, row.player_id): row.paid is True
        for row in EntryDetail.objects.filter(entry__division__event=event, player__in=asked)
    }
    saved.paid += [
        PreviousPayment(EntryId(entry), player, known.get((entry, player), False))
        for entry, player in players
        if known.get((entry, player), False) is not asked[player]
    ]
    for paid in (True, False):
        chosen = [(entry, player) for entry, player in players if asked[player] is paid]
        if chosen:
            write_paid(actor, event, chosen, paid=paid)


def _write_custom_values(
    actor: Actor, event: Event, todo: Iterable[CellChange], people: Mapping[str, PersonRow]
) -> None:
    """Write the custom fields. The audit log records the change without the values."""
    wanted: dict[str, dict[int, str]] = {}
    for change in todo:
        if change.cell.column.startswith(CUSTOM_FIELD):
            number = int(change.cell.column.removeprefix(CUSTOM_FIELD))
            wanted.setdefault(change.cell.player, {})[number] = change.wanted
    for name, values in wanted.items():
        person = people[name]
        for entry in write_custom_values(
            person.pk, person.payable_entries, clean_custom_values(event, values)
        ):
            record_action(event, actor=actor, action=EntryDetailsSet(fields=("extra",)), subject=entry)


def _record_save(actor: Actor, event: Event, saved: SaveResult, rows: AuditSnapshot, key: str) -> AuditEntry:
    approved, moved = rows.since(event)
    action = PlayersTableSaved(
        cells=saved.moved,
        entered=tuple(map(EntryId, saved.entered)),
        left=tuple(map(EntryId, saved.left)),
        back=tuple(map(EntryId, saved.back)),
        marks=tuple(saved.marks),
        late=tuple(saved.late),
        paid=tuple(saved.paid),
        approved=approved,
        moved=moved,
        key=key,
    )
    return record_action(event, actor=actor, action=action)
