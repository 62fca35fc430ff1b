"""Account pages that differ from those of django-allauth."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.views import PasswordResetView, password_change, password_set
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from people.selectors import latest_sign_ins, sessions_of
from people.services.sign_ins import SIGN_IN_LIFETIME, end_sessions, rename_session
from people.web.access import form_view, request_user
from people.web.door.devices import device_name
from people.web.door.factors import has_second_factor
from people.web.door.programs import program_name


class ForgottenPassword(PasswordResetView):  # type: ignore[misc]
    """Page to reset a password by mail; on a site without mail it names a contact and accepts nothing."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = (
            super().post(request, *args, **kwargs) if settings.MAIL_WORKS else self.get(request)
        )
        return response


forgotten_password = ForgottenPassword.as_view()

# A new password requires the second factor where there is one, beside the old password.
_with_second_factor = reauthentication_required(app="allauth.account", enabled=has_second_factor)
change_password = _with_second_factor(password_change)
set_password = _with_second_factor(password_set)


def redirect_to_password_change(_request: HttpRequest, **_: Any) -> HttpResponse:
    """Redirect from the admin's address to the account page."""
    return redirect("account_change_password")


@form_view
def sessions(request: HttpRequest) -> HttpResponse:
    """Page of the user's sessions and sign-ins, which can end the sessions."""
    user = request_user(request)
    if request.method == "POST":
        return _end_sessions(request)
    current = request.session.session_key
    rows = [
        {"row": row, "program": program_name(row.user_agent), "current": row.session_key == current}
        for row in sessions_of(user)
    ]
    context = {
        "sessions": rows,
        "listed": any(row["current"] for row in rows),
        "history": [{"row": row, "program": program_name(row.program)} for row in latest_sign_ins(user)],
        "days": SIGN_IN_LIFETIME.days,
    }
    return render(request, "people/sessions.html", context)


def _end_sessions(request: HttpRequest) -> HttpResponse:
    user = request_user(request)
    if "everywhere" in request.POST:
        end_sessions(user=user)
        logout(request)
        messages.success(request, _("You are signed out everywhere."))
        return redirect("account_login")
    end_sessions(
        user=user, kept_session_key=request.session.session_key, keep_device=device_name(request, user.pk)
    )
    # The session continues under a new key, with the hash that is valid from now on.
    former = request.session.session_key
    update_session_auth_hash(request, user)
    rename_session(user=user, former_key=former or "", key=request.session.session_key or "")
    messages.success(request, _("You are signed out of all other sessions."))
    return redirect("usersessions_list")
