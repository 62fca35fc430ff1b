"""Summary of both players' analysed decisions, for the public page of a match."""

from dataclasses import replace
from typing import Any

from games.models import RecordAnalysis
from games.services.checking import check_with_limits
from games.web.analysed import DisplayedAnalysis, rating_label, source_message, sum_rows
from games.web.viewing import build_record_view
from tournaments.matches.services.records import redacted_record
from tournaments.models import Match
from tournaments.selectors.events.formats import match_format
from tournaments.selectors.matches.analyses import analysis_of_match
from tournaments.selectors.matches.records import stored_file


def analysis_summary(match: Match, row: RecordAnalysis) -> dict[str, Any]:
    """Return the template context of ``games/_sums.html``: the analysis ``row`` and the sums of both sides.

    Empty if the record cannot be replayed, or if ``row`` is not the analysis of the match's current record.
    """
    match_analysis = analysis_of_match(match)
    if match_analysis is None or match_analysis.row is None or match_analysis.row.pk != row.pk:
        return {}
    stored_record, left = stored_file(match_analysis.record), match_analysis.record.left
    check_result = check_with_limits(
        bytes(stored_record.content), stored_record.filename, match_format(match.stage, match.length)
    )
    if check_result.record is None or check_result.verdict.replay is None:
        return {}
    record_view = build_record_view(
        replace(check_result, record=redacted_record(match, check_result.record, left))
    )
    if record_view is None:
        return {}
    return {
        "analysed": row,
        "sums": sum_rows(DisplayedAnalysis.of(row, check_result.verdict.replay, record_view)),
        "source_words": source_message(row),
        "rating_words": rating_label(row),
    }
