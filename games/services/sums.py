"""Convert the sums of an analysis to rows."""

from dataclasses import asdict

from games.models import AnalysedSide, RecordAnalysis
from games.records.summing import MatchSum, SideSum
from games.rules.sides import SIDES


def side_rows(row: RecordAnalysis, sums: MatchSum) -> list[AnalysedSide]:
    """Return a row for each side."""
    rows = []
    for side, side_sum in sums.sides.items():
        columns = asdict(side_sum)
        del columns["length"]  # the analysis has it
        columns["openings"] = [list(opening) for opening in side_sum.openings]
        rows.append(AnalysedSide(analysis=row, side=side.value, **columns))
    return rows


def empty_sums() -> MatchSum:
    """Return sums without data, for an unreadable record."""
    return MatchSum(dict.fromkeys(SIDES, SideSum()), None)
