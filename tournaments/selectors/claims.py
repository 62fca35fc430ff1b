"""Stored reports as the engine's values."""

from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.models import Report


def claim_of(report: Report) -> Claim:
    """A stored report as the engine's value."""
    winner = Side(report.winner_side) if report.winner_side else None
    return Claim(report.score_a, report.score_b, ResultKind(report.kind), winner)
