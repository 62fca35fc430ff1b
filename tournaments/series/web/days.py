"""Page to duplicate an event on many dates at once, weekly, monthly or single, with a preview."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import formats
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from faults import CrawfordError
from people.messages import describe
from people.web.access import request_actor
from people.web.faults import add_faults
from people.web.forms import DateField
from tournaments.engine.series.days import MAX_DATES, Recurrence, recurring_dates
from tournaments.models import Event
from tournaments.selectors.copying import entries_to_copy
from tournaments.selectors.events.detail import divisions_in
from tournaments.series.services.series import create_series_events, refused_dates
from tournaments.series.web.copying import next_free_date, people_field
from tournaments.shared.fragments.cards import Context
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action

DEFAULT_WEEKS: Final = 12
NO_RHYTHM: Final = ""
MAX_TEXT_LENGTH: Final = 2000


class DaysForm(forms.Form):
    """Form with first date, recurrence, end, and other dates."""

    name = forms.CharField(
        label=gettext_lazy("Series name"),
        max_length=120,
        help_text=gettext_lazy(
            "The series gets a page with all its dates, the winners, and standings by points."
        ),
    )
    first = DateField(label=gettext_lazy("First day"))
    rhythm = forms.ChoiceField(label=gettext_lazy("Repeats"), required=False)
    until = DateField(label=gettext_lazy("Until"), required=False)
    more = forms.CharField(
        label=gettext_lazy("Other dates"),
        required=False,
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("One per line, or separated by commas: 2026-12-29, 2027-01-05."),
    )
    people = forms.BooleanField(required=False)
    opened = forms.BooleanField(
        label=gettext_lazy("Make all dates public immediately"),
        required=False,
        help_text=gettext_lazy("Otherwise each event is a draft until you open it or publish its draw."),
    )

    def __init__(self, data: Any, *, people: int, in_series: bool, **form_options: Any) -> None:
        super().__init__(data, **form_options)
        self.fields["rhythm"] = forms.ChoiceField(
            label=_("Repeats"),
            required=False,
            choices=[
                (Recurrence.WEEKLY.value, _("Every week")),
                (Recurrence.FORTNIGHTLY.value, _("Every two weeks")),
                (
                    Recurrence.MONTHLY.value,
                    _("Every month, on the same weekday of the month (such as the second Tuesday)"),
                ),
                (Recurrence.MONTHLY_LAST.value, _("Every month, on the last such weekday")),
                (NO_RHYTHM, _("Only the first date and the other dates below")),
            ],
        )
        if in_series:
            del self.fields["name"]
        people_field(self, people)

    def clean_more(self) -> list[date]:
        """Return the other dates, which may be written as in the active language or like 2026-12-29."""
        texts = [text.strip() for text in re.split(r"[\n\r,;]+", self.cleaned_data["more"]) if text.strip()]
        return [_parse_date(text) for text in texts]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if self.errors:
            return data
        if data["rhythm"] and data["until"] is None:
            self.add_error("until", _("Enter an end date."))
        elif data["rhythm"] and data["until"] < data["first"]:
            self.add_error("until", _("Choose a date on or after the first date."))
        return data

    def days(self) -> list[date]:
        """Return all requested dates in order; a date named twice occurs twice."""
        data = self.cleaned_data
        dates = (
            recurring_dates(data["first"], Recurrence(data["rhythm"]), data["until"])
            if data["rhythm"]
            else (data["first"],)
        )
        return sorted([*dates, *data["more"]])


def _parse_date(text: str) -> date:
    for input_format in ("%Y-%m-%d", *formats.get_format("DATE_INPUT_FORMATS")):
        field = forms.DateField(input_formats=[input_format])
        try:
            parsed: date = field.clean(text)
        except forms.ValidationError:
            continue
        return parsed
    raise forms.ValidationError(
        _("“%(word)s” is not a valid date. Enter it like 2026-12-29.") % {"word": text[:40]}
    )


@dataclass(frozen=True, slots=True)
class _Day:
    """A date of the preview: whether it is chosen, and why it is not possible ("" if it is)."""

    day: date
    chosen: bool
    fault: str

    @property
    def code(self) -> str:
        return self.day.isoformat()

    @property
    def words(self) -> str:
        return f"{date_format(self.day, 'l')}, {date_format(self.day)}"


@event_form
def days(request: HttpRequest, event: Event) -> HttpResponse:
    """Page with the form, then the dates with checkboxes; then create the events."""
    copied_entries = entries_to_copy(event, divisions_in(event))
    first = next_free_date(event)
    form = DaysForm(
        request.POST or None,
        people=copied_entries.count,
        in_series=event.series is not None,
        initial={
            "name": event.name,
            "first": first,
            "rhythm": Recurrence.WEEKLY.value,
            "until": first + timedelta(weeks=DEFAULT_WEEKS - 1),
            "people": True,
        },
    )
    rows: list[_Day] = []
    if request.method == "POST" and form.is_valid():
        rows = _preview_rows(event, form.days(), request.POST.getlist("day"), request.POST.getlist("shown"))
        if request.POST.get("do") == "create":
            try:
                created = create_series_events(
                    actor=request_actor(request),
                    event_id=event.pk,
                    days=[row.day for row in rows if row.chosen],
                    name=form.cleaned_data.get("name", ""),
                    people=form.cleaned_data.get("people", False),
                    opened=form.cleaned_data["opened"],
                )
            except CrawfordError as error:
                if error.status != INVALID_STATUS:
                    return render_refused_action(
                        request, error, back=reverse("director:days", args=[event.public_id])
                    )
                add_faults(form, error)
            else:
                message = ngettext(
                    "%(count)s event of %(name)s created.",
                    "%(count)s events of %(name)s created.",
                    len(created.copies),
                )
                messages.success(
                    request, message % {"count": len(created.copies), "name": created.series.name}
                )
                return redirect("director:one-series", event.club.public_id, created.series.public_id)
    context: Context = {
        "form": form,
        "series": event.series,
        "rows": rows,
        "most": MAX_DATES,
        "left_out": copied_entries.left_out,
    }
    return render_event_page(
        request, "series/days.html", event, "again", context, status=INVALID_STATUS if form.errors else 200
    )


def _preview_rows(
    event: Event, days: Sequence[date], ticked_days: Sequence[str], displayed_days: Sequence[str]
) -> list[_Day]:
    """Return each date once. Chosen are ticked ones, and possible ones that were not displayed before.

    ``ticked_days``, ``displayed_days``: dates as text, as the form sent them.
    """
    fault_by_day = refused_dates(event, days)
    return [
        _Day(
            day,
            day not in fault_by_day
            and (day.isoformat() in ticked_days or day.isoformat() not in displayed_days),
            describe(fault_by_day[day]) if day in fault_by_day else "",
        )
        for day in dict.fromkeys(days)
    ]
