"""Random repairs: results, lengths, draws and rounds that are unpublished, play-offs, and undo."""

from tournaments.checks.simulation.hall import StepContext
from tournaments.checks.simulation.kinds import MATCH_LENGTHS
from tournaments.checks.simulation.rulings import random_claim, winning_claim
from tournaments.draws.services.draws import unpublish_draw
from tournaments.engine.statuses import PLAYABLE, MatchStatus, StageStatus
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.models import Match
from tournaments.repairs.services.correct import correct_result
from tournaments.repairs.services.length import set_match_length, set_round_length
from tournaments.repairs.services.undo import undo_repair
from tournaments.rounds.services.play_offs import cancel_play_off, start_play_off
from tournaments.rounds.services.rounds import unpublish_round
from tournaments.selectors.draws import load_draw
from tournaments.selectors.repairs.corrections import correction_preview
from tournaments.selectors.repairs.undo import last_repairs
from tournaments.selectors.rounds.play_offs import MAX_PLAY_OFF_ENTRIES
from tournaments.selectors.standings.tables import is_round_based, play_off_ties


def correct_some_result(context: StepContext) -> str:
    """Correct the result of a random match, with a random repair of those that are possible."""
    rows = Match.objects.filter(stage__division__event=context.event, status=MatchStatus.CONFIRMED)
    matches = list(rows.exclude(result_kind=ResultKind.BYE).select_related("stage").order_by("pk"))
    if not matches:
        return "nothing to correct"
    match = context.rng.choice(matches)
    claim = winning_claim(match, context.rng.choice(list(Side)), match.length - 1)
    if context.rng.random() < 0.1:
        claim = Claim(match.start_a, match.start_b, ResultKind.DOUBLE_WALKOVER)
    preview = correction_preview(match, claim)
    repair = context.rng.choice(list(preview.repairs))
    correct_result(
        **context.where,
        match_id=match.pk,
        claim=claim,
        submission_key=context.key(),
        seen=preview.version,
        repair=repair,
    )
    return f"correction of match {match.number} to {claim} ({repair})"


def change_length(context: StepContext) -> str:
    """Change the length of one match, or of the matches of its round that have not begun."""
    match = context.some_match(*PLAYABLE, MatchStatus.WAITING)
    if match is None:
        return "no match to lengthen"
    length = context.rng.choice(MATCH_LENGTHS)
    if context.rng.random() < 0.5:
        set_match_length(**context.where, match_id=match.pk, length=length)
        return f"match {match.number} to {length} points"
    number = match.round.number
    set_round_length(**context.where, stage_id=match.stage_id, number=number, length=length)
    return f"round {number} to {length} points"


def unpublish(context: StepContext) -> str:
    """Unpublish a draw or the last round."""
    stage = context.rng.choice(context.stages)
    if is_round_based(stage):
        unpublish_round(**context.where, stage_id=stage.pk)
        return "a round taken back"
    unpublish_draw(**context.where, stage_id=stage.pk)
    return "a draw taken back"


def play_off_tie(context: StepContext) -> str:
    """Start a play-off of two to four tied entries, or undo one that has not begun."""
    ties = [
        (stage.pk, group)
        for stage in context.stages
        if is_round_based(stage) and stage.status == StageStatus.FINISHED
        for group in play_off_ties(load_draw(stage))
        if len(group) <= MAX_PLAY_OFF_ENTRIES
    ]
    if not ties:
        return "nobody tied"
    pk, group = context.rng.choice(ties)
    start_play_off(**context.where, stage_id=pk, entries=group)
    if context.rng.random() < 0.3:
        cancel_play_off(**context.where, stage_id=pk)
        return "a play-off taken back"
    for match in Match.objects.filter(stage=pk, status__in=PLAYABLE).order_by("pk"):
        context.report_as_director(match, random_claim(context.rng, match))
    return f"a play-off of {len(group)}"


def undo_last_repair(context: StepContext) -> str:
    """Undo the last repair of a stage, unless something depends on it."""
    repair_ids = sorted(last_repairs(context.event))
    if not repair_ids:
        return "nothing to undo"
    undo_repair(**context.where, audit_id=repair_ids[-1])
    return "an undo"
