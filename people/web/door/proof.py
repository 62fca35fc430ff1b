"""Pages that require a recent proof of identity, by the second factor where there is one."""

from functools import wraps
from typing import cast

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.reauthentication import suspend_request
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from people.web.access import View


def require_reauthentication(view: View) -> View:
    """Decorate ``view`` to require a recent reauthentication; otherwise redirect to it and then back."""
    protected = reauthentication_required(app="allauth.account")(view)

    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: str) -> HttpResponse:
        try:
            return cast("HttpResponse", protected(request, **kwargs))
        except ReauthenticationRequired:
            # Read-only pages run inside the snapshot, where the exception does not reach allauth's middleware.
            methods = get_adapter().get_reauthentication_methods(request.user)
            url = methods[0]["url"] if methods else reverse("account_login")
            return cast("HttpResponse", suspend_request(request, url))

    return guarded
