"""Who takes part; for directors who are signed in: enter a player or team. Thin doors to the services.

201: done. 403: not yours. 404: unknown. 409: not any more (``present`` says how it stands). 422: every fault at its field.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Final

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import Conflict, Missing
from people.actors import Actor
from people.api.answers import Answer, answer, answered, says
from people.api.bodies import body_of
from people.models import Club
from people.selectors import player_for_club
from tournaments import models
from tournaments.engine.new_entry import MARKS, EntryMarks, NewEntry, PublicPage, WhenFull
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.registration import approve_entries, let_in, turn_away
from tournaments.entries.services.undo_together import undo_together
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.doubts import Doubt, candidates_of, first_doubt
from tournaments.selectors.entries import (
    EntryRow,
    applicants_of,
    entry_of_event,
    row_of,
)
from tournaments.selectors.events.detail import divisions_in, divisions_of
from tournaments.selectors.together import last_together, public_ids
from tournaments.selectors.waiting import place_in_queue
from tournaments.shared.api.asking import (
    KeySent,
    Overruled,
    PublicPageField,
    WhenFullField,
    director_of,
    helper_of,
    placed,
)
from tournaments.shared.api.event_view import EventView
from tournaments.shared.api.values import PlayerRef
from tournaments.shared.fragments.cards import addresses

# Fields of the form for an entry, and where the same stands in a body.
FIELDS: Final = {
    "name": "players.0.name",
    "name_#": "players.#.name",
    "player": "players.0.id",
    "player_#": "players.#.id",
}


class Entry(Answer, frozen=True):
    """An entry. `players` lists those with a public page, or all of them in the response to entering."""

    id: str
    name: str
    division: str
    seed: int | None
    number: Annotated[
        int | None, says("In the order of entering, which is the starting order of a blind draw.")
    ]
    withdrawn: bool
    waiting: Annotated[int | None, says("Place on the waiting list, in the response to entering.")]
    players: list[PlayerRef]

    @classmethod
    def of(
        cls,
        entry: EntryRow,
        division: str,
        path: Callable[[str], str],
        *,
        all_players: bool = False,
        waiting: int | None = None,
    ) -> "Entry":
        """``path``: of a player's page by their id. ``all_players``: also those without a public page."""
        return cls(
            id=entry.public_id,
            name=entry.name,
            division=division,
            seed=entry.seed,
            number=entry.number,
            withdrawn=entry.withdrawn,
            waiting=waiting,
            players=[
                PlayerRef(player.public_id, player.name, f"{settings.SITE_URL}{path(player.public_id)}")
                for player in entry.players
                if player.listed or all_players
            ],
        )


class MemberInput(serializers.Serializer[object]):
    """A player: the ``id`` of a known one, or the ``name`` of a new one with the start of their public page. A name
    that a player known to the club already has is rejected with their IDs (422 ``player.name_known``), unless
    ``another`` is set.
    """

    id = serializers.CharField(required=False, allow_blank=True, default="", max_length=16)
    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)
    another = serializers.BooleanField(
        required=False, default=False, help_text="Create another player with a known name."
    )
    public_page = PublicPageField()


class EntryInput(serializers.Serializer[object]):
    """A player or team for a division, which is given by its ``number``."""

    division = serializers.IntegerField(default=1, min_value=1, max_value=99)
    players = serializers.ListField(child=MemberInput(), min_length=1, max_length=3)
    team = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)
    party = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=400,
        help_text="Travel group, whose members are kept apart in early rounds.",
    )
    overrule = Overruled(
        "Why the entry is accepted despite the division's rating limits; kept in the audit log."
    )
    when_full = WhenFullField()
    submission_key = KeySent()


class Entries(EventView):
    """List the entries of an event in the order of entering."""

    key_in_body = True

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
        """Enter a player or team."""
        visible = visible_event(request.user, event)
        actor = director_of(request, visible.event.club)
        data = body_of(request, EntryInput)
        divisions = divisions_in(visible.event)
        if data["division"] > len(divisions):
            raise Missing("division.unknown")
        members = [_member(visible.event.club, member) for member in data["players"]]
        with placed(FIELDS):
            made = add_entry(
                actor=actor,
                event_id=visible.event.pk,
                division_id=divisions[data["division"] - 1].pk,
                entry=_new_entry(data, members),
                when_full=WhenFull(data["when_full"]),
            )
        return Response(entry_answer(made), status=201)


class ExpectedEntry(Answer, frozen=True):
    """An entry through the link that is pending approval or waiting. Only for directors."""

    id: str
    name: str
    division: str
    approved: Annotated[bool, says("Whether the entry is approved.")]
    waiting: Annotated[int | None, says("Place on the waiting list; null if it has a place.")]
    doubt: Annotated[
        Doubt | None,
        says(
            "Why `player` must be sent to approve the entry: the name is `entered` in the division already, `withdrew`"
            " from it, was entered `twice` through the link, or belongs to `several` players."
        ),
    ]
    same_name: Annotated[list[str], says("IDs of known players with this name.")]


