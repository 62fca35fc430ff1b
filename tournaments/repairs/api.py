"""API: repairs by directors: preview, make or undo a correction; re-entry, withdrawal, reinstatement.

200: previewed, or undone. 201: corrected, or re-entered. 409: the match has changed, or a repair must be
chosen (``present`` lists them). 422: an impossible score, with every reason. 403 and 404 as on the pages. The
same key again returns the same response.
"""

from typing import Annotated, Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import NotAllowed
from people.actors import Actor
from people.api.answers import Answer, field_description, response_schemas
from people.api.bodies import parse_body
from people.models import User
from people.selectors import refresh_row
from rating.selectors import CorrectionPreview as RatingPreview
from tournaments.engine.brackets.correction import Repair
from tournaments.engine.new_entry import WhenFull
from tournaments.engine.statuses import EntryStatus, MatchStatus
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.entries.api.entries import Entry, entry_response
from tournaments.entries.services.entries import withdraw_entry
from tournaments.entries.services.own import withdraw_by_link, withdraw_own_entry
from tournaments.matches.api.report import DEVICE_DESCRIPTION, DEVICE_HEADER, signed_device
from tournaments.models import Entry as EntryRow
from tournaments.models import Event
from tournaments.models.choices import RESULT_KIND_CHOICES, SIDE_CHOICES
from tournaments.models.report import KEY_LIMIT, NOTE_LIMIT
from tournaments.repairs.services.correct import check_correction, correct_result
from tournaments.repairs.services.reentry import reenter
from tournaments.repairs.services.reinstating import reinstate, reinstate_by_link, reinstate_own
from tournaments.repairs.services.undo import undo_repair
from tournaments.selectors.access.phones import NO_ORIGIN, RequestOrigin
from tournaments.selectors.access.visibility import VisibleMatch, visible_event, visible_match
from tournaments.selectors.draws import drawn_match
from tournaments.selectors.entries import get_entry
from tournaments.selectors.repairs.corrections import Cascade, correction_preview, rating_effects
from tournaments.selectors.repairs.undo import repair_of_match
from tournaments.selectors.waiting import place_in_queue
from tournaments.shared.api.asking import OverruleField, WhenFullField, director_actor
from tournaments.shared.api.auth import LinkAuthentication, LinkOrSession, linked_entry
from tournaments.shared.api.values import MatchDetail
from tournaments.shared.frames.device import current_device

REPAIR_CHOICES = [(repair.value, repair.name) for repair in Repair]


class CorrectionInput(serializers.Serializer[object]):
    """The correct result; ``length`` if the match should have had a different length."""

    score_a = serializers.IntegerField()
    score_b = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=RESULT_KIND_CHOICES, default="played")
    winner = serializers.ChoiceField(choices=SIDE_CHOICES, required=False, allow_null=True, default=None)
    length = serializers.IntegerField(required=False, allow_null=True, default=None)


class CorrectInput(CorrectionInput):
    """The correction with the chosen repair.

    ``seen``: from the preview, never empty; 409 if anything has changed since.
    """

    repair = serializers.ChoiceField(choices=REPAIR_CHOICES, required=False, allow_null=True, default=None)
    seen = serializers.CharField(max_length=64)
    note = serializers.CharField(max_length=NOTE_LIMIT, required=False, allow_blank=True, default="")
    submission_key = serializers.CharField(max_length=KEY_LIMIT)


class Move(Answer, frozen=True):
    """A side of a match whose player changes. `before` and `after`: names, empty for no player.

    `vacant`: whether the side then stays empty.
    """

    match: int
    side: Side
    before: str
    after: str
    vacant: bool


class Voided(Answer, frozen=True):
    """A result that is cancelled, and what the match then becomes."""

    match: int
    status: MatchStatus


class PlaceMoved(Answer, frozen=True):
    """A place that the repair changes, such as “1” or “3–4”, empty while not decided.

    `section` is empty for a table.
    """

    name: str
    section: str
    before: str
    after: str


class RatingMoved(Answer, frozen=True):
    """A rating that the correction would change, unrounded; null where the player is not on the list."""

    list: str
    list_name: str
    player: str
    name: str
    before: float | None
    after: float | None


class RatingsMoved(Answer, frozen=True):
    """Changes of ratings that come from the corrected results alone, as shown on the director's page."""

    total: Annotated[int, field_description("Number of ratings that change.")]
    changes: Annotated[
        list[RatingMoved], field_description("The largest changes of each list, about forty in all.")
    ]
    notes: Annotated[
        list[str],
        field_description(
            "Lists without a forecast, in words: those whose rating period is still open (Glicko-2), and those with"
            " very many results since."
        ),
    ]

    @classmethod
    def of(cls, preview: RatingPreview) -> "RatingsMoved":
        changes = [
            RatingMoved(
                list=effect.list_public_id,
                list_name=effect.list_name,
                player=effect.player.public_id,
                name=effect.player.name,
                before=effect.now,
                after=effect.then,
            )
            for effect in preview.shown
        ]
        return cls(preview.total, changes, preview.notes)


