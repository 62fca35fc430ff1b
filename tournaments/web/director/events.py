"""An event's data and course: create, change, open, call off, restore; and its dashboard."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.errors import CrawfordError
from people.web.access import actor_of, directed_club, form_page, user_of
from people.web.faults import add_faults
from people.web.versioned import page_etag, versioned
from tournaments.engine.lifecycle import EventAction, EventStatus, StageStatus, allowed_actions
from tournaments.engine.reporting import ReportPolicy
from tournaments.models import Event, Stage
from tournaments.selectors.director import event_counts, open_objections, stages_of
from tournaments.selectors.standings import in_rounds
from tournaments.services.events import create_event, move_event, update_event, update_stage
from tournaments.web.director.access import event_action, event_form, event_page
from tournaments.web.director.forms import (
    EventForm,
    StageForm,
    details_of,
    stage_details_of,
    time_zones,
)
from tournaments.web.director.frame import INVALID, lengths_words, next_step, not_done, show
from tournaments.web.labels import format_words
from tournaments.web.standings import conditions

_DONE = {
    EventAction.OPEN: gettext_lazy("The event is open for entries."),
    EventAction.CLOSE: gettext_lazy("The event is a draft again."),
    EventAction.CANCEL: gettext_lazy("The event is called off."),
    EventAction.RESTORE: gettext_lazy("The event is restored."),
}


@event_page
def dashboard(request: HttpRequest, event: Event) -> HttpResponse:
    """One glance: where the event stands, what comes next, what is urgent. It renews itself."""

    def draw() -> HttpResponse:
        stages = stages_of(event)
        counts = event_counts(event)
        context = {
            "etag": page_etag(request, [event.version, event.club.version]),
            "step": next_step(event, stages, counts),
            "objections": open_objections(event),
            "can": {action.value for action in allowed_actions(EventStatus(event.status))},
            "how": [
                {
                    "stage": stage,
                    "format": ", ".join(format_words(stage)),
                    "lengths": lengths_words(stage.lengths),
                    "conditions": conditions(stage) if in_rounds(stage) else [],
                }
                for stage in stages
            ],
            "trail": _course(event, stages, counts.entries),
        }
        return show(request, "director/event.html", event, "overview", context, stages=stages, counts=counts)

    return versioned(request, [event.version, event.club.version], draw)


def _course(event: Event, stages: list[Stage], entries: int) -> list[dict[str, object]]:
    """The four steps of every event, and which are behind."""
    drawn = any(stage.status != StageStatus.SETUP for stage in stages)
    begun = event.status in {EventStatus.RUNNING, EventStatus.FINISHED}
    where = [event.public_id]
    steps = [
        (_("Entries"), reverse("director:entries", args=where), drawn or begun, entries >= 2),
        (_("Draw"), reverse("director:draw", args=where), drawn, drawn),
        (_("Publish"), reverse("director:draw", args=where), begun, begun),
        (_("Play"), reverse("director:board", args=where), event.status == EventStatus.FINISHED, begun),
    ]
    rows: list[dict[str, object]] = []
    now_found = event.status == EventStatus.CANCELLED
    for name, url, done, _started in steps:
        now = not done and not now_found
        now_found = now_found or now
        rows.append({"name": name, "url": url, "done": done, "now": now})
    return rows


@form_page
def event_new(request: HttpRequest, club: str) -> HttpResponse:
    """A new event of the club: everything on one page, faults beside the fields."""
    found, role = directed_club(request, club)
    today = timezone.localdate()
    last = Event.objects.filter(club=found).order_by("-pk").first()
    form = EventForm(
        request.POST or None,
        initial={
            "starts_on": today,
            "ends_on": today,
            "timezone": last.timezone if last is not None else user_of(request).timezone or "UTC",
            "place": last.place if last is not None else "",
            "tables": last.tables if last is not None else 16,
            "visibility": Event.Visibility.PUBLIC,
        },
    )
    stage_form = StageForm(request.POST or None, initial=_USUAL)
    if request.method == "POST" and all([form.is_valid(), stage_form.is_valid()]):
        try:
            made = create_event(
                actor=actor_of(request),
                club_id=found.pk,
                details=form.details(),
                stage=stage_form.details(),
            )
        except CrawfordError as error:
            _share_faults(form, stage_form, error)
        else:
            messages.success(
                request, _("%(name)s is created. It is a draft: only you see it.") % {"name": made}
            )
            return redirect("director:event", made.public_id)
    context = {
        "club": found,
        "role": role,
        "form": form,
        "stage_form": stage_form,
        "zones": time_zones(),
        "guess_zone": last is None and not user_of(request).timezone,
    }
    status = INVALID if form.errors or stage_form.errors else 200
    return render(request, "director/event_new.html", context, status=status)


_USUAL = {
    "lengths": "5, 5, 7, 9",
    "system": Stage.System.SINGLE_ELIMINATION,
    "format_preset": "match",
    "draw_method": Stage.DrawMethod.BLIND,
    "report_policy": ReportPolicy.OPPONENT_CONFIRMS.value,
}


@event_form
def settings(request: HttpRequest, event: Event) -> HttpResponse:
    """Change what is said about the event and, until it is drawn, how it is played."""
    stages = stages_of(event)
    stage = stages[0]
    part = request.POST.get("part", "") if request.method == "POST" else ""
    form = EventForm(request.POST if part == "event" else None, initial=details_of(event))
    stage_form = StageForm(request.POST if part == "stage" else None, initial=stage_details_of(stage))
    saved = False
    try:
        if part == "event" and form.is_valid():
            update_event(actor=actor_of(request), event_id=event.pk, details=form.details())
            saved = True
        elif part == "stage" and stage_form.is_valid():
            update_stage(
                actor=actor_of(request), event_id=event.pk, stage_id=stage.pk, stage=stage_form.details()
            )
            saved = True
    except CrawfordError as error:
        if error.status == 409:
            return not_done(request, error, back=reverse("director:settings", args=[event.public_id]))
        add_faults(form if part == "event" else stage_form, error)
    if saved:
        messages.success(request, _("The settings are saved."))
        return redirect("director:settings", event.public_id)
    context = {
        "form": form,
        "stage_form": stage_form,
        "stage_open": stage.status == StageStatus.SETUP,
        "format": ", ".join(format_words(stage)),
        "lengths": lengths_words(stage.lengths),
        "zones": time_zones(),
        "can": {action.value for action in allowed_actions(EventStatus(event.status))},
    }
    status = INVALID if form.errors or stage_form.errors else 200
    return show(request, "director/settings.html", event, "settings", context, stages=stages, status=status)


@event_action
def open_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Show a draft to the public."""
    return _move(request, event, EventAction.OPEN)


