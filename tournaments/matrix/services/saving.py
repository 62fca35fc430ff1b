"""Several cells in one save: who enters, leaves, is approved, let in, is here, has paid. All of it or, if anything is wrong, none.

Each change is made by the service that makes it elsewhere, with its own row in the trail and its own notices; a row at the end says what
the save was, so that it can be taken back. Places are freed before they are given: who waits longest has them before whoever is new.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from faults import Conflict, CrawfordError, Fault, Invalid, refuse
from names.folding import search_key
from people.actors import Actor
from people.models import AuditEntry
from people.permissions import require_director
from people.selectors import players_by_key
from people.transactions import durable
from tournaments.check_in.services.marking import entries_to_mark, mark_entries, unmark_entries
from tournaments.engine.check_in import HereWay
from tournaments.engine.matrix import (
    HERE,
    NOTE,
    OWN,
    PAID,
    Asked,
    Change,
    Mark,
    Step,
    step_for,
    still_to_do,
)
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import HOLDS_PLACE, EntryAction, EntryStatus
from tournaments.engine.trail.entries import EntryDetailsSet
from tournaments.engine.trail.matrix import MatrixSaved, PaidBefore
from tournaments.engine.types import EntryId
from tournaments.entries.services.details import write_note, write_paid
from tournaments.entries.services.entries import add_to, must_not_be_over, step
from tournaments.entries.services.extra import clean_extra, write_extra
from tournaments.entries.services.registration import approve_here
from tournaments.models import Division, Entry, EntryDetail, EntryPlayer, Event
from tournaments.repairs.services.late_entry import enter_late, place_by_lot
from tournaments.selectors.matrix import Column, Matrix, Person, matrix_of
from tournaments.store.lock import changed, lock_at_desk
from tournaments.store.waiting import has_room, move_up, must_have_room

MOST: Final = 4096  # cells of one save


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody who has no row so far: a known player by database id, or whoever is known by exactly this ``name``, or somebody new.

    ``divisions``: ids of those they enter; ``field``: where they stand in the form.
    """

    name: str = ""
    player_id: int | None = None
    divisions: tuple[int, ...] = ()
    here: bool = False
    paid: bool = False
    field: str = "name"


@dataclass(slots=True)
class Saved:
    """What a save did, by ids. ``moved``: how many cells are other ones now; ``waits``: names of those who went to a waiting list."""

    moved: int = 0
    entered: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    back: list[int] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    late: list[int] = field(default_factory=list)
    paid: list[PaidBefore] = field(default_factory=list)
    waits: list[str] = field(default_factory=list)
    audit_id: int | None = None


@durable
def save_matrix(
    *, actor: Actor, event_id: int, changes: Sequence[Change] = (), new: Sequence[Newcomer] = ()
) -> Saved:
    """Make the cells what is wanted of them. What stands so already is nothing new.

    Refused as a whole: a cell that is another one than was seen (409 ``matrix.stale``, each by name and with what it is now); a cell in which
    nothing can be changed here (422 ``matrix.locked``), and whatever the service refuses that makes the change. Assistants may
    say who is here; the rest is for directors (403).
    """
    event = lock_at_desk(actor, event_id)
    if new or any(change.cell.column != HERE for change in changes):
        require_director(actor, event.club)
    if len(changes) > MOST:
        raise Invalid("matrix.too_many", limit=MOST)
    must_not_be_over(event)
    matrix = matrix_of(event)
    todo, stale = still_to_do(matrix.cells(), changes)
    people = {person.public_id: person for person in matrix.people}
    if stale:
        raise _stale(matrix, people, stale)
    saved = Saved(moved=len(todo) + sum(len(one.divisions) + one.here + one.paid for one in new))
    steps = _steps(matrix, people, todo)
    _leave(actor, event, steps, saved)
    _come(actor, event, matrix, steps, saved)
    entered = _enter_new(actor, event, matrix, new, saved)
    _mark_here(actor, event, todo, people, entered, saved)
    _pay(actor, event, todo, people, entered, saved)
    for change in todo:
        if change.cell.column == NOTE:
            person = people[change.cell.player]
            write_note(actor, event, person.pk, person.owed, change.wanted)
    _fill_own(actor, event, todo, people)
    if saved.moved:
        saved.audit_id = _row(actor, event, saved).pk
    return saved


@dataclass(frozen=True, slots=True)
class _Doing:
    step: Step
    person: Person
    column: Column
    entry: int | None


