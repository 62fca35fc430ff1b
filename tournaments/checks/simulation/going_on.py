"""Random continuation of an event in which nothing can be played: a draw, a round, the end of a stage."""

from faults import CrawfordError
from tournaments.checks.simulation import arranging
from tournaments.checks.simulation.checking_in import absentees_to_draw
from tournaments.checks.simulation.coming import buy_reentry, close_reserved_places
from tournaments.checks.simulation.hall import StepContext
from tournaments.draws.services.draws import discard_draw, draw_stage, publish_draw
from tournaments.draws.services.starting import start_full_divisions
from tournaments.engine.new_entry import NewEntry, WhenFull
from tournaments.engine.statuses import ENTRY_HOLDS_PLACE, PLAYABLE, STAGE_UNDER_WAY, StageStatus
from tournaments.entries.services.entries import add_entry
from tournaments.events.services.divisions import DivisionDetails, remove_division, update_division
from tournaments.events.services.stages import remove_stage
from tournaments.models import Division, Match, Stage
from tournaments.rounds.services.rounds import end_stage, pair_next_round, publish_round, seated_entry_ids
from tournaments.selectors.check_in import entries_in_draw
from tournaments.selectors.draws import load_draw
from tournaments.selectors.repairs.late import reserved_line_matches
from tournaments.selectors.rounds.next import can_pair_round, next_round, rounds_to_publish
from tournaments.selectors.standings.feeds import is_feed_resolved
from tournaments.selectors.standings.sources import stages_fed_by
from tournaments.selectors.standings.tables import is_round_based, is_swiss

MAX_JACKPOTS = 4


def stage_to_advance(context: StepContext) -> Stage | None:
    """Return a stage in which nothing can be played before a draw or a new round; None if there is none.

    A stage that is fed by losers is returned as soon as these are known.
    """
    stages = context.stages
    for stage in stages:
        is_early = stage.status == StageStatus.SETUP and not stage.settings.feed.by_result
        if is_early and stage.fed_by is not None and is_feed_resolved(stage):
            return stage
    for stage in stages:
        if stage.status == StageStatus.FINISHED:
            continue
        if (
            Match.objects.filter(stage=stage, status__in=PLAYABLE).exists()
            and stage.status in STAGE_UNDER_WAY
        ):
            return None
        return stage
    return None


def advance_stage(context: StepContext) -> str:
    """Draw the stage or publish its next round.

    With too few entries left it is ended, removed, or filled up.
    """
    stage = stage_to_advance(context)
    if stage is None:
        return "nothing to bring forward"
    if stage.status in STAGE_UNDER_WAY and reserved_line_matches(load_draw(stage)):
        if context.rng.random() < 0.5:
            return buy_reentry(context)
        return close_reserved_places(context, stage)
    try:
        if stage.division.starts_when_full and stage.status == StageStatus.SETUP:
            return _advance_jackpot(context, stage.division)
        return _draw_stage(context, stage) if not is_round_based(stage) else _pair_round(context, stage)
    except CrawfordError:
        stage_kwargs = {**context.where, "stage_id": stage.pk}
        if stage.fed_by is not None and stage.status == StageStatus.SETUP:
            while fed_stages := stages_fed_by(stage):  # stages fed by it cannot be drawn either
                stage = fed_stages[-1]
            remove_stage(**context.where, stage_id=stage.pk)
            return "a stage less"
        if not is_round_based(stage):
            return _add_last_minute_entry(context, stage)
        end_stage(**stage_kwargs)
        return "the end of the rounds"


def _add_last_minute_entry(context: StepContext, stage: Stage) -> str:
    """Discard the draw of a stage that has too few entries left, and add a late entry."""
    if stage.status == StageStatus.DRAWN:
        discard_draw(**context.where, stage_id=stage.pk)
    newcomer = NewEntry(name=f"Late {context.key()}")
    add_entry(**context.where, division_id=stage.division_id, entry=newcomer, when_full=WhenFull.ADD)
    return f"{newcomer.name} making up the number"


def _advance_jackpot(context: StepContext, division: Division) -> str:
    """Fill a division that starts when full, and start it; return what was done.

    If there are enough of these divisions, an empty one is removed instead, which ends the series.
    """
    division_count = context.event.divisions.count()
    has_enough = division_count >= MAX_JACKPOTS or context.rng.random() < 0.4
    if has_enough and division_count > 1 and not division.entries.exists():
        remove_division(**context.where, division_id=division.pk)
        return "a jackpot less"
    capacity = division.capacity or 0
    missing_count = capacity - division.entries.filter(status__in=ENTRY_HOLDS_PLACE).count()
    for _ in range(missing_count):
        add_entry(**context.where, division_id=division.pk, entry=NewEntry(name=f"Pot {context.key()}"))
    if not start_full_divisions():
        update_division(
            **context.where,
            division_id=division.pk,
            division=DivisionDetails(name=division.name, capacity=capacity),
        )
        return "a jackpot that starts by hand"
    return "a jackpot that starts"


def _draw_stage(context: StepContext, stage: Stage) -> str:
    stage_kwargs = {**context.where, "stage_id": stage.pk}
    draw_stage(**stage_kwargs, seed=_random_seed(context))
    if context.rng.random() < 0.2:
        discard_draw(**stage_kwargs)
        draw_stage(**stage_kwargs, seed=_random_seed(context))
    absent = absentees_to_draw(context, stage, entries_in_draw(stage))
    if absent is None:
        return "a draw without those who are missing"
    publish_draw(**stage_kwargs, absent=absent)
    return "the draw"


def _pair_round(context: StepContext, stage: Stage) -> str:
    stage_kwargs, draw = {**context.where, "stage_id": stage.pk}, load_draw(stage)
    pairing = next_round(stage, draw) if can_pair_round(stage, draw) else None
    if pairing is None or (is_swiss(stage) and context.rng.random() < 0.1):
        pairing = pair_next_round(**stage_kwargs, seed=_random_seed(context))
    if is_swiss(stage) and context.rng.random() < 0.3:
        pairing = arranging.swap_in_pairing(context, stage, pairing)
    stage_now = Stage.objects.select_related("division", "fed_by").get(pk=stage.pk)
    displayed_rounds = [pairing] if is_swiss(stage) else rounds_to_publish(stage_now, load_draw(stage_now))
    absent = absentees_to_draw(context, stage_now, seated_entry_ids(displayed_rounds))
    if absent is None:
        return "a pairing without those who are missing"
    publish_round(**stage_kwargs, seen=pairing.version, absent=absent)
    return f"round {pairing.number}"


def _random_seed(context: StepContext) -> int:
    return context.rng.randrange(10**6)
