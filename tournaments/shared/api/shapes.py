"""Selectors' values as plain dictionaries for JSON. No serializer runs over hundreds of rows: that is four times slower."""

from typing import Any

from django.conf import settings
from django.urls import reverse

from people.models import Club, Player
from rating.selectors import ratings_of_player
from tournaments.engine.pairing.history import WIN
from tournaments.engine.standings.tie_breaks import tie_break
from tournaments.engine.statuses import may_report
from tournaments.models import Event, Match, MatchSlot, Stage
from tournaments.models.settings import written
from tournaments.selectors.draws import Draw, DrawnMatch, DrawnSide
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.events.detail import DivisionView, StageView
from tournaments.selectors.leagues import Champions
from tournaments.selectors.money import PointsLeague
from tournaments.selectors.rounds.deadlines import is_arranged
from tournaments.selectors.standings.tables import agreed_rounds, in_rounds, tables_of
from tournaments.shared.fragments.cards import addresses
from tournaments.shared.words.names import format_words, round_name_of

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
        "weight": float(event.weight),
        "divisions": [
            {
                "number": number,
                "name": division.division.name,
                "entries": len(division.taking_part),
                "team_size": division.division.team_size,
                "entries_until": division.division.entries_until,
                "reentries": division.division.reentries,
                "stages": [
                    {
                        **stage_shape(view.stage, drawn=view.draw is not None),
                        "fed_by": _place_of_source(view.stage, division),
                    }
                    for view in division.stages
                ],
            }
            for number, division in enumerate(divisions, start=1)
        ],
    }


def _place_of_source(stage: Stage, division: DivisionView) -> int:
    places = {view.stage.pk: place for place, view in enumerate(division.stages, start=1)}
    return places.get(stage.fed_by_id or 0, 0)


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
        "takes": stage.takes,
        "by_arrangement": stage.by_arrangement,
        "settings": _settings(stage),
    }


def _settings(stage: Stage) -> Json:
    """What the director has set, as it is sent to create a stage; nothing that a draw has added."""
    return written(agreed_rounds(stage) if in_rounds(stage) else stage.settings.own)


def bracket_shape(event: Event, divisions: tuple[DivisionView, ...]) -> Json:
    return {
        "event": event.public_id,
        "version": event.version,
        "stages": [
            draw_shape(division, view, view.draw)
            for division in divisions
            for view in division.stages
            if view.draw is not None
        ],
    }


def draw_shape(division: DivisionView, view: StageView, draw: Draw) -> Json:
    """The draw of one stage with its results, places and tables."""
    url = addresses("public:match")
    return {
        "division": division.division.name,
        "stage": view.stage.name,
        "rounds": [
            {
                "number": r.number,
                "code": r.code,
                "name": round_name_of(r.code),
                "length": r.length,
                "deadline": r.deadline,
                "matches": [match_shape(match, url(match.public_id)) for match in r.matches],
            }
            for r in (*draw.rounds, *draw.play_offs)
        ],
        "places": _places(division, view.places),
        "tables": _tables(division, draw) if in_rounds(view.stage) else [],
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


def _tables(division: DivisionView, draw: Draw) -> list[Json]:
    """Points and tie-breaks in whole units: half a point is 0.5."""
    names = {entry.pk: entry for entry in division.entries}
    return [
        {
            "group": table.group or None,
            "tie_breaks": list(table.codes),
            "rows": [
                {
                    "entry": names[row.entry].public_id,
                    "name": names[row.entry].name,
                    "first": row.first,
                    "last": row.last,
                    "points": table.points[row.entry] / WIN,
                    "lives": table.lives.get(row.entry),
                    "values": {
                        code: float(tie_break(code).counted(value)) for code, value in row.values.items()
                    },
                }
                for row in table.rows
            ],
        }
        for table in tables_of(draw)
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
        "sides": [
            _side(side, score, start)
            for side, score, start in zip(match.sides, match.scores, match.start, strict=True)
        ],
        "version": match.version,
    }


def match_detail(match: Match, row: DrawnMatch) -> Json:
    return {
        **match_shape(row, reverse("public:match", args=[row.public_id])),
        "event": match.stage.division.event.public_id,
        "deadline": match.round.deadline,
        "by_arrangement": is_arranged(match.stage, row),
        "awards": match.awards,
        "adjourned": match.adjourned if match.adjourned and may_report(row.status) else None,
    }


def _side(side: DrawnSide, score: int | None, start: int) -> Json:
    return {
        "side": side.side.value,
        "entry": side.entry_public_id or None,
        "name": side.name,
        "seed": side.seed,
        "score": score,
        "start": start,
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


def points_shape(league: PointsLeague, division: DivisionView) -> Json:
    entries = {entry.pk: entry for entry in division.entries}
    return {
        "division": division.division.name,
        "stage": league.stage.name,
        "status": league.stage.status,
        "settings": written(league.settings),
        "table": [
            {
                "entry": entries[row.entry].public_id,
                "name": entries[row.entry].name,
                "points": row.points,
                "sessions": row.sessions,
                "best": row.best,
                "first": row.first,
                "last": row.last,
            }
            for row in league.rows
        ],
        "sessions": [
            {
                "id": session.row.public_id,
                "number": session.row.number,
                "played_on": session.row.played_on,
                "struck": session.struck,
                "outside": session.outside,
                "scores": [
                    {"entry": entries[entry].public_id, "points": points}
                    for entry, points in session.scores.items()
                ],
            }
            for session in league.sessions
        ],
    }


def season_shape(champions: Champions) -> Json:
    season = champions.event
    return {
        "id": season.public_id,
        "name": season.name,
        "url": page_url("public:event", season.public_id),
        "status": season.status,
        "starts_on": season.starts_on,
        "ends_on": season.ends_on,
        "divisions": [
            {"division": division, "champions": [entry.name for entry in won]}
            for division, won in champions.winners
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
