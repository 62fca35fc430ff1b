"""Preview of an entry's withdrawal from drawn stages: walkovers, cancelled results, places."""

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.engine.brackets.correction import absence_result, award_walkovers
from tournaments.engine.matches.reporting import claim_outcome
from tournaments.engine.matches.result_kinds import RESULT_RULES
from tournaments.engine.standings.leaving import WithdrawnResults, default_withdrawn_results
from tournaments.engine.statuses import DRAW_HIDDEN, DRAW_PUBLIC, OVER, MatchStatus, StageStatus
from tournaments.engine.types import Claim, EntryId, MatchNo, ResultKind, Score
from tournaments.models import Entry, Stage
from tournaments.selectors.arranged import prefetch_stage_entries
from tournaments.selectors.draws import Draw, DrawnMatch, load_draws
from tournaments.selectors.repairs.corrections import (
    Cascade,
    cascade_from_consequence,
    cascade_version,
    preview_version,
    table_cascade,
)
from tournaments.selectors.rounds.next import planned_rounds
from tournaments.selectors.standings.feeds import withdrawn_entry_ids
from tournaments.selectors.standings.sources import feeds_of
from tournaments.selectors.standings.tables import is_round_based, is_swiss


@dataclass(frozen=True, slots=True)
class StageWithdrawal:
    """What a withdrawal changes in one stage.

    ``now``: the entry's match to be played or in progress, or None; ``claims``: results given, by match
    number; ``struck_match_numbers``: numbers of matches that no longer count; ``cascade``: everything that
    changes.
    """

    draw: Draw
    now: DrawnMatch | None
    claims: Mapping[MatchNo, Claim]
    struck_match_numbers: tuple[MatchNo, ...]
    cascade: Cascade


@dataclass(frozen=True, slots=True)
class WithdrawalPreview:
    """What the withdrawal of ``entry`` changes in each stage under way.

    ``default_rule``: the default rule for its results in a round robin, None without a round robin;
    ``version``: a hash of what is shown.
    """

    entry: Entry
    stages: tuple[StageWithdrawal, ...]
    default_rule: WithdrawnResults | None
    version: str

    @property
    def now(self) -> tuple[StageWithdrawal, ...]:
        """The stages in which a match of the entry can be played now or is in progress."""
        return tuple(stage for stage in self.stages if stage.now is not None)


def section_after_walkover(stage: StageWithdrawal, entry: Entry) -> str | None:
    """Return the section in which the entry continues after losing its current match by a walkover.

    An empty string if it is out; None if losers of that match never continue, or in a round-based stage.
    """
    current_match = stage.now
    if current_match is None or is_round_based(stage.draw.stage):
        return None
    bracket, own_side = stage.draw.bracket(), current_match.side_of(entry.pk)
    target = bracket.match(current_match.number).loser_to
    if target is None or own_side is None:
        return None
    if target.rule and not target.rule.admits(ResultKind.WALKOVER, own_side.side, has_won=own_side.has_won):
        return ""
    return next(round_.section for round_ in bracket.rounds if target.match in round_.matches)


def running_stages_of(entry: Entry) -> list[Stage]:
    """Return the published, unfinished stages of the entry's division, without money play."""
    return list(
        Stage.objects.filter(division_id=entry.division_id, status__in=DRAW_PUBLIC)
        .exclude(status=StageStatus.FINISHED)
        .exclude(system=Stage.System.MONEY)
        .select_related("division__event")
    )


def has_stages_left(entry: Entry) -> bool:
    """Return whether the entry's division has a stage under way, or one to be drawn from a finished stage."""
    if running_stages_of(entry):
        return True
    undrawn_stages = Stage.objects.filter(
        division_id=entry.division_id, status__in=DRAW_HIDDEN, fed_by__isnull=False
    ).select_related("fed_by")
    return any(
        source_stage.status == StageStatus.FINISHED
        for stage in undrawn_stages
        for source_stage, _source in feeds_of(stage)
    )