class RepairPreview(Answer, frozen=True):
    """A repair and all its consequences."""

    repair: Repair
    moves: list[Move]
    voided: list[Voided]
    given: Annotated[list[int], field_description("Matches that become walkovers.")]
    stopped: Annotated[list[int], field_description("Matches that are being played now.")]
    places: list[PlaceMoved]
    ratings: RatingsMoved

    @classmethod
    def of(cls, repair: Repair, cascade: Cascade, ratings: RatingPreview) -> "RepairPreview":
        return cls(
            repair=repair,
            moves=[
                Move(seat.match.number, seat.side, seat.before, seat.after, seat.vacant)
                for seat in cascade.side_changes
            ],
            voided=[Voided(match.number, status) for match, status in cascade.voided_matches],
            given=[match.number for match, _name in cascade.awarded_matches],
            stopped=[match.number for match in cascade.returned_matches],
            places=[
                PlaceMoved(change.name, change.section, str(change.before or ""), str(change.after or ""))
                for change in cascade.places
            ],
            ratings=RatingsMoved.of(ratings),
        )


class CorrectionPreview(Answer, frozen=True):
    """All possible repairs with their consequences."""

    seen: Annotated[
        str, field_description("Send this with the correction; 409 if anything has changed since.")
    ]
    repairs: list[RepairPreview]


class Corrected(Answer, frozen=True):
    """The match after the correction."""

    repair: Repair
    undo: Annotated[int | None, field_description("Send this to undo the correction.")]
    match: MatchDetail


class Undone(Answer, frozen=True):
    """A repair that was undone."""

    undone: int
    version: Annotated[int, field_description("Of the event.")]


class UndoInput(serializers.Serializer[object]):
    """``undo``: the value that the response to the correction contained."""

    undo = serializers.IntegerField(min_value=1, max_value=2**62)


class _DirectorView(APIView):
    authentication_classes = (SessionAuthentication,)
    permission_classes = (IsAuthenticated,)

    def match(self, request: Request, public_id: str) -> tuple[VisibleMatch, Actor]:
        """Return the match and the actor. Raises ``NotAllowed`` unless the user is a director."""
        visible = visible_match(request.user, public_id)
        return visible, director_actor(request, visible.event.club)


class PreviewCorrection(_DirectorView):
    """Preview what another result would change, with the repairs to choose from. Nothing is saved."""

    @extend_schema(
        operation_id="matches_correct_preview",
        request=CorrectionInput,
        responses=response_schemas(CorrectionPreview),
    )
    def post(self, request: Request, match: str) -> Response:
        (visible, _actor), body = self.match(request, match), parse_body(request, CorrectionInput)
        claim, length = _claim_from_body(body), body["length"]
        check_correction(match=visible.match, claim=claim, length=length)
        preview = correction_preview(visible.match, claim, length)
        repairs = [
            RepairPreview.of(repair, cascade, rating_effects(visible.match, claim, length, cascade))
            for repair, cascade in preview.repairs.items()
        ]
        return Response(CorrectionPreview(preview.version, repairs))


class CorrectResult(_DirectorView):
    """Correct a confirmed result, with the repair that you chose."""

    @extend_schema(
        operation_id="matches_correct", request=CorrectInput, responses=response_schemas(Corrected, 201)
    )
    def post(self, request: Request, match: str) -> Response:
        (visible, actor), body = self.match(request, match), parse_body(request, CorrectInput)
        correction = correct_result(
            actor=actor,
            event_id=visible.event.pk,
            match_id=visible.match.pk,
            claim=_claim_from_body(body),
            submission_key=body["submission_key"],
            note=body["note"],
            repair=Repair(body["repair"]) if body["repair"] else None,
            seen=body["seen"],
            length=body["length"],
        )
        updated = visible_match(request.user, match)
        repair_row = repair_of_match(updated.event, updated.match)
        match_detail = MatchDetail.about(updated.match, drawn_match(updated.match))
        return Response(
            Corrected(correction.repair, repair_row.pk if repair_row is not None else None, match_detail),
            status=201,
        )


class UndoRepair(_DirectorView):
    """Undo the last repair of a stage, if nothing depends on it yet."""

    @extend_schema(operation_id="events_undo", request=UndoInput, responses=response_schemas(Undone))
    def post(self, request: Request, event: str) -> Response:
        visible = visible_event(request.user, event)
        actor, number = director_actor(request, visible.event.club), parse_body(request, UndoInput)["undo"]
        undo_repair(actor=actor, event_id=visible.event.pk, audit_id=number)
        return Response(Undone(number, refresh_row(visible.event).version))


def _claim_from_body(body: dict[str, Any]) -> Claim:
    winner = Side(body["winner"]) if body["winner"] else None
    return Claim(body["score_a"], body["score_b"], ResultKind(body["kind"]), winner)


