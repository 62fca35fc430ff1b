"""Summary of an analysed match for both players, for its page."""

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
    """Return the sums of both sides, for `games/_sums.html`.

    Empty if the record cannot be replayed or is no longer the one that counts.
    """
    found = analysis_of_match(match)
    if found is None or found.row is None or found.row.pk != row.pk:
        return {}
    stored, left = stored_file(found.record), found.record.left
    checked = check_with_limits(
        bytes(stored.content), stored.filename, match_format(match.stage, match.length)
    )
    if checked.record is None or checked.verdict.replay is None:
        return {}
    viewing = build_record_view(replace(checked, record=redacted_record(match, checked.record, left)))
    if viewing is None:
        return {}
    return {
        "analysed": row,
        "sums": sum_rows(DisplayedAnalysis.of(row, checked.verdict.replay, viewing)),
        "source_words": source_message(row),
        "rating_words": rating_label(row),
    }
