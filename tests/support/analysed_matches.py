"""Matches whose games were handed in and analysed: the sums are whatever a test wants."""

from __future__ import annotations

from games.models import AnalysedSide, RecordAnalysis, StoredRecord
from games.records.summing import MatchSum, SideSum
from games.rules.sides import Side as GameSide
from games.services.sums import side_rows


def sums(decisions: int = 150, lost: float = 1.5, **more: object) -> SideSum:
    """Of one side; the rating is 500 × lost / decisions."""
    return SideSum(5, checker_counted=decisions, checker_lost=lost, **more)  # type: ignore[arg-type]


def analysed_as(
    stored: StoredRecord, white: SideSum, black: SideSum, *, swing: float | None = 2.0, **more: object
) -> RecordAnalysis:
    """A finished analysis that came to these sums."""
    about = {"engine": "gnubg", "version": "9.9", "level": "2-ply", "rates": True, "length": 5, **more}
    row = RecordAnalysis.objects.create(record=stored, state=RecordAnalysis.State.DONE, swing=swing, **about)
    found = MatchSum({GameSide.WHITE: white, GameSide.BLACK: black}, swing)
    AnalysedSide.objects.bulk_create(side_rows(row, found))
    return row
