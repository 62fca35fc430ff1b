"""Two sides arrange their match: times and messages, by the personal link; and what a director does about what was reported."""

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
from people.addresses import bare
from people.messages import describe
from people.selectors import fresh
from people.snapshot import snapshot
from people.web.access import actor_of
from people.web.faults import add_faults
from people.web.versioned import page_etag, versioned
from tournaments.engine.matches.arranging import MOST_TIMES, PLACE_LIMIT, TEXT_LIMIT, Proposal
from tournaments.hall.web.board import match_or_missing
from tournaments.leagues.services import arranging, talking
from tournaments.matches.web.arranging import local_input, message_shapes, times_shape, until_shape
from tournaments.matches.web.director import address
from tournaments.matches.web.link_phones import (
    door_shape,
    enter,
    shut_out,
    standing_here,
    typed_code,
    with_device,
)
from tournaments.matches.web.player import OF_PHONES, frame
from tournaments.models import Entry, Event
from tournaments.models.report import KEY_LIMIT
from tournaments.selectors.access.links import calendar_token, entry_of_token
from tournaments.selectors.access.phones import Phone, link_actor
from tournaments.selectors.matches.arrangements import (
    arranged_of,
    may_arrange,
    may_write,
    messages_of,
    until_of,
)
from tournaments.selectors.matches.player import MyMatch, my_match
from tournaments.shared.frames.access import event_action
from tournaments.shared.frames.device import known_device, phone_of
from tournaments.shared.frames.director import not_done
from tournaments.shared.frames.keys import new_key
from tournaments.shared.frames.player import secret_view
from tournaments.shared.words.names import round_in_part

LINES: Final = 5
TIME_LIMIT: Final = 40  # characters that a day and a time can take


class TimesForm(forms.Form):
    """Up to three times, each with a place; what browsers send of a field for day and time, and what people type where there is none."""

    def __init__(self, data: Any = None, *, first: str = "", last: str = "") -> None:
        super().__init__(data)
        for number in range(1, MOST_TIMES + 1):
            self.fields[f"time_{number}"] = forms.CharField(
                label=_("Date and time") if number == 1 else _("Another date and time"),
                required=number == 1,
                max_length=TIME_LIMIT,
                widget=forms.DateTimeInput(attrs={"type": "datetime-local", "min": first, "max": last}),
            )
            self.fields[f"place_{number}"] = forms.CharField(
                label=_("Where"), required=False, max_length=PLACE_LIMIT
            )

    def proposals(self) -> list[Proposal]:
        """What was typed; faults of what is no time stand at its field."""
        found = []
        for number in range(1, MOST_TIMES + 1):
            typed = self.cleaned_data.get(f"time_{number}", "")
            if not typed:
                continue
            try:
                at = datetime.fromisoformat(typed)
            except ValueError:
                self.add_error(
                    f"time_{number}", _("Enter a date and time such as 2027-05-01T20:15, or choose them.")
                )
            else:
                found.append(Proposal(at, self.cleaned_data.get(f"place_{number}", "")))
        return found


class MessageForm(forms.Form):
    """A message to the other side."""

    text = forms.CharField(
        label=gettext_lazy("Message"),
        strip=False,
        max_length=4 * TEXT_LIMIT,
        widget=forms.Textarea(attrs={"rows": LINES, "maxlength": TEXT_LIMIT}),
    )
    submission_key = forms.CharField(widget=forms.HiddenInput, max_length=KEY_LIMIT)


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
def arrange(request: HttpRequest, token: str, match: str) -> HttpResponse:
    """When the two play, and what they write to each other."""
    entry = entry_of_token(token)
    mine = my_match(entry, match)
    if mine is None and request.method == "POST":
        raise PermissionDenied(describe(NotAllowed("report.not_your_match")))
    if mine is None or not mine.match.stage.by_arrangement or not mine.other.entry_id:
        raise Missing("match.unknown")
    page = _Page(request, token, entry, mine)
    if request.method == "POST":
        return page.taken()
    event = entry.division.event
    device = known_device(request)
    changed = arranged_of(mine.match).changed
    over = int(timezone.now().timestamp()) // 3600  # times go by
    versions = [event.version, event.club.version, entry.link_version, changed, device, request.user.pk, over]
    return versioned(request, versions, lambda: page.draw(etag=page_etag(request, versions)))


