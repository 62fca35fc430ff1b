"""Several cells in one save: who enters, leaves, is approved, let in, is here, has paid. All of it or, if anything is wrong, none.

Each change is made by the service that makes it elsewhere, with its own row in the trail and its own notices; a row at the end says what
the save was, so that it can be taken back. Places are freed before they are given: who waits longest has them before whoever is new.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from faults import Conflict, Fault, Invalid, refuse
from people.actors import Actor
from people.ids import new_public_id
from people.models import AuditEntry
from people.permissions import require_director
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
from tournaments.engine.new_entry import NewEntry, WhenFull
from tournaments.engine.statuses import EntryStatus
from tournaments.engine.trail.entries import EntryDetailsSet
from tournaments.engine.trail.matrix import MatrixSaved, PaidBefore
from tournaments.engine.types import EntryId
from tournaments.entries.services.details import write_note, write_paid
from tournaments.entries.services.entries import must_not_be_over, take_out
from tournaments.entries.services.extra import clean_extra, write_extra
from tournaments.entries.services.limits import clean_reason
from tournaments.entries.services.registration import approve_here
from tournaments.matrix.services.before import Rows, is_text, keep_before, texts_of
from tournaments.matrix.services.entering import Newcomer, Saved, enter, enter_new, usual_when_full
from tournaments.matrix.services.stale import stale_cells
from tournaments.models import EntryDetail, EntryPlayer, Event
from tournaments.repairs.services.late_entry import place_by_lot
from tournaments.repairs.services.reinstating import put_back
from tournaments.selectors.matrix import Column, Matrix, Person, matrix_of
from tournaments.store.lock import changed, lock_at_desk
from tournaments.store.waiting import move_up, places_for

MOST: Final = 4096  # cells of one save


@durable
def save_matrix(
    *,
    actor: Actor,
    event_id: int,
    changes: Sequence[Change] = (),
    new: Sequence[Newcomer] = (),
    overrule: str = "",
    when_full: WhenFull = WhenFull.ASK,
) -> Saved:
    """Make the cells what is wanted of them. What stands so already is nothing new. ``overrule``: why those come in whom the limit of a
    division keeps out. ``when_full``: asked where somebody goes past a waiting list, or into a draw over the number of places; whoever is ticked
    in a full division goes to its waiting list.

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
        raise stale_cells(event, matrix, people, stale)
    texts = {people[one.cell.player].pk for one in todo if is_text(one.cell.column)}
    before, rows = texts_of(event, texts), Rows.now(event)
    moved = len(todo) + sum(len(one.divisions) + one.here + one.paid for one in new)
    saved = Saved(moved=moved, when_full=when_full)
    steps = _steps(matrix, people, todo)
    _leave(actor, event, steps, saved)
    _come(actor, event, matrix, steps, saved, clean_reason(overrule))
    people = {name: replace(one, pk=saved.became.get(one.pk, one.pk)) for name, one in people.items()}
    texts = {saved.became.get(pk, pk) for pk in texts}
    before = {(entry, saved.became.get(pk, pk)): cells for (entry, pk), cells in before.items()}
    entered = enter_new(actor, event, matrix, new, saved, clean_reason(overrule))
    _mark_here(actor, event, todo, people, entered, saved)
    _pay(actor, event, todo, people, entered, saved)
    for change in todo:
        if change.cell.column == NOTE:
            person = people[change.cell.player]
            write_note(actor, event, person.pk, person.owed, change.wanted)
    _fill_own(actor, event, todo, people)
    if saved.moved:
        key = new_public_id()
        keep_before(event, texts, before, key)
        saved.audit_id = _row(actor, event, saved, rows, key).pk
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
        elif wanted is not None:
            found.append(_Doing(wanted, person, column, stand.entry))
    refuse(faults)
    return found


def _leave(actor: Actor, event: Event, steps: Sequence[_Doing], saved: Saved) -> None:
    for one in steps:
        if one.step is Step.LEAVE and one.entry is not None:
            take_out(actor, event, one.entry)
            saved.left.append(one.entry)


def _come(
    actor: Actor, event: Event, matrix: Matrix, steps: Sequence[_Doing], saved: Saved, overrule: str
) -> None:
    """In the order of what they have: who is expected or waits already comes before who is new."""
    for one in steps:
        if one.entry is None:
            continue
        if one.step is Step.COME_BACK:
            _put_back(actor, event, one.entry, one.column, saved, overrule)
        elif one.step in {Step.APPROVE, Step.LET_IN}:
            entry = entries_to_mark(event, [one.entry])[0]
            if one.step is Step.APPROVE:
                saved.became |= approve_here(actor, event, [entry], overrule)
            elif entry.status == EntryStatus.WAITING:  # and has not moved up by this very save
                places_for(actor, event, entry.division, 1, saved.when_full, may_wait=False, already=entry)
                move_up(actor, event, entry, by_hand=True)
            if entry.status == EntryStatus.ACTIVE and not one.column.open:
                saved.late.append(place_by_lot(actor, event, one.column.stage.pk, entry).pk)
    for column in matrix.columns:
        wanted = [
            NewEntry(player_id=one.person.pk, overrule=overrule)
            for one in steps
            if one.step is Step.ENTER and one.column is column
        ]
        try:
            enter(actor, event, column, wanted, saved)
        except Invalid as error:
            raise _at_cells(error) from error


def _put_back(
    actor: Actor, event: Event, returning: int, column: Column, saved: Saved, overrule: str
) -> None:
    """By the one service that reinstates; into an open division that is full to the end of its waiting list."""
    when_full = usual_when_full(column.division) if column.open else saved.when_full
    try:
        entry, row = put_back(actor, event, returning, overrule=overrule, when_full=when_full)
    except Invalid as error:
        raise _at_cells(error) from error
    if row is not None:
        saved.late.append(row.pk)
        return
    saved.back.append(returning)
    if entry.status == EntryStatus.WAITING:
        saved.waits.append(entry.name)


def _at_cells(error: Invalid) -> Invalid:
    return Invalid(faults=[fault.at("cells") for fault in error.faults])


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


def _row(actor: Actor, event: Event, saved: Saved, rows: Rows, key: str) -> AuditEntry:
    approved, moved = rows.since(event)
    action = MatrixSaved(
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
    return changed(event, actor=actor, action=action)