def withdrawal_preview(
    entry: Entry, *, claims: Mapping[int, Claim] | None = None, results_rule: WithdrawnResults | None = None
) -> WithdrawalPreview:
    """Preview what changes in the division if ``entry`` withdraws.

    ``claims``: how its current match ended, by stage id, if not by walkover; ``results_rule``: the rule for
    its results in a round robin, None for the default.
    """
    draws = load_draws(running_stages_of(entry))
    prefetch_stage_entries(draw.stage for draw in draws.values())
    stages = [
        _without_entry(draw, EntryId(entry.pk), (claims or {}).get(draw.stage.pk), results_rule)
        for draw in draws.values()
    ]
    shares = [
        _played_share(draw, EntryId(entry.pk)) for draw in draws.values() if _is_round_robin(draw.stage)
    ]
    default_rule = (
        default_withdrawn_results(sum(played for played, _all in shares), sum(total for _p, total in shares))
        if shares
        else None
    )
    parts = [entry.status, *(repr(stage.claims) + repr(stage.struck_match_numbers) for stage in stages)]
    matches = repr(
        [(m.number, m.version) for stage in stages for m in stage.draw.matches if m.side_of(entry.pk)]
    )
    versions = [cascade_version(stage.cascade) for stage in stages]
    return WithdrawalPreview(entry, tuple(stages), default_rule, preview_version(*parts, matches, *versions))


def _is_round_robin(stage: Stage) -> bool:
    return is_round_based(stage) and not is_swiss(stage)


def _played_share(draw: Draw, entry: EntryId) -> tuple[int, int]:
    """Return how many matches of a round robin the entry has played, and how many it has in all."""
    played_count = sum(
        match.status is MatchStatus.CONFIRMED and RESULT_RULES[ResultKind(match.result_kind)].played
        for match in draw.matches
        if match.side_of(entry)
    )
    return played_count, max(played_count, planned_rounds(draw.stage, 0))


def _without_entry(
    draw: Draw, entry: EntryId, claim: Claim | None, leaving: WithdrawnResults | None
) -> StageWithdrawal:
    own_matches = [match for match in draw.matches if match.side_of(entry) is not None]
    current_match = next(
        (match for match in own_matches if match.status not in {*OVER, MatchStatus.WAITING}),
        None,
    )
    claim_by_match = {current_match.number: claim} if current_match is not None and claim is not None else {}
    if not is_round_based(draw.stage):
        return _without_in_bracket(draw, entry, current_match, claim_by_match)
    is_struck = leaving is WithdrawnResults.STRIKE and _is_round_robin(draw.stage)
    withdrawn_ids = withdrawn_entry_ids(draw.stage) | {entry}
    claims = dict(claim_by_match)
    for match in own_matches:
        if match.status not in OVER and match.number not in claims and not is_struck:
            absent_sides = [side.side for side in match.sides if side.entry_id in withdrawn_ids]
            claims[match.number] = absence_result(match.length, Score(*match.start), absent_sides)
    struck_numbers = tuple(
        match.number for match in own_matches if is_struck and match.status is not MatchStatus.VOID
    )
    changed_matches = {
        match.number: _with_claim(match, claims[match.number])
        if match.number in claims
        else match._replace(status=MatchStatus.VOID)
        for match in own_matches
        if match.number in claims or match.number in struck_numbers
    }
    return StageWithdrawal(draw, current_match, claims, struck_numbers, table_cascade(draw, changed_matches))


def _without_in_bracket(
    draw: Draw, entry: EntryId, current_match: DrawnMatch | None, claims: Mapping[MatchNo, Claim]
) -> StageWithdrawal:
    outcomes = {
        number: claim_outcome(current_match.length, claim)
        for number, claim in claims.items()
        if current_match is not None
    }
    withdrawn_ids = withdrawn_entry_ids(draw.stage) | {entry}
    consequence = award_walkovers(
        draw.bracket(), {**draw.outcomes(), **outcomes}, withdrawn_ids, draw.entries_placed_by_hand()
    )
    return StageWithdrawal(draw, current_match, dict(claims), (), cascade_from_consequence(draw, consequence))


def _with_claim(match: DrawnMatch, claim: Claim) -> DrawnMatch:
    outcome = claim_outcome(match.length, claim)
    return match._replace(
        status=MatchStatus.CONFIRMED,
        winner=outcome.winner,
        result_kind=outcome.kind,
        scores=(claim.score_a, claim.score_b),
    )
