"""The players table of an event: people by divisions, with check-in, payment and custom fields."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from names.folding import fold_text, search_key
from people.models import AuditEntry
from tournaments.engine.check_in import current_check_in_day
from tournaments.engine.matrix import (
    CHECKED_IN_COLUMN,
    CUSTOM_FIELD_PREFIX,
    NOTE_COLUMN,
    PAID_COLUMN,
    STATES_BY_STATUS,
    Cell,
    CellState,
    CheckState,
    combine_states,
)
from tournaments.engine.statuses import (
    ENTRY_HOLDS_PLACE,
    ENTRY_ON_WAITING_LIST,
    EVENT_CHANGEABLE,
    EntryStatus,
)
from tournaments.engine.trail.matrix import PlayersTableSaved
from tournaments.models import Division, EntryDetail, EntryPlayer, Event, EventColumn, Here, Stage
from tournaments.models.trail import audit_scope, parse_row
from tournaments.selectors.check_in import CHECK_IN_STATUSES, check_ins_by_day
from tournaments.selectors.columns import event_custom_fields
from tournaments.selectors.draws import load_draw
from tournaments.selectors.entries import can_change_entries
from tournaments.selectors.event_dates import event_today
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.repairs.late import LATE_ENTRY_STATUSES, free_lines
from tournaments.selectors.standings.tables import drawn_entries

# Why a cell is locked.
LOCKED_TEAM = "team"  # pairs and teams are made on the page of the entries
LOCKED_REENTRY = "again"  # bought back: another entry of the same person
LOCKED_DRAWN = "drawn"  # leaving is a repair from now on
LOCKED_NO_LINE = "no_line"  # drawn, and no line is free
LOCKED_CUT_OFF = "cut_off"  # too late to enter
LOCKED_CLOSED = "closed"  # nothing is entered there any more


@dataclass(frozen=True, slots=True)
class DivisionColumn:
    """A division as a column of the players table.

    ``number``: of the column, from 1; ``open``: entries may change; ``in_time``: entries have not closed;
    ``lines``: number of bracket lines free for late entries, None if there can be none; ``placed_count``,
    ``waiting``: entries with a place and on the waiting list; ``check_in``: date of the current check-in;
    ``drawn_entry_ids``: entries in the draw.
    """

    division: Division
    stage: Stage
    number: int
    open: bool
    in_time: bool
    lines: int | None
    placed_count: int
    waiting: int
    check_in: date | None
    drawn_entry_ids: frozenset[int] = frozenset()

    @property
    def key(self) -> str:
        """The name of the column in the keys of cells: the division's id as text."""
        return str(self.division.pk)


@dataclass(frozen=True, slots=True)
class CellDetail:
    """The cell of a person in a division.

    ``place``: place on the waiting list, from 1; ``team``: name of the person's team; ``lock_reason``: a code
    (``LOCKED_…``) why the cell cannot be changed, empty if it can.
    """

    state: CellState
    entry: int | None = None
    public_id: str = ""
    place: int | None = None
    team: str = ""
    lock_reason: str = ""


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A person as a row of the players table; ``cells`` by division id.

    ``marked``, ``payable_entries``: ids of entries that can be checked in and marked as paid.
    ``custom_values``: values of custom fields by the field's id as text.
    """

    pk: int
    public_id: str
    name: str
    cells: Mapping[int, CellDetail]
    check_in_state: CheckState
    paid: CheckState
    note: str
    marked: tuple[int, ...]
    payable_entries: tuple[int, ...]
    custom_values: Mapping[str, str]

    def matches_text(self, text: str) -> bool:
        """Return whether every word of ``text`` is in the person's name."""
        name = search_key(self.name)
        return all(word in name for word in search_key(text).split())


