"""Director's pages of an event's settings, one section on each page."""

from collections.abc import Mapping
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from faults import CrawfordError, Fault
from people.messages import describe
from people.selectors import refresh_row
from people.timezones import zone_choices
from people.web.access import request_actor
from people.web.faults import add_faults
from tournaments.engine.statuses import EventStatus, allowed_actions
from tournaments.events.services.events import event_settings_version, update_event
from tournaments.events.web.event_form import HOUR_FIELDS, EventForm, initial_values
from tournaments.models import Event
from tournaments.selectors.events.detail import has_results
from tournaments.selectors.events.director import linked_stages
from tournaments.shared.frames.access import event_form, event_page
from tournaments.shared.frames.changed_since import (
    conflict_context,
    expected_version_from,
    is_settings_conflict,
    response_status,
)
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.frames.last_changes import last_saved_settings

DETAILS_SECTION: Final = "settings"
SECTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    DETAILS_SECTION: ("name", "starts_on", "ends_on", "place", "description", "weight"),
    "schedule": ("timezone", "tables", *HOUR_FIELDS),
    "registration": ("requires",),
    "visibility": ("visibility",),
    "notifications": ("word_minutes",),
}


@event_form
def settings(request: HttpRequest, event: Event, section: str = DETAILS_SECTION) -> HttpResponse:
    """Page of a section of the settings; saving it leaves the other sections unchanged."""
    fields = SECTIONS.get(section)
    if fields is None:
        raise Http404
    page_url = request.path
    form = _section_form(event, section, request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {
        "seen": expected_version_from(request) or event_settings_version(event, fields)
    }
    if form.is_bound and form.is_valid():
        try:
            update_event(
                actor=request_actor(request),
                event_id=event.pk,
                details=form.details(),
                seen=expected_version_from(request),
                only=fields,
            )
        except CrawfordError as error:
            if is_settings_conflict(error):
                event = refresh_row(event)
                form = _section_form(event, section, request.POST)
                version = event_settings_version(event, fields)
                context = conflict_context(request, error, form, version, last_saved_settings(event, event))
            elif error.status != INVALID_STATUS:
                return render_refused_action(request, error, back=page_url)
            else:
                add_faults(form, error)
        else:
            messages.success(request, _("Settings saved."))
            return redirect(page_url)
    context |= {
        "form": form,
        "section": section,
        "zones": zone_choices(get_language() or "en") if "timezone" in fields else (),
        "can": {action.value for action in allowed_actions(EventStatus(event.status))},
    }
    return render_event_page(
        request, "site/settings.html", event, section, context, status=response_status(context, form)
    )


@event_page
def rules(request: HttpRequest, event: Event) -> HttpResponse:
    """Page with links to the rules of each stage; with only one stage, redirects to its rules."""
    stages = linked_stages(event)
    if len(stages) == 1 and stages[0].system != "money":
        return redirect("director:conduct", event.public_id, stages[0].pk)
    return render_event_page(request, "site/rules.html", event, "rules", stages=stages)


def _section_form(event: Event, section: str, data: QueryDict | None) -> EventForm:
    """Return the form with the fields of ``section``; the weight is read-only once there are results."""
    form = EventForm(data, initial=initial_values(event), only=SECTIONS[section])
    if "weight" in form.fields and has_results(event):
        form.fields["weight"].widget.attrs["readonly"] = True
        form.fields["weight"].help_text = describe(Fault("event.weight_fixed"))
    return form
