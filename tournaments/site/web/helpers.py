"""Director's page of the assistants of an event, whom directors invite by mail, link or QR code.

Assistants enter results and calls, and approve entries.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import Conflict, CrawfordError, Invalid, Missing
from people.ids import parse_row_id
from people.models import Role
from people.selectors import assistants_of, open_invitations
from people.services import invitations as service
from people.web.access import request_actor
from people.web.door.limits import may_look_up_account
from people.web.faults import add_faults
from people.web.forms import AssistantForm
from tournaments.engine.statuses import EVENT_OVER
from tournaments.models import Event
from tournaments.models.trail import audit_scope
from tournaments.selectors.events.helpers import other_club_events
from tournaments.shared.frames.access import event_action, event_form
from tournaments.shared.frames.director import render_event_page, render_refused_action
from tournaments.site.web.invitations import INVALID, render_invitation


@event_form
def helpers(request: HttpRequest, event: Event) -> HttpResponse:
    """Page of assistants and invitations; a POST invites another assistant."""
    other_events = other_club_events(event)
    form = AssistantForm(
        request.POST if request.method == "POST" else None,
        events=[(other.public_id, other.name) for other in other_events],
    )
    page_url = reverse("director:helpers", args=[event.public_id])
    if request.method == "POST" and form.is_valid():
        chosen_events = [
            event,
            *(other for other in other_events if other.public_id in form.cleaned_data["events"]),
        ]
        try:
            if event.status in EVENT_OVER:
                raise Conflict("event.over")
            if not may_look_up_account(request):
                raise Invalid("member.asked_often", field="email")
            new_invitation = service.invite(
                actor=request_actor(request),
                club_id=event.club_id,
                role=Role.ASSISTANT,
                email=form.cleaned_data["email"],
                label=form.cleaned_data["label"],
                scopes=[audit_scope(other) for other in chosen_events],
            )
        except CrawfordError as error:
            add_faults(form, error)
        else:
            return render_invitation(request, new_invitation, back_url=page_url)
    scope = audit_scope(event)
    context = {
        "form": form,
        "assistants": assistants_of(scope),
        "invitations": [
            invitation
            for invitation in open_invitations(event.club, [Role.ASSISTANT])
            if scope in invitation.scopes
        ],
        "over": event.status in EVENT_OVER,
        "here": page_url,
    }
    status = INVALID if form.errors else 200
    return render_event_page(request, "site/helpers.html", event, "helpers", context, status=status)


@event_action
def remove_helper(request: HttpRequest, event: Event) -> HttpResponse:
    """Remove an assistant. Field ``helper``: database id of the assistance."""
    number = parse_row_id(request.POST.get("helper", ""))
    back_url = reverse("director:helpers", args=[event.public_id])
    if number not in {row.pk for row in assistants_of(audit_scope(event))}:
        raise Missing("member.gone")
    try:
        ended_assistance = service.end_assistance(
            actor=request_actor(request), club_id=event.club_id, assistance_id=number
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url)
    messages.success(request, _("%(name)s is no longer an assistant.") % {"name": ended_assistance.user})
    return redirect(back_url)
