"""Director's start page after signing in, list of a club's events, and form for a new club."""

from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from faults import CrawfordError
from people.timezones import zone_choices
from people.web.access import directed_club, form_view, page_view, request_actor, request_user
from people.web.faults import add_faults
from people.web.forms import ClubForm
from tournaments.models import Event
from tournaments.selectors.events.director import director_home, events_of_club
from tournaments.selectors.hall.calibration import Calibration, club_calibration
from tournaments.selectors.operators.lists import moderations_for
from tournaments.shared.words.names import event_dates_label
from tournaments.site.services.clubs import create_club_with_list

EVENTS_PER_PAGE = 30
INVALID = 422


@page_view
def home(request: HttpRequest) -> HttpResponse:
    """Start page with tasks, events and clubs of the director, or first steps for a new account."""
    home_view = director_home(request_user(request))
    context = {
        "memberships": home_view.memberships,
        "clubs": [membership.club for membership in home_view.memberships],
        "waiting": home_view.waiting,
        "groups": [
            {"title": title, "events": [event_row(event) for event in events]}
            for title, events in (
                (_("Running"), home_view.running),
                (_("Open for entries"), home_view.upcoming),
                (_("Drafts"), home_view.drafts),
                (_("Finished"), home_view.over),
            )
            if events
        ],
        "has_events": home_view.has_events,
        "helps": [event_row(event) for event in home_view.helps],
        "reads": [event_row(event) for event in home_view.reads],
        "shut": [
            {"what": f"{restriction.about.name}:", "moderation": restriction.moderation}
            for restriction in moderations_for(request_user(request))
        ],
        "contact": settings.OPERATOR_CONTACT,
    }
    return render(request, "site/director_home.html", context)


@page_view
def club_events(request: HttpRequest, club: str) -> HttpResponse:
    """Page of all events of a club for its directors, newest first."""
    loaded_club, role = directed_club(request, club)
    events_page = Paginator(events_of_club(loaded_club), EVENTS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "club": loaded_club,
        "role": role,
        "tab": "events",
        "page": events_page,
        "events": [event_row(event) for event in events_page],
        "calibration": [_calibration_row(row) for row in club_calibration(loaded_club)]
        if events_page.number == 1
        else [],
    }
    return render(request, "site/director_club.html", context)


def _calibration_row(row: Calibration) -> dict[str, int]:
    return {**asdict(row), "later": max(0, row.late), "earlier": max(0, -row.late)}


@form_view
def club_new(request: HttpRequest) -> HttpResponse:
    """Page to create a club, owned by its creator; continues with its first event."""
    form = ClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            club = create_club_with_list(actor=request_actor(request), **form.cleaned_data)
        except CrawfordError as error:
            add_faults(form, error)
        else:
            messages.success(
                request, _("%(name)s has been created. Now create its first event.") % {"name": club.name}
            )
            return redirect("director:event-new", club.public_id)
    form.fields["name"].widget.attrs["autofocus"] = True
    context = {"form": form, "zones": zone_choices(get_language() or "en")}
    return render(request, "site/club_new.html", context, status=INVALID if form.errors else 200)


def event_row(event: Event) -> dict[str, Any]:
    """Return the template context of an event in a director's list."""
    return {
        "public_id": event.public_id,
        "name": event.name,
        "club": event.club.name,
        "when": event_dates_label(event),
        "place": event.place,
        "status": event.status,
        "unlisted": event.visibility == Event.Visibility.UNLISTED,
        "entries": getattr(event, "entry_count", 0),
    }
