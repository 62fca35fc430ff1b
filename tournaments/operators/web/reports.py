"""Page where any visitor can report a page of the site, and pages where operators list and answer reports."""

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from faults import CrawfordError, Invalid, Missing
from people.caching import increment_counter
from people.messages import describe, describe_all
from people.models.moderation import REPORT_LIMIT
from people.web.access import request_actor
from people.web.faults import add_faults
from tournaments.operators.services.reports import MAX_CONTACT_LENGTH, answer_report, page_path, report_page
from tournaments.operators.web.access import operator_action, operator_page
from tournaments.operators.web.shapes import subject_row
from tournaments.selectors.operators.lists import page_reports
from tournaments.selectors.operators.subjects import subjects_on_page
from tournaments.shared.frames.player import is_rate_limited

PER_PAGE = 20
INVALID, TOO_OFTEN = 422, 429
MAX_TRIES, PERIOD_SECONDS = 5, 3600  # per address
MAX_TRIES_OVERALL = 200  # limits a flood from many addresses


class ReportForm(forms.Form):
    """Form for a visitor's report about a page, with optional contact details."""

    text = forms.CharField(
        label=gettext_lazy("What is wrong?"),
        max_length=REPORT_LIMIT,
        widget=forms.Textarea(attrs={"rows": 5, "autofocus": True}),
    )
    contact = forms.CharField(
        label=gettext_lazy("Your contact details"),
        required=False,
        max_length=MAX_CONTACT_LENGTH,
        help_text=gettext_lazy("Only if you want a reply: an e-mail address or a phone number."),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest) -> HttpResponse:
    """Page where a visitor reports another page of the site; no account is needed."""
    values = request.POST if request.method == "POST" else request.GET
    try:
        page = page_path(values.get("page", ""))
    except Invalid as error:
        return render(
            request, "operators/report_done.html", {"refused": describe(error)}, status=error.status
        )
    form = ReportForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST" and form.is_valid():
        if _is_flood(request):
            form.add_error(None, _("Too many reports. Try again in an hour."))
            status = TOO_OFTEN
        else:
            try:
                report_page(page=page, **form.cleaned_data)
            except CrawfordError as error:
                add_faults(form, error)
            else:
                return render(request, "operators/report_done.html", {"page": page})
    if form.errors and status == 200:
        status = INVALID
    return render(request, "operators/report.html", {"form": form, "page": page}, status=status)


def _is_flood(request: HttpRequest) -> bool:
    if is_rate_limited(request, "report", limit=MAX_TRIES, seconds=PERIOD_SECONDS):
        return True
    return increment_counter("reports", [], PERIOD_SECONDS) > MAX_TRIES_OVERALL


@operator_page
def report_list(request: HttpRequest) -> HttpResponse:
    """Operators' page of the reports: open ones, or with ``?show=handled`` the closed ones."""
    handled = request.GET.get("show") == "handled"
    reports_page = Paginator(page_reports(handled=handled), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "handled": handled,
        "page": reports_page,
        "query": "show=handled" if handled else "",
        "reports": [
            {"row": row, "behind": [subject_row(subject) for subject in subjects_on_page(row.page)[:4]]}
            for row in reports_page
        ],
    }
    return render(request, "operators/reports.html", context)


@operator_action
def answer_page_report(request: HttpRequest, report: str) -> HttpResponse:
    """Close a report with a note, or reopen it."""
    handled = request.POST.get("handled") == "yes"
    try:
        answer_report(
            actor=request_actor(request), public_id=report, note=request.POST.get("note", ""), handled=handled
        )
    except CrawfordError as error:
        if isinstance(error, Missing):
            raise
        for message in describe_all(error):
            messages.error(request, message)
    else:
        messages.success(request, _("Report resolved.") if handled else _("Report reopened."))
    return redirect("operators:reports")
