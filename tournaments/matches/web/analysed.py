"""What both players of an analysed match come to, for its page."""

from dataclasses import replace
from typing import Any

from games.models import RecordAnalysis
from games.services.checking import check_bounded
from games.web.analysed import Analysed, rating_words, source_words, sums
from games.web.viewing import viewing_of
from tournaments.matches.services.records import for_readers
from tournaments.models import Match
from tournaments.selectors.events.formats import match_format
from tournaments.selectors.matches.analyses import analysis_of_match
from tournaments.selectors.matches.records import file_of


def summary(match: Match, row: RecordAnalysis) -> dict[str, Any]:
    """The sums of both sides, for `games/_sums.html`; nothing where the record cannot be replayed any more, or another one counts by now."""
    found = analysis_of_match(match)
    if found is None or found.row is None or found.row.pk != row.pk:
        return {}
    stored, left = file_of(found.record), found.record.left
    checked = check_bounded(bytes(stored.content), stored.filename, match_format(match.stage, match.length))
    if checked.record is None or checked.verdict.replay is None:
        return {}
    viewing = viewing_of(replace(checked, record=for_readers(match, checked.record, left)))
    if viewing is None:
        return {}
    return {
        "analysed": row,
        "sums": sums(Analysed.of(row, checked.verdict.replay, viewing)),
        "source_words": source_words(row),
        "rating_words": rating_words(row),
    }
