"""API of the events of a series and its table, in pages."""

from datetime import date
from typing import Annotated

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from people import versions
from people.api.answers import Answer, field_description, response_schemas, versioned_answer
from people.api.pages import Page, PageQuery, paginate
from tournaments.engine.statuses import EventStatus
from tournaments.selectors.access.versions import event_list_topics, topics_version
from tournaments.selectors.series import (
    MAX_EVENTS,
    SeriesEvent,
    SeriesEvents,
    SeriesTable,
    TableRow,
    VisibleSeries,
    series_table,
    visible_series,
)
from tournaments.shared.api.values import PlayerRef, page_url


class SeriesDay(Answer, frozen=True):
    """An event of a series."""

    event: Annotated[str, field_description("ID of the event.")]
    name: str
    starts_on: date
    ends_on: date
    status: EventStatus
    winners: Annotated[list[str], field_description("Names of the entries in first place, once it is over.")]

    @classmethod
    def of(cls, series_event: SeriesEvent) -> "SeriesDay":
        event = series_event.event
        return cls(
            event.public_id,
            event.name,
            event.starts_on,
            event.ends_on,
            EventStatus(event.status),
            list(series_event.winners),
        )


class SeriesPoints(Answer, frozen=True):
    """A player's points from one event."""

    event: Annotated[str, field_description("ID of the event.")]
    place: int
    points: Annotated[float, field_description("With two decimals.")]
    counts: Annotated[
        bool, field_description("False if other results of the player are among the best that count.")
    ]


class SeriesPlace(Answer, frozen=True):
    """A row of the table; players with equal points share a rank."""

    rank: int
    player: PlayerRef
    points: Annotated[float, field_description("With two decimals.")]
    days: Annotated[
        list[SeriesPoints],
        field_description(f"Earliest first. The table covers the latest {MAX_EVENTS} events of the series."),
    ]

    @classmethod
    def of(cls, row: TableRow, table: SeriesTable) -> "SeriesPlace":
        player = row.player
        return cls(
            row.rank,
            PlayerRef(player.public_id, player.name, page_url("public:player", player.public_id)),
            round(float(row.total), 2),
            [
                SeriesPoints(
                    table.counted[earned.event_index].public_id,
                    earned.place,
                    round(float(earned.points), 2),
                    earned.counts,
                )
                for earned in row.points_by_event
            ],
        )


class DaysOfSeries(APIView):
    """List the listed events of a series, latest first, one page at a time."""

    @extend_schema(
        operation_id="series_days", parameters=[PageQuery], responses=response_schemas(Page[SeriesDay])
    )
    def get(self, request: Request, series: str) -> HttpResponse:
        visible = visible_series(request.user, series)
        page_query = PageQuery.read(request)
        days = SeriesEvents(visible.series)
        return versioned_answer(
            request, [series_page_version(visible)], lambda: paginate(request, page_query, days, SeriesDay.of)
        )


class TableOfSeries(APIView):
    """Get the table of a series by rank, then by name, one page at a time. Players who are not listed
    publicly are left out.
    """

    @extend_schema(
        operation_id="series_table", parameters=[PageQuery], responses=response_schemas(Page[SeriesPlace])
    )
    def get(self, request: Request, series: str) -> HttpResponse:
        visible = visible_series(request.user, series)
        page_query = PageQuery.read(request)

        def page() -> Page[SeriesPlace]:
            table = series_table(visible.series)
            return paginate(request, page_query, table.rows, lambda row: SeriesPlace.of(row, table))

        return versioned_answer(request, [series_page_version(visible)], page)


def series_page_version(visible: VisibleSeries) -> str:
    """Return a version that changes whenever anything that the API shows of a series does."""
    club = visible.series.club
    return topics_version(*event_list_topics(club), versions.club_topic(club.pk), versions.NAMES)
