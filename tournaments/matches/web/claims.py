"""What a side says about a match, as a shape for the pages of both."""

from tournaments.selectors.matches.player import MyMatch, SideReport
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.words.names import kind_note
from tournaments.shared.words.sheets import sheet_shape


def claim_shape(match: MyMatch, report: SideReport | None) -> Shape | None:
    """For the page of one of the two, own points first; None where nothing is said."""
    if report is None:
        return None
    mine, theirs = match.own_first(report.claim)
    return {
        "version": report.version,
        "mine": mine,
        "theirs": theirs,
        "won": report.winner is match.side,
        "note": kind_note(report.claim.kind),
        "record": report,
        "sheet": sheet_shape(report.sheet, match.side),
    }
