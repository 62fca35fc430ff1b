"""Undo what was done with several entries in one step: entered as a list, withdrawn, moved, approved, marked as paid, seeded.

Only what that step changed, and only where it still stands: the others stay as they are and are named.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from faults import Conflict, Missing
from people.actors import Actor
from people.models import AuditEntry
from people.permissions import require_director
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.statuses import ENTRY_LISTED, HOLDS_PLACE, EntryAction, EntryStatus, allowed_actions
from tournaments.engine.trail.action import Named
from tournaments.engine.trail.entries import (
    EntriesAdded,
    EntriesApproved,
    EntriesMoved,
    EntriesPaid,
    EntriesUndone,
    EntriesWithdrawn,
    SeedsSet,
)
from tournaments.engine.types import EntryId
from tournaments.entries.services.details import write_paid
from tournaments.entries.services.entries import must_not_be_over, take_out, write_seeds
from tournaments.entries.services.registration import take_approval_back
from tournaments.entries.services.returning import put_as_before
from tournaments.entries.services.several import move_back_to
from tournaments.models import Division, Entry, EntryDetail, Event, LinkPhone
from tournaments.models.trail import read_row, scope_of
from tournaments.selectors.matrix_undo import notified_of_place
from tournaments.selectors.together import entries_in, is_undoable
from tournaments.store.event_state import step_entry
from tournaments.store.lock import changed, lock_at_desk
from tournaments.store.waiting import fill_places, move_back


@durable
def undo_together(*, actor: Actor, event_id: int, audit_id: int) -> EntriesUndone:
    """Undo what the row of the audit log with this id did with several entries, for those of which it still stands.

    Refused (409): ``entry.undone_already``; ``entry.all_changed`` where all of them have changed since; whatever the service refuses that would do
    it by hand, as once the draw is made.
    """
    event = lock_at_desk(actor, event_id)
    rows = AuditEntry.objects.select_for_update(of=("self",))
    row = one_or_none(rows.filter(pk=audit_id, scope=scope_of(event)))
    action: Any = read_row(row) if row is not None else None
    if row is None or not is_undoable(action):
        raise Missing("entry.step_unknown")
    if not isinstance(action, EntriesApproved):
        require_director(actor, event.club)
    if row.undone_by_id is not None:
        raise Conflict("entry.undone_already", present=event)
    if not isinstance(action, EntriesPaid):
        must_not_be_over(event)
    here = {
        entry.pk: entry
        for entry in Entry.objects.select_for_update(of=("self",))
        .select_related("division")
        .filter(pk__in=entries_in(action), division__event=event)
        .order_by("pk")
    }
    done = _UNDO[type(action)](actor, event, row, action, here)
    if not done:
        raise Conflict("entry.all_changed", present=event)
    named = [
        Named(EntryId(pk), here[pk].name if pk in here else name) for pk, name in entries_in(action).items()
    ]
    undo = EntriesUndone(
        of=row.pk,
        what=row.action,
        entries=tuple(one for one in named if one.entry in done),
        kept=tuple(one for one in named if one.entry not in done and one.name),
    )
    row.undone_by = changed(event, actor=actor, action=undo, subject=_division_of(row, event))
    row.save(update_fields=["undone_by"])
    return undo


_Here = Mapping[int, Entry]


def _take_out(actor: Actor, event: Event, _row: AuditEntry, _action: EntriesAdded, here: _Here) -> set[int]:
    """They stay on the list as withdrawn."""
    there = [
        pk for pk, one in here.items() if EntryAction.WITHDRAW in allowed_actions(EntryStatus(one.status))
    ]
    for pk in reversed(there):
        take_out(actor, event, pk)
    return set(there)


def _come_back(
    actor: Actor, event: Event, row: AuditEntry, action: EntriesWithdrawn, here: _Here
) -> set[int]:
    """Whoever moved up in their place waits again, but for those who know of it."""
    out = [pk for pk, one in here.items() if one.status == EntryStatus.WITHDRAWN]
    if not out:
        return set()
    notified = notified_of_place(event, action.moved, row.at)
    rows = Entry.objects.select_for_update(of=("self",)).select_related("division")
    for entry in rows.filter(pk__in=set(action.moved) - notified, slots=None).order_by("-pk"):
        if entry.status in HOLDS_PLACE:
            move_back(actor, event, entry)
    for pk in out:
        put_as_before(actor, event, here[pk], waited=pk in action.waited)
    _seed_again(actor, event, {pk: seed for pk, seed in action.seeds.items() if pk in out})
    return set(out)


def _move_back(actor: Actor, event: Event, row: AuditEntry, action: EntriesMoved, here: _Here) -> set[int]:
    done: set[int] = set()
    for division in Division.objects.filter(event=event, pk__in={one.division for one in action.came_from}):
        own = {one.entry: one.seed for one in action.came_from if one.division == division.pk}
        moving = [
            entry
            for pk, entry in here.items()
            if pk in own
            and entry.division_id == row.subject_id
            and entry.status in (*ENTRY_LISTED, EntryStatus.WAITING)
        ]
        for entry in moving:
            if entry.status == EntryStatus.WAITING:  # the division was full when they came
                step_entry(entry, EntryAction.MOVE_UP)
        if moving:
            move_back_to(actor, event, moving, division)
            _seed_again(actor, event, {entry.pk: own[EntryId(entry.pk)] for entry in moving})
            done |= {entry.pk for entry in moving}
    left = _division_of(row, event)
    if done and left is not None:
        fill_places(actor, event, left)
    return done


def _unapprove(
    actor: Actor, event: Event, _row: AuditEntry, action: EntriesApproved, here: _Here
) -> set[int]:
    """But for those who have used their link since, or are drawn."""
    known = set(LinkPhone.objects.filter(entry__in=here).values_list("entry", flat=True))
    drawn = set(Entry.objects.filter(pk__in=here, slots__isnull=False).values_list("pk", flat=True))
    wanted = {
        int(one.entry): one.new
        for one in action.before
        if one.entry in here.keys() - known - drawn
        and EntryAction.UNAPPROVE in allowed_actions(EntryStatus(here[one.entry].status))
    }
    if wanted:
        take_approval_back(actor, event, wanted)
    return set(wanted)


def _pay_back(actor: Actor, event: Event, _row: AuditEntry, action: EntriesPaid, _here: _Here) -> set[int]:
    rows = EntryDetail.objects.filter(entry__in=[one.entry for one in action.before], paid=action.paid)
    stands = set(rows.values_list("entry_id", "player_id"))
    wanted = [(int(one.entry), one.player) for one in action.before if (one.entry, one.player) in stands]
    return {entry.pk for entry in write_paid(actor, event, wanted, paid=not action.paid)}


def _seed_back(actor: Actor, event: Event, row: AuditEntry, action: SeedsSet, here: _Here) -> set[int]:
    """All of them, or none: seeds are an order."""
    wanted = {int(pk): seed for pk, seed in action.before.items()}
    for pk in wanted:
        entry = here.get(pk)
        if (
            entry is None
            or entry.division_id != row.subject_id
            or entry.seed != action.seeds.get(EntryId(pk))
        ):
            raise Conflict("entry.all_changed", present=event)
    division = next(iter(here.values())).division
    given = [seed for seed in wanted.values() if seed is not None]
    if Entry.objects.filter(division=division, seed__in=given).exclude(pk__in=wanted).exists():
        raise Conflict("entry.all_changed", present=event)
    write_seeds(actor, event, division, list(here.values()), wanted)
    return set(wanted)


def _seed_again(actor: Actor, event: Event, seeds: Mapping[int, int | None]) -> None:
    """The seeds that entries had, where nobody else has got them."""
    here = list(Entry.objects.select_related("division").filter(pk__in=seeds))
    divisions = {one.division for one in here}
    rows = Entry.objects.filter(division__in=divisions, seed__isnull=False)
    taken = set(rows.values_list("division_id", "seed"))
    for division in divisions:
        free = [
            one
            for one in here
            if one.division_id == division.pk
            and seeds[one.pk] is not None
            and (division.pk, seeds[one.pk]) not in taken
        ]
        if free:
            write_seeds(actor, event, division, free, seeds)


def _division_of(row: AuditEntry, event: Event) -> Division | None:
    if row.subject_id is None or row.subject_type != Division._meta.label_lower:  # noqa: SLF001 (the documented way to a model's label)
        return None
    return one_or_none(Division.objects.filter(pk=row.subject_id, event=event))


_UNDO: Final[Mapping[type, Callable[..., Collection[int]]]] = {
    EntriesAdded: _take_out,
    EntriesWithdrawn: _come_back,
    EntriesMoved: _move_back,
    EntriesApproved: _unapprove,
    EntriesPaid: _pay_back,
    SeedsSet: _seed_back,
}
