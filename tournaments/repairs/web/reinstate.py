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
from people.web.access import action_view, render_refusal, request_actor
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
from tournaments.shared.frames.device import current_device, set_device_cookie
from tournaments.shared.frames.director import render_refused_action
from tournaments.shared.frames.divisions import division_switch
from tournaments.shared.frames.limits import limit_warnings, overrule_reason, when_full_choice
from tournaments.shared.frames.player import secret_view
from tournaments.shared.words.names import event_dates_label

MAX_ID_LENGTH: Final = 16
RETURN_PAGES: Final = frozenset({"entries", "check-in", "late-entry"})  # pages that list withdrawn entries


@event_action
def reinstate_entry(request: HttpRequest, event: Event) -> HttpResponse:
    """Reinstate a withdrawn entry, before or after the draw.

    ``applicant``: a new entry of the same player.
    """
    duplicate_id = request.POST.get("applicant", "").replace("\0", "")[:MAX_ID_LENGTH]
    entry_id = duplicate_id or request.POST.get("entry", "").replace("\0", "")[:MAX_ID_LENGTH]
    entry = get_entry(event, entry_id)
    page_name = request.POST.get("from", "")
    back_url = division_switch(entry.division_id, event, linked_stages(event)).page_url(
        event, page_name if page_name in RETURN_PAGES else "entries"
    )
    try:
        reinstated = (reinstate_from_duplicate if duplicate_id else reinstate)(
            actor=request_actor(request),
            event_id=event.pk,
            entry_id=entry.pk,
            overrule=overrule_reason(request),
            when_full=when_full_choice(request),
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url)
    messages.success(request, reinstated_message(reinstated))
    for warning in limit_warnings(event, [reinstated]):
        messages.warning(request, warning)
    return redirect(back_url)


def reinstated_message(entry: Entry) -> str:
    """Return the message for the director that says where a reinstated entry is now."""
    queue_place = place_in_queue(entry)
    if queue_place is not None:
        message = _("%(name)s is number %(place)s on the waiting list.")
        return message % {"name": entry.name, "place": queue_place}
    match_number = first_match_number(entry)
    if match_number is not None:
        return _("%(name)s is now in the draw, in match %(number)s.") % {
            "name": entry.name,
            "number": match_number,
        }
    return _("%(name)s has been reinstated.") % {"name": entry.name}


def _own_reinstated_message(entry: Entry) -> str:
    """Return the message for the player that says where the reinstated entry is now."""
    event_name, queue_place = entry.division.event.name, place_in_queue(entry)
    if queue_place is not None:
        message = _("You are number %(place)s on the waiting list of %(name)s.")
        return message % {"place": queue_place, "name": event_name}
    return _("You are entered in %(name)s again.") % {"name": event_name}


@action_view
def reinstate_by_account(request: HttpRequest) -> HttpResponse:
    """Reinstate an entry of the signed-in player."""
    back_url = reverse("player:me")
    entry_id = request.POST.get("entry", "").replace("\0", "")[:MAX_ID_LENGTH]
    try:
        entry = reinstate_own(actor=request_actor(request), public_id=entry_id)
    except CrawfordError as error:
        if isinstance(error, Missing):
            raise
        return render_refusal(request, error, back_url=back_url)
    messages.success(request, _own_reinstated_message(entry))
    return redirect(back_url)


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Page to reinstate an entry by the personal link.

    It first shows what will happen, or why it is impossible.
    """
    entry = entry_from_token(token)
    event = entry.division.event
    if entry.status != EntryStatus.WITHDRAWN:
        return redirect("player:home", token)
    faults: list[str] = []
    status = 200
    if request.method == "POST":
        phone = current_device(request)
        try:
            reinstated = reinstate_by_link(entry=entry, phone=phone)
        except CrawfordError as error:
            event = refresh_row(event)
            if refresh_row(entry).status != EntryStatus.WITHDRAWN:  # already reinstated by a director
                return redirect("player:home", token)
            faults, status = describe_all(error), error.status
        else:
            messages.success(request, _own_reinstated_message(reinstated))
            response = redirect("player:home", token)
            set_device_cookie(response, phone.device)
            return response
    reinstatement = reinstatement_contexts([entry])[0]
    context = {
        "token": token,
        "entry": entry,
        "event": event,
        "club": event.club,
        "when": event_dates_label(event),
        "faults": faults,
        "full": reinstatement["full"],
        "reason": "" if faults else reinstatement["back"]["why"],
    }
    return render(request, "repairs/come_back.html", context, status=status)
