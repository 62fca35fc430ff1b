"""Director's pages of personal links: copy, print as QR codes, renew."""

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import CrawfordError, Missing
from people.web.access import request_actor
from tournaments.entries.services.links import renew_all_links, renew_entry_link
from tournaments.models import Entry, Event
from tournaments.selectors.access.links import DAYS_AFTER_EVENT, entry_token, last_link_day
from tournaments.selectors.entries import active_entries, entries_by_division, get_entry
from tournaments.selectors.events.director import linked_stages
from tournaments.shared.fragments.qr import qr_svg
from tournaments.shared.frames.access import event_action, event_page
from tournaments.shared.frames.director import absolute_url, render_event_page, render_refused_action
from tournaments.shared.frames.divisions import chosen_division

# Ten sheets of paper: drawing a code takes some milliseconds.
TICKETS_PER_PAGE = 96
LINKS_PER_PAGE = 100


@event_page
def links(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the personal link of every active entry of a division, searchable by name."""
    text = request.GET.get("q", "")[:80]
    stages = linked_stages(event)
    switch = chosen_division(request, event, stages)
    matching_ids = {
        row.pk
        for row in entries_by_division([switch.division.pk])[switch.division.pk]
        if row.matches_text(text)
    }
    entries = [entry for entry in active_entries(switch.division) if entry.pk in matching_ids]
    page = Paginator(entries, LINKS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "rows": [
            {"public_id": entry.public_id, "name": entry.name, "url": _link_url(request, entry)}
            for entry in page
        ],
        "page": page,
        "text": text,
        "divisions": switch.links(event, "links"),
        "division": switch.division,
        "query": switch.query,
        "page_query": urlencode({"division": switch.division.pk, "q": text}),
        "last_day": last_link_day(event),
        "days": DAYS_AFTER_EVENT,
    }
    return render_event_page(request, "entries/links.html", event, "links", context, stages=stages)


@event_page
def link_sheet(request: HttpRequest, event: Event) -> HttpResponse:
    """Show QR codes of personal links to print and cut, for all entries of a division or only some.

    The parameter ``entry`` names the entries.
    """
    stages = linked_stages(event)
    switch = chosen_division(request, event, stages)
    requested_ids = [public_id.replace("\0", "")[:16] for public_id in request.GET.getlist("entry")]
    entries = active_entries(switch.division)
    if requested_ids:
        chosen_entries = [get_entry(event, public_id) for public_id in requested_ids[:1]]
        chosen_entries += [entry for entry in entries if entry.public_id in requested_ids[1:]]
        entries = chosen_entries
    page = Paginator(entries, TICKETS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "tickets": [
            {"name": entry.name, "qr": qr_svg(_link_url(request, entry), is_one_of_many=True)}
            for entry in page
        ],
        "last_day": last_link_day(event),
        "single": len(requested_ids) == 1,
        "division": switch.division if switch.has_several_divisions else None,
        "query": switch.query.lstrip("?"),
        "back": switch.page_url(event, "links"),
    }
    return render_event_page(
        request, "entries/sheet.html", event, "links", {**context, "own_line": True}, stages=stages
    )


@event_action
def revoke(request: HttpRequest, event: Event) -> HttpResponse:
    """Renew the personal link of one entry, or of all entries of the event; the old links become invalid."""
    return_url = reverse("director:links", args=[event.public_id])
    entry_id = request.POST.get("entry", "").replace("\0", "")
    try:
        if entry_id:
            entry = get_entry(event, entry_id)
            renew_entry_link(actor=request_actor(request), event_id=event.pk, entry_id=entry.pk)
            message = _("The old link of %(name)s no longer works. Hand out the new one.") % {
                "name": entry.name
            }
        elif request.POST.get("all") == "yes":
            renew_all_links(actor=request_actor(request), event_id=event.pk)
            message = _("All previous links have stopped working. Print a new sheet.")
        else:
            raise Missing("link.action_unknown")
    except CrawfordError as error:
        return render_refused_action(request, error, back=return_url)
    messages.success(request, message)
    return redirect(return_url)


def _link_url(request: HttpRequest, entry: Entry) -> str:
    return absolute_url(request, reverse("player:home", args=[entry_token(entry)]))
