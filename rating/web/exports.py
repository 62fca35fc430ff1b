"""Rating lists and players' histories as files."""

from collections.abc import Iterable, Iterator
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from faults import Missing
from people.spreadsheets import BYTE_ORDER_MARK, csv_line
from people.web.versioned import versioned_response
from rating.models import RatingList
from rating.selectors import LeaderRow
from rating.selectors.leaderboard import all_rows, home_clubs_on_list
from rating.selectors.players import player_career
from rating.selectors.ranking import current_rules
from rating.selectors.visibility import names_version, visible_list, visible_player
from rating.web.forms import FilterForm
from rating.web.frame import club_zone, public_view


def csv_lines(head: list[str], rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """Yield the lines of a CSV file with the column names ``head``, one by one as they are sent."""
    yield BYTE_ORDER_MARK
    yield csv_line(head)
    yield from map(csv_line, rows)


def csv_response(name: str, head: list[str], rows: Iterable[Iterable[Any]]) -> HttpResponseBase:
    response = StreamingHttpResponse(csv_lines(head, rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def _filtered_rows(request: HttpRequest, rating_list: RatingList, zone: ZoneInfo) -> Iterator[LeaderRow]:
    """Yield the rows that pass the filters in the page's address, with dates in ``zone``."""
    with timezone.override(zone):
        form = FilterForm(request.GET or None, clubs=home_clubs_on_list(rating_list))
        return all_rows(rating_list, form.filters)


@public_view
def ratings_csv(request: HttpRequest, list_id: str) -> HttpResponse:
    """Return all rows of the leaderboard that pass the visitor's filters as a CSV file."""
    rating_list = visible_list(list_id)
    zone = club_zone(rating_list.club_id)
    versions = [rating_list.version, names_version(), zone.key, current_rules(rating_list).stamp]
    head = (
        "rank player_id player club country rating deviation experience matches wins provisional last_played"
    ).split()

    def file() -> HttpResponse:
        rows = (
            (
                row.rank if row.rank is not None else "",
                row.player.public_id,
                row.player.name,
                row.club,
                row.country,
                repr(row.rating),
                "" if row.deviation is None else repr(row.deviation),
                row.experience,
                row.matches,
                row.wins,
                "yes" if row.provisional else "no",
                row.last_played.isoformat(),
            )
            for row in _filtered_rows(request, rating_list, zone)
        )
        return csv_response(f"ratings-{rating_list.public_id}", head, rows)  # type: ignore[return-value]

    return versioned_response(request, versions, file, everybody=True)


@public_view
def ratings_json(request: HttpRequest, list_id: str) -> HttpResponse:
    """Return all rows of the leaderboard that pass the visitor's filters as JSON."""
    rating_list = visible_list(list_id)
    return JsonResponse(
        {
            "list": rating_list.public_id,
            "name": rating_list.name,
            "system": rating_list.system,
            "version": rating_list.version,
            "exported_at": timezone.now().isoformat(),
            "players": [
                {
                    "rank": row.rank,
                    "player": row.player.public_id,
                    "name": row.player.name,
                    "club": row.club,
                    "country": row.country,
                    "rating": row.rating,
                    "deviation": row.deviation,
                    "experience": row.experience,
                    "matches": row.matches,
                    "wins": row.wins,
                    "provisional": row.provisional,
                    "last_played": row.last_played.isoformat(),
                }
                for row in _filtered_rows(request, rating_list, club_zone(rating_list.club_id))
            ],
        }
    )


@public_view
def history_csv(_request: HttpRequest, list_id: str, player_id: str) -> HttpResponse:
    """Return a player's whole history on the list as a CSV file."""
    rating_list, player = visible_list(list_id), visible_player(player_id)
    career = player_career(rating_list, player, row_limit=None)
    if career is None:
        raise Missing("rating.player_unknown")
    head = "played_at result opponent length place field event rating_after change ledger_number".split()
    rows = (
        (
            row.at.isoformat(),
            "" if row.won is None else "won" if row.won else "lost",
            row.opponent.name if row.opponent else "",
            row.length or "",
            row.place or "",
            row.field or "",
            row.event,
            row.after,
            row.after - row.before,
            row.fact_number,
        )
        for row in career.history
    )
    return csv_response(f"history-{player.public_id}", head, rows)  # type: ignore[return-value]
