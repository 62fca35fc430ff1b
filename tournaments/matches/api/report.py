"""API: report the result of a match, confirm the opponent's report, or object to a confirmed result.

201: the result is confirmed. 202: the report waits for confirmation, or the result is disputed. 409: the
match has changed (``present``: its current state). 422: rejected, with every reason. 403 and 404 as on the
pages. A repeated request with the same key returns the same response. The work is done in
``matches.services.reports``.
"""

from typing import Annotated, Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import Invalid, NotAllowed
from games.api.views import is_announced_too_large
from games.records.decoding import MAX_BYTES
from games.rules.sheets import read_sheet
from people.actors import Actor
from people.api.answers import Answer, field_description, one_of, response_schemas
from people.api.bodies import parse_body
from people.api.parsers import BoundedJSONParser, UploadedFileField
from people.api.problems import TooLarge
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.matches.services import reports
from tournaments.matches.services.objections import object_to_result
from tournaments.matches.services.records import Upload
from tournaments.models import Entry, Match, Report
from tournaments.models.choices import RESULT_KIND_CHOICES, SIDE_CHOICES
from tournaments.models.report import KEY_LIMIT, NOTE_LIMIT
from tournaments.selectors.access.phones import NO_ORIGIN, RequestOrigin, link_actor
from tournaments.selectors.access.visibility import VisibleMatch
from tournaments.selectors.draws import current_match, drawn_match
from tournaments.selectors.matches.claims import claim_from_report
from tournaments.selectors.matches.sheets import build_score_sheet
from tournaments.shared.api.auth import LinkAuthentication, LinkOnly, LinkOrSession, linked_entry
from tournaments.shared.api.event_view import match_for
from tournaments.shared.api.values import MatchDetail
from tournaments.shared.frames.device import HEADER, current_device, sign_device

MAX_SHEET_LENGTH = 2_000  # characters
LINK_AUTH: Any = [{"personalLink": []}]  # as `LinkOnly` permits: a session alone is not enough
DEVICE_DESCRIPTION = (
    "Send this in the header Device from now on. The first phone to report through a personal link is allowed,"
    " and others are rejected (phone.other). Empty for directors."
)
DEVICE_HEADER = OpenApiParameter(
    HEADER,
    OpenApiTypes.STR,
    location=OpenApiParameter.HEADER,
    description="The `device` of an earlier response. Browsers send it as a cookie.",
)
KEY_HEADER = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    location=OpenApiParameter.HEADER,
    description="Used as `submission_key` if the body has none.",
)


class SheetFound(Answer, frozen=True):
    """The first game of a score sheet that is not possible, with the rule that it violates."""

    game: Annotated[int, field_description("From 1.")]
    code: str
    rule: Annotated[str, field_description("As numbered in docs/rules.md.")]
    before: Annotated[list[int], field_description("The previous score, side a first.")]
    after: Annotated[list[int], field_description("The following score, side a first.")]

    @classmethod
    def of(cls, report: Report, match: Match) -> "SheetFound | None":
        sheet = build_score_sheet(match, report.sheet, claim_from_report(report))
        sheet_fault = sheet.first_error if sheet is not None else None
        if sheet_fault is None:
            return None
        return cls(
            sheet_fault.game,
            sheet_fault.fault.code,
            sheet_fault.fault.rule or "",
            list(sheet_fault.before),
            list(sheet_fault.after),
        )


class Reported(Answer, frozen=True):
    """Outcome of a report, with the current match."""

    decision: Annotated[str, one_of(["confirmed", "reported", "disputed"])]
    repeated: Annotated[
        bool, field_description("Whether this repeats an earlier request, whose response is returned.")
    ]
    report: Annotated[int, field_description("Version of the report, to be sent when it is confirmed.")]
    record_doubtful: Annotated[
        bool,
        field_description(
            "Whether the plays of the attached game record do not fit each other: it is kept but settles nothing."
            " `/records/check/` gives the findings."
        ),
    ]
    device: Annotated[str, field_description(DEVICE_DESCRIPTION)]
    sheet_found: Annotated[
        SheetFound | None,
        field_description("Null if every game of the sheet is possible, or without a sheet."),
    ]
    match: MatchDetail


