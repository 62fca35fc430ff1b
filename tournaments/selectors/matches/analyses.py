"""What an engine thinks of the games of a match, and who may see it.

Its two players see it by their own page. Everybody does where both have agreed to it, or where the event asks everybody who enters to
agree (`Event.requires`, so everybody knew before); a no of one player counts most, and the games themselves have to be public as well.
"""

from dataclasses import dataclass

from games.models import RecordAnalysis
from games.selectors import best_analysis
from tournaments.engine.consents import Consent, Reply
from tournaments.engine.statuses import MatchStatus
from tournaments.models import Match, Report
from tournaments.selectors.consents import at_match, for_all
from tournaments.selectors.matches.records import HandedIn, is_public, records_of


@dataclass(frozen=True, slots=True)
class MatchAnalysis:
    """The record of a match that counts, and its analysis as far as there is one."""

    record: HandedIn
    row: RecordAnalysis | None

    @property
    def done(self) -> bool:
        return self.row is not None and self.row.state == RecordAnalysis.State.DONE


def analysis_of_match(match: Match) -> MatchAnalysis | None:
    """Of the record that counts; None where the match is not confirmed or nothing was handed in that fits the result."""
    if match.status != MatchStatus.CONFIRMED:
        return None
    row = next((row for row in records_of(match, directs=True) if not row.differs), None)
    return MatchAnalysis(row, best_analysis(row.record_id)) if row is not None else None


def records_to_analyse(most: int) -> list[int]:
    """Records of confirmed matches that nobody has had analysed, the newest first."""
    rows = Report.objects.filter(
        match__status=MatchStatus.CONFIRMED, record_differs=False, record__isnull=False, record__analyses=None
    )
    return list(rows.order_by("-record").values_list("record_id", flat=True).distinct()[:most])


def public_analysis(match: Match) -> RecordAnalysis | None:
    """The finished analysis that everybody may see."""
    found = analysis_of_match(match)
    if found is None or not found.done:
        return None
    replies = for_all(at_match(match))
    agreed = replies[Consent.ANALYSIS] is Reply.YES and is_public(found.record.shown, replies[Consent.RECORD])
    return found.row if agreed else None