class _Page:
    """One visit by ``entry``."""

    def __init__(self, request: HttpRequest, token: str, entry: Entry, mine: MyMatch) -> None:
        self.request, self.token, self.entry, self.mine = request, token, entry, mine
        self.event: Event = entry.division.event
        self.times: TimesForm | None = None
        self.message: MessageForm | None = None

    def taken(self) -> HttpResponse:
        """What was sent is done, and the page follows; or it stands there again as it was typed, and says why not."""
        do = self.request.POST.get("do", "")
        phone = phone_of(self.request, self.request.POST.get("submission_key", "")[:KEY_LIMIT])
        actions: dict[str, Callable[[Phone], str]] = {
            "offer": self._offer,
            "agree": self._agree,
            "decline": self._decline,
            "call-off": self._call_off,
            "write": self._write,
            "report": self._report,
        }
        if do not in actions:
            raise Missing("match.unknown")
        try:
            if typed_code(self.request):
                enter(self.request, self.entry, phone)
            words = actions[do](phone)
        except CrawfordError as error:
            return self._refused(error, phone)
        if not words:  # a form with faults
            return self.draw(status=422)
        messages.success(self.request, words)
        return with_device(redirect("player:arrange", self.token, self.mine.match.public_id), phone)

    def _refused(self, error: CrawfordError, phone: Phone) -> HttpResponse:
        if error.code in OF_PHONES:
            door = shut_out(self.request, self.entry, phone, error)
            return with_device(self.draw(door=door, status=error.status), phone)
        if isinstance(error, NotAllowed):
            raise PermissionDenied(describe(error)) from error
        if isinstance(error, Conflict):
            return self.draw(refused=describe(error), status=error.status)
        for form in (self.times, self.message):
            if form is not None:
                add_faults(form, error)
        return self.draw(status=error.status)

    def _where(self, phone: Phone) -> dict[str, Any]:
        return {
            "actor": link_actor(self.entry),
            "match_id": self.mine.match.pk,
            "entry": self.entry,
            "phone": phone,
        }

    def _answer_to(self, phone: Phone) -> dict[str, Any]:
        return {**self._where(phone), "seen": _number(self.request.POST.get("seen", ""))}

    def _offer(self, phone: Phone) -> str:
        self.times = TimesForm(self.request.POST)
        proposals = self.times.proposals() if self.times.is_valid() else []
        if self.times.errors:
            return ""
        arranging.offer_times(times=proposals, **self._answer_to(phone))
        return _("Sent. %(name)s will be notified.") % {"name": self.mine.other.name}

    def _agree(self, phone: Phone) -> str:
        number = _number(self.request.POST.get("number", ""))
        row = arranging.agree_to_time(number=number, **self._answer_to(phone))
        shape = times_shape(arranged_of(row.match), self.entry, self.event)
        return _("Agreed: %(when)s.") % {"when": shape["agreed"]}

    def _decline(self, phone: Phone) -> str:
        arranging.decline_times(**self._answer_to(phone))
        return _("Done. None of these times is offered any more.")

    def _call_off(self, phone: Phone) -> str:
        arranging.call_off_time(**self._answer_to(phone))
        return _("Cancelled. %(name)s will be notified.") % {"name": self.mine.other.name}

    def _write(self, phone: Phone) -> str:
        self.message = MessageForm(self.request.POST)
        if not self.message.is_valid():
            return ""
        where = self._where(phone)
        del where["actor"]
        data = self.message.cleaned_data
        talking.write_message(text=data["text"], submission_key=data["submission_key"], **where)
        return _("Sent. %(name)s will be notified of your message.") % {"name": self.mine.other.name}

    def _report(self, phone: Phone) -> str:
        talking.report_talk(**self._where(phone))
        return _("The directors have been notified. They can read the messages written so far.")

    @snapshot()
    def draw(
        self, *, etag: str = "", refused: str = "", door: dict[str, Any] | None = None, status: int = 200
    ) -> HttpResponse:
        fresh(self.event)
        match = self.mine.match
        match.stage.division.event = self.event
        until = until_of(match, self.event)
        shown = until_shape(until)
        first = local_input(timezone.now(), self.event)
        context = {
            **frame(self.token, self.entry),
            "etag": etag,
            "refused": refused,
            "door": door or door_shape(self.entry, standing_here(self.request, self.entry)),
            "match": match,
            "opponent": self.mine.other.name,
            "round_name": round_in_part(self.mine.row.section, self.mine.row.round_code),
            "until": shown,
            "times": times_shape(arranged_of(match), self.entry, self.event),
            "zone": self.event.timezone,
            "talk": message_shapes(messages_of(match), self.event, self.entry.pk),
            "may_arrange": may_arrange(match),
            "may_write": may_write(match),
            "times_form": self.times_again(first, shown["last"]),
            "message_form": self.message or MessageForm(initial={"submission_key": new_key()}),
            "calendar": settings.SITE_URL
            + bare(reverse("player:calendar", args=[calendar_token(self.entry)])),
        }
        return render(self.request, "leagues/arrange.html", context, status=status)

    def times_again(self, first: str, last: str) -> TimesForm:
        """The form as it was typed, or an empty one."""
        form = self.times or TimesForm()
        for name, field in form.fields.items():
            if name.startswith("time_"):
                field.widget.attrs |= {"min": first, "max": last}
        return form


@event_action
def settle(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """A director has read what was reported: closed, or open (again)."""
    found = match_or_missing(event, match)
    closed = request.POST.get("closed", "") == "yes"
    try:
        talking.settle_talk(actor=actor_of(request), event_id=event.pk, match_id=found.pk, closed=closed)
    except CrawfordError as error:
        return not_done(request, error, back=address(event, found), match=found)
    messages.success(
        request,
        _("The conversation is closed.") if closed else _("Done. The two players can write to each other."),
    )
    return redirect(reverse("director:match", args=[event.public_id, found.public_id]))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else -1
