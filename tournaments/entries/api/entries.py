"""API of entries. Signed-in directors can enter players and teams, approve, decline and undo.

201: created. 403: not permitted. 404: not found. 409: no longer possible (``present`` has the current state).
422: all errors with their fields.
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
from names.public_page import PublicPage
from people.actors import Actor
from people.api.answers import Answer, field_description, response_schemas, versioned_answer
from people.api.bodies import parse_body
from people.api.parsers import PublicPageField
from people.models import Club
from people.selectors import player_for_club
from tournaments import models
from tournaments.engine.new_entry import MARK_LIMITS, EntryMarks, NewEntry, WhenFull
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.registration import admit_from_waiting_list, approve_entries, decline_entry
from tournaments.entries.services.undo_together import undo_bulk_action
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.doubts import ApprovalDoubt, candidates_by_entry, first_doubt
from tournaments.selectors.entries import (
    EntryRow,
    division_applicants,
    entry_row,
    get_entry,
)
from tournaments.selectors.events.detail import division_views, divisions_in
from tournaments.selectors.together import entry_public_ids, last_bulk_action
from tournaments.selectors.waiting import place_in_queue
from tournaments.shared.api.asking import (
    OverruleField,
    SubmissionKeyField,
    WhenFullField,
    director_actor,
    helper_actor,
    map_fault_fields,
)
from tournaments.shared.api.event_view import EventView
from tournaments.shared.api.values import PlayerRef
from tournaments.shared.fragments.cards import url_builder

# Fields of the form for an entry, with their fields in the body.
BODY_FIELDS: Final = {
    "name": "players.0.name",
    "name_#": "players.#.name",
    "player": "players.0.id",
    "player_#": "players.#.id",
}


class Entry(Answer, frozen=True):
    """An entry: a player or a team in a division.

    `players` lists the players who have a public page; the response to entering lists all of them.
    """

    id: str
    name: str
    division: str
    seed: int | None
    number: Annotated[
        int | None,
        field_description("In the order of entering, which is the starting order of a blind draw."),
    ]
    withdrawn: bool
    waiting: Annotated[
        int | None, field_description("Place on the waiting list, in the response to entering.")
    ]
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
        """Return the response for an entry of the division named ``division``.

        ``path``: function from a player's id to the path of the player's page; ``all_players``: True includes
        players without a public page; ``waiting``: place on the waiting list.
        """
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
    """A player of an entry: the ``id`` of a known player, or the ``name`` of a new one.

    A name that a player known to the club already has is rejected with the IDs of these players (422
    ``player.name_known``), unless ``another`` is set.
    """

    id = serializers.CharField(required=False, allow_blank=True, default="", max_length=16)
    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=400)
    another = serializers.BooleanField(
        required=False, default=False, help_text="Create another player with a known name."
    )
    public_page = PublicPageField()


class EntryInput(serializers.Serializer[object]):
    """A player or team to enter; ``division`` is the number of the division in the event, from 1."""

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
    overrule = OverruleField(
        "Why the entry is accepted despite the division's rating limits; kept in the audit log."
    )
    when_full = WhenFullField()
    submission_key = SubmissionKeyField()


class Entries(EventView):
    """List the entries of an event in the order of entering."""

    key_in_body = True

    @extend_schema(operation_id="events_entries", responses=response_schemas(list[Entry]))
    def get(self, request: Request, event: str) -> HttpResponse:
        visible = self.get_visible_event(request, event)

        def entries() -> list[Entry]:
            path = url_builder("public:player")
            return [
                Entry.of(entry, division.division.name, path)
                for division in division_views(visible.event)
                for entry in division.entries
            ]

        return versioned_answer(request, self.versions(visible), entries, role=visible.role)

    @extend_schema(
        operation_id="events_enter",
        request=EntryInput,
        responses=response_schemas(Entry, 201),
    )
    def post(self, request: Request, event: str) -> Response:
        """Enter a player or team."""
        visible = visible_event(request.user, event)
        actor = director_actor(request, visible.event.club)
        data = parse_body(request, EntryInput)
        divisions = divisions_in(visible.event)
        if data["division"] > len(divisions):
            raise Missing("division.unknown")
        members = [_member(visible.event.club, member) for member in data["players"]]
        with map_fault_fields(BODY_FIELDS):
            entry = add_entry(
                actor=actor,
                event_id=visible.event.pk,
                division_id=divisions[data["division"] - 1].pk,
                entry=_new_entry(data, members),
                when_full=WhenFull(data["when_full"]),
            )
        return Response(entry_response(entry), status=201)


class ExpectedEntry(Answer, frozen=True):
    """An entry through the registration link that is pending approval or on the waiting list.

    Only directors and assistants can see it.
    """

    id: str
    name: str
    division: str
    approved: Annotated[bool, field_description("Whether the entry is approved.")]
    waiting: Annotated[int | None, field_description("Place on the waiting list; null if it has a place.")]
    doubt: Annotated[
        ApprovalDoubt | None,
        field_description(
            "Why `player` must be sent to approve the entry: the name is `entered` in the division already, `withdrew`"
            " from it, was entered `twice` through the link, or belongs to `several` players."
        ),
    ]
    same_name: Annotated[list[str], field_description("IDs of known players with this name.")]


class PendingEntries(EventView):
    """List the entries of the event that are pending approval or on a waiting list."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="events_expected", responses=response_schemas(list[ExpectedEntry]))
    def get(self, request: Request, event: str) -> Response:
        visible = self.get_visible_event(request, event)
        helper_actor(request, visible.event)
        return Response(_applicants(visible.event))

    @extend_schema(
        operation_id="events_approve_all", request=None, responses=response_schemas(list[ExpectedEntry])
    )
    def post(self, request: Request, event: str) -> Response:
        """Approve all pending entries of the event, except those whose name is doubtful."""
        visible = visible_event(request.user, event)
        approve_entries(actor=helper_actor(request, visible.event), event_id=visible.event.pk)
        return Response(_applicants(visible.event))


