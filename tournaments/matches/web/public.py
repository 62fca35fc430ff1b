"""One match: who plays whom, where, to how many points, how it stands and what it did to the ratings."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from rating.selectors import changes_of, club_lists, is_weighted, list_versions
from tournaments.engine.statuses import OVER, MatchStatus
from tournaments.engine.types import Side
from tournaments.matches.web.analysed import summary
from tournaments.models import Match
from tournaments.notices.web.shown import notice_shapes
from tournaments.selectors.access.versions import topics_of_division, version_of
from tournaments.selectors.access.visibility import VisibleEvent, visible_match
from tournaments.selectors.entries import PlayerRef
from tournaments.selectors.matches.analyses import public_analysis
from tournaments.selectors.matches.detail import MatchView, match_view
from tournaments.shared.fragments.cards import Shape, addresses, note_of, placeholder, side_shape
from tournaments.shared.fragments.points import match_points_url
from tournaments.shared.fragments.record_links import record_links
from tournaments.shared.frames.public import is_listed, public_page, public_view
from tournaments.shared.words.names import (
    day_and_time,
    day_words,
    format_sentence,
    round_of,
    when_words,
    where_words,
)
from tournaments.shared.words.result_kinds import counting_rows
from tournaments.shared.words.rulings import adjourned_shape, award_lines, clock_of_match
from tournaments.shared.words.sheets import sheet_shape


@public_view
def match(request: HttpRequest, match: str) -> HttpResponse:
    """The match page; it renews itself while the match is on."""
    visible = visible_match(request.user, match)
    analysis = None if visible.inside else public_analysis(visible.match)

    def context() -> dict[str, Any]:
        view = match_view(visible.match)
        url = addresses("public:player")
        sides = [_side(view, side, url) for side in Side]
        return {
            "event": visible.event,
            "club": visible.event.club,
            "notices": notice_shapes(visible.event, [visible.match.stage.division_id]),
            "when": when_words(visible.event),
            "match": visible.match,
            "round_name": round_of(visible.match),
            "sides": sides,
            "title_names": [side["name"] or side["placeholder"] for side in sides],
            "bye": view.row.is_bye,
            "note": note_of(view.row),
            "awards": award_lines(visible.match, _names(sides)),
            "adjourned": adjourned_shape(visible.match, _names(sides)),
            "due": day_words(visible.match.round.deadline) if visible.match.round.deadline else "",
            "where": where_words(visible.match.stage),
            "clock": clock_of_match(visible.match),
            "winner": next((side["name"] for side in sides if side["winner"]), ""),
            "reported": _reported(view),
            "format": format_sentence(visible.match.stage),
            "played": day_and_time(visible.match.played_at, visible.event),
            "started": day_and_time(visible.match.started_at, visible.event),
            "sheet": sheet_shape(view.sheet),
            "feeds": view.feeds,
            "changes": _changes(view),
            "at_stake": _at_stake(view, visible.match, visible.event.club_id),
            "points_at_stake": match_points_url(view, visible.match, visible.event),
            "records": record_links(visible.match, directs=visible.inside),
            **(summary(visible.match, analysis) if analysis is not None else {}),
            "live": visible.match.status not in OVER,
        }

    return public_page(
        request,
        "matches/public_match.html",
        context,
        versions=[
            version_of(*topics_of_division(visible.event, visible.match.stage.division_id)),
            visible.notice_ends,
            analysis.pk if analysis is not None else "",
            # Ratings stand on the page of a finished match alone; the others are asked for every few seconds.
            list_versions(club_id=visible.event.club_id)
            if visible.match.status == MatchStatus.CONFIRMED
            else "",
        ],
        role=visible.role,
        listed=is_listed(VisibleEvent(visible.event, visible.directs)),
    )


def _names(sides: list[Shape]) -> dict[Side, str]:
    return {Side(side["key"]): side["name"] or side["placeholder"] for side in sides}


@public_view
def counting(request: HttpRequest) -> HttpResponse:
    """What each kind of result counts for: the engine's table in words."""
    return public_page(request, "matches/counting.html", lambda: {"rows": counting_rows()}, versions=[])


def _side(view: MatchView, side: Side, url: Any) -> Shape:
    row = view.row.sides[0 if side is Side.A else 1]
    players = view.players_of(side)
    single = players[0] if len(players) == 1 and players[0].listed else None
    return {
        **side_shape(view.row, row, url(single.public_id) if single is not None else ""),
        "about": _about(single) if single is not None else "",
        "team": [player.name for player in players] if len(players) > 1 else [],
        "placeholder": placeholder(row),
    }


def _about(player: PlayerRef) -> str:
    return " · ".join(part for part in (player.country, player.club) if part)


def _reported(view: MatchView) -> Shape | None:
    """What may be told before the result stands: one claim waits for its answer, different ones for the director."""
    if not view.reports or view.row.status is MatchStatus.DISPUTED:
        return None
    last = view.reports[-1]
    return {"a": last.scores[0], "b": last.scores[1]}


def _at_stake(view: MatchView, match: Match, club_id: int) -> str:
    """Before the match: where its two players see what it would do to their ratings on the club's own list."""
    players = [player for side in Side for player in view.players_of(side)]
    if match.status in OVER or len(players) != len(Side) or not match.stage.settings.conduct.rated:
        return ""
    own = next((found for found in club_lists(club_id) if not is_weighted(found)), None)
    if own is None or not own.shortest <= match.length <= own.longest or not all(p.listed for p in players):
        return ""
    first, second = (player.public_id for player in players)
    page = reverse("rating:what-if", args=[own.public_id])
    return f"{page}?a={first}&b={second}&length={match.length}"


def _changes(view: MatchView) -> list[Shape]:
    """What the result did to the ratings, list by list; players that nobody may see are left out."""
    if not view.source_key:
        return []
    shown = {player.pk: player for players in view.players.values() for player in players if player.listed}
    rows = []
    for change in changes_of([view.source_key]).get(view.source_key, []):
        sides = [
            {
                "name": shown[side.player_id].name,
                "before": side.before_text,
                "after": side.after_text,
                "delta": side.delta_text,
                "sign": side.sign,
            }
            for side in (change.winner, change.loser)
            if side is not None and side.player_id in shown
        ]
        if sides:
            rows.append({"list": change.list_name, "url": change.url, "sides": sides})
    return rows
