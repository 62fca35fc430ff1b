"""Devices of a personal link, for its holder: show a code, enter it on another device, or ask the staff."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from faults import CrawfordError
from people.messages import describe
from tournaments.matches.services.phones import create_access_code, request_access
from tournaments.matches.web.link_phones import enter_typed_code, with_device
from tournaments.matches.web.player import link_page_context, render_home
from tournaments.selectors.access.links import entry_from_token
from tournaments.shared.frames.device import current_device
from tournaments.shared.frames.player import secret_view
from tournaments.shared.words.names import clock_time


@secret_view
@require_POST
def show_phone_code(request: HttpRequest, token: str) -> HttpResponse:
    """Page with a new code that gives one other device access.

    The code cannot be shown again, because only a digest is stored.
    """
    entry = entry_from_token(token)
    try:
        new_code = create_access_code(entry=entry, phone=current_device(request))
    except CrawfordError as error:
        return render_home(request, token, entry, error_message=describe(error), status=error.status)
    context = {
        **link_page_context(token, entry),
        "code": f"{new_code.code[:3]} {new_code.code[3:]}",
        "until": clock_time(new_code.until, entry.division.event),
    }
    return render(request, "matches/phone_code.html", context)


@secret_view
@require_POST
def allow_phone(request: HttpRequest, token: str) -> HttpResponse:
    """Give this device access with the code of another one; with field ``ask``, ask the staff."""
    entry = entry_from_token(token)
    phone = current_device(request)
    try:
        if "ask" in request.POST:
            row = request_access(entry=entry, phone=phone)
            message = _("Request sent. Tell the desk that you are “phone %(number)s”.")
            if row.is_pending:
                messages.info(request, message % {"number": row.number})
        else:
            enter_typed_code(request, entry, phone)
            messages.success(request, _("This phone can now report for you."))
    except CrawfordError as error:
        return render_home(request, token, entry, access_fault=describe(error), status=error.status)
    return with_device(redirect("player:home", token), phone)
