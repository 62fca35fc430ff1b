"""Page of other clubs' requests about a club's players: merges, and events on the players' pages."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import CrawfordError
from people.selectors import open_merge_requests, page_clubs
from people.services.consents import set_consent
from people.web.access import action_view, directed_club, page_view, render_refusal, request_actor
from tournaments.entries.services.merge_requests import answer_merge


@page_view
def consents(request: HttpRequest, club: str) -> HttpResponse:
    """Show the unanswered merge requests, and the other clubs that know players of this club."""
    loaded_club, role = directed_club(request, club)
    context = {
        "club": loaded_club,
        "role": role,
        "tab": "players",
        "requests": open_merge_requests(loaded_club),
        "clubs": page_clubs(loaded_club),
    }
    return render(request, "entries/consents.html", context)


@action_view
def set_page_consent(request: HttpRequest, club: str) -> HttpResponse:
    """Allow another club's events and lists on the public pages of this club's players, or no longer."""
    loaded_club, _role = directed_club(request, club)
    return_url = reverse("director:consents", args=[loaded_club.public_id])
    is_given = "take-back" not in request.POST
    try:
        other_club = set_consent(
            actor=request_actor(request),
            club_id=loaded_club.pk,
            other_club_id=request.POST.get("club", "")[:16],
            is_given=is_given,
        )
    except CrawfordError as error:
        return render_refusal(request, error, back_url=return_url)
    message = (
        _("Events and lists of %(club)s are now shown on your players' pages.")
        if is_given
        else _("Events and lists of %(club)s are no longer shown on your players' pages.")
    )
    messages.success(request, message % {"club": other_club.name})
    return redirect(return_url)


@action_view
def answer_merge_request(request: HttpRequest, club: str, asked: str) -> HttpResponse:
    """Accept or decline a request of another club to merge a duplicate into a player of this club.

    ``asked``: public id of the request.
    """
    loaded_club, _role = directed_club(request, club)
    return_url = reverse("director:consents", args=[loaded_club.public_id])
    accepts = "decline" not in request.POST
    try:
        merge_request = answer_merge(
            actor=request_actor(request), club_id=loaded_club.pk, public_id=asked, accepts=accepts
        )
    except CrawfordError as error:
        return render_refusal(request, error, back_url=return_url)
    message = (
        _("Merged into %(name)s. You can undo this in the audit log.")
        if accepts
        else _("The merge into %(name)s has been declined.")
    )
    messages.success(request, message % {"name": merge_request.keep.name})
    return redirect(return_url)
