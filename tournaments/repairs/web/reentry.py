"""Re-entry with one click, and closing of the reserved places of a bracket."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from faults import CrawfordError, Missing
from people.ids import PUBLIC_ID_LENGTH
from people.web.access import request_actor
from tournaments.models import Event
from tournaments.repairs.services.open_lines import close_reserved_lines
from tournaments.repairs.services.reentry import reenter
from tournaments.selectors.entries import get_entry
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.repairs.late import first_match_number
from tournaments.shared.frames.access import event_action
from tournaments.shared.frames.director import render_refused_action
from tournaments.shared.frames.divisions import division_switch
from tournaments.shared.frames.limits import limit_warnings, overrule_reason


@event_action
def reenter_at_random(request: HttpRequest, event: Event) -> HttpResponse:
    """Re-enter the players of an entry that is out; in a bracket in a random free place."""
    entry = get_entry(event, request.POST.get("entry", "").replace("\0", "")[:PUBLIC_ID_LENGTH])
    switch = division_switch(entry.division_id, event, linked_stages(event))
    back_url = switch.page_url(event, "entries")
    try:
        reentered = reenter(
            actor=request_actor(request),
            event_id=event.pk,
            entry_id=entry.pk,
            overrule=overrule_reason(request),
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url)
    message = _("%(name)s has re-entered.")
    number = first_match_number(reentered)
    if number is not None:
        message = _("%(name)s has re-entered, drawn at random into match %(number)s.")
    messages.success(request, message % {"name": reentered.name, "number": number})
    for warning in limit_warnings(event, [reentered]):
        messages.warning(request, warning)
    return redirect(back_url)


@event_action
def close_lines(request: HttpRequest, event: Event) -> HttpResponse:
    """Close the reserved places of a bracket: they become byes, and their opponents advance."""
    stages = {str(stage.pk): stage for stage in linked_stages(event)}
    stage = stages.get(request.POST.get("stage", ""))
    if stage is None:
        raise Missing("stage.unknown")
    back_url = division_switch(stage.division_id, event, list(stages.values())).page_url(event, "late-entry")
    try:
        closed_count = close_reserved_lines(
            actor=request_actor(request), event_id=event.pk, stage_id=stage.pk
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url)
    message = ngettext("%(count)s line closed.", "%(count)s lines closed.", closed_count)
    messages.success(request, message % {"count": closed_count})
    return redirect("director:board", event.public_id)
