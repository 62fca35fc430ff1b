"""Page on which players withdraw by their personal link, before the draw and the last time for entries."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from faults import CrawfordError
from people.messages import describe_all
from tournaments.entries.services.own import withdraw_by_link
from tournaments.selectors.access.links import entry_from_token
from tournaments.selectors.entries import CONFIRMED_STATUSES
from tournaments.selectors.matches.own import can_withdraw
from tournaments.shared.frames.device import current_device, set_device_cookie
from tournaments.shared.frames.player import secret_view
from tournaments.shared.words.names import event_dates_label


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, token: str) -> HttpResponse:
    """Show a page that asks for confirmation; when it is sent, withdraw the entry.

    The page asks because not every entry can be reinstated without a director.
    """
    entry = entry_from_token(token)
    faults: list[str] = []
    status = 200
    if request.method == "POST":
        phone = current_device(request)
        try:
            withdraw_by_link(entry=entry, phone=phone)
        except CrawfordError as error:
            faults, status = describe_all(error), error.status
        else:
            messages.success(
                request, _("You have withdrawn from %(name)s.") % {"name": entry.division.event.name}
            )
            response = redirect("player:home", token)
            set_device_cookie(response, phone.device)
            return response
    elif entry.status not in CONFIRMED_STATUSES or not can_withdraw(entry):
        return redirect("player:home", token)
    event = entry.division.event
    context = {
        "token": token,
        "entry": entry,
        "event": event,
        "club": event.club,
        "when": event_dates_label(event),
        "faults": faults,
    }
    return render(request, "entries/leave.html", context, status=status)
