"""Conversion of stored reports to the engine's claims, and the minimum score of a claim."""

from tournaments.engine.matches.adjourning import Adjournment, minimum_score
from tournaments.engine.statuses import (
    MatchStatus,
    may_report,
)
from tournaments.engine.types import Claim, ResultKind, Score, Side
from tournaments.models import Match, Report


def claim_from_report(report: Report) -> Claim:
    """Convert a stored report to the engine's value (``Claim``: score, result kind and winner)."""
    winner = Side(report.winner_side) if report.winner_side else None
    return Claim(report.score_a, report.score_b, ResultKind(report.kind), winner)


def minimum_match_score(match: Match) -> Score:
    """Return the score that a result cannot go below: starting points and penalties, and an adjourned score.

    Rules F10 and F15. Once the match has a result, the adjourned score does not count: it may be the mistake
    that is corrected.
    """
    adjourned = Adjournment.of(match.adjourned) if may_report(MatchStatus(match.status)) else None
    return minimum_score(Score(match.start_a, match.start_b), adjourned)
