"""Deadlines of rounds, set for all rounds at once or round by round."""

from collections.abc import Mapping
from datetime import date, timedelta
from itertools import pairwise

from faults import Conflict, Fault, Invalid
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.statuses import EVENT_OVER, StageStatus
from tournaments.engine.trail.action import RoundNo
from tournaments.engine.trail.divisions import DeadlinesSet
from tournaments.models import Round, Stage
from tournaments.rounds.services.rounds import round_based_stage
from tournaments.selectors.arranged import planned_deadlines
from tournaments.store.arranged import write_deadlines
from tournaments.store.lock import lock_for_director, record_action

MAX_DAYS_BETWEEN = 120
MAX_ROUND_NUMBER = 100
MAX_TIME_FROM_START = timedelta(days=1500)


@durable
def set_deadlines(
    *, actor: Actor, event_id: int, stage_id: int, deadlines: Mapping[int, date | None]
) -> Stage:
    """Set the deadlines of rounds, given by round number; None removes a deadline. Other rounds keep theirs.

    Raises ``Invalid`` if a deadline is before that of an earlier round, and ``Conflict`` after the stage.
    """
    event = lock_for_director(actor, event_id)
    stage = round_based_stage(event, stage_id)
    if stage.status == StageStatus.FINISHED or event.status in EVENT_OVER:
        raise Conflict("deadline.over", present=stage)
    rounds = {round_.number: round_ for round_ in Round.objects.filter(stage=stage)}
    before = {number: round_.deadline for number, round_ in rounds.items() if round_.deadline}
    after = {**before, **planned_deadlines(stage), **deadlines}
    faults = [
        Fault("deadline.odd", f"deadline_{number}", {"round": number})
        for number, day in deadlines.items()
        if not 1 <= number <= MAX_ROUND_NUMBER
        or (day is not None and abs(day - event.starts_on) > MAX_TIME_FROM_START)
    ]
    dated = [(number, day) for number, day in sorted(after.items()) if day is not None]
    faults += [
        Fault("deadline.before_earlier", f"deadline_{number}", {"round": number})
        for (_earlier, first), (number, day) in pairwise(dated)
        if day < first
    ]
    if faults:
        raise Invalid(faults=faults)
    for number, round_ in rounds.items():
        round_.deadline = after.get(number)
    Round.objects.bulk_update(rounds.values(), ["deadline"])
    write_deadlines(stage, {number: day for number, day in dated if number not in rounds})
    action = DeadlinesSet(deadlines={RoundNo(number): day for number, day in dated})
    record_action(event, actor=actor, action=action, subject=stage)
    return stage


def evenly_spaced_deadlines(first: date, days: int, rounds: int) -> dict[int, date]:
    """Return deadlines for ``rounds`` rounds, ``days`` days apart from ``first`` on, keyed by round number.

    Raises ``Invalid`` if ``days`` is negative or too large.
    """
    if not 0 <= days <= MAX_DAYS_BETWEEN:
        raise Invalid("deadline.days_odd", field="days", limit=MAX_DAYS_BETWEEN)
    return {number: first + timedelta(days=days * (number - 1)) for number in range(1, rounds + 1)}
