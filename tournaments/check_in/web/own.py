"""Self check-in by personal link or account, with the hall code from a display."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from faults import CrawfordError, Invalid, Missing, NotAllowed
from people.caching import increment_counter
from people.messages import describe
from people.selectors import refresh_row
from people.web.access import action_view, render_refusal, request_actor, request_user
from tournaments.check_in.services.own import check_in_by_account, check_in_by_link
from tournaments.matches.web.link_phones import (
    code_from_form,
    enter_typed_code,
    request_access_context,
    with_device,
)
from tournaments.matches.web.player import PHONE_FAULT_CODES, render_home
from tournaments.selectors.access.links import entry_from_token
from tournaments.shared.frames.device import current_device
from tournaments.shared.frames.player import is_rate_limited, secret_view

MAX_CODE_LENGTH = 40
MAX_TRIES, PERIOD_SECONDS = 10, 600  # attempts per link, and the period in seconds
MAX_TRIES_PER_ADDRESS = 400  # in the same period; a whole hall may share an address


@secret_view
@require_POST
def check_in_own(request: HttpRequest, token: str) -> HttpResponse:
    """Check in by personal link.

    Attempts are counted before the code is compared, by link and by address, to prevent guessing.
    """
    entry = entry_from_token(token)
    code = request.POST.get("code", "").replace("\0", "")[:MAX_CODE_LENGTH]
    phone = current_device(request, request.POST.get("submission_key", ""))
    try:
        tries = increment_counter("hall-code", [entry.pk], PERIOD_SECONDS)
        if tries > MAX_TRIES or is_rate_limited(
            request, "hall-code", limit=MAX_TRIES_PER_ADDRESS, seconds=PERIOD_SECONDS
        ):
            raise Invalid("check_in.too_often", field="code")
        if code_from_form(request):
            enter_typed_code(request, entry, phone)
        check_in_by_link(entry=entry, code=code, phone=phone)
    except CrawfordError as error:
        if error.code in PHONE_FAULT_CODES:
            access = request_access_context(request, entry, phone, error)
            return with_device(render_home(request, token, entry, access=access, status=error.status), phone)
        if isinstance(error, NotAllowed):
            raise PermissionDenied(describe(error)) from error
        refresh_row(entry.division.event)
        if isinstance(error, Invalid):
            hall_code = {"fault": describe(error), "typed": code}
            return render_home(request, token, entry, hall_code=hall_code, status=error.status)
        return render_home(request, token, entry, error_message=describe(error), status=error.status)
    messages.success(request, _("You are checked in."))
    return with_device(redirect("player:home", token), phone)


@action_view
def check_in_signed_in(request: HttpRequest) -> HttpResponse:
    """Check in by account, from the page with the user's own entries.

    Attempts are counted by account and by address.
    """
    public_id = request.POST.get("entry", "").replace("\0", "")[:16]
    code = request.POST.get("code", "").replace("\0", "")[:MAX_CODE_LENGTH]
    back_url = reverse("player:me")
    try:
        tries = increment_counter("hall-code-of-account", [request_user(request).pk], PERIOD_SECONDS)
        if tries > MAX_TRIES or is_rate_limited(
            request, "hall-code", limit=MAX_TRIES_PER_ADDRESS, seconds=PERIOD_SECONDS
        ):
            raise Invalid("check_in.too_often", field="code")
        check_in_by_account(actor=request_actor(request), public_id=public_id, code=code)
    except Missing:
        raise
    except CrawfordError as error:
        return render_refusal(request, error, back_url=back_url)
    messages.success(request, _("You are checked in."))
    return redirect(back_url)
