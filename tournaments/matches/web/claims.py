"""Template context of a result that one side has reported, for the page of either side."""

from tournaments.selectors.matches.player import MyMatch, SideReport
from tournaments.shared.fragments.cards import Context
from tournaments.shared.words.names import result_kind_note
from tournaments.shared.words.sheets import sheet_context


def report_context(match: MyMatch, report: SideReport | None) -> Context | None:
    """Return the template context of a report, own points first; None without a report."""
    if report is None:
        return None
    own_points, opponent_points = match.points_own_first(report.claim)
    return {
        "version": report.version,
        "mine": own_points,
        "theirs": opponent_points,
        "won": report.winner is match.side,
        "note": result_kind_note(report.claim.kind),
        "record": report,
        "sheet": sheet_context(report.score_sheet, match.side),
    }
