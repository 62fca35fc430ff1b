"""Reports of a match and the decision that follows from them: confirm, wait or dispute.

Defines which scores are valid (rules F1, F10, F12), which reported results agree, and whose report decides.
Sign-in, storage and game records are elsewhere. The service passes all reports of a match that still count
and executes the decision, which names the status action.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from faults import Fault
from tournaments.engine.errors import BadInput
from tournaments.engine.matches.result_kinds import RESULT_RULES, ScoreRule, WhoMayReport, WinnerRule
from tournaments.engine.statuses import MatchAction
from tournaments.engine.types import Claim, Outcome, ResultKind, Score, Side

NO_START: Final = Score(0, 0)


class ScoreCode(StrEnum):
    NEGATIVE = "score.negative"
    BELOW_START = "score.below_start"
    BOTH_AT_LENGTH = "score.both_at_length"
    LOSER_AT_LENGTH = "score.loser_at_length"
    WINNER_NOT_AT_LENGTH = "score.winner_not_at_length"
    NONE_AT_LENGTH = "score.none_at_length"
    MUST_BE_BELOW_LENGTH = "score.must_be_below_length"
    MUST_STAY_AT_START = "score.must_stay_at_start"
    WINNER_MISSING = "score.winner_missing"
    WINNER_CONTRADICTS = "score.winner_contradicts"
    WINNER_NOT_ALLOWED = "score.winner_not_allowed"
    NOT_CLAIMABLE = "kind.not_claimable"


def claim_winner(length: int, claim: Claim) -> Side | None:
    """Return the winning side of a reported result, or None.

    It is the side that the report names, else the only side with at least `length` points.
    """
    if RESULT_RULES[claim.kind].winner is WinnerRule.NONE:
        return None
    if claim.winner is not None:
        return claim.winner
    reached = [side for side in Side if claim.score.of(side) >= length]
    return reached[0] if len(reached) == 1 else None


def claim_outcome(length: int, claim: Claim) -> Outcome:
    return Outcome(claim_winner(length, claim), claim.kind)


def check_score(length: int, claim: Claim, *, start: Score = NO_START) -> tuple[Fault, ...]:
    """Return all errors of a reported result; empty if it is valid.

    `start`: minimum score of both sides: starting points and penalties (rules F10, F15), or the score of an
    adjournment.

    >>> [str(fault.code) for fault in check_score(5, Claim(5, 5))]
    ['score.both_at_length']
    """
    rule = RESULT_RULES[claim.kind]
    if rule.claimant is WhoMayReport.NOBODY:
        return (Fault(ScoreCode.NOT_CLAIMABLE, "kind", {"kind": claim.kind.value}),)
    faults = [_below_start_fault(claim, start, side) for side in Side]
    faults += _winner_faults(length, claim, rule.winner)
    faults += _score_rule_faults(length, claim, rule.score_rule, start)
    return tuple(fault for fault in faults if fault is not None)


def _score_field(side: Side) -> str:
    return f"score_{side}"


def _below_start_fault(claim: Claim, start: Score, side: Side) -> Fault | None:
    points = claim.score.of(side)
    if points < 0:
        return Fault(ScoreCode.NEGATIVE, _score_field(side), {"points": points})
    if points < start.of(side):
        return Fault(ScoreCode.BELOW_START, _score_field(side), {"points": points, "start": start.of(side)})
    return None


def _winner_faults(length: int, claim: Claim, winner_rule: WinnerRule) -> list[Fault]:
    if winner_rule is WinnerRule.NONE:
        return [] if claim.winner is None else [Fault(ScoreCode.WINNER_NOT_ALLOWED, "winner")]
    shape = RESULT_RULES[claim.kind].score_rule
    if shape is ScoreRule.TO_LENGTH:  # the score decides the winner; a named one must agree
        score_winner = claim_winner(length, replace(claim, winner=None))
        contradicts = (
            claim.winner is not None and score_winner is not None and claim.winner is not score_winner
        )
        return [Fault(ScoreCode.WINNER_CONTRADICTS, "winner")] if contradicts else []
    if claim.winner is None and (shape is ScoreRule.JUDGED or claim_winner(length, claim) is None):
        return [Fault(ScoreCode.WINNER_MISSING, "winner")]
    return []


def _score_rule_faults(length: int, claim: Claim, shape: ScoreRule, start: Score) -> list[Fault]:
    a, b = claim.score_a, claim.score_b
    length_params: dict[str, object] = {"length": length}
    reached = [side for side in Side if claim.score.of(side) >= length]
    if shape in (ScoreRule.STANDING, ScoreRule.START):
        faults = [
            Fault(ScoreCode.MUST_BE_BELOW_LENGTH, _score_field(side), length_params) for side in reached
        ]
        if shape is ScoreRule.START and not reached:
            faults += [
                _moved_score_fault(side, start) for side in Side if claim.score.of(side) > start.of(side)
            ]
        return faults
    if len(reached) == len(Side):  # both sides cannot have won
        if a == b == length or shape is ScoreRule.JUDGED:
            return [Fault(ScoreCode.BOTH_AT_LENGTH, None, length_params)]
        loser = claim.winner.other if claim.winner else (Side.A if a < b else Side.B)
        faults = [Fault(ScoreCode.LOSER_AT_LENGTH, _score_field(loser), length_params)]
        winner_points = claim.score.of(loser.other)
        if winner_points != length:
            faults.append(
                Fault(
                    ScoreCode.WINNER_NOT_AT_LENGTH,
                    _score_field(loser.other),
                    {**length_params, "points": winner_points},
                )
            )
        return faults
    if not reached:
        if shape is ScoreRule.TO_LENGTH:
            return [Fault(ScoreCode.NONE_AT_LENGTH, None, length_params)]
        return _moved_loser_faults(length, claim, shape, start)
    leader = reached[0]
    faults = []
    if claim.score.of(leader) > length:
        params = {**length_params, "points": claim.score.of(leader)}
        faults.append(Fault(ScoreCode.WINNER_NOT_AT_LENGTH, _score_field(leader), params))
    if claim.winner is leader.other and shape in (ScoreRule.BROKEN_OFF, ScoreRule.NOT_PLAYED):
        return [*faults, Fault(ScoreCode.LOSER_AT_LENGTH, _score_field(leader), length_params)]
    return faults + _moved_loser_faults(length, claim, shape, start)


def _moved_loser_faults(length: int, claim: Claim, shape: ScoreRule, start: Score) -> list[Fault]:
    """Return the error of a loser with more than its starting score although the match was not played.

    Penalty points go to the winner (rule F15).
    """
    winner = claim_winner(length, claim)
    if shape is not ScoreRule.NOT_PLAYED or winner is None:
        return []
    loser = winner.other
    return [_moved_score_fault(loser, start)] if claim.score.of(loser) > start.of(loser) else []


def _moved_score_fault(side: Side, start: Score) -> Fault:
    return Fault(ScoreCode.MUST_STAY_AT_START, _score_field(side), {"start": start.of(side)})


class Reporter(StrEnum):
    """Who reports: one of the two sides (any holder of a team's link), or a director."""

    DIRECTOR = "director"
    SIDE_A = "a"
    SIDE_B = "b"

    @classmethod
    def for_side(cls, side: Side) -> Reporter:
        return cls.SIDE_A if side is Side.A else cls.SIDE_B

    @property
    def opponent(self) -> Reporter:
        """Who has to confirm a report of this reporter: the other side; for a director the director."""
        return {Reporter.SIDE_A: Reporter.SIDE_B, Reporter.SIDE_B: Reporter.SIDE_A}.get(self, self)


class ReportPolicy(StrEnum):
    """What makes a reported result final, as the director sets it for each stage."""

    OPPONENT_CONFIRMS = "opponent_confirms"
    SINGLE_REPORT_SETTLES = "single_report_settles"
    DIRECTOR_ONLY = "director_only"


def can_report(kind: ResultKind, reporter: Reporter) -> bool:
    """Return whether ``reporter`` may report a result of this kind (rule F12).

    Players may report what happened in play, directors also rulings.
    """
    claimant = RESULT_RULES[kind].claimant
    return claimant is WhoMayReport.PLAYERS or (
        claimant is WhoMayReport.DIRECTOR and reporter is Reporter.DIRECTOR
    )


@dataclass(frozen=True, slots=True)
class LiveReport:
    """One report of a match that has not been set aside.

    Versions number all reports of the match, in the order in which they were received.
    """

    version: int
    by: Reporter
    claim: Claim
    clean_record: bool = False  # submitted with a game record that replays without findings to this score
    record_differs: bool = False  # submitted with a valid game record that ends with another score
    record_doubtful: bool = False  # submitted with a game record whose plays do not fit each other


class ConfirmReason(StrEnum):
    BY_DIRECTOR = "director_said"
    BOTH_AGREE = "both_agree"
    SINGLE_REPORT = "single_report"
    CLEAN_RECORD = "clean_record"


class WaitReason(StrEnum):
    OPPONENT_TO_CONFIRM = "opponent_to_confirm"
    DIRECTOR_TO_CONFIRM = "director_to_confirm"


class DisputeReason(StrEnum):
    CLAIMS_DIFFER = "claims_differ"
    RECORD_DIFFERS = "record_differs"


@dataclass(frozen=True, slots=True)
class ConfirmDecision:
    """The decision to confirm a result.

    `claim`: the result with its winner; `versions`: the reports that agree with it; the last one is to be
    marked as confirmed.
    """

    claim: Claim
    outcome: Outcome
    reason: ConfirmReason
    versions: tuple[int, ...]
    action: MatchAction = MatchAction.CONFIRM


@dataclass(frozen=True, slots=True)
class WaitDecision:
    """The decision that the match is reported and waits until `on` has reported or confirmed too."""

    reason: WaitReason
    on: Reporter
    action: MatchAction = MatchAction.REPORT


@dataclass(frozen=True, slots=True)
class DisputeDecision:
    """The decision that the reports of a match conflict.

    All reports remain visible until one side gives way or the director decides. `claim_a`, `claim_b`: what
    each side reported. A side without a report has None: then the opponent's game record contradicts the
    opponent's own report.
    """

    claim_a: Claim | None
    claim_b: Claim | None
    reason: DisputeReason = DisputeReason.CLAIMS_DIFFER
    action: MatchAction = MatchAction.DISPUTE


Decision = ConfirmDecision | WaitDecision | DisputeDecision


def decide_reports(
    reports: Iterable[LiveReport], policy: ReportPolicy, *, length: int, clean_record_settles: bool = False
) -> Decision:
    """Return the decision that follows from all reports that still count; their order does not matter.

    The latest report of each reporter counts, and a director's overrides all others. `clean_record_settles`:
    the stage's setting that a game record without problems needs no confirmation; it never overrules a
    contradiction. A doubtful record settles nothing; where a single report would settle the match, the other
    side has to confirm. Raises ``BadInput`` if there are no reports.
    """
    latest: dict[Reporter, LiveReport] = {}
    for report in sorted(reports, key=lambda r: r.version):
        latest[report.by] = report
    if not latest:
        raise BadInput("report.none")
    if Reporter.DIRECTOR in latest:
        return _confirm(length, ConfirmReason.BY_DIRECTOR, latest[Reporter.DIRECTOR])
    reported = sorted(latest.values(), key=lambda r: r.version)
    if any(report.record_differs for report in reported):
        claims = [
            latest[side].claim if side in latest else None for side in (Reporter.SIDE_A, Reporter.SIDE_B)
        ]
        return DisputeDecision(claims[0], claims[1], DisputeReason.RECORD_DIFFERS)
    if len(reported) == len(Side):
        if _with_winner(length, reported[0].claim) != _with_winner(length, reported[1].claim):
            return DisputeDecision(latest[Reporter.SIDE_A].claim, latest[Reporter.SIDE_B].claim)
        if policy is ReportPolicy.DIRECTOR_ONLY:
            return WaitDecision(WaitReason.DIRECTOR_TO_CONFIRM, Reporter.DIRECTOR)
        return _confirm(length, ConfirmReason.BOTH_AGREE, *reported)
    single_report = reported[0]
    if policy is ReportPolicy.DIRECTOR_ONLY:
        return WaitDecision(WaitReason.DIRECTOR_TO_CONFIRM, Reporter.DIRECTOR)
    if policy is ReportPolicy.SINGLE_REPORT_SETTLES and not single_report.record_doubtful:
        return _confirm(length, ConfirmReason.SINGLE_REPORT, single_report)
    if clean_record_settles and single_report.clean_record and not single_report.record_doubtful:
        return _confirm(length, ConfirmReason.CLEAN_RECORD, single_report)
    return WaitDecision(WaitReason.OPPONENT_TO_CONFIRM, single_report.by.opponent)


def _with_winner(length: int, claim: Claim) -> Claim:
    """Return the reported result with its winner filled in, so that reports can be compared."""
    return replace(claim, winner=claim_winner(length, claim))


def _confirm(length: int, reason: ConfirmReason, *reports: LiveReport) -> ConfirmDecision:
    claim = _with_winner(length, reports[-1].claim)
    return ConfirmDecision(claim, claim_outcome(length, claim), reason, tuple(r.version for r in reports))
