"""Import of a list of entries that its director has reviewed."""

from collections.abc import Mapping, Sequence

from faults import Conflict, Invalid
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.new_entry import NewEntry, WhenFull
from tournaments.entries.services.entries import add_to_division, get_division
from tournaments.models import Entry
from tournaments.selectors.entries import entries_after
from tournaments.store.lock import lock_for_director


@durable
def import_entries(
    *,
    actor: Actor,
    event_id: int,
    entries: Mapping[int, Sequence[NewEntry]],
    seen: int,
    when_full: WhenFull = WhenFull.ASK,
) -> list[Entry]:
    """Enter the entries of a list into their divisions: all of them or, if anything is wrong, none.

    ``entries``: new entries, keyed by division id. ``seen``: id of the newest entry of the event when the
    director reviewed the list (0: none). Raises ``Conflict`` if entries were added since, by another director
    or the registration page, because they may also be on the list.
    """
    event = lock_for_director(actor, event_id)
    later_entries = entries_after(event, seen)
    if later_entries:
        raise Conflict(
            "entry.meanwhile", present=event, names=", ".join(entry.name for entry in later_entries[:10])
        )
    if not any(entries.values()):
        raise Invalid("entry.none", field="name")
    created: list[Entry] = []
    for division_id, new_entries in entries.items():
        division = get_division(event, division_id)
        created += add_to_division(actor, event, division, new_entries, when_full=when_full, is_undoable=True)
    return created
