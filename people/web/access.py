"""Decorators and checks of pages behind a sign-in: who may open a page, and how errors are shown.

Rows are not looked up before the sign-in, so that addresses reveal nothing to strangers. Clubs are public: a
user without a role gets a 403. An error that a user can act on becomes a page with its message and the
present state (409, 422).
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, get_script_prefix, resolve
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from faults import CrawfordError, Missing, NotAllowed
from people.actors import Actor
from people.messages import describe_all
from people.models import Club, Role, User
from people.permissions import is_director_role, role_in
from people.selectors import visible_club
from people.web.resend import can_resubmit, render_resubmit_form

View = Callable[..., HttpResponse]
_CHANGES_ATTRIBUTE = "changes_something"  # marks a view that is no page


def request_user(request: HttpRequest) -> User:
    """Return the signed-in user; only for views decorated with ``protected_view``."""
    return cast("User", request.user)


def request_actor(request: HttpRequest) -> Actor:
    """Return the signed-in user as the actor of a service."""
    return Actor.of(request_user(request))


def protected_view(view: View) -> View:
    """Decorate a view to require a sign-in; it returns 404 for ``Missing`` and 403 for a missing permission.

    A form whose user was signed out meanwhile is shown again, with what was entered.
    """

    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: str) -> HttpResponse:
        try:
            return view(request, **kwargs)
        except Missing as error:
            raise Http404(error.code) from error
        except NotAllowed as error:
            raise PermissionDenied(error.code) from error

    behind_sign_in = login_required(guarded)

    @wraps(view)
    def opened(request: HttpRequest, **kwargs: str) -> HttpResponse:
        if not request.user.is_authenticated and can_resubmit(request):
            return render_resubmit_form(request)
        return behind_sign_in(request, **kwargs)

    return cast("View", never_cache(opened))


def page_view(view: View) -> View:
    """Decorate a view as a read-only page behind a sign-in."""
    return require_safe(protected_view(view))


def form_view(view: View) -> View:
    """Decorate a view as a page behind a sign-in, with a form that posts to the page's own address."""
    return require_http_methods(["GET", "HEAD", "POST"])(protected_view(view))


def action_view(view: View) -> View:
    """Decorate a view that changes something: POST only, behind a sign-in.

    A user who was signed out meanwhile is redirected to the page with the button; so is a GET of the action's
    address, from a reopened tab or a bookmark.
    """
    guarded = protected_view(view)

    @wraps(view)
    def posted(request: HttpRequest, **kwargs: str) -> HttpResponse:
        if request.method in {"GET", "HEAD"}:
            parent_url = _parent_page(request.path_info)
            return redirect(parent_url) if request.user.is_authenticated else redirect_to_login(parent_url)
        if request.user.is_authenticated or can_resubmit(request):
            return guarded(request, **kwargs)
        messages.warning(request, _("You were signed out, so nothing was changed. Sign in and try again."))
        return redirect_to_login(_referring_page(request))

    decorated = require_http_methods(["GET", "HEAD", "POST"])(never_cache(posted))
    setattr(decorated, _CHANGES_ATTRIBUTE, True)
    return cast("View", decorated)


def _parent_page(path: str) -> str:
    """Return the nearest address above ``path`` that is a page and not an action."""
    while path.strip("/"):
        path = f"{path.rstrip('/').rpartition('/')[0]}/"
        try:
            match = resolve(path)
        except Resolver404:
            continue
        if not getattr(match.func, _CHANGES_ATTRIBUTE, False):
            return f"{get_script_prefix().rstrip('/')}{path}"
    return get_script_prefix()


def _referring_page(request: HttpRequest) -> str:
    """Return the address of the page of this site that sent the form; "/" if the browser does not name it."""
    before = urlsplit(request.headers.get("Referer", ""))
    if before.netloc != request.get_host() or not before.path.startswith("/"):
        return "/"
    return urlunsplit(("", "", before.path, before.query, ""))


def directed_club(request: HttpRequest, public_id: str) -> tuple[Club, Role]:
    """Return the club with this public id and the user's role in it.

    Raises ``Missing`` if it is unknown, ``NotAllowed`` unless the user runs its events.
    """
    club = visible_club(public_id, request_user(request))
    role = role_in(request_user(request), club)
    if role is None or not is_director_role(role):
        raise NotAllowed("people.not_director")
    return club, role


def owned_club(request: HttpRequest, public_id: str) -> Club:
    """Return the club with this public id. Raises unless the user is one of its owners."""
    club, role = directed_club(request, public_id)
    if role is not Role.OWNER:
        raise NotAllowed("people.not_owner")
    return club


def render_refusal(
    request: HttpRequest,
    error: CrawfordError,
    *,
    back_url: str,
    template: str = "people/refused.html",
    **context: Any,
) -> HttpResponse:
    """Render the page of a rejected action: the reasons, the present state, and a link to ``back_url``.

    ``Missing`` and ``NotAllowed`` are raised again.
    """
    if isinstance(error, Missing | NotAllowed):
        raise error
    return render(
        request,
        template,
        {"sentences": describe_all(error), "status": error.status, "back": back_url, **context},
        status=error.status,
    )
