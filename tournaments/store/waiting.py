"""Places of a division and its waiting list: allocate places, move entries up and back."""

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
    taken_count, waiting_count = place_counts(division)
    return not waiting_count and taken_count < division.capacity


def has_free_place(division: Division) -> bool:
    """Return whether a place is free, whatever the waiting list."""
    return division.capacity is None or place_counts(division)[0] < division.capacity


def allocate_places(
    actor: Actor,
    event: Event,
    division: Division,
    requested: int,
    when_full: WhenFull,
    *,
    may_wait: bool = True,
    waiting_entry: Entry | None = None,
) -> int:
    """Return how many of ``requested`` new entries get a place (the first ones); the others have to wait.

    The only function that decides what happens in a full division. If not all can have a place without
    passing an entry on the waiting list, ``when_full`` decides: ``Conflict`` (``entry.full``, with the
    numbers), a place beyond the capacity (recorded in the audit log), or the waiting list. ``may_wait``
    false: the waiting list is not used. ``waiting_entry``: the new entry is on the waiting list itself, so
    only those ahead of it count. A division that starts when full never exceeds its capacity (409
    ``entry.starts_when_full``). Joins the caller's transaction, which holds ``event``.
    """
    if division.capacity is None or requested <= 0:
        return requested
    taken_count, waiting_count = place_counts(division)
    if waiting_entry is not None:
        waiting_count = count_ahead(waiting_entry)
    left_count = max(0, division.capacity - taken_count)
    joins_queue = when_full is WhenFull.WAIT and may_wait
    if division.starts_when_full and not joins_queue:
        if requested > left_count:
            raise Conflict("entry.starts_when_full", present=event, left=left_count)
        return requested
    open_count = 0 if waiting_count else left_count
    if requested <= open_count or joins_queue:
        return min(requested, open_count)
    if when_full is not WhenFull.ADD:
        details: dict[str, Any] = {
            "division": str(division),
            "places": division.capacity,
            "have": taken_count,
            "waiting": waiting_count,
            "count": requested,
        }
        raise Conflict("entry.full", present={**details, "may_wait": may_wait}, **details)
    action = PlacesExceeded(
        division=division.name,
        count=requested,
        places=division.capacity,
        have=taken_count,
        waiting=waiting_count,
    )
    record_action(event, actor=actor, action=action, subject=division)
    return requested


def fill_places(actor: Actor, event: Event, division: Division) -> list[Entry]:
    """Move entries up from the waiting list, in order, while places are free; return them.

    Each gets an audit log entry. Joins the transaction of the caller, which has locked ``event``. Returns an
    empty list once the draw is made.
    """
    stage = Stage.objects.filter(division=division).order_by("position").first()
    if event.status not in EVENT_CHANGEABLE or stage is None or not can_change_entries(stage):
        return []
    queue = list(
        Entry.objects.select_for_update(of=("self",))
        .filter(division=division, status__in=ENTRY_ON_WAITING_LIST)
        .order_by(*QUEUE_ORDER)
    )
    if not queue:
        return []
    if division.capacity is not None:
        taken_count, _waiting_count = place_counts(division)
        queue = queue[: max(0, division.capacity - taken_count)]
    for entry in queue:
        move_up_entry(actor, event, entry)
    return queue


def schedule_start_if_full(division: Division) -> None:
    """Let a worker check, once the transaction is committed, whether ``division`` starts now.

    A periodic sweep finds what was missed.
    """
    if division.starts_when_full:
        transaction.on_commit(lambda: enqueue_task(START_TASK), robust=True)


def move_back_entry(actor: Actor, event: Event, entry: Entry) -> None:
    """Take the place from an entry: it goes back to its position on the waiting list.

    Joins the caller's transaction.
    """
    step_entry(entry, EntryAction.MOVE_BACK)
    entry.save(update_fields=["status"])
    record_action(event, actor=actor, action=EntryMovedBack(name=entry.name), subject=entry)


def move_up_entry(actor: Actor, event: Event, entry: Entry, *, by_hand: bool = False) -> None:
    """Give an entry of the waiting list a place; ``by_hand``: a director decided it.

    Joins the caller's transaction.
    """
    step_entry(entry, EntryAction.MOVE_UP)
    entry.save(update_fields=["status"])
    record_action(event, actor=actor, action=EntryMovedUp(name=entry.name, by_hand=by_hand), subject=entry)
    schedule_start_if_full(entry.division)
