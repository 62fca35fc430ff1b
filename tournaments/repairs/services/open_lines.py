"""Closing of a bracket's reserved places, by the director or automatically after the cut-off for entries.

The places become byes.
"""

import logging

from django.utils import timezone

from faults import Conflict, CrawfordError
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.brackets.correction import close_held_lines
from tournaments.engine.statuses import EVENT_CHANGEABLE
from tournaments.engine.trail.repairs import HeldLinesClosed
from tournaments.models import Stage
from tournaments.selectors.draws import load_draw
from tournaments.selectors.repairs.late import LATE_ENTRY_STATUSES, reserved_line_matches, stages_due_to_close
from tournaments.store.load import load_stage
from tournaments.store.lock import get_stage, lock_for_director
from tournaments.store.repairs import StageRepair, change_from_consequence, record_repair

log = logging.getLogger(__name__)


@durable
def close_reserved_lines(*, actor: Actor, event_id: int, stage_id: int) -> int:
    """Close all reserved places of a bracket and return their number; their opponents advance.

    Raises ``Conflict`` (409) if there is none.
    """
    event = lock_for_director(actor, event_id)
    stage = get_stage(event, stage_id, Stage.ELIMINATIONS)
    draw = load_draw(stage)
    reserved_count = len(reserved_line_matches(draw))
    if not reserved_count or event.status not in EVENT_CHANGEABLE or stage.status not in LATE_ENTRY_STATUSES:
        raise Conflict("open_lines.none", present=stage)
    consequence = close_held_lines(draw.bracket(), draw.outcomes(), draw.entries_placed_by_hand())
    loaded_stage = load_stage(stage)
    record_repair(
        event,
        StageRepair(loaded_stage, loaded_stage.after(change_from_consequence(draw, consequence))),
        actor=actor,
        action=HeldLinesClosed(lines=reserved_count),
        subject=stage,
    )
    return reserved_count


def close_due_lines() -> int:
    """Close the reserved places of every bracket whose division no longer takes entries.

    Return their number.
    """
    closed_count = 0
    for event_id, stage_id in stages_due_to_close(timezone.now()):
        try:
            closed_count += close_reserved_lines(actor=Actor.program(), event_id=event_id, stage_id=stage_id)
        except CrawfordError as error:  # the draw has changed: the next run reads it again
            log.info("Lines of stage %s are not closed now: %s", stage_id, error)
    return closed_count