class BuyBackInput(serializers.Serializer[object]):
    """Options of a re-entry; no field is required."""

    overrule = OverruleField(
        "Why the entry is accepted despite the division's rating limits; kept in the audit log."
    )


class ReenterEntry(APIView):
    """Let an entry that is out re-enter, if its division allows it.

    In a bracket it gets a random free place.
    """

    @extend_schema(
        operation_id="events_buy_back", request=BuyBackInput, responses=response_schemas(Entry, 201)
    )
    def post(self, request: Request, event: str, entry: str) -> Response:
        visible = visible_event(request.user, event)
        actor = director_actor(request, visible.event.club)
        entry_row, overrule = get_entry(visible.event, entry), parse_body(request, BuyBackInput)["overrule"]
        reentered = reenter(actor=actor, event_id=visible.event.pk, entry_id=entry_row.pk, overrule=overrule)
        return Response(entry_response(reentered), status=201)


class ReinstateInput(serializers.Serializer[object]):
    """Options of a reinstatement by a director.

    Ignored for a player, who goes to the end of the waiting list if the division is full.
    """

    overrule = OverruleField(
        "Why the entry is accepted despite the division's rating limits; kept in the audit log."
    )
    when_full = WhenFullField()


class EntryStanding(Answer, frozen=True):
    """The entry after the change, with its place on the waiting list."""

    id: str
    name: str
    status: EntryStatus
    waiting: Annotated[int | None, field_description("Place on the waiting list.")]
    device: Annotated[str, field_description(DEVICE_DESCRIPTION)]

    @classmethod
    def of(cls, entry: EntryRow, phone: RequestOrigin = NO_ORIGIN) -> "EntryStanding":
        status = EntryStatus(entry.status)
        return cls(entry.public_id, entry.name, status, place_in_queue(entry), signed_device(phone))


class _OwnOrDirector(APIView):
    """Base view for the personal link of the entry, the account of its player, or a signed-in director."""

    tells_secret = True
    authentication_classes = (LinkAuthentication, SessionAuthentication)
    permission_classes = (LinkOrSession,)

    def entry(self, request: Request, event: str, public_id: str) -> tuple[Event, EntryRow]:
        """Return the event and the entry. Raises ``NotAllowed`` if a link is used for another entry."""
        link = linked_entry(request)
        if link is None:
            event_row = visible_event(request.user, event).event
            return event_row, get_entry(event_row, public_id)
        if (link.division.event.public_id, link.public_id) != (event, public_id):
            raise NotAllowed("people.not_director")
        return link.division.event, link

    def director(self, request: Request, event: Event) -> Actor | None:
        """Return the director who makes the request; None for a player."""
        try:
            return director_actor(request, event.club)
        except NotAllowed:
            return None

    def player(self, request: Request) -> Actor:
        """Return the signed-in player as actor."""
        return Actor.of(cast("User", request.user))


class WithdrawEntry(_OwnOrDirector):
    """Withdraw an entry before the draw. It stays on the list as withdrawn and can be reinstated."""

    @extend_schema(
        operation_id="events_withdraw",
        parameters=[DEVICE_HEADER],
        request=None,
        responses=response_schemas(EntryStanding),
    )
    def post(self, request: Request, event: str, entry: str) -> Response:
        event_row, entry_row = self.entry(request, event, entry)
        if linked_entry(request) is not None:
            phone = current_device(request)
            return Response(EntryStanding.of(withdraw_by_link(entry=entry_row, phone=phone), phone))
        director = self.director(request, event_row)
        if director is None:
            return Response(EntryStanding.of(withdraw_own_entry(actor=self.player(request), public_id=entry)))
        withdrawn = withdraw_entry(actor=director, event_id=event_row.pk, entry_id=entry_row.pk)
        return Response(EntryStanding.of(withdrawn))


class ReinstateEntry(_OwnOrDirector):
    """Reinstate a withdrawn entry, before or after the draw. Players can do so themselves before the draw, if
    they withdrew themselves.
    """

    @extend_schema(
        operation_id="events_reinstate",
        parameters=[DEVICE_HEADER],
        request=ReinstateInput,
        responses=response_schemas(EntryStanding),
    )
    def post(self, request: Request, event: str, entry: str) -> Response:
        event_row, entry_row = self.entry(request, event, entry)
        body = parse_body(request, ReinstateInput)
        if linked_entry(request) is not None:
            phone = current_device(request)
            return Response(EntryStanding.of(reinstate_by_link(entry=entry_row, phone=phone), phone))
        director = self.director(request, event_row)
        if director is None:
            return Response(EntryStanding.of(reinstate_own(actor=self.player(request), public_id=entry)))
        reinstated = reinstate(
            actor=director,
            event_id=event_row.pk,
            entry_id=entry_row.pk,
            overrule=body["overrule"],
            when_full=WhenFull(body["when_full"]),
        )
        return Response(EntryStanding.of(reinstated))
