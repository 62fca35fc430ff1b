"""How reading is answered: JSON with an ETag, pages of rows, one event that the visitor may see."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.db.models import Model, QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from people.web.versioned import versioned
from tournaments.selectors.access.versions import (
    event_players_version,
)
from tournaments.selectors.access.visibility import (
    SeenEvent,
    event_seen_by,
)
from tournaments.shared.api import shapes

PAGE = OpenApiParameter("page", OpenApiTypes.INT, description="Page number, from 1.")


def answer(
    request: Request, versions: Sequence[object], shape: Callable[[], Any], *, role: str = ""
) -> HttpResponse:
    """``shape()`` as JSON with an ETag, or a 304 without making it."""
    return versioned(request._request, versions, lambda: Response(shape()), role=role)  # noqa: SLF001


class Pages(PageNumberPagination):
    """50 rows a page, up to 200 on request."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200


def pages_of(name: str, row: type[serializers.Serializer[object]]) -> Any:
    """The description of one page of ``row``."""
    return inline_serializer(
        name,
        {
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": row(many=True),
        },
    )


def paged(
    view: APIView, request: Request, rows: QuerySet[Any, Model], shape: Callable[[Any], shapes.Json]
) -> Any:
    """One page of ``rows``, shaped."""
    pages = Pages()
    found: Iterable[Any] = pages.paginate_queryset(rows, request, view=view) or []
    return pages.get_paginated_response([shape(row) for row in found]).data


def word(request: Request, name: str) -> str:
    """A parameter of the address as a database may be asked for it: no NUL, not endless."""
    return request.query_params.get(name, "").replace("\0", "")[:80]


class EventView(APIView):
    """An event that the visitor may see, and its ETag."""

    def seen(self, request: Request, event: str) -> SeenEvent:
        return event_seen_by(request.user, event)

    def versions(self, seen: SeenEvent) -> list[object]:
        return [seen.event.version, seen.event.club.version, event_players_version(seen.event)]
