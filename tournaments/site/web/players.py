"""The public page of a player: ratings, events with places, matches."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from people import versions
from rating.selectors import changes_by_source_key, list_versions, player_context
from tournaments.matches.web.play import player_play_context
from tournaments.selectors.access.versions import player_history_version, topics_version
from tournaments.selectors.access.visibility import visible_player
from tournaments.selectors.events.players import player_events
from tournaments.selectors.matches.detail import PlayedMatch, finished_matches, played_matches
from tournaments.selectors.matches.play import player_performance
from tournaments.shared.fragments.cards import Context, medal, url_builder
from tournaments.shared.frames.public import public_page, public_view
from tournaments.shared.words.names import (
    event_dates_label,
    initials,
    result_kind_note,
    round_name_in_section,
)

MATCHES_PER_PAGE = 30


@public_view
def player(request: HttpRequest, player: str) -> HttpResponse:
    """The player's page. The address of a merged duplicate redirects to the remaining player."""
    found = visible_player(request.user, player)
    if found.public_id != player:
        return redirect("public:player", found.public_id)
    club = found.home_club if found.home_club is not None and not found.home_club.shut else None

    def context() -> dict[str, Any]:
        events = player_events(found)
        page = Paginator(finished_matches(found), MATCHES_PER_PAGE).get_page(request.GET.get("page"))
        played = played_matches(found, list(page))
        events_url = url_builder("public:event")
        return {
            "player": found,
            "club": club,
            "initials": initials(found.name),
            "events": [
                {
                    "name": played_in.event.name,
                    "url": events_url(played_in.event.public_id),
                    "status": played_in.event.status,
                    "when": event_dates_label(played_in.event),
                    "club": played_in.event.club.name,
                    "division": played_in.division,
                    "place": str(played_in.place)
                    if played_in.place is not None and played_in.place.settled
                    else "",
                    "replaced": played_in.replaced,
                    "medal": medal(played_in.place) if played_in.place is not None else None,
                }
                for played_in in events.newest
            ],
            "event_count": events.count,
            "page": page,
            "match_count": page.paginator.count,
            "rows": _match_rows(found.pk, played),
            "play": player_play_context(player_performance(found)),
            **player_context(found),
        }

    return public_page(
        request,
        "site/player.html",
        context,
        versions=[
            found.version,
            found.home_club.version if found.home_club is not None else 0,
            player_history_version(found),
            topics_version(versions.NAMES, versions.ANALYSES),
            list_versions(player_id=found.pk),
        ],
        role="" if found.listed else "inside",
        listed=found.listed,
    )


def _match_rows(player_id: int, played: list[PlayedMatch]) -> list[Context]:
    changes = changes_by_source_key([match.source_key for match in played if match.source_key])
    match_url = url_builder("public:match")
    rows = []
    for match in played:
        mine, theirs = match.scores
        effects = [
            side
            for change in changes.get(match.source_key, [])[:1]
            for side in (change.winner, change.loser)
            if side is not None and side.player_id == player_id
        ]
        rows.append(
            {
                "url": match_url(match.match.public_id),
                "opponent": match.opponent or "–",
                "mine": mine,
                "theirs": theirs,
                "won": match.won,
                "note": result_kind_note(match.row.result_kind),
                "round": round_name_in_section(match.row.section, match.row.round_code),
                "event": match.match.stage.division.event.name,
                "length": match.row.length,
                "delta": effects[0].delta_text if effects else "",
                "sign": effects[0].sign if effects else 0,
                "key": match.match.public_id,
            }
        )
    return rows