class ApproveInput(serializers.Serializer[object]):
    """Input for approving an entry.

    No field is required, unless the name is doubtful or a rating is outside the limits.
    """

    overrule = OverruleField("Why a director approves an entry outside the division's rating limits.")
    player = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=16,
        help_text="If the name is doubtful: ID of the player, or `new` for a different person from all of that name.",
    )


class ApproveEntry(APIView):
    """Approve an entry that is pending approval."""

    @extend_schema(
        operation_id="events_approve", request=ApproveInput, responses=response_schemas(list[ExpectedEntry])
    )
    def post(self, request: Request, event: str, entry: str) -> Response:
        loaded_event, actor, loaded_entry = _load_entry(request, event, entry)
        body = parse_body(request, ApproveInput)
        approve_entries(
            actor=actor,
            event_id=loaded_event.pk,
            entry_ids=[loaded_entry.pk],
            overrule=body["overrule"],
            who=body["player"],
        )
        return Response(_applicants(loaded_event))


class DeclineEntry(APIView):
    """Decline an entry that is pending approval, which deletes the entry."""

    @extend_schema(
        operation_id="events_turn_away", request=None, responses=response_schemas(list[ExpectedEntry])
    )
    def post(self, request: Request, event: str, entry: str) -> Response:
        loaded_event, actor, loaded_entry = _load_entry(request, event, entry)
        decline_entry(actor=actor, event_id=loaded_event.pk, entry_id=loaded_entry.pk)
        return Response(_applicants(loaded_event))


class AdmitInput(serializers.Serializer[object]):
    """Input for giving an entry on the waiting list a place.

    No field is required unless others would be passed over or the division is full.
    """

    when_full = WhenFullField()


