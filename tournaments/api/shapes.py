"""Selectors' values as plain dictionaries for JSON. No serializer runs over hundreds of rows: that is four times slower."""

from typing import Any

from django.conf import settings
from django.urls import reverse

from people.models import Club, Player
from rating.selectors import ratings_of_player
from tournaments.models import Event, Match, MatchSlot, Stage
from tournaments.selectors.draws import DrawnMatch, DrawnSide
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.events import DivisionView
from tournaments.web.cards import addresses
from tournaments.web.labels import format_words, round_name_of

Json = dict[str, Any]


def page_url(name: str, public_id: str) -> str:
    """The full address of a public page."""
    return f"{settings.SITE_URL}{reverse(name, args=[public_id])}"


def club_ref(club: Club) -> Json:
    return {"id": club.public_id, "name": club.name, "url": page_url("public:club", club.public_id)}


def club_shape(club: Club) -> Json:
    return {
        **club_ref(club),
        "city": club.city,
        "country": club.country,
        "website": club.website,
        "federation": club_ref(club.parent) if club.parent is not None else None,
    }


def event_shape(event: Event, entries: int) -> Json:
    return {
        "id": event.public_id,
        "name": event.name,
        "url": page_url("public:event", event.public_id),
        "club": club_ref(event.club),
        "status": event.status,
        "visibility": event.visibility,
        "place": event.place,
        "starts_on": event.starts_on,
        "ends_on": event.ends_on,
        "timezone": event.timezone,
        "entries": entries,
        "version": event.version,
    }


def event_detail(event: Event, divisions: tuple[DivisionView, ...]) -> Json:
    return {
        **event_shape(event, sum(len(division.taking_part) for division in divisions)),
        "description": event.description,
        "tables": event.tables,
        "divisions": [
            {
                "name": division.division.name,
                "entries": len(division.taking_part),
                "stages": [stage_shape(view.stage, drawn=view.draw is not None) for view in division.stages],
            }
            for division in divisions
        ],
    }


def stage_shape(stage: Stage, *, drawn: bool) -> Json:
    return {
        "name": stage.name,
        "system": stage.system,
        "status": stage.status,
        "format": stage.format_preset,
        "rules": format_words(stage),
        "lengths": stage.lengths,
        "draw_method": stage.draw_method,
        "draw_seed": stage.draw_seed if drawn else "",
        "report_policy": stage.report_policy,
    }


def bracket_shape(event: Event, divisions: tuple[DivisionView, ...]) -> Json:
    url = addresses("public:match")
    return {
        "event": event.public_id,
        "version": event.version,
        "stages": [
            {
                "division": division.division.name,
                "stage": view.stage.name,
                "rounds": [
                    {
                        "number": r.number,
                        "code": r.code,
                        "name": round_name_of(r.code),
                        "length": r.length,
                        "matches": [match_shape(match, url(match.public_id)) for match in r.matches],
                    }
                    for r in view.draw.rounds
                ],
                "places": _places(division, view.places),
            }
            for division in divisions
            for view in division.stages
            if view.draw is not None
        ],
    }


def _places(division: DivisionView, places: Any) -> list[Json]:
    names = {entry.pk: entry for entry in division.entries}
    return [
        {
            "entry": names[entry_id].public_id,
            "name": names[entry_id].name,
            "first": place.first,
            "last": place.last,
            "settled": place.settled,
        }
        for entry_id, place in places.items()
        if entry_id in names
    ]


def match_shape(match: DrawnMatch, path: str) -> Json:
    return {
        "id": match.public_id,
        "url": f"{settings.SITE_URL}{path}",
        "number": match.number,
        "round": match.round_code,
        "status": match.status.value,
        "length": match.length,
        "table": match.table,
        "kind": match.result_kind,
        "winner": match.winner.value if match.winner is not None else None,
        "sides": [_side(side, score) for side, score in zip(match.sides, match.scores, strict=True)],
        "version": match.version,
    }


def match_detail(match: Match, row: DrawnMatch) -> Json:
    return {
        **match_shape(row, reverse("public:match", args=[row.public_id])),
        "event": match.stage.division.event.public_id,
    }


def _side(side: DrawnSide, score: int | None) -> Json:
    return {
        "side": side.side.value,
        "entry": side.entry_public_id or None,
        "name": side.name,
        "seed": side.seed,
        "score": score,
        "bye": side.vacant and side.source_kind == MatchSlot.SourceKind.BYE,
        "from_match": side.source_number,
    }


def entry_shape(entry: EntryRow, division: str, player_path: Any) -> Json:
    return {
        "id": entry.public_id,
        "name": entry.name,
        "division": division,
        "seed": entry.seed,
        "number": entry.number,
        "withdrawn": entry.withdrawn,
        "players": [
            {
                "id": player.public_id,
                "name": player.name,
                "url": f"{settings.SITE_URL}{player_path(player.public_id)}",
            }
            for player in entry.players
            if player.listed
        ],
    }


def player_shape(player: Player) -> Json:
    return {
        "id": player.public_id,
        "name": player.name,
        "url": page_url("public:player", player.public_id),
        "country": player.country,
        "club": club_ref(player.home_club) if player.home_club is not None else None,
    }


def player_detail(player: Player) -> Json:
    return {
        **player_shape(player),
        "ratings": [
            {
                "list": rating.list_public_id,
                "name": rating.list_name,
                "rating": round(rating.rating, 2),
                "rank": rating.rank,
                "matches": rating.matches,
                "experience": rating.experience,
            }
            for rating in ratings_of_player(player.pk)
        ],
    }
