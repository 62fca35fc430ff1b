"""Game record of the opponent's report, to be viewed before confirming it."""

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
    """Replay the opponent's unanswered record; only for the player's own matches."""
    entry = entry_from_token(token)
    mine = my_match(entry, match)
    found = pending_record(mine.match, mine.side.other) if mine is not None else None
    if mine is None or found is None:
        raise Missing("record.unknown")
    stored, left = found
    checked = check_with_limits(
        bytes(stored.content), stored.filename, match_format(mine.match.stage, mine.match.length)
    )
    if checked.record is not None:
        checked = replace(checked, record=redacted_record(mine.match, checked.record, left))
    viewing = build_record_view(checked)
    if viewing is None:
        raise Missing("record.unknown")
    context = {
        **viewer_context(request, checked, viewing),
        "dark": "white" if left is Side.A else "black",
        "match_url": reverse("player:home", args=[token]),
        "match_words": entry.name,
    }
    return render(request, "games/viewer.html", context)
