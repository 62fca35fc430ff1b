"""API of imports of CSV tables into the rating ledger: upload, progress, problems found, decision.

Directors only.
"""

from datetime import UTC, datetime, time
from typing import Annotated, Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from faults import NotAllowed
from names.public_page import PublicPage
from people.actors import Actor
from people.api.answers import Answer, Moment, Url, field_description, one_of, response_schemas
from people.api.bodies import parse_body
from people.api.parsers import PublicPageField, UploadedFileField
from people.api.problems import TooLarge
from people.audience import Audience, activate_audience
from people.messages import describe
from people.models import Club, User
from people.permissions import may_direct
from people.selectors import visible_club
from rating.models import TableImport as Job
from rating.models.imports import Step
from rating.selectors.tables import club_imports, import_report, table_import
from rating.services.table_jobs import (
    MAX_TABLE_BYTES,
    UploadedTable,
    confirm_import,
    recheck_import,
    start_import,
    stop_import,
)

FORM_OVERHEAD_BYTES = 100_000


class LineOfTable(Answer, frozen=True):
    """An error or note about a line of the uploaded table."""

    code: str
    line: Annotated[
        int | None,
        field_description(
            "Line number in the file, with the header as 1; null if it concerns the whole file."
        ),
    ]
    detail: str


class UnknownPlayer(Answer, frozen=True):
    name: str
    lines: Annotated[int, field_description("Number of lines.")]


class Candidate(Answer, frozen=True):
    id: str
    club: Annotated[str, field_description("The player's home club; empty if none.")]


class NameMatch(Answer, frozen=True):
    """A name in the table that may mean several players.

    Check again with the ID of the right one in `same_players`.
    """

    name: str
    own: Annotated[
        bool,
        field_description(
            "True if several players of the club have this name; false if only players of other clubs have it."
        ),
    ]
    candidates: list[Candidate]


class ImportReport(Answer, frozen=True):
    """What the check found, and once the state is `done`, what was imported.

    Errors, notes and names are limited to the first 200; the counts cover all.
    """

    rows: int
    new: int
    known: Annotated[int, field_description("Rows already in the ledger.")]
    taken_back: Annotated[
        int, field_description("Rows that were removed before; `again` imports them anyway.")
    ]
    filled: Annotated[int, field_description("Results without a score that get one.")]
    places: int
    openings: int
    faults: list[LineOfTable]
    fault_count: int
    notes: list[LineOfTable]
    note_count: int
    players: Annotated[list[str], field_description("Names of the players to be created.")]
    player_count: int
    matches: Annotated[list[NameMatch], field_description("The first 200.")]
    unknown: list[UnknownPlayer]
    unknown_count: int


class TableImport(Answer, frozen=True):
    """A table that is being imported into the ledger, all of it or nothing."""

    id: str
    url: Annotated[Url, field_description("Address of the import's status: poll it every second or two.")]
    state: Annotated[
        Step,
        field_description(
            "`check` and `take`: in progress. `asked`: checked, waiting for your decision. `done`, `stopped`,"
            " `failed`: finished."
        ),
    ]
    phase: Annotated[
        str,
        one_of(["", "reading", "comparing", "writing"]),
        field_description("Empty until processing begins."),
    ]
    lines_done: int
    lines: Annotated[int, field_description("Lines in this phase; 0 until known.")]
    stopping: bool
    filename: str
    created_at: Moment
    finished_at: Moment | None
    report: Annotated[ImportReport | None, field_description("Null until it is checked.")]

    @classmethod
    def of(cls, request: Request, job: Job) -> "TableImport":
        return cls(
            id=job.public_id,
            url=request.build_absolute_uri(reverse("rating_api:import", args=[job.public_id])),
            state=Step(job.state),
            phase=job.phase if job.at_work else "",
            lines_done=job.done,
            lines=job.total,
            stopping=job.stop_requested and job.is_open,
            filename=job.filename,
            created_at=job.created_at,
            finished_at=job.finished_at,
            report=_build_report(job),
        )


def _build_report(job: Job) -> ImportReport | None:
    report = import_report(job)
    if report is None:
        return None
    return ImportReport(
        rows=report.rows,
        new=report.new,
        known=report.known,
        taken_back=report.taken_back,
        filled=report.filled,
        places=report.places,
        openings=report.openings,
        faults=[
            LineOfTable(fault.code, fault.params.get("line"), describe(fault)) for fault in report.faults
        ],
        fault_count=report.fault_count,
        notes=[LineOfTable(note.code, note.params.get("line"), describe(note)) for note in report.notes],
        note_count=report.note_count,
        players=report.players,
        player_count=report.player_count,
        matches=[
            NameMatch(match.name, match.own, [Candidate(player, club) for player, club in match.candidates])
            for match in report.matches
        ],
        unknown=[UnknownPlayer(name, lines) for name, lines in report.unknown],
        unknown_count=report.unknown_count,
    )


def _same_players_field() -> serializers.ListField:
    return serializers.ListField(
        child=serializers.CharField(max_length=16),
        default=list,
        max_length=2_000,
        help_text="IDs of the players meant by names in the table, for players of other clubs or where several have the"
        " name. Otherwise a name means a player of the club.",
    )