class ExpectedEntries(EventView):
    """List the entries that are pending approval or on a waiting list."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="events_expected", responses=answered(list[ExpectedEntry]))
    def get(self, request: Request, event: str) -> Response:
        visible = self.visible(request, event)
        helper_of(request, visible.event)
        return Response(_applicants(visible.event))

    @extend_schema(operation_id="events_approve_all", request=None, responses=answered(list[ExpectedEntry]))
    def post(self, request: Request, event: str) -> Response:
        """Approve all entries except those with doubtful names."""
        visible = visible_event(request.user, event)
        approve_entries(actor=helper_of(request, visible.event), event_id=visible.event.pk)
        return Response(_applicants(visible.event))


class ApproveInput(serializers.Serializer[object]):
    """No field is required."""

    overrule = Overruled("Why a director approves an entry outside the division's rating limits.")
    player = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=16,
        help_text="If the name is doubtful: ID of the player, or `new` for a different person from all of that name.",
    )


class ApproveEntry(APIView):
    """Approve an entry."""

    @extend_schema(
        operation_id="events_approve", request=ApproveInput, responses=answered(list[ExpectedEntry])
    )
    def post(self, request: Request, event: str, entry: str) -> Response:
        visible, actor, found = _one_of(request, event, entry)
        body = body_of(request, ApproveInput)
        approve_entries(
            actor=actor,
            event_id=visible.pk,
            entry_ids=[found.pk],
            overrule=body["overrule"],
            who=body["player"],
        )
        return Response(_applicants(visible))


class TurnAway(APIView):
    """Decline an entry, which removes it."""

    @extend_schema(operation_id="events_turn_away", request=None, responses=answered(list[ExpectedEntry]))
    def post(self, request: Request, event: str, entry: str) -> Response:
        visible, actor, found = _one_of(request, event, entry)
        turn_away(actor=actor, event_id=visible.pk, entry_id=found.pk)
        return Response(_applicants(visible))


class LetInInput(serializers.Serializer[object]):
    """No field is required, unless others would be passed over or the division is full."""

    when_full = WhenFullField()


class LetIn(APIView):
    """Give an entry on the waiting list a place. If others would be passed over or the division is full, send ``when_full: add``."""

    @extend_schema(operation_id="events_let_in", request=LetInInput, responses=answered(list[ExpectedEntry]))
    def post(self, request: Request, event: str, entry: str) -> Response:
        visible, actor, found = _one_of(request, event, entry)
        when_full = WhenFull(body_of(request, LetInInput)["when_full"])
        let_in(actor=actor, event_id=visible.pk, entry_id=found.pk, when_full=when_full)
        return Response(_applicants(visible))


class UndoneEntries(Answer, frozen=True):
    """Entries by their IDs."""

    undone: list[str]
    kept: Annotated[list[str], says("Entries that have changed since and stay as they are.")]


class UndoEntries(APIView):
    """Undo the last step with several entries. That is an import, or entries withdrawn, moved, approved, marked as paid or
    seeded together. Entries that have changed since stay as they are. 409 with the reason if nothing can be
    undone, for example once the draw is made.
    """

    @extend_schema(operation_id="events_undo_entries", request=None, responses=answered(UndoneEntries))
    def post(self, request: Request, event: str) -> Response:
        visible = visible_event(request.user, event).event
        actor = helper_of(request, visible)
        last = last_together(visible)
        if last is None:
            raise Conflict("entry.step_unknown", present=visible)
        done = undo_together(actor=actor, event_id=visible.pk, audit_id=last[0].pk)
        return Response(
            UndoneEntries(
                undone=public_ids(one.entry for one in done.entries),
                kept=public_ids(one.entry for one in done.kept),
            )
        )


def _one_of(request: Request, event: str, entry: str) -> tuple[models.Event, Actor, models.Entry]:
    """The event, who asks and directs it or helps with it, and one of its entries."""
    visible = visible_event(request.user, event).event
    return visible, helper_of(request, visible), entry_of_event(visible, entry)


def _applicants(event: models.Event) -> list[ExpectedEntry]:
    found = [(division, one) for division in divisions_in(event) for one in applicants_of(division)]
    known = candidates_of(event, [one.row.pk for _division, one in found if one.unconfirmed])
    doubts = {pk: first_doubt(candidates) for pk, candidates in known.items()}
    return [
        ExpectedEntry(
            id=one.row.public_id,
            name=one.row.name,
            division=division.name,
            approved=not one.unconfirmed,
            waiting=one.place,
            doubt=doubtful.doubt if (doubtful := doubts.get(one.row.pk)) is not None else None,
            same_name=[player.public_id for name in known.get(one.row.pk, ()) for player in name.players],
        )
        for division, one in found
    ]


def _member(club: Club, data: dict[str, Any]) -> NewEntry:
    if not data["id"]:
        return NewEntry(
            name=data["name"],
            public_page=PublicPage(data["public_page"]),
            only_if_unknown=not data["another"],
        )
    return NewEntry(player_id=player_for_club(club, data["id"]).pk)


def entry_answer(entry: models.Entry) -> Entry:
    """One entry as the API tells it to a director."""
    path, queue = addresses("public:player"), place_in_queue(entry)
    return Entry.of(row_of(entry), entry.division.name, path, all_players=True, waiting=queue)


def _new_entry(data: dict[str, Any], members: list[NewEntry]) -> NewEntry:
    lead, *others = members
    return replace(
        lead,
        partners=tuple(others),
        team=data["team"],
        marks=EntryMarks(*(data[name] for name in MARKS)),
        overrule=data["overrule"],
    )
