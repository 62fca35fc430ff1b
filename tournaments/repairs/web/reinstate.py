"""Reinstatement of a withdrawn entry: by a director from any page, by the player with link or account."""

from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from faults import CrawfordError, Missing
from people.messages import describe_all
from people.selectors import refresh_row
from people.web.access import action, render_refusal, request_actor
from tournaments.engine.statuses import EntryStatus
from tournaments.models import Entry, Event
from tournaments.repairs.services.reinstating import (
    reinstate,
    reinstate_by_link,
    reinstate_from_duplicate,
    reinstate_own,
)
from tournaments.selectors.access.links import entry_from_token
from tournaments.selectors.entries import get_entry
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.repairs.late import first_match_number
from tournaments.selectors.waiting import place_in_queue
from tournaments.shared.fragments.returning import reinstatement_contexts
from tournaments.shared.frames.access import event_action
from tournaments.shared.frames.device import phone_of, set_device_cookie
from tournaments.shared.frames.director import render_refused_action
from tournaments.shared.frames.divisions import division_switch
from tournaments.shared.frames.limits import limit_warnings, overrule_reason, when_full_choice
from tournaments.shared.frames.player import secret_view
from tournaments.shared.words.names import event_dates_label

MAX_ID_LENGTH: Final = 16
RETURN_PAGES: Final = frozenset({"entries", "check-in", "late-entry"})  # pages that list withdrawn entries


@event_action
def reinstate_entry(request: HttpRequest, event: Event) -> HttpResponse:
    """Reinstate a withdrawn entry, before or after the draw."""
    again = request.POST.get("applicant", "").replace("\0", "")[:MAX_ID_LENGTH]
    given = again or request.POST.get("entry", "").replace("\0", "")[:MAX_ID_LENGTH]
    found = get_entry(event, given)
    page = request.POST.get("from", "")
    back = division_switch(found.division_id, event, linked_stages(event)).address(
        event, page if page in RETURN_PAGES else "entries"
    )
    try:
        made = (reinstate_from_duplicate if again else reinstate)(
            actor=request_actor(request),
            event_id=event.pk,
            entry_id=found.pk,
            overrule=overrule_reason(request),
            when_full=when_full_choice(request),
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=back)
    messages.success(request, reinstated_message(made))
    for doubt in limit_warnings(event, [made]):
        messages.warning(request, doubt)
    return redirect(back)


def reinstated_message(entry: Entry) -> str:
    """Return the director's message about the state of a reinstated entry."""
    queue = place_in_queue(entry)
    if queue is not None:
        words = _("%(name)s is number %(place)s on the waiting list.")
        return words % {"name": entry.name, "place": queue}
    match = first_match_number(entry)
    if match is not None:
        return _("%(name)s is now in the draw, in match %(number)s.") % {"name": entry.name, "number": match}
    return _("%(name)s has been reinstated.") % {"name": entry.name}


def _own_reinstated_message(entry: Entry) -> str:
    """Return the player's message about the reinstated entry."""
    event, queue = entry.division.event.name, place_in_queue(entry)
    if queue is not None:
        words = _("You are number %(place)s on the waiting list of %(name)s.")
        return words % {"place": queue, "name": event}
    return _("You are entered in %(name)s again.") % {"name": event}


@action
def by_account(request: HttpRequest) -> HttpResponse:
    """Reinstate an entry by the player's account."""
    back = reverse("player:me")
    wanted = request.POST.get("entry", "").replace("\0", "")[:MAX_ID_LENGTH]
    try:
        entry = reinstate_own(actor=request_actor(request), public_id=wanted)
    except CrawfordError as error:
        if isinstance(error, Missing):
            raise
        return render_refusal(request, error, back=back)
    messages.success(request, _own_reinstated_message(entry))
    return redirect(back)


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Reinstate an entry by the personal link; the page first shows the resulting state, or the obstacle."""
    entry = entry_from_token(token)
    event = entry.division.event
    if entry.status != EntryStatus.WITHDRAWN:
        return redirect("player:home", token)
    faults: list[str] = []
    status = 200
    if request.method == "POST":
        phone = phone_of(request)
        try:
            made = reinstate_by_link(entry=entry, phone=phone)
        except CrawfordError as error:
            event = refresh_row(event)
            if refresh_row(entry).status != EntryStatus.WITHDRAWN:  # already reinstated by a director
                return redirect("player:home", token)
            faults, status = describe_all(error), error.status
        else:
            messages.success(request, _own_reinstated_message(made))
            response = redirect("player:home", token)
            set_device_cookie(response, phone.device)
            return response
    way = reinstatement_contexts([entry])[0]
    context = {
        "token": token,
        "entry": entry,
        "event": event,
        "club": event.club,
        "when": event_dates_label(event),
        "faults": faults,
        "full": way["full"],
        "reason": "" if faults else way["back"]["why"],
    }
    return render(request, "repairs/come_back.html", context, status=status)
