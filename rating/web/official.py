"""Public pages of official lists: the valid one, others, all dates, files, and verification."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from people.pages import UncountedPage
from people.signing import Signature, key_id, key_set, signed_file
from people.web.versioned import page_etag, versioned_response
from rating.formulas import get_system
from rating.models import OfficialList, RatingList
from rating.selectors.official import (
    PER_PAGE,
    IssueLine,
    OfficialLine,
    OfficialLines,
    current_issue,
    issue_by_number,
    official_lists,
    public_keys,
    signed_document,
)
from rating.selectors.shown import number_label
from rating.selectors.visibility import names_version, visible_list
from rating.web.explain import describe_system
from rating.web.exports import csv_response
from rating.web.frame import public_view, render_list_page

SEARCH_LIMIT = 80
COLUMNS = (
    "position rank player_id player club country rating deviation experience matches provisional rank_before moved"
).split()


@public_view
def current_page(request: HttpRequest, list_id: str) -> HttpResponse:
    """Show the valid official list."""
    rating_list = visible_list(list_id)
    return _render_issue(request, rating_list, None)


@public_view
def issue_page(request: HttpRequest, list_id: str, number: int) -> HttpResponse:
    """Show one official list, whether it was replaced or not."""
    rating_list = visible_list(list_id)
    return _render_issue(request, rating_list, issue_by_number(rating_list, number))


def _render_issue(
    request: HttpRequest, rating_list: RatingList, official: OfficialList | None
) -> HttpResponse:
    search = request.GET.get("q", "").replace("\0", "")[:SEARCH_LIMIT]

    def context() -> dict[str, Any]:
        issue = official or current_issue(rating_list)
        lines = OfficialLines(rating_list, issue, search) if issue is not None else None
        query = request.GET.copy()
        query.pop("page", None)
        return {
            "official": IssueLine(issue) if issue is not None else None,
            "is_current": official is None or official == current_issue(rating_list),
            "before": lines.previous_issue if lines is not None else None,
            "page": UncountedPage.of(lines if lines is not None else [], request.GET.get("page"), PER_PAGE),
            "search": search,
            "query": query.urlencode(),
            "periodic": get_system(rating_list.system).is_periodic,
            "system": describe_system(rating_list),
            "rating_word": number_label(rating_list),
            "key_id": key_id(issue.key) if issue is not None else "",
        }

    return render_list_page(request, "rating/official.html", context, about=rating_list)


@public_view
def dates_page(request: HttpRequest, list_id: str) -> HttpResponse:
    """List all official lists of a rating list, latest date first."""
    rating_list = visible_list(list_id)

    def context() -> dict[str, Any]:
        page = UncountedPage[OfficialList].of(official_lists(rating_list), request.GET.get("page"), PER_PAGE)
        return {"page": page, "rows": [IssueLine(official) for official in page], "query": ""}

    return render_list_page(request, "rating/official_dates.html", context, about=rating_list)


@public_view
def issue_csv(request: HttpRequest, list_id: str, number: int) -> HttpResponse:
    """Return all rows of an official list with present names, as a CSV file."""
    rating_list = visible_list(list_id)
    official = issue_by_number(rating_list, number)

    def file() -> HttpResponse:
        rows = (_csv_cells(line) for line in OfficialLines(rating_list, official).every())
        name = f"official-{rating_list.public_id}-{official.day.isoformat()}-{official.number}"
        return csv_response(name, COLUMNS, rows)  # type: ignore[return-value]

    return versioned_response(request, [rating_list.version, names_version()], file, everybody=True)


def _csv_cells(line: OfficialLine) -> tuple[Any, ...]:
    return (
        line.position,
        "" if line.rank is None else line.rank,
        line.player.public_id,
        line.player.name,
        line.club,
        line.country,
        repr(line.rating),
        "" if line.deviation is None else repr(line.deviation),
        line.experience,
        line.matches,
        "yes" if line.provisional else "no",
        "" if line.before is None else line.before,
        "new" if line.is_new else "" if line.moved is None else line.moved,
    )


@public_view
def signed_document_file(request: HttpRequest, list_id: str, number: int) -> HttpResponse:
    """Return the signed document of an official list: ids and numbers, byte for byte the same for ever."""
    rating_list = visible_list(list_id)
    official = issue_by_number(rating_list, number)

    def file() -> HttpResponse:
        content = signed_file(signed_document(official), Signature(official.signature, official.key))
        response = HttpResponse(content, content_type="application/json")
        name = f"official-{rating_list.public_id}-{official.day.isoformat()}-{official.number}.json"
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    return versioned_response(request, [official.pk], file, everybody=True)


@require_safe
def public_key_set(_request: HttpRequest) -> HttpResponse:
    """Return the site's public keys, the present one first, as a JSON Web Key Set."""
    response = JsonResponse(key_set(public_keys()), content_type="application/jwk-set+json")
    response["Access-Control-Allow-Origin"] = "*"
    patch_cache_control(response, public=True, max_age=3600)
    return response


@require_safe
def verification_page(request: HttpRequest) -> HttpResponse:
    """Explain what is signed in official lists, and how to verify a signature with common programs."""

    def draw() -> HttpResponse:
        context = {
            "site": settings.SITE_URL,
            "key_ids": [key_id(key) for key in public_keys()],
            "everybody": True,
            "etag": page_etag(request, [], everybody=True),
            "canonical": f"{settings.SITE_URL}{request.path}",
        }
        return render(request, "rating/checking.html", context)

    return versioned_response(request, public_keys(), draw, everybody=True)
