"""API of official lists: every issue, and its players with their present names."""

from datetime import date
from typing import Annotated

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from people.api.answers import Answer, Moment, Url, field_description, response_schemas, versioned_answer
from people.api.filters import text_parameter
from people.api.pages import Page, PageQuery, paginate
from people.signing import key_id
from rating.models import OfficialList as Issue
from rating.selectors.official import IssueLine, OfficialLine, OfficialLines, issue_by_number, official_lists
from rating.selectors.visibility import names_version, visible_list
from rating.store.moments import from_moment


class OfficialList(Answer, frozen=True):
    """A rating list as it was at the start of a date.

    It never changes; a mistake is corrected by another issue for the same date.
    """

    number: Annotated[int, field_description("Number of the issue on its list, from 1.")]
    day: date
    until: Annotated[Moment, field_description("Results of matches played before this time count.")]
    zone: Annotated[str, field_description("Time zone in which the date begins.")]
    issue: Annotated[int, field_description("1, or 2 and up for corrected issues of a date.")]
    replaces: Annotated[int | None, field_description("Number of the issue that this one replaces.")]
    replaced_by: Annotated[
        int | None, field_description("Number of the issue that replaces this one; null if it is valid.")
    ]
    scheduled: Annotated[bool, field_description("Whether it was published on schedule rather than by hand.")]
    note: str
    made_at: Moment
    players: int
    signed: Annotated[Url, field_description("Address of the signed document.")]
    key: Annotated[
        str, field_description("`kid` of the key in `/.well-known/crawford-keys.json` that signed it.")
    ]

    @classmethod
    def of(cls, request: Request, list_id: str, issue: Issue) -> "OfficialList":
        issue_line = IssueLine(issue)
        address = reverse("rating:official-signed", args=[list_id, issue.number])
        return cls(
            number=issue.number,
            day=issue.day,
            until=from_moment(issue.moment),
            zone=issue.zone,
            issue=issue.issue,
            replaces=issue_line.replaces,
            replaced_by=issue_line.replaced_by,
            scheduled=issue.scheduled,
            note=issue.note,
            made_at=issue.made_at,
            players=issue.players,
            signed=request.build_absolute_uri(address),
            key=key_id(issue.key),
        )


class OfficialRow(Answer, frozen=True):
    """A player on an official list."""

    position: int
    rank: Annotated[int | None, field_description("Null if not ranked.")]
    player: Annotated[str, field_description("ID; empty if the player has no public page.")]
    name: Annotated[str, field_description("As the site shows it today.")]
    club: Annotated[str, field_description("Name of the current home club; empty if none.")]
    country: str
    rating: float
    deviation: float | None
    experience: int
    matches: int
    provisional: bool
    rank_before: Annotated[int | None, field_description("Rank on the previous list; null if none.")]
    is_new: Annotated[bool, field_description("Whether the player was not on the previous list.")]

    @classmethod
    def of(cls, line: OfficialLine) -> "OfficialRow":
        return cls(
            position=line.position,
            rank=line.rank,
            player=line.player.public_id,
            name=line.player.name,
            club=line.club,
            country=line.country,
            rating=line.rating,
            deviation=line.deviation,
            experience=line.experience,
            matches=line.matches,
            provisional=line.provisional,
            rank_before=line.before,
            is_new=line.is_new,
        )


class IssueQuery(PageQuery):
    day = serializers.DateField(
        allow_null=True, default=None, help_text="Limits the list to issues of this date."
    )


class RowQuery(PageQuery):
    q = text_parameter("Words of the name, ignoring case and accents.")


class Issues(APIView):
    """List the official lists of a rating list, latest date first, and for each date the latest issue first.

    The first one of the answer is the valid one.
    """

    @extend_schema(
        operation_id="ratings_official_lists",
        parameters=[IssueQuery],
        responses=response_schemas(Page[OfficialList]),
    )
    def get(self, request: Request, list_id: str) -> HttpResponse:
        rating_list = visible_list(list_id)
        query = IssueQuery.read(request)
        rows = official_lists(rating_list, query["day"])

        def page() -> Page[OfficialList]:
            return paginate(
                request, query, rows, lambda row: OfficialList.of(request, rating_list.public_id, row)
            )

        return versioned_answer(request, [rating_list.version], page)


class IssueDetail(APIView):
    """Get an official list by its number."""

    @extend_schema(operation_id="ratings_official_read", responses=response_schemas(OfficialList))
    def get(self, request: Request, list_id: str, number: int) -> HttpResponse:
        rating_list = visible_list(list_id)
        issue = issue_by_number(rating_list, number)
        return versioned_answer(
            request, [rating_list.version], lambda: OfficialList.of(request, rating_list.public_id, issue)
        )


class IssueRows(APIView):
    """List the players of an official list by rank, one page at a time."""

    @extend_schema(
        operation_id="ratings_official_players",
        parameters=[RowQuery],
        responses=response_schemas(Page[OfficialRow]),
    )
    def get(self, request: Request, list_id: str, number: int) -> HttpResponse:
        rating_list = visible_list(list_id)
        issue = issue_by_number(rating_list, number)
        query = RowQuery.read(request)

        def page() -> Page[OfficialRow]:
            return paginate(request, query, OfficialLines(rating_list, issue, query["q"]), OfficialRow.of)

        return versioned_answer(request, [rating_list.version, names_version()], page)
