"""A name leaves the trails of events; what was done stays, and so does the chain."""

from people.transactions import durable
from tournaments.store.chain import erase_name
from tournaments.store.lock import lock_event


@durable
def erase_from_audit_log(*, event_id: int, name: str, instead: str) -> int:
    """Put another word in the place of a name wherever the event's trail says it; how many rows did."""
    return erase_name(lock_event(event_id), name, instead)