@event_action
def close_event(request: HttpRequest, event: Event) -> HttpResponse:
    """Make an open event a draft again."""
    return _move(request, event, EventAction.CLOSE)


@event_form
def cancel(request: HttpRequest, event: Event) -> HttpResponse:
    """Ask, then call the event off."""
    if request.method == "POST":
        return _move(request, event, EventAction.CANCEL)
    if event.status in {EventStatus.CANCELLED, EventStatus.FINISHED}:
        return redirect("director:event", event.public_id)
    return show(request, "director/cancel.html", event, "settings", {"restoring": False})


@event_form
def restore(request: HttpRequest, event: Event) -> HttpResponse:
    """Ask, then bring a cancelled event back."""
    if request.method == "POST":
        return _move(request, event, EventAction.RESTORE)
    if event.status != EventStatus.CANCELLED:
        return redirect("director:event", event.public_id)
    return show(request, "director/cancel.html", event, "settings", {"restoring": True})


def _move(request: HttpRequest, event: Event, action: EventAction) -> HttpResponse:
    back = reverse("director:event", args=[event.public_id])
    try:
        move_event(actor=actor_of(request), event_id=event.pk, action=action)
    except CrawfordError as error:
        return not_done(request, error, back=back)
    messages.success(request, _DONE[action])
    return redirect(back)


def _share_faults(form: EventForm, stage_form: StageForm, error: CrawfordError) -> None:
    """Each fault to the form that has its field."""
    for fault in error.faults:
        target = stage_form if (fault.field or "") in stage_form.fields else form
        add_faults(target, type(error)(faults=[fault]))
