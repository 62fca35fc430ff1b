"""The waiting list of a division: whoever waits longest takes the place that became free."""

from typing import Final

from django.db import transaction

from faults import Conflict
from people.actors import Actor
from people.services.hints import hint
from tournaments.engine.statuses import EVENT_GOING_ON, QUEUES, EntryAction
from tournaments.engine.trail.entries import EntryMovedBack, EntryMovedUp
from tournaments.models import Division, Entry, Event, Stage
from tournaments.selectors.entries import places_taken, takes_entries
from tournaments.store.event_state import step_entry
from tournaments.store.lock import changed

START_TASK: Final = "tournaments.tasks.start_full"


def has_room(division: Division) -> bool:
    """Whether one more may have a place: fewer have one than the division takes, and nobody waits for one."""
    if division.capacity is None:
        return True
    have, waiting = places_taken(division)
    return not waiting and have < division.capacity


def fill_places(actor: Actor, event: Event, division: Division) -> list[Entry]:
    """Move up whoever waits while there is room, in the order in which they came; each is told in the trail.

    Joins the transaction of whoever freed a place and has locked ``event``. Once the draw is made nobody moves up by themselves.
    """
    stage = Stage.objects.filter(division=division).order_by("position").first()
    if event.status not in EVENT_GOING_ON or stage is None or not takes_entries(stage):
        return []
    waiting = list(
        Entry.objects.select_for_update(of=("self",))
        .filter(division=division, status__in=QUEUES)
        .order_by("pk")
    )
    if not waiting:
        return []
    if division.capacity is not None:
        have, _waiting = places_taken(division)
        waiting = waiting[: max(0, division.capacity - have)]
    for entry in waiting:
        move_up(actor, event, entry)
    return waiting


def start_if_full(division: Division) -> None:
    """Once what was done is committed, tell a worker to look whether ``division`` starts now. The sweep finds what nobody told."""
    if division.starts_when_full:
        transaction.on_commit(lambda: hint(START_TASK), robust=True)


def must_have_room(division: Division, more: int) -> None:
    """Nobody is entered over the number with which a division starts by itself: there is a next one."""
    if not division.starts_when_full or division.capacity is None:
        return
    have, _waiting = places_taken(division)
    if have + more > division.capacity:
        raise Conflict(
            "entry.starts_when_full", present=division.event, left=max(0, division.capacity - have)
        )


def move_back(actor: Actor, event: Event, entry: Entry) -> None:
    """From a place to the waiting list again, where they stood. Joins the caller's transaction."""
    step_entry(entry, EntryAction.MOVE_BACK)
    entry.save(update_fields=["status"])
    changed(event, actor=actor, action=EntryMovedBack(name=entry.name), subject=entry)


def move_up(actor: Actor, event: Event, entry: Entry, *, by_hand: bool = False) -> None:
    """From the waiting list to a place. Joins the caller's transaction."""
    step_entry(entry, EntryAction.MOVE_UP)
    entry.save(update_fields=["status"])
    changed(event, actor=actor, action=EntryMovedUp(name=entry.name, by_hand=by_hand), subject=entry)
    start_if_full(entry.division)
