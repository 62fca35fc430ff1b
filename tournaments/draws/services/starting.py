"""Automatic start of jackpots, which begin when they are full.

The draw is made and published after the entry that fills the division, then the next division opens. Each of
the three steps is a service that can be repeated; a change between them, such as a director's, is found by
the next check. The draw is made of the list that was full: if an entry leaves before, no draw is made.
"""

import logging

from faults import CrawfordError
from people.actors import Actor
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.statuses import StageStatus
from tournaments.events.services.divisions import MAX_DIVISIONS, open_next_division
from tournaments.selectors.events.starting import DueStep, divisions_to_start

log = logging.getLogger(__name__)
_MAX_STEPS = 3


def start_full_divisions() -> int:
    """Carry out every due step of the divisions that start automatically; return how many steps were done."""
    step_count = 0
    for _step in range(_MAX_STEPS):
        due_starts = list(divisions_to_start(MAX_DIVISIONS))
        step_count += sum(_run_step(due_start) for due_start in due_starts)
        if not due_starts:
            break
    return step_count


def _run_step(due_start: DueStep) -> bool:
    actor = Actor.program()
    try:
        if due_start.status is StageStatus.SETUP:
            draw_stage(
                actor=actor, event_id=due_start.event_id, stage_id=due_start.stage_id, seen=due_start.listed
            )
        elif due_start.status is StageStatus.DRAWN:
            publish_draw(actor=actor, event_id=due_start.event_id, stage_id=due_start.stage_id)
        else:
            open_next_division(actor=actor, event_id=due_start.event_id, division_id=due_start.division_id)
    except CrawfordError as error:  # the division has changed: the next check reads it again
        log.info("Division %s does not start now: %s", due_start.division_id, error)
        return False
    return True
