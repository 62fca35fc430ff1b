"""Public page of a player: ratings, events with places, matches."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from people import versions
from rating.selectors import changes_by_source_key, list_versions, player_context
from tournaments.matches.web.play import player_performance_context
from tournaments.selectors.access.versions import player_history_version, topics_version
from tournaments.selectors.access.visibility import visible_player
from tournaments.selectors.events.players import player_events
from tournaments.selectors.matches.detail import PlayedMatch, finished_matches, played_matches
from tournaments.selectors.matches.play import player_performance
from tournaments.shared.fragments.cards import Context, medal_rank, url_builder
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
    """Page of a player. The address of a merged duplicate redirects to the remaining player."""
    loaded_player = visible_player(request.user, player)
    if loaded_player.public_id != player:
        return redirect("public:player", loaded_player.public_id)
    club = (
        loaded_player.home_club
        if loaded_player.home_club is not None and not loaded_player.home_club.shut
        else None
    )

    def context() -> dict[str, Any]:
        events = player_events(loaded_player)
        page = Paginator(finished_matches(loaded_player), MATCHES_PER_PAGE).get_page(request.GET.get("page"))
        matches = played_matches(loaded_player, list(page))
        events_url = url_builder("public:event")
        return {
            "player": loaded_player,
            "club": club,
            "initials": initials(loaded_player.name),
            "events": [
                {
                    "name": past_event.event.name,
                    "url": events_url(past_event.event.public_id),
                    "status": past_event.event.status,
                    "when": event_dates_label(past_event.event),
                    "club": past_event.event.club.name,
                    "division": past_event.division,
                    "place": str(past_event.place)
                    if past_event.place is not None and past_event.place.settled
                    else "",
                    "replaced": past_event.is_taken_over,
                    "medal": medal_rank(past_event.place) if past_event.place is not None else None,
                }
                for past_event in events.newest
            ],
            "event_count": events.count,
            "page": page,
            "match_count": page.paginator.count,
            "rows": _match_rows(loaded_player.pk, matches),
            "play": player_performance_context(player_performance(loaded_player)),
            **player_context(loaded_player),
        }

    return public_page(
        request,
        "site/player.html",
        context,
        versions=[
            loaded_player.version,
            loaded_player.home_club.version if loaded_player.home_club is not None else 0,
            player_history_version(loaded_player),
            topics_version(versions.NAMES, versions.ANALYSES),
            list_versions(player_id=loaded_player.pk),
        ],
        role="" if loaded_player.listed else "inside",
        listed=loaded_player.listed,
    )


def _match_rows(player_id: int, matches: list[PlayedMatch]) -> list[Context]:
    changes = changes_by_source_key([match.source_key for match in matches if match.source_key])
    match_url = url_builder("public:match")
    rows = []
    for match in matches:
        own_score, opponent_score = match.scores
        own_changes = [
            side
            for change in changes.get(match.source_key, [])[:1]
            for side in (change.winner, change.loser)
            if side is not None and side.player_id == player_id
        ]
        rows.append(
            {
                "url": match_url(match.match.public_id),
                "opponent": match.opponent or "–",
                "mine": own_score,
                "theirs": opponent_score,
                "won": match.won,
                "note": result_kind_note(match.row.result_kind),
                "round": round_name_in_section(match.row.section, match.row.round_code),
                "event": match.match.stage.division.event.name,
                "length": match.row.length,
                "delta": own_changes[0].delta_text if own_changes else "",
                "sign": own_changes[0].sign if own_changes else 0,
                "key": match.match.public_id,
            }
        )
    return rows
