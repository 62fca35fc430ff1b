"""Undo of the last repair, from the audit log and from the pages of the matches that it changed."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import CrawfordError
from people.web.access import request_actor
from tournaments.hall.web.calling import return_url
from tournaments.models import Event
from tournaments.repairs.services.undo import undo_repair
from tournaments.shared.frames.access import event_action
from tournaments.shared.frames.director import render_refused_action


@event_action
def undo(request: HttpRequest, event: Event, repair: int) -> HttpResponse:
    """Undo the repair with this audit log id."""
    back_url = reverse("director:audit", args=[event.public_id])
    if request.POST.get("back"):
        back_url = return_url(request, event)
    try:
        undo_repair(actor=request_actor(request), event_id=event.pk, audit_id=repair)
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url)
    messages.success(request, _("Undone. Everything is as it was before."))
    return redirect(back_url)
