"""Tables for the ledger by programs: hand one in, see how far it is and what was found, decide. Directors of the club alone."""

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
from people.actors import Actor
from people.api.answers import Answer, Moment, Url, answered, one_of, says
from people.api.bodies import body_of
from people.api.parsers import FileSent
from people.api.problems import TooLarge
from people.audience import Audience, read_for
from people.messages import describe
from people.models import Club, User
from people.permissions import may_direct
from people.selectors import visible_club
from rating.models import TableImport as Job
from rating.models.imports import Step
from rating.selectors.tables import imports_of, report_of, table_import
from rating.services.table_jobs import (
    LARGEST_TABLE,
    Handed,
    check_again,
    start_table,
    stop_table,
    take_table,
)

FORM_ROOM = 100_000


class LineOfTable(Answer, frozen=True):
    """What is wrong with a line, or has to be known of it."""

    code: str
    line: Annotated[int | None, says("Of the file, its head being 1; null: of all of it.")]
    detail: str


class UnknownPlayer(Answer, frozen=True):
    name: str
    lines: Annotated[int, says("In how many lines.")]


class Candidate(Answer, frozen=True):
    id: str
    club: Annotated[str, says("Their home club; empty: none.")]


class NameMatch(Answer, frozen=True):
    """A name for which somebody has to say who is meant: check again with the id of a candidate in `same_players`."""

    name: str
    own: Annotated[
        bool,
        says("True: several players of the club have this name. False: only players of other clubs have it."),
    ]
    candidates: list[Candidate]


class ImportReport(Answer, frozen=True):
    """What was found, and after `done` what came in. Of faults, notes and names the first 200; the counts are of all."""

    rows: int
    new: int
    known: Annotated[int, says("In the ledger already.")]
    taken_back: Annotated[int, says("Taken back before; `again` takes them in all the same.")]
    filled: Annotated[int, says("Known without a score, and get it.")]
    places: int
    openings: int
    faults: list[LineOfTable]
    fault_count: int
    notes: list[LineOfTable]
    note_count: int
    players: Annotated[list[str], says("Names of players that are made.")]
    player_count: int
    matches: Annotated[list[NameMatch], says("The first 200.")]
    unknown: list[UnknownPlayer]
    unknown_count: int


class TableImport(Answer, frozen=True):
    """A table on its way into the ledger: all of it comes in at once, or nothing does."""

    id: str
    url: Annotated[Url, says("Where to ask how it stands: every second or two.")]
    state: Annotated[
        Step,
        says(
            "`check` and `take`: being worked on. `asked`: checked, decide. `done`, `stopped`, `failed`: over."
        ),
    ]
    phase: Annotated[
        str, one_of(["", "reading", "comparing", "writing"]), says("Empty while it waits for a worker.")
    ]
    lines_done: int
    lines: Annotated[int, says("Of this phase; 0 before it is known.")]
    stopping: bool
    filename: str
    created_at: Moment
    finished_at: Moment | None
    report: Annotated[ImportReport | None, says("Null before it is checked.")]

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
            report=_report(job),
        )


def _report(job: Job) -> ImportReport | None:
    found = report_of(job)
    if found is None:
        return None
    return ImportReport(
        rows=found.rows,
        new=found.new,
        known=found.known,
        taken_back=found.taken_back,
        filled=found.filled,
        places=found.places,
        openings=found.openings,
        faults=[LineOfTable(one.code, one.params.get("line"), describe(one)) for one in found.faults],
        fault_count=found.fault_count,
        notes=[LineOfTable(one.code, one.params.get("line"), describe(one)) for one in found.notes],
        note_count=found.note_count,
        players=found.players,
        player_count=found.player_count,
        matches=[
            NameMatch(one.name, one.own, [Candidate(player, club) for player, club in one.candidates])
            for one in found.matches
        ],
        unknown=[UnknownPlayer(name, lines) for name, lines in found.unknown],
        unknown_count=found.unknown_count,
    )


def _same_players() -> serializers.ListField:
    return serializers.ListField(
        child=serializers.CharField(max_length=16),
        default=list,
        max_length=2_000,
        help_text="Ids of players who are meant by their names in the table, though they are of another club or one of several. "
        "Without it a name means a player of the club.",
    )


