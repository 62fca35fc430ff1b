"""Reinstatement of withdrawn entries, to a place or to the waiting list.

`repairs.services.reinstating` decides between this, undoing a withdrawal, and a free bracket line.
"""

from people.actors import Actor
from tournaments.engine.new_entry import WhenFull
from tournaments.engine.statuses import EntryAction
from tournaments.engine.trail.entries import EntryReturned
from tournaments.entries.services.entries import (
    require_before_cutoff,
    require_entries_open,
    require_not_reentered,
)
from tournaments.entries.services.limits import require_within_limit_on_return
from tournaments.models import Entry, Event
from tournaments.selectors.waiting import next_queue_number
from tournaments.store.event_state import step_entry
from tournaments.store.lock import record_action
from tournaments.store.waiting import allocate_places, has_free_place, schedule_start_if_full


def reinstate_entry(
    actor: Actor,
    event: Event,
    entry: Entry,
    *,
    overrule: str = "",
    when_full: WhenFull = WhenFull.ASK,
    device_number: int = 0,
) -> Entry:
    """Reinstate a withdrawn entry of a division whose entries may still change, and return the entry.

    The caller has checked the division and holds the lock of ``event``. ``overrule``: reason for players
    outside the rating limit; ``when_full``: what to do without a free place; ``device_number``: number of the device
    that requested it.
    """
    waits = write_reinstatement(actor, event, entry, overrule=overrule, when_full=when_full)
    action = EntryReturned(name=entry.name, phone=device_number, waits=waits)
    record_action(event, actor=actor, action=action, subject=entry)
    schedule_start_if_full(entry.division)
    return entry


def write_reinstatement(
    actor: Actor,
    event: Event,
    entry: Entry,
    *,
    overrule: str = "",
    when_full: WhenFull = WhenFull.ASK,
    may_wait: bool = True,
) -> bool:
    """Reinstate an entry without a row of the audit log; return True if it goes on the waiting list.

    ``may_wait``: False if a waiting list is not possible here. Raises ``Conflict`` or ``Invalid`` if not
    allowed.
    """
    division = entry.division
    if not entry.slots.exists():  # entries that have played are not late entries
        require_before_cutoff(event, division)
    has_place = allocate_places(actor, event, division, 1, when_full, may_wait=may_wait) == 1
    step_entry(entry, EntryAction.RETURN if has_place else EntryAction.QUEUE)
    entry.seed = None
    if not has_place:
        entry.queue_number = next_queue_number(division)
    entry.save(update_fields=["status", "seed", "queue_number"])
    require_within_limit_on_return(actor, event, entry, overrule)
    return not has_place


def undo_withdrawal(actor: Actor, event: Event, entry: Entry, *, was_waiting: bool = False) -> None:
    """Undo a withdrawal: the entry gets its place back or goes on the waiting list, whatever its rating.

    ``was_waiting``: True if the entry was on the waiting list when it was withdrawn. Joins the caller's
    transaction.
    """
    require_entries_open(entry.division)
    require_not_reentered(entry, reject_reentries=False)
    waits = was_waiting or (entry.queue_number > 0 and not has_free_place(entry.division))
    step_entry(entry, EntryAction.QUEUE if waits else EntryAction.RETURN)
    entry.save(update_fields=["status"])
    record_action(event, actor=actor, action=EntryReturned(name=entry.name, waits=waits), subject=entry)
    schedule_start_if_full(entry.division)
