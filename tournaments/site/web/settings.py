"""The settings of an event, a section on each page."""

from collections.abc import Mapping
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from faults import CrawfordError, Fault
from people.messages import describe
from people.selectors import fresh
from people.timezones import zones_in_words
from people.web.access import actor_of
from people.web.faults import add_faults
from tournaments.engine.statuses import EventStatus, allowed_actions
from tournaments.events.services.events import event_settings_version, update_event
from tournaments.events.web.event_form import HOURS, EventForm, details_of
from tournaments.models import Event
from tournaments.selectors.events.detail import has_results
from tournaments.selectors.events.director import stages_of
from tournaments.shared.frames.access import event_form, event_page
from tournaments.shared.frames.changed_since import beside, is_changed, seen_in, status_of
from tournaments.shared.frames.director import INVALID, not_done, show
from tournaments.shared.frames.last_changes import saved_last

DETAILS: Final = "settings"
SECTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    DETAILS: ("name", "starts_on", "ends_on", "place", "description", "weight"),
    "schedule": ("timezone", "tables", *HOURS),
    "registration": ("requires",),
    "visibility": ("visibility",),
    "notifications": ("word_minutes",),
}


@event_form
def settings(request: HttpRequest, event: Event, section: str = DETAILS) -> HttpResponse:
    """A section of the settings; who saves it leaves the other sections as they are."""
    fields = SECTIONS.get(section)
    if fields is None:
        raise Http404
    here = request.path
    form = _form(event, section, request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {"seen": seen_in(request) or event_settings_version(event, fields)}
    if form.is_bound and form.is_valid():
        try:
            update_event(
                actor=actor_of(request),
                event_id=event.pk,
                details=form.details(),
                seen=seen_in(request),
                only=fields,
            )
        except CrawfordError as error:
            if is_changed(error):
                event = fresh(event)
                form = _form(event, section, request.POST)
                version = event_settings_version(event, fields)
                context = beside(request, error, form, version, saved_last(event, event))
            elif error.status != INVALID:
                return not_done(request, error, back=here)
            else:
                add_faults(form, error)
        else:
            messages.success(request, _("Settings saved."))
            return redirect(here)
    context |= {
        "form": form,
        "section": section,
        "zones": zones_in_words(get_language() or "en") if "timezone" in fields else (),
        "can": {action.value for action in allowed_actions(EventStatus(event.status))},
    }
    return show(request, "site/settings.html", event, section, context, status=status_of(context, form))


@event_page
def rules(request: HttpRequest, event: Event) -> HttpResponse:
    """Where the rules of each stage are set; those of the only one at once."""
    stages = stages_of(event)
    if len(stages) == 1 and stages[0].system != "money":
        return redirect("director:conduct", event.public_id, stages[0].pk)
    return show(request, "site/rules.html", event, "rules", stages=stages)


def _form(event: Event, section: str, data: QueryDict | None) -> EventForm:
    """The fields of ``section``; the weight can only be read once there are results."""
    form = EventForm(data, initial=details_of(event), only=SECTIONS[section])
    if "weight" in form.fields and has_results(event):
        form.fields["weight"].widget.attrs["readonly"] = True
        form.fields["weight"].help_text = describe(Fault("event.weight_fixed"))
    return form
