"""Lines held open are closed: by the director, or by themselves when the cut-off for entries has passed. They are byes from then on."""

import logging

from django.utils import timezone

from faults import Conflict, CrawfordError
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.brackets.correction import close_lines
from tournaments.engine.statuses import EVENT_GOING_ON
from tournaments.engine.trail.repairs import LinesClosed
from tournaments.models import Stage
from tournaments.selectors.draws import draw_of
from tournaments.selectors.repairs.late import TAKES_LATE, due_to_close, lines_held
from tournaments.store.load import load
from tournaments.store.lock import lock_for_director, stage_of
from tournaments.store.repairs import StageRepair, repaired, settle

log = logging.getLogger(__name__)


@durable
def close_open_lines(*, actor: Actor, event_id: int, stage_id: int) -> int:
    """Close all lines of a draw that are still held open; whoever waits opposite goes through. Gives how many. None: 409."""
    event = lock_for_director(actor, event_id)
    stage = stage_of(event, stage_id, Stage.ELIMINATIONS)
    draw = draw_of(stage)
    held = len(lines_held(draw))
    if not held or event.status not in EVENT_GOING_ON or stage.status not in TAKES_LATE:
        raise Conflict("open_lines.none", present=stage)
    done = close_lines(draw.bracket(), draw.results(), draw.by_hand())
    hand = load(stage)
    repaired(
        event,
        StageRepair(hand, hand.after(settle(draw, done))),
        actor=actor,
        action=LinesClosed(lines=held),
        subject=stage,
    )
    return held


def close_due_lines() -> int:
    """Close the lines of every draw whose division's cut-off has passed; gives how many."""
    closed = 0
    for event_id, stage_id in due_to_close(timezone.now()):
        try:
            closed += close_open_lines(actor=Actor.program(), event_id=event_id, stage_id=stage_id)
        except CrawfordError as refused:  # somebody was quicker: the next look sees how it stands
            log.info("Lines of stage %s are not closed now: %s", stage_id, refused)
    return closed
