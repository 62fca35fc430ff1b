"""Who takes part; for directors who are signed in: enter a player or team, sell a buy-back. Thin doors to the services.

201: done. 403: not yours. 404: unknown. 409: not any more (``present`` says how it stands). 422: every fault at its field.
"""

from collections.abc import Callable
from typing import Annotated, Any

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import Missing
from people.api.answers import Answer, answer, answered, says
from people.models import Club
from people.selectors import player_for_club
from tournaments import models
from tournaments.engine.new_entry import MARKS, EntryMarks, NewEntry
from tournaments.entries.services.buybacks import buy_back
from tournaments.entries.services.entries import add_entry
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.entries import EntryRow, entries_of, entry_of_event
from tournaments.selectors.events.detail import divisions_in, divisions_of
from tournaments.shared.api.asking import body_of, director_of
from tournaments.shared.api.event_view import EventView
from tournaments.shared.api.values import PlayerRef
from tournaments.shared.fragments.cards import addresses


class Entry(Answer, frozen=True):
    """An entry; `players` lists those with a public page only."""

    id: str
    name: str
    division: str
    seed: int | None
    number: Annotated[int | None, says("In the order of entering; a blind draw starts here.")]
    withdrawn: bool
    players: list[PlayerRef]

    @classmethod
    def of(cls, entry: EntryRow, division: str, path: Callable[[str], str]) -> "Entry":
        """``path``: of a player's page by their id."""
        return cls(
            id=entry.public_id,
            name=entry.name,
            division=division,
            seed=entry.seed,
            number=entry.number,
            withdrawn=entry.withdrawn,
            players=[
                PlayerRef(player.public_id, player.name, f"{settings.SITE_URL}{path(player.public_id)}")
                for player in entry.players
                if player.listed
            ],
        )


class MemberInput(serializers.Serializer[object]):
    """A player: ``id`` of a known one, or the ``name`` of a new one."""

    id = serializers.CharField(required=False, allow_blank=True, default="", max_length=16)
    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)


class EntryInput(serializers.Serializer[object]):
    """A player or team for a division, which is named by its ``number``."""

    division = serializers.IntegerField(default=1, min_value=1, max_value=99)
    players = serializers.ListField(child=MemberInput(), min_length=1, max_length=3)
    team = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)
    party = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=400, help_text="Who should meet late."
    )


class Entries(EventView):
    """Who takes part, in the order of entering; POST enters a player or team."""

    @extend_schema(operation_id="events_entries", responses=answered(list[Entry]))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.visible(request, event)

        def entries() -> list[Entry]:
            path = addresses("public:player")
            return [
                Entry.of(entry, division.division.name, path)
                for division in divisions_of(visible.event)
                for entry in division.entries
            ]

        return answer(request, self.versions(visible), entries, role=visible.role)

    @extend_schema(
        operation_id="events_enter",
        request=EntryInput,
        responses=answered(Entry, 201),
    )
    def post(self, request: Request, event: str) -> Response:
        visible = visible_event(request.user, event)
        actor = director_of(request, visible.event.club)
        data = body_of(request, EntryInput)
        divisions = divisions_in(visible.event)
        if data["division"] > len(divisions):
            raise Missing("division.unknown")
        members = [_member(visible.event.club, member) for member in data["players"]]
        made = add_entry(
            actor=actor,
            event_id=visible.event.pk,
            division_id=divisions[data["division"] - 1].pk,
            entry=_new_entry(data, members),
        )
        return Response(_entry(made), status=201)


class BuyBack(APIView):
    """Let an entry that is out enter once more, where its division allows it."""

    @extend_schema(operation_id="events_buy_back", request=None, responses=answered(Entry, 201))
    def post(self, request: Request, event: str, entry: str) -> Response:
        visible = visible_event(request.user, event)
        actor = director_of(request, visible.event.club)
        found = entry_of_event(visible.event, entry)
        return Response(
            _entry(buy_back(actor=actor, event_id=visible.event.pk, entry_id=found.pk)), status=201
        )


def _member(club: Club, data: dict[str, Any]) -> NewEntry:
    if not data["id"]:
        return NewEntry(name=data["name"])
    return NewEntry(player_id=player_for_club(club, data["id"]).pk)


def _entry(entry: models.Entry) -> Entry:
    rows = entries_of([entry.division_id])[entry.division_id]
    row = next(row for row in rows if row.pk == entry.pk)
    return Entry.of(row, entry.division.name, addresses("public:player"))


def _new_entry(data: dict[str, Any], members: list[NewEntry]) -> NewEntry:
    lead, *others = members
    return NewEntry(
        lead.name,
        lead.player_id,
        tuple(others),
        team=data["team"],
        marks=EntryMarks(*(data[name] for name in MARKS)),
    )
