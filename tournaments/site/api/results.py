"""API of the results of a club or a federation: public ones for anyone, all of them for its directors."""

from typing import Annotated

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from people.api.answers import Answer, Moment, field_description, response_schemas, versioned_answer
from people.api.filters import text_parameter
from people.api.pages import Page, PageQuery, paginate
from people.audience import Audience, activate_audience
from people.permissions import may_direct
from people.selectors import visible_club
from rating.selectors.results import ResultFilter
from tournaments.selectors.results import LocatedResult, LocatedResults, located_results_version
from tournaments.shared.api.values import ClubRef


class ResultPlayer(Answer, frozen=True):
    """A player of the match."""

    id: Annotated[str, field_description("Empty if the player has no public page.")]
    name: str


class Result(Answer, frozen=True):
    """The current state of a result in the rating ledger.

    Event and match are empty for an old imported result, and for an event that you may not see.
    """

    ledger_number: int
    played_at: Moment
    time_zone: Annotated[str, field_description("Time zone of the requested club, in which its dates begin.")]
    club: ClubRef
    winner: ResultPlayer
    loser: ResultPlayer
    length: int
    winner_score: Annotated[int | None, field_description("Null, like the loser's, if not known.")]
    loser_score: int | None
    kind: Annotated[str, field_description("Code of the way it ended.")]
    discipline: Annotated[str, field_description("Code of the discipline.")]
    event: Annotated[str, field_description("ID of the event.")]
    event_name: str
    division: Annotated[str, field_description("Name of the division; empty if none.")]
    section: Annotated[str, field_description("Code of the part of the draw.")]
    round: Annotated[str, field_description("Code of the round.")]
    match: Annotated[str, field_description("ID of the match.")]

    @classmethod
    def of(cls, row: LocatedResult, zone: str) -> "Result":
        result = row.result
        return cls(
            ledger_number=result.number,
            played_at=result.played_at,
            time_zone=zone,
            club=ClubRef.to(result.club),
            winner=ResultPlayer(result.winner.public_id, result.winner.name),
            loser=ResultPlayer(result.loser.public_id, result.loser.name),
            length=result.length,
            winner_score=result.winner_score,
            loser_score=result.loser_score,
            kind=result.kind,
            discipline=result.discipline,
            event=row.event,
            event_name=row.event_name,
            division=row.division,
            section=row.section,
            round=row.round,
            match=row.match,
        )


class ResultQuery(PageQuery):
    since = serializers.DateField(
        allow_null=True, default=None, help_text="Played on or after this date, in the club's time zone."
    )
    until = serializers.DateField(
        allow_null=True, default=None, help_text="Played on or before this date, in the club's time zone."
    )
    club = text_parameter("ID of the club itself or of a member club; limits the list to its results.")
    q = text_parameter("Words of a player's name, ignoring case and accents.")


class ClubResults(APIView):
    """List the results of a club, newest first, one page at a time. For a federation they include those of
    its member clubs while they belonged to the federation.
    """

    @extend_schema(
        operation_id="clubs_results", parameters=[ResultQuery], responses=response_schemas(Page[Result])
    )
    def get(self, request: Request, club: str) -> HttpResponse:
        loaded_club = visible_club(club, request.user)
        can_direct = may_direct(request.user, loaded_club)
        if can_direct:
            activate_audience(Audience.FULL)
        query = ResultQuery.read(request)
        rows = LocatedResults(
            loaded_club,
            ResultFilter(query["since"], query["until"], query["club"], query["q"]),
            inside=can_direct,
        )
        zone = rows.about.zone.key
        return versioned_answer(
            request,
            [*located_results_version(loaded_club, rows), zone],
            lambda: paginate(request, query, rows, lambda row: Result.of(row, zone)),
            role="director" if can_direct else "",
        )
