"""Pages of official lists for directors: schedule, lists made by hand, and corrections."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from faults import CrawfordError, Fault
from people.messages import describe
from people.pages import UncountedPage
from people.web.access import form_view, request_actor
from people.web.faults import add_faults
from people.web.forms import DateField
from people.zones import FIRST_YEAR, LAST_YEAR
from rating.formulas.calendar import LAST_DAY_OF_MONTH, Frequency
from rating.models import OfficialList, OfficialRequest, RatingList
from rating.models.official import FREQUENCY_CHOICES
from rating.selectors.official import (
    PER_PAGE,
    IssueLine,
    issue_to_correct,
    list_zone,
    official_lists,
    official_request,
    official_schedule,
)
from rating.services.official import (
    NOTE_LIMIT,
    is_slow_to_make,
    make_official,
    request_official,
    set_schedule,
)
from rating.web.director.access import INVALID, directed_list, render_list_page


class ScheduleForm(forms.Form):
    """When official lists are made automatically."""

    every = forms.ChoiceField(label=gettext_lazy("Frequency"), required=False, choices=FREQUENCY_CHOICES)
    day = forms.IntegerField(
        label=gettext_lazy("Day"),
        required=False,
        min_value=1,
        max_value=LAST_DAY_OF_MONTH,
        help_text=gettext_lazy("Weekly: 1 (Monday) to 7 (Sunday). Monthly: 1 to 28."),
    )


class OfficialListForm(forms.Form):
    """An official list to be made by hand; ``replaces``: the number of the issue that it corrects."""

    day = DateField(
        label=gettext_lazy("As of the start of"),
    )
    note = forms.CharField(label=gettext_lazy("Public note"), required=False, max_length=NOTE_LIMIT)
    replaces = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


@form_view
def official(request: HttpRequest, list_id: str) -> HttpResponse:
    """Show all official lists of a rating list, the schedule, and the form for another one."""
    rating_list = directed_list(request, list_id)
    posted_part = request.POST.get("part") if request.method == "POST" else ""
    schedule_form = ScheduleForm(
        request.POST if posted_part == "schedule" else None, initial=_initial(rating_list)
    )
    issue_form = OfficialListForm(
        request.POST if posted_part == "make" else None,
        initial=_initial_issue(request, rating_list),
        auto_id="id_make_%s",
    )
    status = 200
    if posted_part == "schedule":
        if schedule_form.is_valid() and _save_schedule(request, rating_list, schedule_form):
            return redirect("rating_director:official", rating_list.public_id)
        status = INVALID
    elif posted_part == "make":
        outcome = _make_or_request(request, rating_list, issue_form) if issue_form.is_valid() else None
        if isinstance(outcome, OfficialList | OfficialRequest):
            return redirect("rating_director:official", rating_list.public_id)
        status = outcome or INVALID
    elif request.method == "POST":
        status = INVALID
    page = UncountedPage[OfficialList].of(official_lists(rating_list), request.GET.get("page"), PER_PAGE)
    replaces = issue_form["replaces"].value()
    requested = official_request(rating_list)
    context = {
        "requested": requested,
        "request_refused": describe(Fault(requested.refused))
        if requested is not None and requested.refused
        else "",
        "schedule": schedule_form,
        "make": issue_form,
        "replaces": replaces if str(replaces or "").isdecimal() else "",
        "page": page,
        "rows": [IssueLine(row) for row in page],
        "zone": list_zone(rating_list).key,
    }
    return render_list_page(request, "official", _("Official lists"), rating_list, context, status)


def _initial(rating_list: RatingList) -> dict[str, Any]:
    schedule = official_schedule(rating_list)
    return {"every": schedule.every, "day": schedule.day} if schedule is not None else {"day": 1}


def _initial_issue(request: HttpRequest, rating_list: RatingList) -> dict[str, Any]:
    """Return the form's initial values: today, or with ``?replaces=`` those of the issue to be corrected."""
    corrected_issue = issue_to_correct(rating_list, request.GET.get("replaces", ""))
    if corrected_issue is not None:
        return {"day": corrected_issue.day, "replaces": corrected_issue.number}
    return {"day": timezone.now().astimezone(list_zone(rating_list)).date()}


def _save_schedule(request: HttpRequest, rating_list: RatingList, form: ScheduleForm) -> bool:
    cleaned = form.cleaned_data
    try:
        set_schedule(
            actor=request_actor(request),
            list_id=rating_list.pk,
            every=cleaned["every"],
            day=cleaned["day"] or 0,
        )
    except CrawfordError as error:
        add_faults(form, error)
        return False
    messages.success(
        request,
        _("Official lists are now created only manually.")
        if cleaned["every"] == Frequency.NEVER
        else _("Official lists are now created automatically."),
    )
    return True


def _make_or_request(
    request: HttpRequest, rating_list: RatingList, form: OfficialListForm
) -> OfficialList | OfficialRequest | int:
    """Return the official list or the request for it.

    After an error its HTTP status, and the form has the error.
    """
    cleaned = form.cleaned_data
    issue_fields = {name: cleaned[name] for name in ("day", "note", "replaces")}
    try:
        if FIRST_YEAR <= cleaned["day"].year <= LAST_YEAR and is_slow_to_make(rating_list, cleaned["day"]):
            return request_official(actor=request_actor(request), list_id=rating_list.pk, **issue_fields)
        new_issue = make_official(actor=request_actor(request), list_id=rating_list.pk, **issue_fields)
    except CrawfordError as error:
        add_faults(form, error)
        return error.status
    day = date_format(new_issue.day, "DATE_FORMAT")
    messages.success(request, _("Official list of %(day)s published.") % {"day": day})
    return new_issue
