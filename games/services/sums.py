"""Convert the sums of an analysis to rows."""

from dataclasses import asdict

from games.models import AnalysedSide, RecordAnalysis
from games.records.summing import MatchSum, SideSum
from games.rules.sides import SIDES


def side_rows(row: RecordAnalysis, sums: MatchSum) -> list[AnalysedSide]:
    """Return a row for each side."""
    found = []
    for side, own in sums.sides.items():
        columns = asdict(own)
        del columns["length"]  # the analysis has it
        columns["openings"] = [list(one) for one in own.openings]
        found.append(AnalysedSide(analysis=row, side=side.value, **columns))
    return found


def empty_sums() -> MatchSum:
    """Return sums without data, for an unreadable record."""
    return MatchSum(dict.fromkeys(SIDES, SideSum()), None)