class TableInput(serializers.Serializer[Any]):
    """A CSV file: with `as_of` opening ratings of `rating_list`, without it results of the club."""

    file = UploadedFileField(allow_empty_file=True, max_length=1000)
    create_unknown = serializers.BooleanField(default=False, help_text="Create players for unknown names.")
    public_page = PublicPageField()
    same_players = _same_players_field()
    rating_list = serializers.CharField(
        max_length=16,
        default="",
        allow_blank=True,
        help_text="ID of a list of the club that gets the opening ratings, or those contained in a ledger file.",
    )
    as_of = serializers.DateField(
        allow_null=True, default=None, help_text="Opening ratings apply from the beginning of this date, UTC."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["as_of"] is not None and not attrs["rating_list"]:
            raise serializers.ValidationError({"rating_list": "Opening ratings need a list."})
        return attrs


class CheckInput(serializers.Serializer[Any]):
    create_unknown = serializers.BooleanField(default=False, help_text="Create players for unknown names.")
    public_page = PublicPageField()
    same_players = _same_players_field()


class TakeInput(serializers.Serializer[Any]):
    again = serializers.BooleanField(default=False, help_text="Import rows again that were removed.")


def _actor(request: Request, club: Club) -> Actor:
    user = request.user
    if not isinstance(user, User) or not may_direct(user, club):
        raise NotAllowed("people.not_director")
    activate_audience(Audience.FULL)
    return Actor.of(user)


def _find_import(request: Request, number: str) -> tuple[Actor, Job]:
    job = table_import(number)
    return _actor(request, job.club), job


class ClubImports(APIView):
    """List a club's table imports: the unfinished one and those of the last week, newest first."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (MultiPartParser,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        content_length = request.META.get("CONTENT_LENGTH") or "0"
        if not content_length.isdecimal() or int(content_length) > MAX_TABLE_BYTES + FORM_OVERHEAD_BYTES:
            raise TooLarge
        super().initial(request, *args, **kwargs)

    @extend_schema(operation_id="ratings_imports", responses=response_schemas(list[TableImport]))
    def get(self, request: Request, club: str) -> Response:
        club_object = visible_club(club, request.user)
        _actor(request, club_object)
        return Response([TableImport.of(request, job) for job in club_imports(club_object.pk)])

    @extend_schema(
        operation_id="ratings_import_start",
        request={"multipart/form-data": TableInput},
        responses=response_schemas(TableImport, 202),
    )
    def post(self, request: Request, club: str) -> Response:
        """Upload a table, which is then checked in the background.

        A club can have one unfinished import: 409 `rating.import_running` while there is another.
        """
        club_object = visible_club(club, request.user)
        actor = _actor(request, club_object)
        body = parse_body(request, TableInput)
        day = body["as_of"]
        uploaded = UploadedTable(
            content=body["file"].read(MAX_TABLE_BYTES + 1),
            filename=body["file"].name or "",
            create_unknown=body["create_unknown"],
            public_page=PublicPage(body["public_page"]),
            same=body["same_players"],
            rating_list=body["rating_list"],
            as_of=None if day is None else datetime.combine(day, time(), tzinfo=UTC),
        )
        job = start_import(actor=actor, club_id=club_object.pk, handed=uploaded)
        return Response(TableImport.of(request, job), status=202)


class Import(APIView):
    """Get the status of a table import."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="ratings_import", responses=response_schemas(TableImport))
    def get(self, request: Request, number: str) -> Response:
        _director, job = _find_import(request, number)
        return Response(TableImport.of(request, job))


class CheckImport(APIView):
    """Check a table again, with other choices for unknown and ambiguous names."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="ratings_import_check", request=CheckInput, responses=response_schemas(TableImport, 202)
    )
    def post(self, request: Request, number: str) -> Response:
        actor, job = _find_import(request, number)
        body = parse_body(request, CheckInput)
        job = recheck_import(
            actor=actor,
            import_id=job.pk,
            create_unknown=body["create_unknown"],
            public_page=PublicPage(body["public_page"]),
            same=body["same_players"],
        )
        return Response(TableImport.of(request, job), status=202)


class TakeImport(APIView):
    """Import the rows that were checked. Rejected while a row has an error."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="ratings_import_take", request=TakeInput, responses=response_schemas(TableImport, 202)
    )
    def post(self, request: Request, number: str) -> Response:
        actor, job = _find_import(request, number)
        job = confirm_import(actor=actor, import_id=job.pk, again=parse_body(request, TakeInput)["again"])
        return Response(TableImport.of(request, job), status=202)


class StopImport(APIView):
    """Stop or discard a table import. Nothing is imported, and the file is deleted."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="ratings_import_stop", request=None, responses=response_schemas(TableImport))
    def post(self, request: Request, number: str) -> Response:
        actor, job = _find_import(request, number)
        return Response(TableImport.of(request, stop_import(actor=actor, import_id=job.pk)))
