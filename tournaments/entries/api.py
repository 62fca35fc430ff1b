"""POST for directors who are signed in: create an event, enter a player or team, sell a buy-back. Thin doors to the services.

201: done. 403: not yours. 404: unknown. 409: not any more (``present`` says how it stands). 422: every fault at its field.
"""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import Missing, NotAllowed
from people.actors import Actor
from people.models import Club
from people.permissions import require_director
from people.selectors import club_seen, player_for_club
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.buybacks import buy_back
from tournaments.entries.services.entries import add_entry
from tournaments.events import api as asked
from tournaments.events.services.events import create_event
from tournaments.events.services.templates import event_template
from tournaments.models import Entry
from tournaments.selectors.access.visibility import event_seen_by
from tournaments.selectors.entries import entries_of, entry_of_event
from tournaments.selectors.events.detail import divisions_in, divisions_of
from tournaments.shared.api import schemas, shapes
from tournaments.shared.api.answers import EventView, answer
from tournaments.shared.fragments.cards import addresses

REFUSALS: dict[Any, Any] = dict.fromkeys((403, 404, 409, 422), schemas.RefusalSchema)


class ClubEvents(APIView):
    """Create an event of a club: a draft, from a template or of the divisions and stages that are sent."""

    @extend_schema(
        operation_id="clubs_create_event",
        request=asked.EventInput,
        responses={201: schemas.EventDetailSchema, **REFUSALS},
    )
    def post(self, request: Request, club: str) -> Response:
        found = club_seen(club)
        actor = _director(request, found)
        data = _read(asked.EventInput, request)
        divisions = (
            event_template(data["template"]).divisions
            if data["template"]
            else [asked.division_details(division) for division in data["divisions"]]
        )
        made = create_event(
            actor=actor, club_id=found.pk, details=asked.event_details(data), divisions=divisions
        )
        return Response(shapes.event_detail(made, divisions_of(made)), status=201)


class Entries(EventView):
    """Who takes part, in the order of entering; POST enters a player or team."""

    @extend_schema(operation_id="events_entries", responses=schemas.EntrySchema(many=True))
    def get(self, request: Request, event: str) -> HttpResponse:
        seen = self.seen(request, event)

        def shape() -> list[shapes.Json]:
            url = addresses("public:player")
            return [
                shapes.entry_shape(entry, division.division.name, url)
                for division in divisions_of(seen.event)
                for entry in division.entries
            ]

        return answer(request, self.versions(seen), shape, role=seen.role)

    @extend_schema(
        operation_id="events_enter",
        request=asked.EntryInput,
        responses={201: schemas.EntrySchema, **REFUSALS},
    )
    def post(self, request: Request, event: str) -> Response:
        seen = event_seen_by(request.user, event)
        actor = _director(request, seen.event.club)
        data = _read(asked.EntryInput, request)
        divisions = divisions_in(seen.event)
        if data["division"] > len(divisions):
            raise Missing("division.unknown")
        members = [_member(seen.event.club, member) for member in data["players"]]
        made = add_entry(
            actor=actor,
            event_id=seen.event.pk,
            division_id=divisions[data["division"] - 1].pk,
            entry=asked.new_entry(data, members),
        )
        return Response(_entry(made), status=201)


class BuyBack(APIView):
    """Let an entry that is out enter once more, where its division allows it."""

    @extend_schema(
        operation_id="events_buy_back", request=None, responses={201: schemas.EntrySchema, **REFUSALS}
    )
    def post(self, request: Request, event: str, entry: str) -> Response:
        seen = event_seen_by(request.user, event)
        actor = _director(request, seen.event.club)
        found = entry_of_event(seen.event, entry)
        return Response(_entry(buy_back(actor=actor, event_id=seen.event.pk, entry_id=found.pk)), status=201)


def _director(request: Request, club: Club) -> Actor:
    if not request.user.is_authenticated:
        raise NotAllowed("people.not_director")
    actor = Actor.of(request.user)
    require_director(actor, club)
    return actor


def _member(club: Club, data: dict[str, Any]) -> NewEntry:
    if not data["id"]:
        return NewEntry(name=data["name"])
    return NewEntry(player_id=player_for_club(club, data["id"]).pk)


def _entry(entry: Entry) -> shapes.Json:
    rows = entries_of([entry.division_id])[entry.division_id]
    row = next(row for row in rows if row.pk == entry.pk)
    return shapes.entry_shape(row, entry.division.name, addresses("public:player"))


def _read(schema: type[Any], request: Request) -> dict[str, Any]:
    form = schema(data=request.data)
    form.is_valid(raise_exception=True)
    return dict(form.validated_data)
