"""The gate of every page behind a sign-in: who may open it, and what a refusal looks like.

Nobody is sent to the sign-in page before anything is looked up, so that an address tells a stranger nothing. A club is
public: somebody without a role in it gets a 403. A fault that a person can do something about becomes a page with its
words and the state as it is (409, 422), never a bare error.
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
_CHANGES_ATTRIBUTE = "changes_something"  # the mark of a view that is no page


def request_user(request: HttpRequest) -> User:
    """The signed-in user; only behind ``protected_view``."""
    return cast("User", request.user)


def request_actor(request: HttpRequest) -> Actor:
    """The signed-in user as the services know them."""
    return Actor.of(request_user(request))


def protected_view(view: View) -> View:
    """Sign-in first; then what is missing becomes a 404 and what is not allowed a 403.

    A form of a page whose visitor was signed out meanwhile is shown again, with what was entered.
    """

    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: str) -> HttpResponse:
        try:
            return view(request, **kwargs)
        except Missing as missing:
            raise Http404(missing.code) from missing
        except NotAllowed as refused:
            raise PermissionDenied(refused.code) from refused

    behind_sign_in = login_required(guarded)

    @wraps(view)
    def opened(request: HttpRequest, **kwargs: str) -> HttpResponse:
        if not request.user.is_authenticated and can_resubmit(request):
            return render_resubmit_form(request)
        return behind_sign_in(request, **kwargs)

    return cast("View", never_cache(opened))


def page(view: View) -> View:
    """A page that is only read."""
    return require_safe(protected_view(view))


def form_page(view: View) -> View:
    """A page with a form that is sent to itself."""
    return require_http_methods(["GET", "HEAD", "POST"])(protected_view(view))


def action(view: View) -> View:
    """A change: POST only. Who was signed out meanwhile comes back to the page with the button, which can be read again,
    and so does who reads the address of a change: a tab that was opened again, a link that was kept.
    """
    guarded = protected_view(view)

    @wraps(view)
    def posted(request: HttpRequest, **kwargs: str) -> HttpResponse:
        if request.method in {"GET", "HEAD"}:
            above = _parent_page(request.path_info)
            return redirect(above) if request.user.is_authenticated else redirect_to_login(above)
        if request.user.is_authenticated or can_resubmit(request):
            return guarded(request, **kwargs)
        messages.warning(request, _("You were signed out, so nothing was changed. Sign in and try again."))
        return redirect_to_login(_referring_page(request))

    posted_to = require_http_methods(["GET", "HEAD", "POST"])(never_cache(posted))
    setattr(posted_to, _CHANGES_ATTRIBUTE, True)
    return cast("View", posted_to)


def _parent_page(path: str) -> str:
    """The nearest address above ``path`` that is a page."""
    while path.strip("/"):
        path = f"{path.rstrip('/').rpartition('/')[0]}/"
        try:
            found = resolve(path)
        except Resolver404:
            continue
        if not getattr(found.func, _CHANGES_ATTRIBUTE, False):
            return f"{get_script_prefix().rstrip('/')}{path}"
    return get_script_prefix()


def _referring_page(request: HttpRequest) -> str:
    """The page of this site that a form was sent from; the start page if the browser does not say."""
    before = urlsplit(request.headers.get("Referer", ""))
    if before.netloc != request.get_host() or not before.path.startswith("/"):
        return "/"
    return urlunsplit(("", "", before.path, before.query, ""))


def directed_club(request: HttpRequest, public_id: str) -> tuple[Club, Role]:
    """The club and the visitor's role in it; 404 for no such club, 403 for whoever does not run its events."""
    club = visible_club(public_id, request_user(request))
    role = role_in(request_user(request), club)
    if role is None or not is_director_role(role):
        raise NotAllowed("people.not_director")
    return club, role


def owned_club(request: HttpRequest, public_id: str) -> Club:
    """The club, for its owners alone."""
    club, role = directed_club(request, public_id)
    if role is not Role.OWNER:
        raise NotAllowed("people.not_owner")
    return club


def render_refusal(
    request: HttpRequest,
    error: CrawfordError,
    *,
    back: str,
    template: str = "people/refused.html",
    **context: Any,
) -> HttpResponse:
    """The page that says why something was not done, how things stand now, and where to go on."""
    if isinstance(error, Missing | NotAllowed):
        raise error
    return render(
        request,
        template,
        {"sentences": describe_all(error), "status": error.status, "back": back, **context},
        status=error.status,
    )
