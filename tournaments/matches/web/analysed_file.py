"""Analysis of a match as an SGF file for other programs: the games with the engine's evaluations."""

from dataclasses import replace
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from faults import Missing
from games.analysis.port import EngineError
from games.models import RecordAnalysis
from games.records.analysis import Analysis, Decision
from games.records.canonical import canonical
from games.records.registry import FORMATS, write_record
from games.selectors import stored_decisions
from games.services.analyses import load_record
from games.web.analysed import engine_label
from people.web.access import page_view, request_user
from tournaments.matches.services.records import can_read_names, redacted_record
from tournaments.models import Match
from tournaments.selectors.access.links import entry_from_token
from tournaments.selectors.access.visibility import visible_match
from tournaments.selectors.matches.analyses import analysis_of_match, public_analysis
from tournaments.selectors.matches.answers import own_entry_in
from tournaments.selectors.matches.player import my_match
from tournaments.selectors.matches.records import SubmittedRecord, get_record, stored_file
from tournaments.shared.frames.player import add_private_headers, secret_view
from tournaments.shared.frames.public import public_view

FORMAT: Final = "sgf"  # the only writable format with evaluations of plays and cubes


@secret_view
@require_safe
def player_analysis_file(request: HttpRequest, token: str, match: str) -> HttpResponse:  # noqa: ARG001
    """Download for a player of the match, by personal link, with all comments and clocks of the record."""
    own_match = my_match(entry_from_token(token), match)
    return _own_file(own_match.match if own_match is not None else None)


@page_view
def account_analysis_file(request: HttpRequest, match: str) -> HttpResponse:
    """Download for the account of a player of the match or a minor's guardian, with comments and clocks."""
    loaded_match = visible_match(request.user, match).match
    return add_private_headers(
        _own_file(loaded_match if own_entry_in(loaded_match, request_user(request).pk) is not None else None)
    )


def _own_file(match: Match | None) -> HttpResponse:
    """Return the file with comments and clocks.

    ``match``: None if the visitor does not play in the match. Raises ``Missing`` then, and without a finished
    analysis.
    """
    match_analysis = analysis_of_match(match) if match is not None else None
    if match is None or match_analysis is None or match_analysis.row is None or not match_analysis.done:
        raise Missing("record.unknown")
    return _file_response(match, match_analysis.record, match_analysis.row, notes=True)


@public_view
def public_analysis_file(request: HttpRequest, match: str, version: int) -> HttpResponse:
    """Download for everyone, if games and analysis are public: evaluations without comments.

    ``version``: version of the report with the game record.
    """
    visible = visible_match(request.user, match)
    row = get_record(visible.match, version, can_direct=False)[0]
    analysis = None if visible.is_staff_only else public_analysis(visible.match)
    if analysis is None or analysis.record_id != row.record_id:
        raise Missing("record.unknown")
    response = _file_response(visible.match, row, analysis, notes=False)
    response["Cache-Control"] = "private, no-cache"
    return response


def _file_response(
    match: Match, row: SubmittedRecord, analysis: RecordAnalysis, *, notes: bool
) -> HttpResponse:
    """Return the SGF file as a download.

    ``notes``: True includes clocks and, if the reader may see all names, comments, which may name people.
    """
    try:
        loaded_record = load_record(stored_file(row))
    except EngineError as error:
        raise Missing("record.unknown") from error
    record = redacted_record(match, loaded_record.record, row.left)
    file_analysis = Analysis(
        engine_label(analysis),
        _decisions(analysis),
        loaded_record.own.comments if notes and can_read_names(match) else (),
        loaded_record.own.clocks if notes else (),
    )
    exported = write_record(canonical(record), FORMAT, file_analysis)
    response = HttpResponse(exported.data, content_type=FORMATS[FORMAT].media_type)
    response["Content-Disposition"] = f'attachment; filename="match-{match.public_id}-analysed.sgf"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _decisions(row: RecordAnalysis) -> tuple[Decision, ...]:
    """Return the decisions of a stored analysis, each with the depth of the engine's search."""
    return tuple(
        replace(decision, level=decision.plays[0].level if decision.plays else row.level)
        for decision in stored_decisions(row)
    )
