"""Access to rating lists for directors, and the layout of their pages.

An unknown list gives a 404, a missing permission a 403.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from faults import Missing
from people.models import Club, Restriction
from people.web.access import directed_club
from rating.models import RatingList
from rating.selectors import list_by_public_id
from rating.web.frame import visitor_zone

INVALID = 422


def directed_list(request: HttpRequest, public_id: str) -> RatingList:
    rating_list = list_by_public_id(public_id)
    if rating_list.shut == Restriction.REMOVED:
        raise Missing("rating.list_unknown")
    directed_club(request, rating_list.club.public_id)
    return rating_list


def render_list_page(
    request: HttpRequest,
    template: str,
    title: str,
    about: RatingList | Club,
    context: dict[str, Any],
    status: int = 200,
) -> HttpResponse:
    """Render a directors' page about a list or a club, with times in the visitor's zone or the club's."""
    base_context = {"list": about, "club": about.club} if isinstance(about, RatingList) else {"club": about}
    with timezone.override(visitor_zone(request, base_context["club"].pk)):
        return render(
            request,
            f"rating/director/{template}.html",
            {**base_context, "title": title, **context},
            status=status,
        )