def _steps(matrix: Matrix, people: Mapping[str, Person], todo: Iterable[Change]) -> list[_Doing]:
    """What is to be done in the divisions; refuses whatever cannot be, all of it together."""
    columns = {column.key: column for column in matrix.columns}
    found: list[_Doing] = []
    faults: list[Fault] = []
    for change in todo:
        if change.cell.column not in columns:
            continue
        column, person = columns[change.cell.column], people[change.cell.player]
        stand = person.stands[column.division.pk]
        wanted = step_for(stand.state, Asked(change.wanted))
        about = {"name": person.name, "division": str(column.division)}
        where = f"{change.cell.player}:{change.cell.column}"
        if stand.locked:
            faults.append(Fault("matrix.locked", where, about))
        elif wanted is Step.REFUSE:
            faults.append(Fault("matrix.expected", where, about))
        elif wanted is Step.COME_BACK and not has_room(column.division):
            faults.append(Fault("matrix.full", where, about))
        elif wanted is not None:
            found.append(_Doing(wanted, person, column, stand.entry))
    refuse(faults)
    return found


def _leave(actor: Actor, event: Event, steps: Sequence[_Doing], saved: Saved) -> None:
    for one in steps:
        if one.step is Step.LEAVE and one.entry is not None:
            step(actor, event, one.entry, EntryAction.WITHDRAW)
            saved.left.append(one.entry)


def _come(actor: Actor, event: Event, matrix: Matrix, steps: Sequence[_Doing], saved: Saved) -> None:
    """In the order of what they have: who is expected or waits already comes before who is new."""
    for one in steps:
        if one.entry is None:
            continue
        if one.step is Step.COME_BACK:
            step(actor, event, one.entry, EntryAction.RETURN)
            saved.back.append(one.entry)
        elif one.step in {Step.APPROVE, Step.LET_IN}:
            entry = entries_to_mark(event, [one.entry])[0]
            if one.step is Step.APPROVE:
                approve_here(actor, event, [entry])
            elif entry.status == EntryStatus.WAITING:  # and has not moved up by this very save
                must_have_room(entry.division, 1)
                move_up(actor, event, entry, by_hand=True)
            if entry.status == EntryStatus.ACTIVE and not one.column.open:
                saved.late.append(place_by_lot(actor, event, one.column.stage.pk, entry).pk)
    for column in matrix.columns:
        wanted = [
            NewEntry(player_id=one.person.pk)
            for one in steps
            if one.step is Step.ENTER and one.column is column
        ]
        _enter(actor, event, column, wanted, saved)


def _enter(
    actor: Actor, event: Event, column: Column, wanted: Sequence[NewEntry], saved: Saved
) -> list[Entry]:
    """Into an open division while it has room, then to its waiting list; into a draw that is made by lot."""
    if not wanted:
        return []
    if not column.open:
        made = []
        for one in wanted:
            entry, row = enter_late(actor, event, column.stage.pk, one)
            saved.late.append(row.pk)
            made.append(entry)
        return made
    division = Division.objects.get(pk=column.division.pk)
    division.event = event
    room = _room(division)
    placed = list(wanted) if room is None else list(wanted[:room])
    waiting = [] if room is None else list(wanted[room:])
    made = add_to(actor, event, division, placed, source=Entry.Source.DIRECTOR) if placed else []
    if waiting:
        rows = add_to(
            actor, event, division, waiting, source=Entry.Source.DIRECTOR, status=EntryStatus.WAITING
        )
        saved.waits += [entry.name for entry in rows]
        made += rows
    saved.entered += [entry.pk for entry in made]
    return made


def _room(division: Division) -> int | None:
    """How many more may have a place; None: as many as come. One that starts when it is full has no waiting list for directors."""
    if division.capacity is None or division.starts_when_full:
        return None
    if not has_room(division):
        return 0
    return division.capacity - Entry.objects.filter(division=division, status__in=HOLDS_PLACE).count()


def _enter_new(
    actor: Actor, event: Event, matrix: Matrix, new: Sequence[Newcomer], saved: Saved
) -> dict[int, Newcomer]:
    """Those who had no row; their players by id."""
    columns = {column.division.pk: column for column in matrix.columns}
    found: dict[int, Newcomer] = {}
    for one in new:
        player = one.player_id if one.player_id is not None else _known(event, one)
        if not one.divisions:
            raise Invalid("matrix.no_division", field=one.field, name=one.name)
        for number in one.divisions:
            column = columns.get(number)
            if column is None or column.division.team_size > 1 or not (column.open or column.lines):
                raise Invalid(
                    "matrix.locked",
                    field=one.field,
                    name=one.name,
                    division=str(column.division) if column is not None else "",
                )
            try:
                made = _enter(actor, event, column, [NewEntry(one.name, player)], saved)
            except CrawfordError as error:
                if isinstance(error, Invalid):
                    raise Invalid(faults=[fault.at(one.field) for fault in error.faults]) from error
                raise
            player = EntryPlayer.objects.get(entry=made[0], position=1).player_id
        if player is not None:
            found[player] = one
    return found


