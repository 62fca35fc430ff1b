"""Decorators that admit only operators: staff with two-step sign-in (`config.staff`)."""

from collections.abc import Callable
from functools import wraps
from typing import cast

from django.http import HttpRequest, HttpResponse

from faults import NotAllowed
from people.web.access import action_view, form_view, page_view, request_user

View = Callable[..., HttpResponse]


def _staff_only(view: View) -> View:
    @wraps(view)
    def opened(request: HttpRequest, **kwargs: str) -> HttpResponse:
        if not request_user(request).is_staff:
            raise NotAllowed("operator.only")
        return view(request, **kwargs)

    return cast("View", opened)


def operator_page(view: View) -> View:
    """Decorate the view of a page that only reads, for operators only."""
    return page_view(_staff_only(view))


def operator_form(view: View) -> View:
    """Decorate the view of a page with a form that posts to the same address, for operators only."""
    return form_view(_staff_only(view))


def operator_action(view: View) -> View:
    """Decorate the view of an action (POST only), for operators only."""
    return action_view(_staff_only(view))
