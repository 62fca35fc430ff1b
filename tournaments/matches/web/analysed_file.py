"""An analysis as a file for other programs: the games with what an engine makes of each decision, as SGF."""

from dataclasses import replace
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from faults import Missing
from games.analysis.port import EngineError
from games.models import RecordAnalysis
from games.records.analysis import Analysis
from games.records.canonical import canonical
from games.records.registry import FORMATS, write_record
from games.selectors import decisions_of
from games.services.analyses import Read, read
from games.web.analysed import engine_words
from tournaments.matches.services.records import for_readers, shows_names
from tournaments.selectors.access.links import entry_of_token
from tournaments.selectors.matches.analyses import analysis_of_match
from tournaments.selectors.matches.player import my_match
from tournaments.selectors.matches.records import file_of
from tournaments.shared.frames.player import secret_view

FORMAT: Final = "sgf"  # the one that we write which holds what engines say of plays and cubes


@secret_view
@require_safe
def analysed_file(request: HttpRequest, token: str, match: str) -> HttpResponse:  # noqa: ARG001
    """For the two players of a match whose analysis is done."""
    mine = my_match(entry_of_token(token), match)
    found = analysis_of_match(mine.match) if mine is not None else None
    if mine is None or found is None or found.row is None or not found.done:
        raise Missing("record.unknown")
    try:
        games = read(file_of(found.record))
    except EngineError as error:
        raise Missing("record.unknown") from error
    names = shows_names(mine.match)
    record = for_readers(mine.match, games.record, found.record.left)
    analysis = with_decisions(games, found.row, comments=names)
    written = write_record(canonical(record), FORMAT, analysis)
    response = HttpResponse(written.data, content_type=FORMATS[FORMAT].media_type)
    response["Content-Disposition"] = f'attachment; filename="match-{mine.match.public_id}-analysed.sgf"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


def with_decisions(games: Read, row: RecordAnalysis, *, comments: bool) -> Analysis:
    """What the file knows, with the decisions of a kept analysis in the place of its own; ``comments`` may name people."""
    decisions = tuple(
        replace(decision, level=decision.plays[0].level if decision.plays else row.level)
        for decision in decisions_of(row)
    )
    return Analysis(engine_words(row), decisions, games.own.comments if comments else (), games.own.clocks)