@dataclass(frozen=True, slots=True)
class PlayersTable:
    columns: tuple[DivisionColumn, ...]
    people: tuple[PersonRow, ...]
    own: tuple[EventColumn, ...] = ()

    @property
    def has_check_in(self) -> bool:
        """Whether any division has a current check-in."""
        return any(column.check_in is not None for column in self.columns)

    def cells(self) -> dict[Cell, str]:
        """Return the current value of every cell, keyed by person (public id) and column."""
        value_by_cell: dict[Cell, str] = {}
        for person in self.people:
            for pk, cell_detail in person.cells.items():
                value_by_cell[Cell(person.public_id, str(pk))] = cell_detail.state
            value_by_cell[Cell(person.public_id, CHECKED_IN_COLUMN)] = person.check_in_state
            value_by_cell[Cell(person.public_id, PAID_COLUMN)] = person.paid
            value_by_cell[Cell(person.public_id, NOTE_COLUMN)] = person.note
            for column in self.own:
                value_by_cell[Cell(person.public_id, f"{CUSTOM_FIELD_PREFIX}{column.pk}")] = (
                    person.custom_values.get(str(column.pk), "")
                )
        return value_by_cell


def load_players_table(event: Event) -> PlayersTable:
    """Load all people of ``event``, sorted by name.

    The number of queries is limited, with four more for each draw that still takes late entries.
    """
    columns, rows_by_player = _division_columns(event), _places_by_player(event)
    details = {
        (row.entry_id, row.player_id): row for row in EntryDetail.objects.filter(entry__division__event=event)
    }
    checked_in = set(
        Here.objects.filter(entry__division__event=event).values_list(
            "entry", "check_in__division", "check_in__day"
        )
    )
    by_division = {column.division.pk: column for column in columns}
    queue_places = _queue_places(rows_by_player)
    people = []
    for player, rows in rows_by_player.items():
        cell_by_division = {pk: _empty_cell(column) for pk, column in by_division.items()}
        markable_ids, payable_ids, is_here, has_paid, notes = [], [], [], [], []
        custom_values: dict[str, str] = {}
        for row in sorted(rows, key=lambda row: row.attempt):
            column = by_division[row.division_id]
            entry = row.entry
            cell_by_division[row.division_id] = _build_cell(column, row, queue_places.get(entry.pk))
            if entry.status not in CHECK_IN_STATUSES:
                continue
            if column.check_in is not None and column.division.team_size == 1:
                markable_ids.append(entry.pk)
                is_here.append((entry.pk, column.division.pk, column.check_in) in checked_in)
            detail = details.get((entry.pk, player))
            custom_values |= detail.extra if detail is not None else {}
            payable_ids.append(entry.pk)
            has_paid.append(detail is not None and detail.paid is True)
            notes.append(detail.note if detail is not None else "")
        first_player = rows[0].player
        people.append(
            PersonRow(
                player,
                first_player.public_id,
                first_player.name,
                cell_by_division,
                combine_states(is_here),
                combine_states(has_paid),
                next((note for note in notes if note), ""),
                tuple(markable_ids),
                tuple(payable_ids),
                custom_values,
            )
        )
    people.sort(key=lambda person: (fold_text(person.name), person.pk))
    return PlayersTable(columns, tuple(people), tuple(event_custom_fields(event)))


def last_save(event: Event) -> AuditEntry | None:
    """Return the audit row of the latest save of the players table that was not undone, or None."""
    rows = AuditEntry.objects.filter(scope=audit_scope(event), action=PlayersTableSaved.kind, undone_by=None)
    return rows.order_by("-pk").first()


def saved_cell_count(row: AuditEntry) -> int:
    """Return the number of cells that a save of the players table changed."""
    action = parse_row(row)
    return action.cells if isinstance(action, PlayersTableSaved) else 0


def _places_by_player(event: Event) -> dict[int, list[EntryPlayer]]:
    rows = EntryPlayer.objects.filter(division__event=event).select_related("entry", "player")
    rows_by_player: dict[int, list[EntryPlayer]] = {}
    for row in rows.order_by("entry_id", "position"):
        rows_by_player.setdefault(row.player_id, []).append(row)
    return rows_by_player


