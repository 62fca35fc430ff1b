"""Re-entry: the players of an entry that is out enter again and, in a bracket, take a free place at once.

A free place is reserved, or a bye whose opponent was not called to the next match (`late_entry`). An entry
that waits in a consolation and was not called there leaves it in the same step, so that a player is not in
both and cannot meet their earlier entry.
"""

from people.actors import Actor
from people.transactions import durable
from tournaments.engine.types import MatchNo, Side
from tournaments.entries.services.buybacks import reenter_entry
from tournaments.models import Entry, Stage
from tournaments.repairs.services.late_entry import place_new_entry
from tournaments.store.lock import lock_for_director


@durable
def reenter(
    *,
    actor: Actor,
    event_id: int,
    entry_id: int,
    match: MatchNo | None = None,
    side: Side = Side.A,
    overrule: str = "",
) -> Entry:
    """Re-enter the players of an entry that is out: in a Swiss next round, in a bracket in a free place.

    The place is random, or on ``side`` of ``match``. Raises ``Conflict`` (409) and re-enters nothing if no
    place, or not this one, is free; ``Invalid`` (422) outside the division's rating limit unless ``overrule``
    gives a reason.
    """
    event = lock_for_director(actor, event_id)
    new_entry, stage = reenter_entry(actor, event, entry_id, overrule)
    if stage.system in Stage.ELIMINATIONS:
        place_new_entry(actor, event, stage, new_entry, match, side)
    return new_entry