class TableInput(serializers.Serializer[Any]):
    """A CSV file. With `as_of` it holds opening ratings of `rating_list`; without, results of the club."""

    file = FileSent(allow_empty_file=True, max_length=1000)
    create_unknown = serializers.BooleanField(
        default=False, help_text="Make players for names that nobody has yet."
    )
    same_players = _same_players()
    rating_list = serializers.CharField(
        max_length=16,
        default="",
        allow_blank=True,
        help_text="Id of a list of the club: whose opening ratings these are, or which gets those that a ledger's file holds.",
    )
    as_of = serializers.DateField(
        allow_null=True, default=None, help_text="Opening ratings hold as of the beginning of this day, UTC."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["as_of"] is not None and not attrs["rating_list"]:
            raise serializers.ValidationError({"rating_list": "Opening ratings need a list."})
        return attrs


class CheckInput(serializers.Serializer[Any]):
    create_unknown = serializers.BooleanField(
        default=False, help_text="Make players for names that nobody has yet."
    )
    same_players = _same_players()


class TakeInput(serializers.Serializer[Any]):
    again = serializers.BooleanField(default=False, help_text="Take in again what was taken back.")


def _actor(request: Request, club: Club) -> Actor:
    user = request.user
    if not isinstance(user, User) or not may_direct(user, club):
        raise NotAllowed("people.not_director")
    read_for(Audience.FULL)
    return Actor.of(user)


def _found(request: Request, number: str) -> tuple[Actor, Job]:
    job = table_import(number)
    return _actor(request, job.club), job


class ClubImports(APIView):
    """Imports of a club: the one that is open, and those of the last week, newest first."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (MultiPartParser,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        declared = request.META.get("CONTENT_LENGTH") or "0"
        if not declared.isdecimal() or int(declared) > LARGEST_TABLE + FORM_ROOM:
            raise TooLarge
        super().initial(request, *args, **kwargs)

    @extend_schema(operation_id="ratings_imports", responses=answered(list[TableImport]))
    def get(self, request: Request, club: str) -> Response:
        found = visible_club(club, request.user)
        _actor(request, found)
        return Response([TableImport.of(request, job) for job in imports_of(found.pk)])

    @extend_schema(
        operation_id="ratings_import_start",
        request={"multipart/form-data": TableInput},
        responses=answered(TableImport, 202),
    )
    def post(self, request: Request, club: str) -> Response:
        """Hand a table in; a worker checks it. One at a time of each club: 409 `rating.import_running` while another is open."""
        found = visible_club(club, request.user)
        actor = _actor(request, found)
        asked = body_of(request, TableInput)
        day = asked["as_of"]
        handed = Handed(
            content=asked["file"].read(LARGEST_TABLE + 1),
            filename=asked["file"].name or "",
            create_unknown=asked["create_unknown"],
            same=asked["same_players"],
            rating_list=asked["rating_list"],
            as_of=None if day is None else datetime.combine(day, time(), tzinfo=UTC),
        )
        job = start_table(actor=actor, club_id=found.pk, handed=handed)
        return Response(TableImport.of(request, job), status=202)


class Import(APIView):
    """How an import stands."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="ratings_import", responses=answered(TableImport))
    def get(self, request: Request, number: str) -> Response:
        _director, job = _found(request, number)
        return Response(TableImport.of(request, job))


class CheckImport(APIView):
    """Check it once more, with another answer to what becomes of names that nobody has."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="ratings_import_check", request=CheckInput, responses=answered(TableImport, 202)
    )
    def post(self, request: Request, number: str) -> Response:
        actor, job = _found(request, number)
        asked = body_of(request, CheckInput)
        job = check_again(
            actor=actor,
            import_id=job.pk,
            create_unknown=asked["create_unknown"],
            same=asked["same_players"],
        )
        return Response(TableImport.of(request, job), status=202)


class TakeImport(APIView):
    """Take in what was checked. Refused while a line has a fault."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="ratings_import_take", request=TakeInput, responses=answered(TableImport, 202)
    )
    def post(self, request: Request, number: str) -> Response:
        actor, job = _found(request, number)
        job = take_table(actor=actor, import_id=job.pk, again=body_of(request, TakeInput)["again"])
        return Response(TableImport.of(request, job), status=202)


class StopImport(APIView):
    """Stop it, or give it up: nothing is taken in, and the file goes."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="ratings_import_stop", request=None, responses=answered(TableImport))
    def post(self, request: Request, number: str) -> Response:
        actor, job = _found(request, number)
        return Response(TableImport.of(request, stop_table(actor=actor, import_id=job.pk)))
