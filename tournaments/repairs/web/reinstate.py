"""A withdrawn entry comes back: by a director from any page that lists it, by the player with the personal link or an account."""

from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from faults import CrawfordError, Missing
from people.messages import describe_all
from people.selectors import fresh
from people.web.access import action, actor_of, refused
from tournaments.engine.statuses import EntryStatus
from tournaments.models import Entry, Event
from tournaments.repairs.services.reinstating import (
    reinstate,
    reinstate_by_link,
    reinstate_instead,
    reinstate_own,
)
from tournaments.selectors.access.links import entry_of_token
from tournaments.selectors.entries import entry_of_event
from tournaments.selectors.events.director import stages_of
from tournaments.selectors.repairs.late import first_match_of
from tournaments.selectors.waiting import place_in_queue
from tournaments.shared.fragments.returning import ways_back
from tournaments.shared.frames.access import event_action
from tournaments.shared.frames.device import keep_device, phone_of
from tournaments.shared.frames.director import not_done
from tournaments.shared.frames.divisions import switch_to
from tournaments.shared.frames.limits import doubts_about, overrule_in, when_full_in
from tournaments.shared.frames.player import secret_view
from tournaments.shared.words.names import when_words

ID_LIMIT: Final = 16
PAGES: Final = frozenset({"entries", "check-in", "late-entry"})  # that list who withdrew


@event_action
def give_back(request: HttpRequest, event: Event) -> HttpResponse:
    """Reinstate a withdrawn entry, before or after the draw."""
    again = request.POST.get("applicant", "").replace("\0", "")[:ID_LIMIT]
    given = again or request.POST.get("entry", "").replace("\0", "")[:ID_LIMIT]
    found = entry_of_event(event, given)
    page = request.POST.get("from", "")
    back = switch_to(found.division_id, event, stages_of(event)).address(
        event, page if page in PAGES else "entries"
    )
    try:
        made = (reinstate_instead if again else reinstate)(
            actor=actor_of(request),
            event_id=event.pk,
            entry_id=found.pk,
            overrule=overrule_in(request),
            when_full=when_full_in(request),
        )
    except CrawfordError as error:
        return not_done(request, error, back=back)
    messages.success(request, words_of(made))
    for doubt in doubts_about(event, [made]):
        messages.warning(request, doubt)
    return redirect(back)


def words_of(entry: Entry) -> str:
    """Where an entry that came back stands now, for a director."""
    queue = place_in_queue(entry)
    if queue is not None:
        words = _("%(name)s is number %(place)s on the waiting list.")
        return words % {"name": entry.name, "place": queue}
    match = first_match_of(entry)
    if match is not None:
        return _("%(name)s is now in the draw, in match %(number)s.") % {"name": entry.name, "number": match}
    return _("%(name)s has been reinstated.") % {"name": entry.name}


def _own_words(entry: Entry) -> str:
    """The same for the player."""
    event, queue = entry.division.event.name, place_in_queue(entry)
    if queue is not None:
        words = _("You are number %(place)s on the waiting list of %(name)s.")
        return words % {"place": queue, "name": event}
    return _("You are entered in %(name)s again.") % {"name": event}


@action
def signed_in(request: HttpRequest) -> HttpResponse:
    """The player comes back by their account."""
    back = reverse("player:me")
    wanted = request.POST.get("entry", "").replace("\0", "")[:ID_LIMIT]
    try:
        entry = reinstate_own(actor=actor_of(request), public_id=wanted)
    except CrawfordError as error:
        if isinstance(error, Missing):
            raise
        return refused(request, error, back=back)
    messages.success(request, _own_words(entry))
    return redirect(back)


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """The player comes back by the personal link: where they would stand is said before, and why they cannot, if so."""
    entry = entry_of_token(token)
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
            event = fresh(event)
            if fresh(entry).status != EntryStatus.WITHDRAWN:  # a director was faster
                return redirect("player:home", token)
            faults, status = describe_all(error), error.status
        else:
            messages.success(request, _own_words(made))
            response = redirect("player:home", token)
            keep_device(response, phone.device)
            return response
    way = ways_back([entry])[0]
    context = {
        "token": token,
        "entry": entry,
        "event": event,
        "club": event.club,
        "when": when_words(event),
        "faults": faults,
        "full": way["full"],
        "reason": "" if faults else way["back"]["why"],
    }
    return render(request, "repairs/come_back.html", context, status=status)
