"""The phones of a personal link, for its holder: a code on the phone that speaks, a field for it on another, and a word to the desk."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from faults import CrawfordError
from people.messages import describe
from tournaments.matches.services.phones import ask_desk, show_code
from tournaments.matches.web.link_phones import enter, with_device
from tournaments.matches.web.player import draw_home, frame
from tournaments.selectors.access.links import entry_of_token
from tournaments.shared.frames.device import phone_of
from tournaments.shared.frames.player import secret_view
from tournaments.shared.words.names import clock_time


@secret_view
@require_POST
def code(request: HttpRequest, token: str) -> HttpResponse:
    """Show a code that lets one other phone in; on this answer alone, for it is kept nowhere."""
    entry = entry_of_token(token)
    try:
        shown = show_code(entry=entry, phone=phone_of(request))
    except CrawfordError as refused:
        return draw_home(request, token, entry, refused=describe(refused), status=refused.status)
    context = {
        **frame(token, entry),
        "code": f"{shown.code[:3]} {shown.code[3:]}",
        "until": clock_time(shown.until, entry.division.event),
    }
    return render(request, "matches/phone_code.html", context)


@secret_view
@require_POST
def phone(request: HttpRequest, token: str) -> HttpResponse:
    """Let this phone in with the code of another one, or ask the desk."""
    entry = entry_of_token(token)
    mine = phone_of(request)
    try:
        if "ask" in request.POST:
            row = ask_desk(entry=entry, phone=mine)
            words = _("Request sent. Tell the desk that you are “phone %(number)s”.")
            if row.asks:
                messages.info(request, words % {"number": row.number})
        else:
            enter(request, entry, mine)
            messages.success(request, _("This phone can now report for you."))
    except CrawfordError as error:
        return draw_home(request, token, entry, door_fault=describe(error), status=error.status)
    return with_device(redirect("player:home", token), mine)