def _known(event: Event, one: Newcomer) -> int | None:
    """The one player of this name, None if nobody bears it; two who do have to be told apart on the page of the entries."""
    key = search_key(one.name)
    known = players_by_key(club=event.club, keys=[key])[key] if key else []
    if len(known) > 1:
        raise Invalid("matrix.name_unclear", field=one.field, name=one.name)
    return known[0].pk if known else None


def _ticked(
    column: str, todo: Iterable[Change], people: Mapping[str, Person], new: Iterable[int]
) -> dict[int, bool]:
    """Players whose tick in this column is another now, and whether it stands; with ``new``, who come with theirs."""
    asked = {people[one.cell.player].pk: one.wanted == Mark.YES for one in todo if one.cell.column == column}
    return asked | dict.fromkeys(new, True)


def _mark_here(
    actor: Actor,
    event: Event,
    todo: Iterable[Change],
    people: Mapping[str, Person],
    entered: Mapping[int, Newcomer],
    saved: Saved,
) -> None:
    """A person is here with all that they play alone where there is a check-in today."""
    asked = _ticked(HERE, todo, people, (pk for pk, one in entered.items() if one.here))
    if not asked:
        return
    now = {person.pk: person for person in matrix_of(event).people}
    for pk in asked:
        if not now[pk].marked:
            raise Conflict("matrix.no_check_in", present=event, name=now[pk].name)
    come = [entry for pk, here in asked.items() if here for entry in now[pk].marked]
    gone = [entry for pk, here in asked.items() if not here for entry in now[pk].marked]
    rows = mark_entries(actor, event, entries_to_mark(event, come), None, HereWay.LIST) if come else []
    rows += unmark_entries(actor, event, entries_to_mark(event, gone), None) if gone else []
    saved.marks += [row.pk for row in rows]


def _pay(
    actor: Actor,
    event: Event,
    todo: Iterable[Change],
    people: Mapping[str, Person],
    entered: Mapping[int, Newcomer],
    saved: Saved,
) -> None:
    asked = _ticked(PAID, todo, people, (pk for pk, one in entered.items() if one.paid))
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
        PaidBefore(EntryId(entry), player, known.get((entry, player), False))
        for entry, player in players
        if known.get((entry, player), False) is not asked[player]
    ]
    for paid in (True, False):
        chosen = [(entry, player) for entry, player in players if asked[player] is paid]
        if chosen:
            write_paid(actor, event, chosen, paid=paid)


def _fill_own(actor: Actor, event: Event, todo: Iterable[Change], people: Mapping[str, Person]) -> None:
    """What stands in the event's own columns; told in the trail without what it says."""
    wanted: dict[str, dict[int, str]] = {}
    for change in todo:
        if change.cell.column.startswith(OWN):
            number = int(change.cell.column.removeprefix(OWN))
            wanted.setdefault(change.cell.player, {})[number] = change.wanted
    for name, values in wanted.items():
        person = people[name]
        for entry in write_extra(person.pk, person.owed, clean_extra(event, values)):
            changed(event, actor=actor, action=EntryDetailsSet(fields=("extra",)), subject=entry)


def _row(actor: Actor, event: Event, saved: Saved) -> AuditEntry:
    action = MatrixSaved(
        cells=saved.moved,
        entered=tuple(map(EntryId, saved.entered)),
        left=tuple(map(EntryId, saved.left)),
        back=tuple(map(EntryId, saved.back)),
        marks=tuple(saved.marks),
        late=tuple(saved.late),
        paid=tuple(saved.paid),
    )
    return changed(event, actor=actor, action=action)


def _stale(matrix: Matrix, people: Mapping[str, Person], stale: Sequence[Change]) -> Conflict:
    """Every cell that somebody else has changed, by name, with what it is now."""
    now, columns = matrix.cells(), {column.key: str(column.division) for column in matrix.columns}
    cells = [
        {
            "player": one.cell.player,
            "name": people[one.cell.player].name if one.cell.player in people else "",
            "column": one.cell.column,
            "division": columns.get(one.cell.column, ""),
            "now": now.get(one.cell, "") if one.cell.column != NOTE else "",
        }
        for one in stale
    ]
    names = ", ".join(dict.fromkeys(cell["name"] for cell in cells if cell["name"]))
    return Conflict("matrix.stale", present={"cells": cells}, names=names)
