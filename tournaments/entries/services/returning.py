"""A withdrawn entry comes back: to a place, or to the end of the waiting list. Which way it takes is for `repairs.services.reinstating`."""

from people.actors import Actor
from tournaments.engine.new_entry import WhenFull
from tournaments.engine.statuses import EntryAction
from tournaments.engine.trail.entries import EntryReturned
from tournaments.entries.services.entries import must_be_in_time, must_be_open, must_not_be_bought_back
from tournaments.entries.services.limits import must_fit_again
from tournaments.models import Entry, Event
from tournaments.selectors.waiting import end_of_queue
from tournaments.store.event_state import step_entry
from tournaments.store.lock import changed
from tournaments.store.waiting import has_free_place, places_for, start_if_full


def come_back(
    actor: Actor,
    event: Event,
    entry: Entry,
    *,
    overrule: str = "",
    when_full: WhenFull = WhenFull.ASK,
    phone: int = 0,
) -> Entry:
    """Into a division whose entries are open: the caller has asked that, and holds ``event``. ``overrule``: why, where the limit of ratings
    keeps its players out; ``phone``: the number of the phone by whose word it comes back.
    """
    waits = step_back(actor, event, entry, overrule=overrule, when_full=when_full)
    returned = EntryReturned(name=entry.name, phone=phone, waits=waits)
    changed(event, actor=actor, action=returned, subject=entry)
    start_if_full(entry.division)
    return entry


def step_back(
    actor: Actor,
    event: Event,
    entry: Entry,
    *,
    overrule: str = "",
    when_full: WhenFull = WhenFull.ASK,
    may_wait: bool = True,
) -> bool:
    """What every way back asks and writes, but for the row of the audit log; whether the entry waits now."""
    division = entry.division
    if not entry.slots.exists():  # who has played already comes back, and does not come in late
        must_be_in_time(event, division)
    has_place = places_for(actor, event, division, 1, when_full, may_wait=may_wait) == 1
    step_entry(entry, EntryAction.RETURN if has_place else EntryAction.QUEUE)
    entry.seed = None
    if not has_place:
        entry.queue_number = end_of_queue(division)
    entry.save(update_fields=["status", "seed", "queue_number"])
    must_fit_again(actor, event, entry, overrule)
    return not has_place


def put_as_before(actor: Actor, event: Event, entry: Entry, *, waited: bool = False) -> None:
    """Undo a withdrawal: the entry has its place again, or waits where it waited, whatever the ratings. Joins the caller's transaction.

    ``waited``: it did not have a place when it left.
    """
    must_be_open(entry.division)
    must_not_be_bought_back(entry, also_again=False)
    waits = waited or (entry.queue_number > 0 and not has_free_place(entry.division))
    step_entry(entry, EntryAction.QUEUE if waits else EntryAction.RETURN)
    entry.save(update_fields=["status"])
    changed(event, actor=actor, action=EntryReturned(name=entry.name, waits=waits), subject=entry)
    start_if_full(entry.division)
