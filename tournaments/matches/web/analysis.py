"""Engine analysis of a match for its two players: request, progress and result.

A player opens the page by the personal link, or by account, which remains when links end.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from faults import Missing
from games.analysis.port import EngineError
from games.models import RecordAnalysis
from games.services.analyses import request_analysis
from games.services.checking import check_with_limits
from games.web.analysed import failure_message
from games.web.analysed_page import analysis_context
from games.web.showing import viewer_context
from games.web.viewing import build_record_view
from people.web.access import form_view, request_user
from tournaments.engine.consents import Consent, Reply
from tournaments.engine.types import Side
from tournaments.matches.services.records import redacted_record
from tournaments.matches.web.play import player_performance_context
from tournaments.models import Match
from tournaments.selectors.access.links import entry_from_token
from tournaments.selectors.access.visibility import visible_match
from tournaments.selectors.consents import combined_replies, replies_at_match
from tournaments.selectors.events.formats import match_format
from tournaments.selectors.matches.analyses import MatchAnalysis, analysis_of_match
from tournaments.selectors.matches.answers import own_entry_in
from tournaments.selectors.matches.play import entry_performance
from tournaments.selectors.matches.player import my_match
from tournaments.selectors.matches.quiz import has_quiz_position
from tournaments.selectors.matches.records import stored_file
from tournaments.shared.fragments.cards import url_builder
from tournaments.shared.frames.player import add_private_headers, secret_view

State = RecordAnalysis.State
REFRESH_SECONDS: Final = 10  # seconds, while the analysis is in progress


@dataclass(frozen=True, slots=True)
class _PageLinks:
    """Addresses (and link text) around the analysis page of a player's match.

    ``file``: download of the analysis; ``back`` and ``words``: address and text of the link to the previous
    page; ``consents_url``: page where the player sets consents.
    """

    page: str
    file: str
    back: str
    words: str
    consents_url: str


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
def analysis(request: HttpRequest, token: str, match: str) -> HttpResponse:
    """Page of the analysis of a match of the link's entry, or of its progress; a POST requests it."""
    entry = entry_from_token(token)
    own_match = my_match(entry, match)
    links = _PageLinks(
        page=reverse("player:analysis", args=[token, match]),
        file=reverse("player:analysis-file", args=[token, match]),
        back=reverse("player:home", args=[token]),
        words=entry.name,
        consents_url=reverse("player:agreements", args=[token]),
    )
    return _page(request, own_match.match if own_match is not None else None, links)


@form_view
def analysis_by_account(request: HttpRequest, match: str) -> HttpResponse:
    """Page of the analysis, or of its progress, for the account of a player or a minor's guardian.

    A POST requests the analysis.
    """
    loaded_match = visible_match(request.user, match).match
    entry = own_entry_in(loaded_match, request_user(request).pk)
    links = _PageLinks(
        page=reverse("player:my-analysis", args=[match]),
        file=reverse("player:my-analysis-file", args=[match]),
        back=reverse("player:own-analyses"),
        words=_("My analysed play"),
        consents_url=reverse("player:me"),
    )
    return add_private_headers(_page(request, loaded_match if entry is not None else None, links))


def _page(request: HttpRequest, match: Match | None, place: _PageLinks) -> HttpResponse:
    """Render the analysis page, or request the analysis on POST; ``place`` holds the addresses of the page.

    ``match``: None if the visitor does not play in the match. Raises ``Missing`` then, and without a game
    record.
    """
    match_analysis = analysis_of_match(match) if match is not None else None
    if match is None or match_analysis is None:
        raise Missing("record.unknown")
    error_message = ""
    if request.method == "POST":
        try:
            request_analysis(record_id=match_analysis.record.record_id)
            return redirect(place.page)
        except EngineError as error:
            error_message = failure_message(error.code)
    context = {
        **_analysis_context(request, match, match_analysis),
        "state": match_analysis.row.state if match_analysis.row is not None else "",
        "progress": match_analysis.row,
        "refused": error_message
        or (
            failure_message(match_analysis.row.failure)
            if match_analysis.row is not None and match_analysis.row.failure
            else ""
        ),
        "ask_url": place.page,
        "file_url": place.file,
        "agree_url": place.consents_url,
        "seen_by_all": combined_replies(replies_at_match(match))[Consent.ANALYSIS] is Reply.YES,
        "asked": has_quiz_position(match),
        "waits": match_analysis.row is not None
        and match_analysis.row.state in {State.WAITING, State.WORKING},
        "match_url": place.back,
        "match_words": place.words,
    }
    response = render(request, "matches/analysis.html", context, status=409 if error_message else 200)
    if context["waits"]:
        response["Refresh"] = str(REFRESH_SECONDS)
    return response


@secret_view
@require_safe
def entry_analyses(request: HttpRequest, token: str) -> HttpResponse:
    """Page with the sums over all analysed matches of an entry, for its players."""
    entry = entry_from_token(token)
    back_url = reverse("player:home", args=[token])
    play = player_performance_context(entry_performance(entry), url_builder("player:analysis", token))
    context = {"entry": entry, "play": play, "back": back_url}
    return render(request, "matches/own_analyses.html", context)


def _analysis_context(request: HttpRequest, match: Match, match_analysis: MatchAnalysis) -> dict[str, Any]:
    """Return the template context of the record viewer, with the analysis if it is done.

    Raises ``Missing`` if the record cannot be displayed.
    """
    stored_record = stored_file(match_analysis.record)
    check_result = check_with_limits(
        bytes(stored_record.content), stored_record.filename, match_format(match.stage, match.length)
    )
    if check_result.record is not None:
        check_result = replace(
            check_result, record=redacted_record(match, check_result.record, match_analysis.record.left)
        )
    record_view = build_record_view(check_result)
    if record_view is None or check_result.verdict.replay is None:
        raise Missing("record.unknown")
    context = viewer_context(request, check_result, record_view)
    context["dark"] = "white" if match_analysis.record.left is Side.A else "black"
    if match_analysis.row is not None and match_analysis.done:
        context |= analysis_context(
            match_analysis.row, check_result.verdict.replay, record_view, context, request.GET
        )
    return context