class AdmitFromWaitingList(APIView):
    """Give an entry on the waiting list a place. If others would be passed over or the division is full, send
    ``when_full: add``.
    """

    @extend_schema(
        operation_id="events_let_in", request=AdmitInput, responses=response_schemas(list[ExpectedEntry])
    )
    def post(self, request: Request, event: str, entry: str) -> Response:
        loaded_event, actor, loaded_entry = _load_entry(request, event, entry)
        when_full = WhenFull(parse_body(request, AdmitInput)["when_full"])
        admit_from_waiting_list(
            actor=actor, event_id=loaded_event.pk, entry_id=loaded_entry.pk, when_full=when_full
        )
        return Response(_applicants(loaded_event))


class UndoneEntries(Answer, frozen=True):
    """The IDs of the entries for which the last step was undone."""

    undone: list[str]
    kept: Annotated[list[str], field_description("Entries that have changed since and stay as they are.")]


class UndoEntries(APIView):
    """Undo the last step that changed several entries at once.

    Such a step is an import, or entries withdrawn, moved, approved, marked as paid or seeded together.
    Entries that have changed since stay as they are. 409 with the reason if nothing can be undone, for
    example once the draw is made.
    """

    @extend_schema(
        operation_id="events_undo_entries", request=None, responses=response_schemas(UndoneEntries)
    )
    def post(self, request: Request, event: str) -> Response:
        loaded_event = visible_event(request.user, event).event
        actor = helper_actor(request, loaded_event)
        last_action = last_bulk_action(loaded_event)
        if last_action is None:
            raise Conflict("entry.step_unknown", present=loaded_event)
        result = undo_bulk_action(actor=actor, event_id=loaded_event.pk, audit_id=last_action[0].pk)
        return Response(
            UndoneEntries(
                undone=entry_public_ids(named_entry.entry for named_entry in result.entries),
                kept=entry_public_ids(named_entry.entry for named_entry in result.kept),
            )
        )


def _load_entry(request: Request, event: str, entry: str) -> tuple[models.Event, Actor, models.Entry]:
    """Return the event, the actor and the entry.

    Raises ``NotAllowed`` unless the user is a director or assistant of the event.
    """
    loaded_event = visible_event(request.user, event).event
    return loaded_event, helper_actor(request, loaded_event), get_entry(loaded_event, entry)


def _applicants(event: models.Event) -> list[ExpectedEntry]:
    applicants = [
        (division, applicant)
        for division in divisions_in(event)
        for applicant in division_applicants(division)
    ]
    entry_candidates = candidates_by_entry(
        event, [applicant.row.pk for _division, applicant in applicants if applicant.is_pending]
    )
    doubts = {pk: first_doubt(candidates) for pk, candidates in entry_candidates.items()}
    return [
        ExpectedEntry(
            id=applicant.row.public_id,
            name=applicant.row.name,
            division=division.name,
            approved=not applicant.is_pending,
            waiting=applicant.place,
            doubt=doubtful.doubt if (doubtful := doubts.get(applicant.row.pk)) is not None else None,
            same_name=[
                player.public_id
                for candidate in entry_candidates.get(applicant.row.pk, ())
                for player in candidate.players
            ],
        )
        for division, applicant in applicants
    ]


def _member(club: Club, data: dict[str, Any]) -> NewEntry:
    if not data["id"]:
        return NewEntry(
            name=data["name"],
            public_page=PublicPage(data["public_page"]),
            only_if_unknown=not data["another"],
        )
    return NewEntry(player_id=player_for_club(club, data["id"]).pk)


def entry_response(entry: models.Entry) -> Entry:
    """Return the API response for one entry, with all its players and its place on the waiting list."""
    path, place = url_builder("public:player"), place_in_queue(entry)
    return Entry.of(entry_row(entry), entry.division.name, path, all_players=True, waiting=place)


def _new_entry(data: dict[str, Any], members: list[NewEntry]) -> NewEntry:
    lead, *partners = members
    return replace(
        lead,
        partners=tuple(partners),
        team=data["team"],
        marks=EntryMarks(*(data[name] for name in MARK_LIMITS)),
        overrule=data["overrule"],
    )
