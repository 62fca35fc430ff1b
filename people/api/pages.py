"""One way of pages, for every list that grows: ``page`` and ``page_size`` ask, ``Page`` answers."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Generic, TypeVar

from django.core.paginator import Paginator
from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.utils.urls import remove_query_param, replace_query_param

from faults import Missing
from people.api.answers import Answer, Url, says
from people.api.filters import LARGEST, Query

Row = TypeVar("Row")
Shown = TypeVar("Shown")
USUAL: Final = 50
MOST: Final = 200


class Page(Answer, Generic[Shown], frozen=True):
    """One page of a list. A list without rows has one empty page."""

    count: Annotated[int, says("Number of rows on all pages.")]
    next: Annotated[Url | None, says("Address of the next page.")]
    previous: Url | None
    results: list[Shown]


class PageQuery(Query):
    """Which page, and how many rows there are on one."""

    page = serializers.IntegerField(
        min_value=1, max_value=LARGEST, default=1, help_text="Page number, from 1."
    )
    page_size = serializers.IntegerField(min_value=1, max_value=MOST, default=USUAL)


def page_of(
    request: Request,
    asked: dict[str, Any],
    rows: QuerySet[Any, Any] | Sequence[Any],
    make: Callable[[Any], Shown],
) -> Page[Shown]:
    """The page that was asked for, each of its rows made an answer. Raises ``Missing`` behind the last page."""
    paginator: Paginator[Any] = Paginator(rows, asked["page_size"])
    number, last = asked["page"], paginator.num_pages
    if number > last:
        raise Missing("page.unknown", field="page", page=number, last=last)
    return Page(
        count=paginator.count,
        next=_address(request, number + 1) if number < last else None,
        previous=_address(request, number - 1) if number > 1 else None,
        results=[make(row) for row in paginator.page(number).object_list],
    )


def _address(request: Request, number: int) -> str:
    here = request.build_absolute_uri()
    return remove_query_param(here, "page") if number == 1 else replace_query_param(here, "page", number)
