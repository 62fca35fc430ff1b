"""The sums of an analysis as rows."""

from dataclasses import asdict

from games.models import AnalysedSide, RecordAnalysis
from games.records.summing import MatchSum, SideSum
from games.rules.sides import SIDES


def side_rows(row: RecordAnalysis, sums: MatchSum) -> list[AnalysedSide]:
    """A row for each side."""
    found = []
    for side, own in sums.sides.items():
        columns = asdict(own)
        del columns["length"]  # the analysis has it
        columns["openings"] = [list(one) for one in own.openings]
        found.append(AnalysedSide(analysis=row, side=side.value, **columns))
    return found


def empty_sums() -> MatchSum:
    """Of a record about which nothing can be said any more."""
    return MatchSum(dict.fromkeys(SIDES, SideSum()), None)
