"""What a director does by chance in the matrix of people by divisions: several cells in one save, somebody new, the last save taken back."""

from typing import Final

from tournaments.checks.simulation.hall import Hall, Step, least_of
from tournaments.engine.columns import TICK, ColumnKind, ColumnSettings
from tournaments.engine.matrix import HERE, NOTE, OWN, PAID, Asked, Cell, CellState, Change, Mark
from tournaments.events.services.columns import set_columns
from tournaments.matrix.services.entering import Newcomer
from tournaments.matrix.services.saving import save_matrix
from tournaments.matrix.services.taking_back import take_save_back
from tournaments.models import EventColumn
from tournaments.selectors.columns import columns_of, columns_version
from tournaments.selectors.matrix import Matrix, Person, last_save, matrix_of

MOST_CELLS: Final = 8  # of one save
TRIED_ANYWAY: Final = 0.02  # so many cells are tried that can only be refused, or were seen otherwise
LUNCHES: Final = ("meat", "fish")
COLUMNS: Final = (
    ColumnSettings("Own board", ColumnKind.TICK),
    ColumnSettings("Lunch", ColumnKind.CHOICE, LUNCHES, asked=True),
    ColumnSettings("Arrives with", ColumnKind.TEXT, printed=True),
)


def before_the_draw(hall: Hall) -> list[Step]:
    """The list is filled in the matrix, and some of it taken back again."""
    some: tuple[Step, ...] = (change_cells, change_cells, change_cells, take_save, set_own_columns)
    return [set_own_columns, *hall.rng.choices(some, k=hall.rng.randrange(3, 10))]


def set_own_columns(hall: Hall) -> str:
    """Other columns of the event's own: some of those there are stay, and some come."""
    there = [one.settings for one in columns_of(hall.event)]
    kept = hall.rng.sample(there, hall.rng.randrange(len(there) + 1))
    names = {one.name for one in kept}
    more = [one for one in COLUMNS if one.name not in names and hall.rng.random() < 0.7]
    set_columns(**hall.where, columns=[*kept, *more], seen=columns_version(hall.event))
    return f"{len(kept) + len(more)} own columns"


def change_cells(hall: Hall) -> str:
    """Several cells of some people, and at times somebody who has no row."""
    hall.event.refresh_from_db()
    matrix = matrix_of(hall.event)
    cells, people = matrix.cells(), {person.public_id: person for person in matrix.people}
    found = [
        (cell, seen)
        for cell, seen in cells.items()
        if _can_change(people[cell.player], cell) or hall.rng.random() < TRIED_ANYWAY
    ]
    changes = []
    may_leave = {column.key: column.have - least_of(column.stage) for column in matrix.columns}
    for cell, seen in hall.rng.sample(found, min(len(found), hall.rng.randint(1, MOST_CELLS))):
        wanted = _wanted(hall, matrix, cell, seen)
        if wanted == Asked.OUT:
            may_leave[cell.column] -= 1
            wanted = Asked.OUT if may_leave[cell.column] >= 0 else Asked.IN
        stale = hall.rng.random() < TRIED_ANYWAY
        changes.append(Change(cell, "another" if stale else seen, wanted))
    saved = save_matrix(**hall.where, changes=changes, new=_newcomers(hall, matrix))
    return f"{saved.moved} cells"


def take_save(hall: Hall) -> str:
    """The last save that stands."""
    row = last_save(hall.event)
    if row is None:
        return "no save to take back"
    _row, stayed = take_save_back(**hall.where, audit_id=row.pk)
    return f"a save taken back, but for {len(stayed)}"


def _can_change(person: Person, cell: Cell) -> bool:
    if cell.column == HERE:
        return bool(person.marked)
    if cell.column in {PAID, NOTE} or cell.column.startswith(OWN):
        return bool(person.owed)
    return not person.stands[int(cell.column)].locked


def _wanted(hall: Hall, matrix: Matrix, cell: Cell, seen: str) -> str:
    """What a cell is to be, at times what it is."""
    if cell.column in {HERE, PAID}:
        return hall.rng.choice((Mark.YES, Mark.NO))
    if cell.column == NOTE:
        return hall.rng.choice(("", "Comes by train", "Brings a clock"))
    if cell.column.startswith(OWN):
        own = next(one for one in matrix.own if f"{OWN}{one.pk}" == cell.column)
        return hall.rng.choice(_values(own))
    if seen in {CellState.WAITING, CellState.UNSEEN, CellState.EXPECTED}:
        return hall.rng.choice((Asked.IN, Asked.PLACE, Asked.OUT))
    return Asked.OUT if seen == CellState.IN and hall.rng.random() < 0.5 else Asked.IN


def _values(own: EventColumn) -> tuple[str, ...]:
    kinds = {ColumnKind.TICK: (TICK, ""), ColumnKind.CHOICE: (*LUNCHES, ""), ColumnKind.TEXT: ("Bo", "")}
    return kinds[own.settings.kind]


def _newcomers(hall: Hall, matrix: Matrix) -> list[Newcomer]:
    """Somebody new in some of the divisions where there is a way in; with a name that somebody has already, at times."""
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
