"""Conversion of the totals of an analysis to rows."""

from dataclasses import asdict

from games.models import AnalysedSide, RecordAnalysis
from games.records.summing import MatchSum, SideSum
from games.rules.sides import SIDES


def side_rows(row: RecordAnalysis, sums: MatchSum) -> list[AnalysedSide]:
    """Return an unsaved row with the totals of each side."""
    rows = []
    for side, side_sum in sums.sides.items():
        columns = asdict(side_sum)
        del columns["length"]  # the analysis has it
        columns["openings"] = [list(opening) for opening in side_sum.openings]
        rows.append(AnalysedSide(analysis=row, side=side.value, **columns))
    return rows


def empty_sums() -> MatchSum:
    """Return totals without data, for an analysis whose record can no longer be read."""
    return MatchSum(dict.fromkeys(SIDES, SideSum()), None)
