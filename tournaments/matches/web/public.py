"""Public pages of a match (players, table, length, state, rating changes) and of the kinds of results."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from rating.selectors import changes_by_source_key, club_lists, is_weighted, list_versions
from tournaments.engine.statuses import OVER, MatchStatus
from tournaments.engine.types import Side
from tournaments.matches.web.analysed import analysis_summary
from tournaments.models import Match
from tournaments.notices.web.shown import notice_contexts
from tournaments.selectors.access.versions import division_topics, topics_version
from tournaments.selectors.access.visibility import VisibleEvent, visible_match
from tournaments.selectors.entries import PlayerRef
from tournaments.selectors.matches.analyses import public_analysis
from tournaments.selectors.matches.detail import MatchView, match_view
from tournaments.shared.fragments.cards import (
    Context,
    match_note,
    placeholder_label,
    side_context,
    url_builder,
)
from tournaments.shared.fragments.points import match_points_url
from tournaments.shared.fragments.record_links import record_links
from tournaments.shared.frames.public import is_listed, public_page, public_view
from tournaments.shared.words.names import (
    date_and_time,
    date_label,
    event_dates_label,
    format_sentence,
    location_rows,
    match_round_name,
)
from tournaments.shared.words.result_kinds import result_effect_rows
from tournaments.shared.words.rulings import adjourned_context, award_lines, match_clock_label
from tournaments.shared.words.sheets import sheet_context


@public_view
def match(request: HttpRequest, match: str) -> HttpResponse:
    """Page of a match; it refreshes itself while the match is not over."""
    visible = visible_match(request.user, match)
    analysis = None if visible.is_staff_only else public_analysis(visible.match)

    def context() -> dict[str, Any]:
        view = match_view(visible.match)
        url = url_builder("public:player")
        sides = [_side_context(view, side, url) for side in Side]
        return {
            "event": visible.event,
            "club": visible.event.club,
            "notices": notice_contexts(visible.event, [visible.match.stage.division_id]),
            "when": event_dates_label(visible.event),
            "match": visible.match,
            "round_name": match_round_name(visible.match),
            "sides": sides,
            "title_names": [side["name"] or side["placeholder"] for side in sides],
            "bye": view.row.is_bye,
            "note": match_note(view.row),
            "awards": award_lines(visible.match, _side_labels(sides)),
            "adjourned": adjourned_context(visible.match, _side_labels(sides)),
            "due": date_label(visible.match.round.deadline) if visible.match.round.deadline else "",
            "where": location_rows(visible.match.stage),
            "clock": match_clock_label(visible.match),
            "winner": next((side["name"] for side in sides if side["winner"]), ""),
            "reported": _reported_score(view),
            "format": format_sentence(visible.match.stage),
            "played": date_and_time(visible.match.played_at, visible.event),
            "started": date_and_time(visible.match.started_at, visible.event),
            "sheet": sheet_context(view.score_sheet),
            "feeds": view.feeds,
            "changes": _rating_changes(view),
            "at_stake": _stake_url(view, visible.match, visible.event.club_id),
            "points_at_stake": match_points_url(view, visible.match, visible.event),
            "records": record_links(visible.match, directs=visible.is_staff_only),
            **(analysis_summary(visible.match, analysis) if analysis is not None else {}),
            "live": visible.match.status not in OVER,
        }

    return public_page(
        request,
        "matches/public_match.html",
        context,
        versions=[
            topics_version(*division_topics(visible.event, visible.match.stage.division_id)),
            visible.notice_ends,
            analysis.pk if analysis is not None else "",
            # Only pages of finished matches show ratings; others are polled every few seconds.
            list_versions(club_id=visible.event.club_id)
            if visible.match.status == MatchStatus.CONFIRMED
            else "",
        ],
        role=visible.role,
        listed=is_listed(VisibleEvent(visible.event, visible.can_direct)),
    )


def _side_labels(sides: list[Context]) -> dict[Side, str]:
    return {Side(side["key"]): side["name"] or side["placeholder"] for side in sides}


@public_view
def result_counting(request: HttpRequest) -> HttpResponse:
    """Page that explains what each kind of result counts for, from the engine's table."""
    return public_page(request, "matches/counting.html", lambda: {"rows": result_effect_rows()}, versions=[])


def _side_context(view: MatchView, side: Side, url: Any) -> Context:
    row = view.row.sides[0 if side is Side.A else 1]
    players = view.players_of(side)
    single = players[0] if len(players) == 1 and players[0].listed else None
    return {
        **side_context(view.row, row, url(single.public_id) if single is not None else ""),
        "about": _player_details(single) if single is not None else "",
        "team": [player.name for player in players] if len(players) > 1 else [],
        "placeholder": placeholder_label(row),
    }


def _player_details(player: PlayerRef) -> str:
    return " · ".join(part for part in (player.country, player.club) if part)


def _reported_score(view: MatchView) -> Context | None:
    """Return the latest reported score for display; None without a report or in a dispute."""
    if not view.reports or view.row.status is MatchStatus.DISPUTED:
        return None
    last = view.reports[-1]
    return {"a": last.scores[0], "b": last.scores[1]}


def _stake_url(view: MatchView, match: Match, club_id: int) -> str:
    """Return the address of the possible rating changes of this match on the club's list.

    Empty after the match, and if the match is not rated on the list.
    """
    players = [player for side in Side for player in view.players_of(side)]
    if match.status in OVER or len(players) != len(Side) or not match.stage.settings.conduct.rated:
        return ""
    rating_list = next((candidate for candidate in club_lists(club_id) if not is_weighted(candidate)), None)
    if (
        rating_list is None
        or not rating_list.shortest <= match.length <= rating_list.longest
        or not all(p.listed for p in players)
    ):
        return ""
    first, second = (player.public_id for player in players)
    page = reverse("rating:what-if", args=[rating_list.public_id])
    return f"{page}?a={first}&b={second}&length={match.length}"


def _rating_changes(view: MatchView) -> list[Context]:
    """Return the template contexts of the result's rating changes, one for each rating list.

    Players who are not public are left out.
    """
    if not view.source_key:
        return []
    public_players = {
        player.pk: player for players in view.players.values() for player in players if player.listed
    }
    rows = []
    for change in changes_by_source_key([view.source_key]).get(view.source_key, []):
        sides = [
            {
                "name": public_players[side.player_id].name,
                "before": side.before_text,
                "after": side.after_text,
                "delta": side.delta_text,
                "sign": side.sign,
            }
            for side in (change.winner, change.loser)
            if side is not None and side.player_id in public_players
        ]
        if sides:
            rows.append({"list": change.list_name, "url": change.url, "sides": sides})
    return rows
