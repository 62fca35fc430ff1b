"""Pagination of all lists that grow: parameters ``page`` and ``page_size``, response ``Page``."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Generic, TypeVar

from django.core.paginator import Paginator
from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.utils.urls import remove_query_param, replace_query_param

from faults import Missing
from people.api.answers import Answer, Url, field_description
from people.api.filters import MAX_INTEGER, Query

Row = TypeVar("Row")
Item = TypeVar("Item")
DEFAULT_PAGE_SIZE: Final = 50
MAX_PAGE_SIZE: Final = 200


class Page(Answer, Generic[Item], frozen=True):
    """One page of a list. A list without rows has one empty page."""

    count: Annotated[int, field_description("Number of rows on all pages.")]
    next: Annotated[Url | None, field_description("Address of the next page.")]
    previous: Url | None
    results: list[Item]


class PageQuery(Query):
    """Query parameters of a paginated list: the page, and how many rows are on one page."""

    page = serializers.IntegerField(
        min_value=1, max_value=MAX_INTEGER, default=1, help_text="Page number, from 1."
    )
    page_size = serializers.IntegerField(min_value=1, max_value=MAX_PAGE_SIZE, default=DEFAULT_PAGE_SIZE)


def paginate(
    request: Request,
    query: dict[str, Any],
    rows: QuerySet[Any, Any] | Sequence[Any],
    make: Callable[[Any], Item],
) -> Page[Item]:
    """Return the page that ``query`` requests, each row converted by ``make``.

    ``query``: the values of a ``PageQuery``. Raises ``Missing`` for a page after the last one.
    """
    paginator: Paginator[Any] = Paginator(rows, query["page_size"])
    number, last = query["page"], paginator.num_pages
    if number > last:
        raise Missing("page.unknown", field="page", page=number, last=last)
    return Page(
        count=paginator.count,
        next=_page_url(request, number + 1) if number < last else None,
        previous=_page_url(request, number - 1) if number > 1 else None,
        results=[make(row) for row in paginator.page(number).object_list],
    )


def _page_url(request: Request, number: int) -> str:
    url = request.build_absolute_uri()
    return remove_query_param(url, "page") if number == 1 else replace_query_param(url, "page", number)
