"""Page of the game record of the opponent's report, to be viewed before confirming the report."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from faults import Missing
from games.services.checking import check_with_limits
from games.web.showing import viewer_context
from games.web.viewing import build_record_view
from tournaments.engine.types import Side
from tournaments.matches.services.records import redacted_record
from tournaments.selectors.access.links import entry_from_token
from tournaments.selectors.events.formats import match_format
from tournaments.selectors.matches.player import my_match
from tournaments.selectors.matches.records import pending_record
from tournaments.shared.frames.player import secret_view


@secret_view
@require_safe
def opponent_record(request: HttpRequest, token: str, match: str) -> HttpResponse:
    """Page that replays the record of the opponent's unconfirmed report, for a player of the match."""
    entry = entry_from_token(token)
    own_match = my_match(entry, match)
    pending = pending_record(own_match.match, own_match.side.other) if own_match is not None else None
    if own_match is None or pending is None:
        raise Missing("record.unknown")
    stored_record, left = pending
    check_result = check_with_limits(
        bytes(stored_record.content),
        stored_record.filename,
        match_format(own_match.match.stage, own_match.match.length),
    )
    if check_result.record is not None:
        check_result = replace(
            check_result, record=redacted_record(own_match.match, check_result.record, left)
        )
    record_view = build_record_view(check_result)
    if record_view is None:
        raise Missing("record.unknown")
    context = {
        **viewer_context(request, check_result, record_view),
        "dark": "white" if left is Side.A else "black",
        "match_url": reverse("player:home", args=[token]),
        "match_words": entry.name,
    }
    return render(request, "games/viewer.html", context)
