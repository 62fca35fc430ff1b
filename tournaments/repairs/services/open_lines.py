"""Closing of reserved lines, by the director or automatically after the cut-off for entries.

They become byes.
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
    """Close all reserved lines of a draw and return how many; their opponents advance.

    Raises ``Conflict`` (409) if none.
    """
    event = lock_for_director(actor, event_id)
    stage = get_stage(event, stage_id, Stage.ELIMINATIONS)
    draw = load_draw(stage)
    held = len(reserved_line_matches(draw))
    if not held or event.status not in EVENT_CHANGEABLE or stage.status not in LATE_ENTRY_STATUSES:
        raise Conflict("open_lines.none", present=stage)
    done = close_held_lines(draw.bracket(), draw.results(), draw.by_hand())
    hand = load_stage(stage)
    record_repair(
        event,
        StageRepair(hand, hand.after(change_from_consequence(draw, done))),
        actor=actor,
        action=HeldLinesClosed(lines=held),
        subject=stage,
    )
    return held


def close_due_lines() -> int:
    """Close the lines of every draw whose division's cut-off has passed; return how many."""
    closed = 0
    for event_id, stage_id in stages_due_to_close(timezone.now()):
        try:
            closed += close_reserved_lines(actor=Actor.program(), event_id=event_id, stage_id=stage_id)
        except CrawfordError as refused:  # the draw has changed: the next run reads it again
            log.info("Lines of stage %s are not closed now: %s", stage_id, refused)
    return closed