class Objection(Answer, frozen=True):
    """An objection was saved and the director notified; the result stays until the director changes it."""

    match: MatchDetail
    text: str
    device: Annotated[str, field_description(DEVICE_DESCRIPTION)]


class ReportInput(serializers.Serializer[object]):
    """The result of a match.

    Points are given for sides a and b; ``winner`` is only needed if it does not follow from the score.
    """

    score_a = serializers.IntegerField()
    score_b = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=RESULT_KIND_CHOICES, default="played")
    winner = serializers.ChoiceField(choices=SIDE_CHOICES, required=False, allow_null=True, default=None)
    note = serializers.CharField(max_length=NOTE_LIMIT, required=False, allow_blank=True, default="")
    sheet = serializers.CharField(
        max_length=MAX_SHEET_LENGTH,
        required=False,
        allow_blank=True,
        default="",
        help_text="The score after each game, side a first, such as 1-0 1-2 5-2. It is kept with the report; `sheet_found`"
        " says which game is not possible.",
    )
    submission_key = serializers.CharField(
        max_length=KEY_LIMIT,
        required=False,
        allow_blank=True,
        default="",
        help_text="Your own key, the same for every repetition; you can send the header Idempotency-Key instead.",
    )
    seen = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=2**31 - 1,
        help_text="The `version` of the match that you read: 409 if anything was reported since. Null for any version, so"
        " that a director's report replaces what players have reported in the meantime.",
    )


class ReportWithRecord(ReportInput):
    """A result with the game record of the match as evidence.

    A record that is unreadable, unfinished or of another match is rejected.
    """

    record = UploadedFileField(
        required=False,
        allow_empty_file=True,
        max_length=1000,
        help_text="Any supported format, at most 4 MB.",
    )
    record_left = serializers.ChoiceField(
        choices=SIDE_CHOICES,
        required=False,
        allow_null=True,
        default=None,
        help_text="The side that is the left player of the record, if it does not follow from the names.",
    )


class AgreeInput(serializers.Serializer[object]):
    """The version of the opponent's report that you confirm."""

    version = serializers.IntegerField(min_value=1, max_value=32767)
    submission_key = serializers.CharField(max_length=KEY_LIMIT, required=False, allow_blank=True, default="")


class ObjectInput(serializers.Serializer[object]):
    """Text of an objection to the confirmed result."""

    text = serializers.CharField(max_length=NOTE_LIMIT)


