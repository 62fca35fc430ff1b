"""Random steps on the players table: several cells in one save, new people, undo of the last save."""

from typing import Final

from tournaments.checks.simulation.hall import Step, StepContext, min_entries_of
from tournaments.engine.columns import TICKED_VALUE, CustomField, CustomFieldKind
from tournaments.engine.matrix import (
    CHECKED_IN_COLUMN,
    CUSTOM_FIELD_PREFIX,
    NOTE_COLUMN,
    PAID_COLUMN,
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


def steps_before_draw(context: StepContext) -> list[Step]:
    """Return random steps that fill the players table and undo some of it."""
    choices: tuple[Step, ...] = (change_cells, change_cells, change_cells, undo_save, change_custom_fields)
    return [change_custom_fields, *context.rng.choices(choices, k=context.rng.randrange(3, 10))]


def change_custom_fields(context: StepContext) -> str:
    """Change the custom fields of the event: some stay, some are added."""
    current_fields = [field.settings for field in event_custom_fields(context.event)]
    kept_fields = context.rng.sample(current_fields, context.rng.randrange(len(current_fields) + 1))
    names = {field.name for field in kept_fields}
    new_fields = [field for field in CUSTOM_FIELDS if field.name not in names and context.rng.random() < 0.7]
    set_custom_fields(
        **context.where, columns=[*kept_fields, *new_fields], seen=custom_fields_version(context.event)
    )
    return f"{len(kept_fields) + len(new_fields)} own columns"


def change_cells(context: StepContext) -> str:
    """Change cells of some people in one save, sometimes with a new person."""
    context.event.refresh_from_db()
    players_table = load_players_table(context.event)
    cells, people = players_table.cells(), {person.public_id: person for person in players_table.people}
    candidates = [
        (cell, expected)
        for cell, expected in cells.items()
        if _can_change(people[cell.player], cell) or context.rng.random() < INVALID_SHARE
    ]
    changes = []
    removable = {
        column.key: column.placed_count - min_entries_of(column.stage) for column in players_table.columns
    }
    for cell, expected in context.rng.sample(
        candidates, min(len(candidates), context.rng.randint(1, MAX_CELLS))
    ):
        requested = _new_value(context, players_table, cell, expected)
        if requested == CellRequest.OUT:
            removable[cell.column] -= 1
            requested = CellRequest.OUT if removable[cell.column] >= 0 else CellRequest.IN
        is_stale = context.rng.random() < INVALID_SHARE
        changes.append(CellChange(cell, "another" if is_stale else expected, requested))
    saved = save_players_table(**context.where, changes=changes, new=_newcomers(context, players_table))
    return f"{saved.moved} cells"


def undo_save(context: StepContext) -> str:
    """Undo the last save of the players table."""
    row = last_save(context.event)
    if row is None:
        return "no save to take back"
    _row, kept_cells = undo_last_save(**context.where, audit_id=row.pk)
    return f"a save taken back, but for {len(kept_cells)}"


def _can_change(person: PersonRow, cell: Cell) -> bool:
    if cell.column == CHECKED_IN_COLUMN:
        return bool(person.marked)
    if cell.column in {PAID_COLUMN, NOTE_COLUMN} or cell.column.startswith(CUSTOM_FIELD_PREFIX):
        return bool(person.payable_entries)
    return not person.cells[int(cell.column)].lock_reason


def _new_value(context: StepContext, players_table: PlayersTable, cell: Cell, expected: str) -> str:
    """Return a random value for a cell, sometimes the present one."""
    if cell.column in {CHECKED_IN_COLUMN, PAID_COLUMN}:
        return context.rng.choice((CheckState.YES, CheckState.NO))
    if cell.column == NOTE_COLUMN:
        return context.rng.choice(("", "Comes by train", "Brings a clock"))
    if cell.column.startswith(CUSTOM_FIELD_PREFIX):
        custom_field = next(
            field for field in players_table.own if f"{CUSTOM_FIELD_PREFIX}{field.pk}" == cell.column
        )
        return context.rng.choice(_possible_values(custom_field))
    if expected in {CellState.WAITING, CellState.PENDING_WAITING, CellState.PENDING}:
        return context.rng.choice((CellRequest.IN, CellRequest.PLACE, CellRequest.OUT))
    return CellRequest.OUT if expected == CellState.IN and context.rng.random() < 0.5 else CellRequest.IN


def _possible_values(custom_field: EventColumn) -> tuple[str, ...]:
    values_by_kind = {
        CustomFieldKind.TICK: (TICKED_VALUE, ""),
        CustomFieldKind.CHOICE: (*LUNCHES, ""),
        CustomFieldKind.TEXT: ("Bo", ""),
    }
    return values_by_kind[custom_field.settings.kind]


def _newcomers(context: StepContext, players_table: PlayersTable) -> list[Newcomer]:
    """Return new people for divisions that accept entries, sometimes with an existing name."""
    open_columns = [
        column
        for column in players_table.columns
        if column.division.team_size == 1 and (column.open or column.lines)
    ]
    if not open_columns or context.rng.random() < 0.6:
        return []
    chosen = context.rng.sample(open_columns, context.rng.randint(1, len(open_columns)))
    is_known_name = players_table.people and context.rng.random() < 0.2
    name = context.rng.choice(players_table.people).name if is_known_name else f"Walker {context.key()}"
    is_checked_in = context.rng.random() < 0.5 and all(column.check_in is not None for column in chosen)
    divisions = tuple(column.division.pk for column in chosen)
    return [Newcomer(name, divisions=divisions, is_checked_in=is_checked_in, paid=context.rng.random() < 0.5)]
