"""People by divisions: everybody who has an entry at an event, how they stand in each division, who is here, who has paid."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from names.folding import folded, search_key
from people.models import AuditEntry
from tournaments.engine.check_in import present_day
from tournaments.engine.matrix import HERE, NOTE, OWN, PAID, STATES, Cell, CellState, Mark, marks_together
from tournaments.engine.statuses import EVENT_GOING_ON, HOLDS_PLACE, QUEUES, EntryStatus
from tournaments.engine.trail.matrix import MatrixSaved
from tournaments.models import Division, EntryDetail, EntryPlayer, Event, EventColumn, Here, Stage
from tournaments.models.trail import read_row, scope_of
from tournaments.selectors.access.links import today_of
from tournaments.selectors.check_in import COMING, check_ins_of
from tournaments.selectors.columns import columns_of
from tournaments.selectors.draws import draw_of
from tournaments.selectors.entries import takes_entries
from tournaments.selectors.events.director import stages_of
from tournaments.selectors.repairs.late import TAKES_LATE, free_places
from tournaments.selectors.standings.tables import entries_in

# Why nothing can be ticked in a cell.
TEAM = "team"  # pairs and teams are made on the page of the entries
AGAIN = "again"  # bought back: another entry of the same person
DRAWN = "drawn"  # leaving is a repair from now on
NO_LINE = "no_line"  # drawn, and no line is free
CUT_OFF = "cut_off"  # too late to enter
CLOSED = "closed"  # nothing is entered there any more


@dataclass(frozen=True, slots=True)
class Column:
    """A division. ``open``: entries may change; ``lines``: of a draw that is made, how many places are free for late entries (None: it
    takes none). ``have`` of ``room`` places are taken, ``waiting`` more wait. ``check_in``: the day of the check-in that is meant today.
    ``drawn``: ids of entries that have a line of that draw.
    """

    division: Division
    stage: Stage
    number: int
    open: bool
    in_time: bool
    lines: int | None
    have: int
    waiting: int
    check_in: date | None
    drawn: frozenset[int] = frozenset()

    @property
    def key(self) -> str:
        """The column of its cells."""
        return str(self.division.pk)


@dataclass(frozen=True, slots=True)
class Stand:
    """How a person stands in a division. ``place``: on the waiting list, from 1; ``team``: the name of their team; ``locked``: why nothing
    can be ticked, "" if it can.
    """

    state: CellState
    entry: int | None = None
    public_id: str = ""
    place: int | None = None
    team: str = ""
    locked: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """A row. ``stands`` by the id of the division. ``marked`` and ``owed``: entries that can be marked as here, and as paid.
    ``extra``: what stands in the event's own columns, by their ids as text.
    """

    pk: int
    public_id: str
    name: str
    stands: Mapping[int, Stand]
    here: Mark
    paid: Mark
    note: str
    marked: tuple[int, ...]
    owed: tuple[int, ...]
    extra: Mapping[str, str]

    def is_found_by(self, text: str) -> bool:
        """Whether every word of ``text`` is in the name."""
        name = search_key(self.name)
        return all(word in name for word in search_key(text).split())


@dataclass(frozen=True, slots=True)
class Matrix:
    columns: tuple[Column, ...]
    people: tuple[Person, ...]
    own: tuple[EventColumn, ...] = ()

    @property
    def checks_in(self) -> bool:
        """Whether any division has a check-in today."""
        return any(column.check_in is not None for column in self.columns)

    def cells(self) -> dict[Cell, str]:
        """What stands in every cell now."""
        found: dict[Cell, str] = {}
        for person in self.people:
            for pk, stand in person.stands.items():
                found[Cell(person.public_id, str(pk))] = stand.state
            found[Cell(person.public_id, HERE)] = person.here
            found[Cell(person.public_id, PAID)] = person.paid
            found[Cell(person.public_id, NOTE)] = person.note
            for column in self.own:
                found[Cell(person.public_id, f"{OWN}{column.pk}")] = person.extra.get(str(column.pk), "")
        return found


def matrix_of(event: Event) -> Matrix:
    """All people of ``event``, by name; a bounded number of statements, and four for each draw that still takes somebody."""
    columns, entered = _columns(event), _entered(event)
    details = {
        (row.entry_id, row.player_id): row for row in EntryDetail.objects.filter(entry__division__event=event)
    }
    here = set(
        Here.objects.filter(entry__division__event=event).values_list(
            "entry", "check_in__division", "check_in__day"
        )
    )
    by_division = {column.division.pk: column for column in columns}
    queues = _queues(entered)
    people = []
    for player, rows in entered.items():
        stands = {pk: _free(column) for pk, column in by_division.items()}
        marked, owed, is_here, has_paid, notes = [], [], [], [], []
        extra: dict[str, str] = {}
        for row in sorted(rows, key=lambda row: row.attempt):
            column = by_division[row.division_id]
            entry = row.entry
            stands[row.division_id] = _stand(column, row, queues.get(entry.pk))
            if entry.status not in COMING:
                continue
            if column.check_in is not None and column.division.team_size == 1:
                marked.append(entry.pk)
                is_here.append((entry.pk, column.division.pk, column.check_in) in here)
            detail = details.get((entry.pk, player))
            extra |= detail.extra if detail is not None else {}
            owed.append(entry.pk)
            has_paid.append(detail is not None and detail.paid is True)
            notes.append(detail.note if detail is not None else "")
        first = rows[0].player
        people.append(
            Person(
                player,
                first.public_id,
                first.name,
                stands,
                marks_together(is_here),
                marks_together(has_paid),
                next((note for note in notes if note), ""),
                tuple(marked),
                tuple(owed),
                extra,
            )
        )
    people.sort(key=lambda person: (folded(person.name), person.pk))
    return Matrix(columns, tuple(people), tuple(columns_of(event)))


def last_save(event: Event) -> AuditEntry | None:
    """The latest save of the matrix that was not taken back."""
    rows = AuditEntry.objects.filter(scope=scope_of(event), action=MatrixSaved.kind, undone_by=None)
    return rows.order_by("-pk").first()


def cells_of_save(row: AuditEntry) -> int:
    """How many cells a save changed."""
    action = read_row(row)
    return action.cells if isinstance(action, MatrixSaved) else 0


def _entered(event: Event) -> dict[int, list[EntryPlayer]]:
    rows = EntryPlayer.objects.filter(division__event=event).select_related("entry", "player")
    found: dict[int, list[EntryPlayer]] = {}
    for row in rows.order_by("entry_id", "position"):
        found.setdefault(row.player_id, []).append(row)
    return found


def _queues(entered: Mapping[int, list[EntryPlayer]]) -> dict[int, int]:
    """Places on the waiting lists, by entry."""
    waits: dict[int, set[tuple[int, int]]] = {}
    for rows in entered.values():
        for row in rows:
            if row.entry.status in QUEUES:
                waits.setdefault(row.division_id, set()).add((row.entry.queue_number, row.entry_id))
    return {pk: at for found in waits.values() for at, (_number, pk) in enumerate(sorted(found), start=1)}


def _columns(event: Event) -> tuple[Column, ...]:
    first: dict[int, Stage] = {}
    for stage in stages_of(event):
        first.setdefault(stage.division_id, stage)
    check_ins, today = check_ins_of(first), today_of(event)
    have: dict[int, int] = {}
    waiting: dict[int, int] = {}
    statuses = event_statuses(event)
    for number, status in statuses:
        counted = have if status in HOLDS_PLACE else waiting if status in QUEUES else None
        if counted is not None:
            counted[number] = counted.get(number, 0) + 1
    now, goes_on = timezone.now(), event.status in EVENT_GOING_ON
    columns = []
    for number, (pk, stage) in enumerate(first.items(), start=1):
        division = stage.division
        is_open = goes_on and takes_entries(stage)
        late = (
            goes_on
            and not is_open
            and stage.system in Stage.ELIMINATIONS
            and stage.status in TAKES_LATE
            and stage.fed_by_id is None
        )
        draw = draw_of(stage) if late else None
        day = present_day(check_ins[pk], today)
        columns.append(
            Column(
                division,
                stage,
                number,
                is_open,
                division.entries_until is None or now <= division.entries_until,
                len(free_places(draw)) if draw is not None else None,
                have.get(pk, 0),
                waiting.get(pk, 0),
                day if day in check_ins[pk] else None,
                frozenset(entries_in(draw)) if draw is not None else frozenset(),
            )
        )
    return tuple(columns)


def event_statuses(event: Event) -> list[tuple[int, str]]:
    """Division and status of every entry of ``event``."""
    rows = EntryPlayer.objects.filter(division__event=event, position=1)
    return list(rows.order_by().values_list("division", "entry__status"))


def _free(column: Column) -> Stand:
    """The cell of somebody who has no entry there."""
    return Stand(CellState.OUT, locked=_why_not_in(column))


def _why_not_in(column: Column) -> str:
    if column.division.team_size > 1:
        return TEAM
    if not column.in_time:
        return CUT_OFF
    if column.open:
        return ""
    if column.lines is None:
        return CLOSED
    return "" if column.lines else NO_LINE


def _stand(column: Column, row: EntryPlayer, place: int | None) -> Stand:
    entry = row.entry
    state = STATES[EntryStatus(entry.status)]
    locked = ""
    if row.attempt > 1 or entry.again_of_id is not None:
        locked = AGAIN
    elif state is CellState.LEFT:
        locked = DRAWN if entry.pk in column.drawn else _why_not_in(column)
    elif state is CellState.IN:
        locked = "" if column.open else DRAWN if column.lines is not None else CLOSED
    elif not column.open:
        locked = _why_not_in(column)
    team = entry.name if column.division.team_size > 1 else ""
    return Stand(state, entry.pk, entry.public_id, place, team, locked)
