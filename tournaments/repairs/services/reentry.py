"""Coming in again: who is out buys back and, in a bracket, takes a free line in the same transaction, by lot or by hand.

A free line is one that is held open or a bye whose other side was not called to its next match (`late_entry`). Who waits in a
consolation and was not called there gives it up, in the same step, so nobody plays in both, or meets an earlier entry of their own.
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
    """A new entry of the players of one that is out: in a Swiss from the next round on, in a bracket on a free line.

    By lot, or on this side of this ``match``. No line free, or not this one any more: 409, and nobody has bought back. Outside of the
    division's limit of ratings, and no reason given (``overrule``): 422.
    """
    event = lock_for_director(actor, event_id)
    again, stage = reenter_entry(actor, event, entry_id, overrule)
    if stage.system in Stage.ELIMINATIONS:
        place_new_entry(actor, event, stage, again, match, side)
    return again
