"""Page to arrange a match by personal link, with times and messages; and a director's answer to reports."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from faults import Conflict, CrawfordError, Missing, NotAllowed
from people.addresses import without_language
from people.messages import describe
from people.selectors import refresh_row
from people.snapshot import snapshot
from people.web.access import request_actor
from people.web.faults import add_faults
from people.web.versioned import page_etag, versioned_response
from tournaments.engine.matches.arranging import MAX_PLACE_LENGTH, MAX_TEXT_LENGTH, MAX_TIMES, TimeProposal
from tournaments.hall.web.board import get_match_or_404
from tournaments.leagues.services import arranging, talking
from tournaments.matches.web.arranging import (
    datetime_input_value,
    message_contexts,
    times_context,
    until_context,
)
from tournaments.matches.web.director import match_url
from tournaments.matches.web.link_phones import (
    access_context,
    browser_access,
    code_from_form,
    enter_typed_code,
    request_access_context,
    with_device,
)
from tournaments.matches.web.player import PHONE_FAULT_CODES, link_page_context
from tournaments.models import Entry, Event
from tournaments.models.report import KEY_LIMIT
from tournaments.selectors.access.links import calendar_token, entry_from_token
from tournaments.selectors.access.phones import RequestOrigin, link_actor
from tournaments.selectors.matches.arrangements import (
    arrangement_deadline,
    arrangement_of_match,
    can_arrange,
    can_write_messages,
    match_messages,
)
from tournaments.selectors.matches.player import MyMatch, my_match
from tournaments.shared.frames.access import event_action
from tournaments.shared.frames.device import current_device, known_device
from tournaments.shared.frames.director import render_refused_action
from tournaments.shared.frames.keys import new_submission_key
from tournaments.shared.frames.player import secret_view
from tournaments.shared.words.names import round_name_in_section

MESSAGE_ROWS: Final = 5
MAX_TIME_LENGTH: Final = 40  # characters of a date and time


class TimesForm(forms.Form):
    """Form with up to three times, each with a place.

    Accepts a date and time field's values and typed text.
    """

    def __init__(self, data: Any = None, *, first: str = "", last: str = "") -> None:
        super().__init__(data)
        for number in range(1, MAX_TIMES + 1):
            self.fields[f"time_{number}"] = forms.CharField(
                label=_("Date and time") if number == 1 else _("Another date and time"),
                required=number == 1,
                max_length=MAX_TIME_LENGTH,
                widget=forms.DateTimeInput(attrs={"type": "datetime-local", "min": first, "max": last}),
            )
            self.fields[f"place_{number}"] = forms.CharField(
                label=_("Where"), required=False, max_length=MAX_PLACE_LENGTH
            )

    def proposals(self) -> list[TimeProposal]:
        """Return the submitted times; an invalid one adds an error to its field."""
        proposals = []
        for number in range(1, MAX_TIMES + 1):
            text = self.cleaned_data.get(f"time_{number}", "")
            if not text:
                continue
            try:
                starts_at = datetime.fromisoformat(text)
            except ValueError:
                self.add_error(
                    f"time_{number}", _("Enter a date and time such as 2027-05-01T20:15, or choose them.")
                )
            else:
                proposals.append(TimeProposal(starts_at, self.cleaned_data.get(f"place_{number}", "")))
        return proposals


class MessageForm(forms.Form):
    """Form with a message to the other side."""

    text = forms.CharField(
        label=gettext_lazy("Message"),
        strip=False,
        max_length=4 * MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": MESSAGE_ROWS, "maxlength": MAX_TEXT_LENGTH}),
    )
    submission_key = forms.CharField(widget=forms.HiddenInput, max_length=KEY_LIMIT)


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
def arrange_match(request: HttpRequest, token: str, match: str) -> HttpResponse:
    """Page of the arrangement of a match, and its messages."""
    entry = entry_from_token(token)
    own_match = my_match(entry, match)
    if own_match is None and request.method == "POST":
        raise PermissionDenied(describe(NotAllowed("report.not_your_match")))
    if own_match is None or not own_match.match.stage.by_arrangement or not own_match.other.entry_id:
        raise Missing("match.unknown")
    page = _ArrangePage(request, token, entry, own_match)
    if request.method == "POST":
        return page.taken()
    event = entry.division.event
    device = known_device(request)
    changed = arrangement_of_match(own_match.match).changed
    current_hour = int(timezone.now().timestamp()) // 3600  # offered times expire
    versions = [
        event.version,
        event.club.version,
        entry.link_version,
        changed,
        device,
        request.user.pk,
        current_hour,
    ]
    return versioned_response(request, versions, lambda: page.draw(etag=page_etag(request, versions)))


class _ArrangePage:
    """The page of an arrangement, for one request by ``entry``."""

    def __init__(self, request: HttpRequest, token: str, entry: Entry, own_match: MyMatch) -> None:
        self.request, self.token, self.entry, self.mine = request, token, entry, own_match
        self.event: Event = entry.division.event
        self.times: TimesForm | None = None
        self.message: MessageForm | None = None

    def taken(self) -> HttpResponse:
        """Do the submitted action and redirect, or show the page with errors."""
        action = self.request.POST.get("do", "")
        phone = current_device(self.request, self.request.POST.get("submission_key", "")[:KEY_LIMIT])
        actions: dict[str, Callable[[RequestOrigin], str]] = {
            "offer": self._offer,
            "agree": self._agree,
            "decline": self._decline,
            "call-off": self._call_off,
            "write": self._write,
            "report": self._report,
        }
        if action not in actions:
            raise Missing("match.unknown")
        try:
            if code_from_form(self.request):
                enter_typed_code(self.request, self.entry, phone)
            message = actions[action](phone)
        except CrawfordError as error:
            return self._refused(error, phone)
        if not message:  # the form has errors
            return self.draw(status=422)
        messages.success(self.request, message)
        return with_device(redirect("player:arrange", self.token, self.mine.match.public_id), phone)

    def _refused(self, error: CrawfordError, phone: RequestOrigin) -> HttpResponse:
        if error.code in PHONE_FAULT_CODES:
            access = request_access_context(self.request, self.entry, phone, error)
            return with_device(self.draw(access=access, status=error.status), phone)
        if isinstance(error, NotAllowed):
            raise PermissionDenied(describe(error)) from error
        if isinstance(error, Conflict):
            return self.draw(refusal=describe(error), status=error.status)
        for form in (self.times, self.message):
            if form is not None:
                add_faults(form, error)
        return self.draw(status=error.status)

    def _service_arguments(self, phone: RequestOrigin) -> dict[str, Any]:
        return {
            "actor": link_actor(self.entry),
            "match_id": self.mine.match.pk,
            "entry": self.entry,
            "phone": phone,
        }

    def _versioned_arguments(self, phone: RequestOrigin) -> dict[str, Any]:
        return {**self._service_arguments(phone), "seen": _parse_number(self.request.POST.get("seen", ""))}

    def _offer(self, phone: RequestOrigin) -> str:
        self.times = TimesForm(self.request.POST)
        proposals = self.times.proposals() if self.times.is_valid() else []
        if self.times.errors:
            return ""
        arranging.offer_times(times=proposals, **self._versioned_arguments(phone))
        return _("Sent. %(name)s will be notified.") % {"name": self.mine.other.name}

    def _agree(self, phone: RequestOrigin) -> str:
        number = _parse_number(self.request.POST.get("number", ""))
        row = arranging.agree_to_time(number=number, **self._versioned_arguments(phone))
        context = times_context(arrangement_of_match(row.match), self.entry, self.event)
        return _("Agreed: %(when)s.") % {"when": context["agreed"]}

    def _decline(self, phone: RequestOrigin) -> str:
        arranging.decline_times(**self._versioned_arguments(phone))
        return _("Done. None of these times is offered any more.")

    def _call_off(self, phone: RequestOrigin) -> str:
        arranging.cancel_time(**self._versioned_arguments(phone))
        return _("Cancelled. %(name)s will be notified.") % {"name": self.mine.other.name}

    def _write(self, phone: RequestOrigin) -> str:
        self.message = MessageForm(self.request.POST)
        if not self.message.is_valid():
            return ""
        arguments = self._service_arguments(phone)
        del arguments["actor"]
        data = self.message.cleaned_data
        talking.write_message(text=data["text"], submission_key=data["submission_key"], **arguments)
        return _("Sent. %(name)s will be notified of your message.") % {"name": self.mine.other.name}

    def _report(self, phone: RequestOrigin) -> str:
        talking.report_conversation(**self._service_arguments(phone))
        return _("The directors have been notified. They can read the messages written so far.")

    @snapshot()
    def draw(
        self, *, etag: str = "", refusal: str = "", access: dict[str, Any] | None = None, status: int = 200
    ) -> HttpResponse:
        refresh_row(self.event)
        match = self.mine.match
        match.stage.division.event = self.event
        deadline = arrangement_deadline(match, self.event)
        deadline_context = until_context(deadline)
        first = datetime_input_value(timezone.now(), self.event)
        context = {
            **link_page_context(self.token, self.entry),
            "etag": etag,
            "refused": refusal,
            "door": access or access_context(self.entry, browser_access(self.request, self.entry)),
            "match": match,
            "opponent": self.mine.other.name,
            "round_name": round_name_in_section(self.mine.row.section, self.mine.row.round_code),
            "until": deadline_context,
            "times": times_context(arrangement_of_match(match), self.entry, self.event),
            "zone": self.event.timezone,
            "talk": message_contexts(match_messages(match), self.event, self.entry.pk),
            "may_arrange": can_arrange(match),
            "may_write": can_write_messages(match),
            "times_form": self.bound_times_form(first, deadline_context["last"]),
            "message_form": self.message or MessageForm(initial={"submission_key": new_submission_key()}),
            "calendar": settings.SITE_URL
            + without_language(reverse("player:calendar", args=[calendar_token(self.entry)])),
        }
        return render(self.request, "leagues/arrange.html", context, status=status)

    def bound_times_form(self, first: str, last: str) -> TimesForm:
        """Return the submitted form of times, or an empty one, limited to the days ``first`` to ``last``."""
        form = self.times or TimesForm()
        for name, field in form.fields.items():
            if name.startswith("time_"):
                field.widget.attrs |= {"min": first, "max": last}
        return form


@event_action
def settle_conversation(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Record that the director has dealt with a reported conversation: close it, or let the players go on."""
    found_match = get_match_or_404(event, match)
    closed = request.POST.get("closed", "") == "yes"
    try:
        talking.settle_conversation(
            actor=request_actor(request), event_id=event.pk, match_id=found_match.pk, closed=closed
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=match_url(event, found_match), match=found_match)
    messages.success(
        request,
        _("The conversation is closed.") if closed else _("Done. The two players can write to each other."),
    )
    return redirect(reverse("director:match", args=[event.public_id, found_match.public_id]))


def _parse_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else -1
