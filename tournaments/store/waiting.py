"""Places of a division and its waiting list: who gets a place, who is asked about first, and who takes one that became free."""

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
    """Whether one more may have a place: fewer have one than the division takes, and nobody waits for one."""
    if division.capacity is None:
        return True
    have, waiting = place_counts(division)
    return not waiting and have < division.capacity


def has_free_place(division: Division) -> bool:
    """Whether fewer have a place than the division takes, whoever waits."""
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
    """How many of ``more`` entries that come in get a place, the first of them; the others go to the waiting list.

    The one place that says what happens in a full division, whoever comes in and by whichever way. Where not all have a place without going
    past somebody who waits, ``when_full`` decides: 409 ``entry.full`` with how things stand, a place over the number of places (told in the
    audit log), or the waiting list. ``may_wait`` false: nobody is put on it now. ``already``: the entry that comes in waits itself, so those
    ahead of it are asked about. A division that starts by itself with its last place takes nobody over that number (409
    ``entry.starts_when_full``). Joins the caller's transaction, which holds ``event``.
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
    """Move up whoever waits while there is room, in the order of the waiting list; each is told in the trail.

    Joins the transaction of whoever freed a place and has locked ``event``. Once the draw is made nobody moves up by themselves.
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
    """Once what was done is committed, tell a worker to look whether ``division`` starts now. The sweep finds what nobody told."""
    if division.starts_when_full:
        transaction.on_commit(lambda: enqueue_task(START_TASK), robust=True)


def move_back_entry(actor: Actor, event: Event, entry: Entry) -> None:
    """From a place to the waiting list again, where they stood. Joins the caller's transaction."""
    step_entry(entry, EntryAction.MOVE_BACK)
    entry.save(update_fields=["status"])
    record_action(event, actor=actor, action=EntryMovedBack(name=entry.name), subject=entry)


def move_up_entry(actor: Actor, event: Event, entry: Entry, *, by_hand: bool = False) -> None:
    """From the waiting list to a place. Joins the caller's transaction."""
    step_entry(entry, EntryAction.MOVE_UP)
    entry.save(update_fields=["status"])
    record_action(event, actor=actor, action=EntryMovedUp(name=entry.name, by_hand=by_hand), subject=entry)
    schedule_start_if_full(entry.division)
