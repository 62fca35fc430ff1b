"""Random steps around pairings.

Requested byes, separations and swaps, deadlines, play-offs held elsewhere.
"""

from datetime import timedelta

from faults import CrawfordError
from tournaments.checks.simulation.hall import StepContext
from tournaments.engine.stages.swiss import REST_POINTS, AvoidancePolicy
from tournaments.models import Stage
from tournaments.rounds.services.deadlines import evenly_spaced_deadlines, set_deadlines
from tournaments.rounds.services.play_offs import discard_recorded_play_offs, record_play_off
from tournaments.rounds.services.requests import keep_apart as keep_two_apart
from tournaments.rounds.services.requests import sit_out as let_sit_out
from tournaments.rounds.services.requests import swap_entries, undo_swaps
from tournaments.selectors.draws import load_draw
from tournaments.selectors.rounds.next import NextRound
from tournaments.selectors.standings.tables import is_round_based, unbroken_ties


def sit_out(hall: StepContext) -> str:
    """Let an entry rest in the next round, or cancel that."""
    entry = hall.some_entry()
    if entry is None:
        return "nobody left to sit out"
    points = hall.rng.choice([None, *REST_POINTS])
    let_sit_out(**hall.where, stage_id=_some_stage(hall).pk, entry_id=entry.pk, points=points)
    return f"{entry.name} to sit out for {points}"


def keep_apart(hall: StepContext) -> str:
    first, second = hall.some_entry(), hall.some_entry()
    if first is None or second is None:
        return "nobody left to keep apart"
    keep_two_apart(
        **hall.where,
        stage_id=_some_stage(hall).pk,
        first_id=first.pk,
        second_id=second.pk,
        strictness=hall.rng.choice(list(AvoidancePolicy)),
    )
    return f"{first.name} and {second.name} to be kept apart"


def swap_in_pairing(context: StepContext, stage: Stage, pairing: NextRound) -> NextRound:
    """Exchange two entries in the previewed pairing, or undo that; return the new pairing.

    Returns ``pairing`` unchanged if the exchange is rejected.
    """
    stage_kwargs = {**context.where, "stage_id": stage.pk}
    seated_ids = [entry for pair in pairing.pairs for entry in pair]
    first, second = context.rng.choice(seated_ids), context.rng.choice(seated_ids)
    try:
        swapped = swap_entries(**stage_kwargs, first_id=first, second_id=second, seen=pairing.version)
        if context.rng.random() < 0.3:
            undo_swaps(**stage_kwargs)
            return pairing
    except CrawfordError:
        return pairing
    return swapped


def set_last_days(context: StepContext) -> str:
    """Set the deadlines of the rounds, at equal intervals."""
    first_deadline = context.event.starts_on + timedelta(days=context.rng.randrange(9))
    set_deadlines(
        **context.where,
        stage_id=_some_stage(context).pk,
        deadlines=evenly_spaced_deadlines(
            first_deadline, days=context.rng.randrange(9), rounds=context.rng.randrange(1, 6)
        ),
    )
    return "last days of rounds"


def record_outside_play_off(context: StepContext) -> str:
    """Record a play-off that was not played here, or discard the recorded ones."""
    stage = _some_stage(context)
    stage_kwargs = {**context.where, "stage_id": stage.pk}
    ties = unbroken_ties(load_draw(stage)) if is_round_based(stage) else ()
    if not ties or context.rng.random() < 0.2:
        discard_recorded_play_offs(**stage_kwargs)
        return "a play-off forgotten"
    order = list(context.rng.choice(ties))
    context.rng.shuffle(order)
    record_play_off(**stage_kwargs, order=order)
    return f"a play-off of {len(order)} on the side"


def _some_stage(context: StepContext) -> Stage:
    return context.rng.choice(context.stages)
