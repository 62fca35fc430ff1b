"""Places of a division and its waiting list: allocate, fill and move back."""

from typing import Any, Final

from django.db import transaction

from faults import Conflict
from people.actors import Actor
from people.services.hints import enqueue_task
from tournaments.engine.new_entry import WhenFull
from tournaments.engine.statuses import ENTRY_ON_WAITING_LIST, EVENT_CHANGEABLE, EntryAction
from tournaments.engine.trail.entries import EntryMovedBack, EntryMovedUp, PlacesExceeded
from tournaments.models import Division, Entry, Event, Stage
from tournaments.selectors.entries import can_change_entries
from tournaments.selectors.waiting import QUEUE_ORDER, count_ahead, place_counts
from tournaments.store.event_state import step_entry
from tournaments.store.lock import record_action

START_TASK: Final = "tournaments.tasks.start_full"


def has_room(division: Division) -> bool:
    """Return whether an entry can get a place: one is free and the waiting list is empty."""
    if division.capacity is None:
        return True
    have, waiting = place_counts(division)
    return not waiting and have < division.capacity


def has_free_place(division: Division) -> bool:
    """Return whether a place is free, whatever the waiting list."""
    return division.capacity is None or place_counts(division)[0] < division.capacity


def allocate_places(
    actor: Actor,
    event: Event,
    division: Division,
    more: int,
    when_full: WhenFull,
    *,
    may_wait: bool = True,
    already: Entry | None = None,
) -> int:
    """Return how many of ``more`` new entries get a place (the first ones).

    The others go to the waiting list. The only function that decides what happens in a full division. If not
    all can have a place without passing an entry on the waiting list, ``when_full`` decides: ``Conflict``
    (``entry.full``, with the numbers), a place beyond the capacity (recorded in the audit log), or the
    waiting list. ``may_wait`` false: the waiting list is not used. ``already``: the new entry is on the
    waiting list itself, so only those ahead of it count. A division that starts when full never exceeds its
    capacity (409 ``entry.starts_when_full``). Joins the caller's transaction, which holds ``event``.
    """
    if division.capacity is None or more <= 0:
        return more
    have, waiting = place_counts(division)
    if already is not None:
        waiting = count_ahead(already)
    left = max(0, division.capacity - have)
    waits = when_full is WhenFull.WAIT and may_wait
    if division.starts_when_full and not waits:
        if more > left:
            raise Conflict("entry.starts_when_full", present=event, left=left)
        return more
    free = 0 if waiting else left
    if more <= free or waits:
        return min(more, free)
    if when_full is not WhenFull.ADD:
        about: dict[str, Any] = {
            "division": str(division),
            "places": division.capacity,
            "have": have,
            "waiting": waiting,
            "count": more,
        }
        raise Conflict("entry.full", present={**about, "may_wait": may_wait}, **about)
    exceeded = PlacesExceeded(
        division=division.name, count=more, places=division.capacity, have=have, waiting=waiting
    )
    record_action(event, actor=actor, action=exceeded, subject=division)
    return more


def fill_places(actor: Actor, event: Event, division: Division) -> list[Entry]:
    """Move entries up from the waiting list, in order, while there is room; return them.

    Each gets an audit row. Joins the transaction of the caller, which has locked ``event``. Returns an empty
    list once the draw is made.
    """
    stage = Stage.objects.filter(division=division).order_by("position").first()
    if event.status not in EVENT_CHANGEABLE or stage is None or not can_change_entries(stage):
        return []
    waiting = list(
        Entry.objects.select_for_update(of=("self",))
        .filter(division=division, status__in=ENTRY_ON_WAITING_LIST)
        .order_by(*QUEUE_ORDER)
    )
    if not waiting:
        return []
    if division.capacity is not None:
        have, _waiting = place_counts(division)
        waiting = waiting[: max(0, division.capacity - have)]
    for entry in waiting:
        move_up_entry(actor, event, entry)
    return waiting


def schedule_start_if_full(division: Division) -> None:
    """After commit, let a worker check whether ``division`` starts now.

    A periodic sweep finds what was missed.
    """
    if division.starts_when_full:
        transaction.on_commit(lambda: enqueue_task(START_TASK), robust=True)


def move_back_entry(actor: Actor, event: Event, entry: Entry) -> None:
    """Move an entry from its place back to its position on the waiting list.

    Joins the caller's transaction.
    """
    step_entry(entry, EntryAction.MOVE_BACK)
    entry.save(update_fields=["status"])
    record_action(event, actor=actor, action=EntryMovedBack(name=entry.name), subject=entry)


def move_up_entry(actor: Actor, event: Event, entry: Entry, *, by_hand: bool = False) -> None:
    """Move an entry from the waiting list to a place. Joins the caller's transaction."""
    step_entry(entry, EntryAction.MOVE_UP)
    entry.save(update_fields=["status"])
    record_action(event, actor=actor, action=EntryMovedUp(name=entry.name, by_hand=by_hand), subject=entry)
    schedule_start_if_full(entry.division)
