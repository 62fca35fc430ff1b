"""What a league shows beyond its tables: who is about to go up or down, the seasons before and after, the champions."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from tournaments.models import Event
from tournaments.selectors.access.versions import names_version
from tournaments.selectors.access.visibility import VisibleEvent, is_listed, visible_event
from tournaments.selectors.events.detail import DivisionView
from tournaments.selectors.events.heads import DivisionHead
from tournaments.selectors.leagues import (
    Champions,
    Move,
    champions_of,
    neighbours_of,
    seasons_of,
    seasons_version,
    zones_of,
)
from tournaments.shared.fragments.cards import Shape, addresses, player_pages
from tournaments.shared.frames.public import public_page, public_view
from tournaments.shared.words.names import when_words


def zone_words(zone: Move) -> Shape:
    """A zone for the table: words, and the mark beside them."""
    return {
        Move.UP: {"words": _("promoted"), "mark": "↑", "tone": "is-good"},
        Move.DOWN: {"words": _("relegated"), "mark": "↓", "tone": "is-warn"},
    }[zone]


def with_zones(
    shapes: list[Shape], heads: Sequence[DivisionHead], divisions: Sequence[DivisionView]
) -> list[Shape]:
    """The shapes of ``divisions``, the rows of their tables marked with who goes up and down as it stands."""
    zones = zones_of(heads, divisions)
    for shape in shapes if zones else []:
        for stage in shape["stages"]:
            mark_zones(stage.get("tables", []), zones)
    return shapes


def mark_zones(tables: Sequence[Shape], zones: Mapping[str, Move]) -> None:
    """Mark the rows of tables (``standings_shape``)."""
    for table in tables:
        for row in table["rows"]:
            if row["key"] in zones:
                row["zone"] = zone_words(zones[row["key"]])


def neighbour_links(visible: VisibleEvent) -> Shape:
    """The seasons before and after, as far as this visitor may be told of them."""
    before, after = neighbours_of(visible.event, directs=visible.inside)
    return {"before": _link(before), "after": _link(after)}


def _link(event: Event | None) -> Shape | None:
    return (
        {"name": event.name, "url": addresses("public:event")(event.public_id)} if event is not None else None
    )


@public_view
def seasons(request: HttpRequest, event: str) -> HttpResponse:
    """All seasons of the league, the newest first, with the champions of every division."""
    visible = visible_event(request.user, event)
    found = seasons_of(visible.event, directs=visible.inside)
    versions = [
        visible.event.club.version,
        *seasons_version(found),
        names_version(),
    ]

    def context() -> dict[str, Any]:
        return {
            "event": visible.event,
            "club": visible.event.club,
            "rows": [_row(champions, visible.event) for champions in champions_of(found)],
        }

    return public_page(
        request,
        "leagues/seasons.html",
        context,
        versions=versions,
        role=visible.role,
        listed=is_listed(visible.event),
    )


def _row(champions: Champions, shown: Event) -> Shape:
    """A season: its name and days, and who won what."""
    return {
        "name": champions.event.name,
        "url": addresses("public:event")(champions.event.public_id),
        "when": when_words(champions.event),
        "status": champions.event.status,
        "here": champions.event.pk == shown.pk,
        "winners": [
            {
                "division": division,
                "names": [{"name": entry.name, "url": player_pages(won).get(entry.pk, "")} for entry in won],
            }
            for division, won in champions.winners
        ],
    }
