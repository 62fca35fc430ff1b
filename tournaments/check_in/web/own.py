"""I am here: on one's own page or by an account, with the code that the wall of the hall shows."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from faults import CrawfordError, Invalid, Missing, NotAllowed
from people.caching import counted
from people.messages import describe
from people.selectors import fresh
from people.web.access import action, actor_of, refused, user_of
from tournaments.check_in.services.own import say_here, say_here_signed_in
from tournaments.matches.web.link_phones import enter, shut_out, typed_code, with_device
from tournaments.matches.web.player import OF_PHONES, draw_home
from tournaments.selectors.access.links import entry_of_token
from tournaments.shared.frames.device import phone_of
from tournaments.shared.frames.player import secret_view, too_often

TYPED = 40
TRIES, PERIOD = 10, 600  # codes of one link in so many seconds; the desk is near
OF_ADDRESS = 400  # and of one address, behind which a whole hall may sit


@secret_view
@require_POST
def here(request: HttpRequest, token: str) -> HttpResponse:
    """The code is counted before it is looked at: by the link, and by the address, for whoever guesses with many links."""
    entry = entry_of_token(token)
    code = request.POST.get("code", "").replace("\0", "")[:TYPED]
    phone = phone_of(request, request.POST.get("submission_key", ""))
    try:
        tried = counted("hall-code", [entry.pk], PERIOD)
        if tried > TRIES or too_often(request, "hall-code", limit=OF_ADDRESS, seconds=PERIOD):
            raise Invalid("check_in.too_often", field="code")
        if typed_code(request):
            enter(request, entry, phone)
        say_here(entry=entry, code=code, phone=phone)
    except CrawfordError as error:
        if error.code in OF_PHONES:
            door = shut_out(request, entry, phone, error)
            return with_device(draw_home(request, token, entry, door=door, status=error.status), phone)
        if isinstance(error, NotAllowed):
            raise PermissionDenied(describe(error)) from error
        fresh(entry.division.event)
        if isinstance(error, Invalid):
            fault = {"fault": describe(error), "typed": code}
            return draw_home(request, token, entry, hall_code=fault, status=error.status)
        return draw_home(request, token, entry, refused=describe(error), status=error.status)
    messages.success(request, _("You are checked in."))
    return with_device(redirect("player:home", token), phone)


@action
def here_signed_in(request: HttpRequest) -> HttpResponse:
    """The same by an account, from the page of what is mine; the code is counted by the account and by the address."""
    entry = request.POST.get("entry", "").replace("\0", "")[:16]
    code = request.POST.get("code", "").replace("\0", "")[:TYPED]
    back = reverse("player:me")
    try:
        tried = counted("hall-code-of-account", [user_of(request).pk], PERIOD)
        if tried > TRIES or too_often(request, "hall-code", limit=OF_ADDRESS, seconds=PERIOD):
            raise Invalid("check_in.too_often", field="code")
        say_here_signed_in(actor=actor_of(request), public_id=entry, code=code)
    except Missing:
        raise
    except CrawfordError as error:
        return refused(request, error, back=back)
    messages.success(request, _("You are checked in."))
    return redirect(back)