class _MatchAction(APIView):
    tells_secret = True  # the response contains the device value
    authentication_classes = (LinkAuthentication, SessionAuthentication)
    permission_classes: tuple[type[BasePermission], ...] = (LinkOnly,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if is_announced_too_large(request):
            raise TooLarge
        super().initial(request, *args, **kwargs)

    def key(self, request: Request, body: dict[str, Any]) -> str:
        """Return the submission key that the caller chose, from the body or the header ``Idempotency-Key``.

        Raises ``Invalid`` if the key is missing, too long or not printable.
        """
        key = body.get("submission_key") or request.headers.get("Idempotency-Key", "")
        if not (0 < len(key) <= KEY_LIMIT and key.isprintable()):
            raise Invalid("report.key_odd", field="submission_key", limit=KEY_LIMIT)
        return str(key)

    def respond(
        self, visible: VisibleMatch, outcome: reports.ReportOutcome, phone: RequestOrigin = NO_ORIGIN
    ) -> Response:
        """Return the report's outcome and the current match.

        Status 201 if the result is confirmed, else 202.
        """
        body = Reported(
            decision=outcome.decision,
            repeated=outcome.repeated,
            report=outcome.report.version,
            record_doubtful=outcome.report.record_doubtful,
            device=signed_device(phone),
            sheet_found=SheetFound.of(outcome.report, visible.match),
            match=MatchDetail.about(*current_match(visible.match.pk)),
        )
        return Response(body, status=201 if outcome.decision == "confirmed" else 202)


class ReportResult(_MatchAction):
    """Report the result of a match, as its player with a personal link or as a signed-in director."""

    own_key = True
    permission_classes = (LinkOrSession,)
    parser_classes = (BoundedJSONParser, MultiPartParser)  # records are only accepted in forms

    @extend_schema(
        operation_id="matches_report",
        parameters=[KEY_HEADER, DEVICE_HEADER],
        request={"application/json": ReportInput, "multipart/form-data": ReportWithRecord},
        responses=response_schemas(Reported, 201, 202),
    )
    def post(self, request: Request, match: str) -> Response:
        visible = match_for(request, match)
        body = parse_body(request, ReportWithRecord)  # a record sent as JSON is rejected, not ignored
        entry, key = linked_entry(request), self.key(request, body)
        phone = current_device(request, key) if entry is not None else NO_ORIGIN
        outcome = reports.submit_report(
            actor=_require_actor(request, entry),
            match_id=visible.match.pk,
            entry=entry,
            claim=Claim(
                body["score_a"],
                body["score_b"],
                ResultKind(body["kind"]),
                Side(body["winner"]) if body["winner"] else None,
            ),
            submission_key=key,
            note=body["note"],
            sheet=read_sheet(body["sheet"]),
            record=_upload_from_body(body),
            seen=body["seen"],
            phone=phone,
        )
        return self.respond(visible, outcome, phone)


class AgreeToReport(_MatchAction):
    """Confirm the opponent's report. Send the version of the report that you read."""

    own_key = True

    @extend_schema(
        operation_id="matches_agree",
        parameters=[KEY_HEADER, DEVICE_HEADER],
        auth=LINK_AUTH,
        request=AgreeInput,
        responses=response_schemas(Reported, 201, 202),
    )
    def post(self, request: Request, match: str) -> Response:
        visible = match_for(request, match)
        body = parse_body(request, AgreeInput)
        entry, key = require_link_entry(request), self.key(request, body)
        phone = current_device(request, key)
        outcome = reports.confirm_report(
            actor=link_actor(entry),
            match_id=visible.match.pk,
            entry=entry,
            version=body["version"],
            submission_key=key,
            phone=phone,
        )
        return self.respond(visible, outcome, phone)


class ObjectToResult(_MatchAction):
    """Ask the director to correct a confirmed result. The result does not change yet. A second objection
    before the first is settled has no effect.
    """

    @extend_schema(
        operation_id="matches_object",
        parameters=[DEVICE_HEADER],
        auth=LINK_AUTH,
        request=ObjectInput,
        responses=response_schemas(Objection, 202),
    )
    def post(self, request: Request, match: str) -> Response:
        visible = match_for(request, match)
        body = parse_body(request, ObjectInput)
        entry, phone = require_link_entry(request), current_device(request)
        objection = object_to_result(
            actor=link_actor(entry),
            match_id=visible.match.pk,
            entry=entry,
            text=body["text"],
            phone=phone,
        )
        match_detail = MatchDetail.about(visible.match, drawn_match(visible.match))
        return Response(Objection(match_detail, objection.text, signed_device(phone)), status=202)


def signed_device(phone: RequestOrigin) -> str:
    """Return the signed device value that the client sends with later requests; empty without a device."""
    return sign_device(phone.device) if phone.device else ""


def _upload_from_body(body: dict[str, Any]) -> Upload | None:
    file = body.get("record")
    if file is None:
        return None
    left = Side(body["record_left"]) if body["record_left"] else None
    return Upload(file.read(MAX_BYTES + 1), file.name or "", left)


def require_link_entry(request: Request) -> Entry:
    """Return the entry whose personal link authenticates the request.

    Raises ``NotAllowed`` without a link, which the view's permission excludes.
    """
    entry = linked_entry(request)
    if entry is None:
        raise NotAllowed("report.not_your_match")
    return entry


def _require_actor(request: Request, entry: Entry | None) -> Actor:
    if entry is not None:
        return link_actor(entry)
    if request.user.is_authenticated:
        return Actor.of(request.user)
    raise NotAllowed("people.not_director")
