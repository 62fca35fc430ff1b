"""Correct a confirmed result: first what it would do to the ratings, then the correction itself."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from people.errors import CrawfordError
from people.web.access import actor_of
from people.web.faults import add_faults
from tournaments.models import Event
from tournaments.selectors.corrections import rating_effects
from tournaments.selectors.draws import drawn_match
from tournaments.services.corrections import check_correction, correct_result
from tournaments.web.director.access import event_action
from tournaments.web.director.board import match_or_missing
from tournaments.web.director.frame import INVALID, not_done
from tournaments.web.director.match import address, match_page, result_form


@event_action
def correct(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Show what another result would change; with ``apply`` put it in the place of the confirmed one."""
    found = match_or_missing(event, match)
    form = result_form(event, found, drawn_match(found), request.POST)
    if not form.is_valid():
        return match_page(request, event, found, form, INVALID)
    data = form.cleaned_data
    try:
        if "apply" not in request.POST:
            check_correction(match=found, claim=form.claim())
            return match_page(request, event, found, form, effects=rating_effects(found, form.claim()))
        done = correct_result(
            actor=actor_of(request),
            event_id=event.pk,
            match_id=found.pk,
            claim=form.claim(),
            submission_key=data["submission_key"],
            note=data["note"],
            played_at=data["played_at"],
            seen=data["seen"],
        )
    except CrawfordError as error:
        if error.status != INVALID:
            return not_done(request, error, back=address(event, found), match=found)
        add_faults(form, error)
        return match_page(request, event, found, form, INVALID)
    words = (
        _("The result is corrected, and the other player goes on.")
        if done.winner_changed
        else _("The result is corrected.")
    )
    messages.success(request, words)
    return redirect(address(event, found))
