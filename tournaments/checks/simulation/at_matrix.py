"""Random steps on the players table: several cells in one save, new people, undo of the last save."""

from typing import Final

from tournaments.checks.simulation.hall import Step, StepContext, min_entries_of
from tournaments.engine.columns import TICKED_VALUE, CustomField, CustomFieldKind
from tournaments.engine.matrix import (
    CHECKED_IN,
    CUSTOM_FIELD,
    NOTE,
    PAID,
    Cell,
    CellChange,
    CellRequest,
    CellState,
    CheckState,
)
from tournaments.events.services.columns import set_custom_fields
from tournaments.matrix.services.entering import Newcomer
from tournaments.matrix.services.saving import save_players_table
from tournaments.matrix.services.taking_back import undo_last_save
from tournaments.models import EventColumn
from tournaments.selectors.columns import custom_fields_version, event_custom_fields
from tournaments.selectors.matrix import PersonRow, PlayersTable, last_save, load_players_table

MAX_CELLS: Final = 8  # of one save
INVALID_SHARE: Final = 0.02  # share of cells that are rejected or have an outdated expected value
LUNCHES: Final = ("meat", "fish")
CUSTOM_FIELDS: Final = (
    CustomField("Own board", CustomFieldKind.TICK),
    CustomField("Lunch", CustomFieldKind.CHOICE, LUNCHES, asked=True),
    CustomField("Arrives with", CustomFieldKind.TEXT, printed=True),
)


def steps_before_draw(hall: StepContext) -> list[Step]:
    """Steps that fill the players table, and undo some of it."""
    some: tuple[Step, ...] = (change_cells, change_cells, change_cells, undo_save, change_custom_fields)
    return [change_custom_fields, *hall.rng.choices(some, k=hall.rng.randrange(3, 10))]


def change_custom_fields(hall: StepContext) -> str:
    """Change the custom fields of the event: some stay, some are added."""
    there = [one.settings for one in event_custom_fields(hall.event)]
    kept = hall.rng.sample(there, hall.rng.randrange(len(there) + 1))
    names = {one.name for one in kept}
    more = [one for one in CUSTOM_FIELDS if one.name not in names and hall.rng.random() < 0.7]
    set_custom_fields(**hall.where, columns=[*kept, *more], seen=custom_fields_version(hall.event))
    return f"{len(kept) + len(more)} own columns"


def change_cells(hall: StepContext) -> str:
    """Change cells of some people, sometimes with a new person."""
    hall.event.refresh_from_db()
    matrix = load_players_table(hall.event)
    cells, people = matrix.cells(), {person.public_id: person for person in matrix.people}
    found = [
        (cell, seen)
        for cell, seen in cells.items()
        if _can_change(people[cell.player], cell) or hall.rng.random() < INVALID_SHARE
    ]
    changes = []
    may_leave = {column.key: column.have - min_entries_of(column.stage) for column in matrix.columns}
    for cell, seen in hall.rng.sample(found, min(len(found), hall.rng.randint(1, MAX_CELLS))):
        wanted = _new_value(hall, matrix, cell, seen)
        if wanted == CellRequest.OUT:
            may_leave[cell.column] -= 1
            wanted = CellRequest.OUT if may_leave[cell.column] >= 0 else CellRequest.IN
        stale = hall.rng.random() < INVALID_SHARE
        changes.append(CellChange(cell, "another" if stale else seen, wanted))
    saved = save_players_table(**hall.where, changes=changes, new=_newcomers(hall, matrix))
    return f"{saved.moved} cells"


def undo_save(hall: StepContext) -> str:
    """Undo the last save."""
    row = last_save(hall.event)
    if row is None:
        return "no save to take back"
    _row, stayed = undo_last_save(**hall.where, audit_id=row.pk)
    return f"a save taken back, but for {len(stayed)}"


def _can_change(person: PersonRow, cell: Cell) -> bool:
    if cell.column == CHECKED_IN:
        return bool(person.marked)
    if cell.column in {PAID, NOTE} or cell.column.startswith(CUSTOM_FIELD):
        return bool(person.payable_entries)
    return not person.cells[int(cell.column)].locked


def _new_value(hall: StepContext, matrix: PlayersTable, cell: Cell, seen: str) -> str:
    """A random value for a cell, sometimes the present one."""
    if cell.column in {CHECKED_IN, PAID}:
        return hall.rng.choice((CheckState.YES, CheckState.NO))
    if cell.column == NOTE:
        return hall.rng.choice(("", "Comes by train", "Brings a clock"))
    if cell.column.startswith(CUSTOM_FIELD):
        own = next(one for one in matrix.own if f"{CUSTOM_FIELD}{one.pk}" == cell.column)
        return hall.rng.choice(_possible_values(own))
    if seen in {CellState.WAITING, CellState.PENDING_WAITING, CellState.PENDING}:
        return hall.rng.choice((CellRequest.IN, CellRequest.PLACE, CellRequest.OUT))
    return CellRequest.OUT if seen == CellState.IN and hall.rng.random() < 0.5 else CellRequest.IN


def _possible_values(own: EventColumn) -> tuple[str, ...]:
    kinds = {
        CustomFieldKind.TICK: (TICKED_VALUE, ""),
        CustomFieldKind.CHOICE: (*LUNCHES, ""),
        CustomFieldKind.TEXT: ("Bo", ""),
    }
    return kinds[own.settings.kind]


def _newcomers(hall: StepContext, matrix: PlayersTable) -> list[Newcomer]:
    """New people in divisions that accept entries, sometimes with an existing name."""
    ways = [
        column
        for column in matrix.columns
        if column.division.team_size == 1 and (column.open or column.lines)
    ]
    if not ways or hall.rng.random() < 0.6:
        return []
    chosen = hall.rng.sample(ways, hall.rng.randint(1, len(ways)))
    known = matrix.people and hall.rng.random() < 0.2
    name = hall.rng.choice(matrix.people).name if known else f"Walker {hall.key()}"
    here = hall.rng.random() < 0.5 and all(column.check_in is not None for column in chosen)
    divisions = tuple(column.division.pk for column in chosen)
    return [Newcomer(name, divisions=divisions, here=here, paid=hall.rng.random() < 0.5)]
