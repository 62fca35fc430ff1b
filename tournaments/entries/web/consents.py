"""Requests from other clubs about a club's players: merges, and events and lists on their public pages."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import CrawfordError
from people.selectors import open_merge_requests, page_clubs
from people.services.consents import set_consent
from people.web.access import action, directed_club, page, render_refusal, request_actor
from tournaments.entries.services.merge_requests import answer_merge


@page
def consents(request: HttpRequest, club: str) -> HttpResponse:
    """Show open merge requests, and the clubs that know players of this club."""
    found, role = directed_club(request, club)
    context = {
        "club": found,
        "role": role,
        "tab": "players",
        "requests": open_merge_requests(found),
        "clubs": page_clubs(found),
    }
    return render(request, "entries/consents.html", context)


@action
def set_page_consent(request: HttpRequest, club: str) -> HttpResponse:
    """Allow, or stop allowing, a club's events and lists on the pages of this club's players."""
    found, _role = directed_club(request, club)
    back = reverse("director:consents", args=[found.public_id])
    given = "take-back" not in request.POST
    try:
        other = set_consent(
            actor=request_actor(request),
            club_id=found.pk,
            other=request.POST.get("club", "")[:16],
            given=given,
        )
    except CrawfordError as error:
        return render_refusal(request, error, back=back)
    words = (
        _("Events and lists of %(club)s are now shown on your players' pages.")
        if given
        else _("Events and lists of %(club)s are no longer shown on your players' pages.")
    )
    messages.success(request, words % {"club": other.name})
    return redirect(back)


@action
def answer_merge_request(request: HttpRequest, club: str, asked: str) -> HttpResponse:
    """Accept or decline a request to merge a duplicate into a player of this club."""
    found, _role = directed_club(request, club)
    back = reverse("director:consents", args=[found.public_id])
    accepts = "decline" not in request.POST
    try:
        row = answer_merge(actor=request_actor(request), club_id=found.pk, public_id=asked, accepts=accepts)
    except CrawfordError as error:
        return render_refusal(request, error, back=back)
    words = (
        _("Merged into %(name)s. You can undo this in the audit log.")
        if accepts
        else _("The merge into %(name)s has been declined.")
    )
    messages.success(request, words % {"name": row.keep.name})
    return redirect(back)
