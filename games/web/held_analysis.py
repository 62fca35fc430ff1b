"""The analysis in a file that is viewed without being stored: check, import, held file."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from games.records.analysis import Analysis, Decision
from games.records.checking import CheckResult
from games.services.analyses import MAX_STORED_PLAYS, XG_FORMAT
from games.web.analysed import DisplayedAnalysis
from games.web.analysed_page import displayed_analysis_context
from games.web.viewing import RecordView

RATING_ENGINE: Final = "GNU Backgammon"
RATING_PLIES: Final = 2  # less is off by a class of players (docs/decisions/0086)
_PLIES: Final = re.compile(r"(\d+)-ply")


@dataclass(frozen=True, slots=True)
class FileAnalysis:
    """The engine that the file names.

    ``rates``: accurate enough for a performance rating; ``of_file``: the rating is the file's own, not an
    estimate.
    """

    engine: str
    level: str
    of_file: bool
    rates: bool
    version: str = ""

    @classmethod
    def of(cls, analysis: Analysis, *, is_xg: bool) -> "FileAnalysis":
        """Return whose analysis the file has, and whether it gives a performance rating.

        A rating is eXtreme Gammon's own, or estimated from GNU Backgammon's analysis at 2-ply or deeper; the
        accuracy of other engines is not known.
        """
        levels = Counter(row.level for row in analysis.decisions if row.level)
        level = levels.most_common(1)[0][0] if levels else ""
        is_estimated = analysis.engine.startswith(RATING_ENGINE) and _is_deep(level)
        return cls(analysis.engine, level, of_file=not is_estimated, rates=is_xg or is_estimated)


def _is_deep(level: str) -> bool:
    match = _PLIES.match(level)
    return match is not None and int(match[1]) >= RATING_PLIES


def file_analysis_context(
    check_result: CheckResult,
    record_view: RecordView | None,
    context: Mapping[str, Any],
    query: Mapping[str, str],
) -> dict[str, Any]:
    """Return what the file's analysis adds to the ``context`` of the viewer; empty if no decision fits."""
    replay = check_result.verdict.replay
    if record_view is None or replay is None:
        return {}
    turns = [len(game.states) for game in replay.games]
    valid_decisions = tuple(
        _shorten_plays(row)
        for row in check_result.analysis.decisions
        if 1 <= row.game <= len(turns) and 1 <= row.turn <= turns[row.game - 1]
    )
    if not any(row.lost is not None for row in valid_decisions):
        return {}
    analysis = Analysis(check_result.analysis.engine, valid_decisions)
    is_xg = (
        check_result.record is not None and check_result.record.format == XG_FORMAT
    )  # anybody can name an engine in a text
    file_analysis = FileAnalysis.of(analysis, is_xg=is_xg)
    return displayed_analysis_context(
        DisplayedAnalysis(file_analysis, analysis, replay, record_view), context, query
    )


def _shorten_plays(row: Decision) -> Decision:
    """Return the decision with as many plays as are stored for other analyses, including the actual one."""
    if row.played is None or row.played < MAX_STORED_PLAYS:
        return replace(row, plays=row.plays[:MAX_STORED_PLAYS])
    return replace(
        row, plays=(*row.plays[: MAX_STORED_PLAYS - 1], row.plays[row.played]), played=MAX_STORED_PLAYS - 1
    )
