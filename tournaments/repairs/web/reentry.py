"""Buy back with one tap beside the name, and close the lines of a draw that are held open."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from faults import CrawfordError, Missing
from people.ids import LENGTH
from people.web.access import actor_of
from tournaments.models import Event
from tournaments.repairs.services.open_lines import close_open_lines
from tournaments.repairs.services.reentry import buy_back
from tournaments.selectors.entries import entry_of_event
from tournaments.selectors.events.director import stages_of
from tournaments.selectors.repairs.late import first_match_of
from tournaments.shared.frames.access import event_action
from tournaments.shared.frames.director import not_done
from tournaments.shared.frames.divisions import switch_to
from tournaments.shared.frames.limits import doubts_about, overrule_in


@event_action
def buy_in(request: HttpRequest, event: Event) -> HttpResponse:
    """Let somebody who is out enter once more; in a bracket on a free line, by lot."""
    found = entry_of_event(event, request.POST.get("entry", "").replace("\0", "")[:LENGTH])
    switch = switch_to(found.division_id, event, stages_of(event))
    back = switch.address(event, "entries")
    try:
        made = buy_back(
            actor=actor_of(request), event_id=event.pk, entry_id=found.pk, overrule=overrule_in(request)
        )
    except CrawfordError as error:
        return not_done(request, error, back=back)
    words = _("%(name)s has re-entered.")
    number = first_match_of(made)
    if number is not None:
        words = _("%(name)s has re-entered, drawn at random into match %(number)s.")
    messages.success(request, words % {"name": made.name, "number": number})
    for doubt in doubts_about(event, [made]):
        messages.warning(request, doubt)
    return redirect(back)


@event_action
def close(request: HttpRequest, event: Event) -> HttpResponse:
    """Nobody comes any more: the lines held open are byes, and whoever waits there goes on."""
    stages = {str(stage.pk): stage for stage in stages_of(event)}
    stage = stages.get(request.POST.get("stage", ""))
    if stage is None:
        raise Missing("stage.unknown")
    back = switch_to(stage.division_id, event, list(stages.values())).address(event, "late-entry")
    try:
        closed = close_open_lines(actor=actor_of(request), event_id=event.pk, stage_id=stage.pk)
    except CrawfordError as error:
        return not_done(request, error, back=back)
    words = ngettext("%(count)s line closed.", "%(count)s lines closed.", closed)
    messages.success(request, words % {"count": closed})
    return redirect("director:board", event.public_id)