def _queue_places(rows_by_player: Mapping[int, list[EntryPlayer]]) -> dict[int, int]:
    """Return the places on the waiting lists, from 1, keyed by entry id."""
    queue_by_division: dict[int, set[tuple[int, int]]] = {}
    for rows in rows_by_player.values():
        for row in rows:
            if row.entry.status in ENTRY_ON_WAITING_LIST:
                queue_by_division.setdefault(row.division_id, set()).add(
                    (row.entry.queue_number, row.entry_id)
                )
    return {
        pk: place
        for queue in queue_by_division.values()
        for place, (_number, pk) in enumerate(sorted(queue), start=1)
    }


def _division_columns(event: Event) -> tuple[DivisionColumn, ...]:
    first_stages: dict[int, Stage] = {}
    for stage in linked_stages(event):
        first_stages.setdefault(stage.division_id, stage)
    check_ins, today = check_ins_by_day(first_stages), event_today(event)
    placed_counts: dict[int, int] = {}
    waiting_counts: dict[int, int] = {}
    statuses = entry_statuses(event)
    for division_id, status in statuses:
        counts = (
            placed_counts
            if status in ENTRY_HOLDS_PLACE
            else waiting_counts
            if status in ENTRY_ON_WAITING_LIST
            else None
        )
        if counts is not None:
            counts[division_id] = counts.get(division_id, 0) + 1
    now, is_changeable = timezone.now(), event.status in EVENT_CHANGEABLE
    columns = []
    for column_number, (pk, stage) in enumerate(first_stages.items(), start=1):
        division = stage.division
        is_open = is_changeable and can_change_entries(stage)
        is_late_entry = (
            is_changeable
            and not is_open
            and stage.system in Stage.ELIMINATIONS
            and stage.status in LATE_ENTRY_STATUSES
            and stage.fed_by_id is None
        )
        draw = load_draw(stage) if is_late_entry else None
        day = current_check_in_day(check_ins[pk], today)
        columns.append(
            DivisionColumn(
                division,
                stage,
                column_number,
                is_open,
                division.entries_until is None or now <= division.entries_until,
                len(free_lines(draw)) if draw is not None else None,
                placed_counts.get(pk, 0),
                waiting_counts.get(pk, 0),
                day if day in check_ins[pk] else None,
                frozenset(drawn_entries(draw)) if draw is not None else frozenset(),
            )
        )
    return tuple(columns)


def entry_statuses(event: Event) -> list[tuple[int, str]]:
    """Return division id and status of every entry of ``event``."""
    rows = EntryPlayer.objects.filter(division__event=event, position=1)
    return list(rows.order_by().values_list("division", "entry__status"))


def _empty_cell(column: DivisionColumn) -> CellDetail:
    """Return the cell of a person without an entry in the division."""
    return CellDetail(CellState.OUT, lock_reason=_lock_reason(column))


def _lock_reason(column: DivisionColumn) -> str:
    if column.division.team_size > 1:
        return LOCKED_TEAM
    if not column.in_time:
        return LOCKED_CUT_OFF
    if column.open:
        return ""
    if column.lines is None:
        return LOCKED_CLOSED
    return "" if column.lines else LOCKED_NO_LINE


def _build_cell(column: DivisionColumn, row: EntryPlayer, place: int | None) -> CellDetail:
    entry = row.entry
    state = STATES_BY_STATUS[EntryStatus(entry.status)]
    locked = ""
    if row.attempt > 1 or entry.again_of_id is not None:
        locked = LOCKED_REENTRY
    elif state is CellState.WITHDRAWN:
        locked = LOCKED_DRAWN if entry.pk in column.drawn_entry_ids else _lock_reason(column)
    elif state is CellState.IN:
        locked = "" if column.open else LOCKED_DRAWN if column.lines is not None else LOCKED_CLOSED
    elif not column.open:
        locked = _lock_reason(column)
    team = entry.name if column.division.team_size > 1 else ""
    return CellDetail(state, entry.pk, entry.public_id, place, team, locked)
