"""Public pages of a league besides its tables: promotion and relegation, other seasons, champions."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from tournaments.models import Event
from tournaments.selectors.access.versions import names_version
from tournaments.selectors.access.visibility import VisibleEvent, is_listed, visible_event
from tournaments.selectors.events.detail import DivisionView
from tournaments.selectors.events.heads import DivisionSummary
from tournaments.selectors.leagues import (
    Champions,
    SeasonMove,
    adjacent_seasons,
    league_seasons,
    promotion_zones,
    season_champions,
    seasons_version,
)
from tournaments.shared.fragments.cards import Context, player_urls_by_entry, url_builder
from tournaments.shared.frames.public import public_page, public_view
from tournaments.shared.words.names import event_dates_label


def zone_context(zone: SeasonMove) -> Context:
    """Return label, symbol and colour for promotion or relegation in a table."""
    return {
        SeasonMove.UP: {"words": _("promoted"), "mark": "↑", "tone": "is-good"},
        SeasonMove.DOWN: {"words": _("relegated"), "mark": "↓", "tone": "is-warn"},
    }[zone]


def add_zones(
    contexts: list[Context], summaries: Sequence[DivisionSummary], divisions: Sequence[DivisionView]
) -> list[Context]:
    """Mark the promotion and relegation zones in the tables of ``contexts``, which are returned."""
    zones = promotion_zones(summaries, divisions)
    for context in contexts if zones else []:
        for stage in context["stages"]:
            mark_zones(stage.get("tables", []), zones)
    return contexts


def mark_zones(tables: Sequence[Context], zones: Mapping[str, SeasonMove]) -> None:
    """Add the template context of promotion or relegation to the rows of ``tables``, in place.

    ``zones``: the move of each entry that is promoted or relegated, keyed as the rows.
    """
    for table in tables:
        for row in table["rows"]:
            if row["key"] in zones:
                row["zone"] = zone_context(zones[row["key"]])


def neighbour_links(visible: VisibleEvent) -> Context:
    """Return links to the previous and the next season, each None if the visitor may not see it."""
    before, after = adjacent_seasons(visible.event, can_direct=visible.is_staff_only)
    return {"before": _link(before), "after": _link(after)}


def _link(event: Event | None) -> Context | None:
    return (
        {"name": event.name, "url": url_builder("public:event")(event.public_id)}
        if event is not None
        else None
    )


@public_view
def seasons(request: HttpRequest, event: str) -> HttpResponse:
    """Page of all seasons of the league, the newest first, with the champions of every division."""
    visible = visible_event(request.user, event)
    found_seasons = league_seasons(visible.event, can_direct=visible.is_staff_only)
    versions = [
        visible.event.club.version,
        *seasons_version(found_seasons),
        names_version(),
    ]

    def context() -> dict[str, Any]:
        return {
            "event": visible.event,
            "club": visible.event.club,
            "rows": [_season_row(champions, visible.event) for champions in season_champions(found_seasons)],
        }

    return public_page(
        request,
        "leagues/seasons.html",
        context,
        versions=versions,
        role=visible.role,
        listed=is_listed(visible.event),
    )


def _season_row(champions: Champions, current_event: Event) -> Context:
    """Return the template context of a season: its name, dates and winners."""
    return {
        "name": champions.event.name,
        "url": url_builder("public:event")(champions.event.public_id),
        "when": event_dates_label(champions.event),
        "status": champions.event.status,
        "here": champions.event.pk == current_event.pk,
        "winners": [
            {
                "division": division,
                "names": [
                    {"name": entry.name, "url": player_urls_by_entry(winners).get(entry.pk, "")}
                    for entry in winners
                ],
            }
            for division, winners in champions.winners
        ],
    }
