"""Removal of a person's name from the audit logs of events. Actions and the hash chain are kept."""

from people.transactions import durable
from tournaments.store.chain import erase_name
from tournaments.store.lock import lock_event


@durable
def erase_from_audit_log(*, event_id: int, name: str, replacement: str) -> int:
    """Replace a person's name in the event's audit log; return the number of changed rows."""
    return erase_name(lock_event(event_id), name, replacement)
