"""Random repairs: results, lengths, draws and rounds published too early, play-offs, and undo."""

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


def correct_some_result(hall: StepContext) -> str:
    """Correct the result of a random match, with a random repair of those that are possible."""
    rows = Match.objects.filter(stage__division__event=hall.event, status=MatchStatus.CONFIRMED)
    found = list(rows.exclude(result_kind=ResultKind.BYE).select_related("stage").order_by("pk"))
    if not found:
        return "nothing to correct"
    match = hall.rng.choice(found)
    claim = winning_claim(match, hall.rng.choice(list(Side)), match.length - 1)
    if hall.rng.random() < 0.1:
        claim = Claim(match.start_a, match.start_b, ResultKind.DOUBLE_WALKOVER)
    seen = correction_preview(match, claim)
    repair = hall.rng.choice(list(seen.repairs))
    correct_result(
        **hall.where,
        match_id=match.pk,
        claim=claim,
        submission_key=hall.key(),
        seen=seen.version,
        repair=repair,
    )
    return f"correction of match {match.number} to {claim} ({repair})"


def change_length(hall: StepContext) -> str:
    """Change the length of one match, or of the matches of its round that have not begun."""
    match = hall.some_match(*PLAYABLE, MatchStatus.WAITING)
    if match is None:
        return "no match to lengthen"
    length = hall.rng.choice(MATCH_LENGTHS)
    if hall.rng.random() < 0.5:
        set_match_length(**hall.where, match_id=match.pk, length=length)
        return f"match {match.number} to {length} points"
    number = match.round.number
    set_round_length(**hall.where, stage_id=match.stage_id, number=number, length=length)
    return f"round {number} to {length} points"


def unpublish(hall: StepContext) -> str:
    """Unpublish a draw or the last round."""
    stage = hall.rng.choice(hall.stages)
    if is_round_based(stage):
        unpublish_round(**hall.where, stage_id=stage.pk)
        return "a round taken back"
    unpublish_draw(**hall.where, stage_id=stage.pk)
    return "a draw taken back"


def play_off_tie(hall: StepContext) -> str:
    """Start a play-off of two to four tied entries, or undo one that has not begun."""
    tied = [
        (stage.pk, group)
        for stage in hall.stages
        if is_round_based(stage) and stage.status == StageStatus.FINISHED
        for group in play_off_ties(load_draw(stage))
        if len(group) <= MAX_PLAY_OFF_ENTRIES
    ]
    if not tied:
        return "nobody tied"
    pk, group = hall.rng.choice(tied)
    start_play_off(**hall.where, stage_id=pk, entries=group)
    if hall.rng.random() < 0.3:
        cancel_play_off(**hall.where, stage_id=pk)
        return "a play-off taken back"
    for match in Match.objects.filter(stage=pk, status__in=PLAYABLE).order_by("pk"):
        hall.report_as_director(match, random_claim(hall.rng, match))
    return f"a play-off of {len(group)}"


def undo_last_repair(hall: StepContext) -> str:
    """Undo the last repair of a stage, unless something depends on it."""
    last = sorted(last_repairs(hall.event))
    if not last:
        return "nothing to undo"
    undo_repair(**hall.where, audit_id=last[-1])
    return "an undo"
