"""Directors' page of announcements: the current ones, a form for a new one, and earlier ones."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from faults import Conflict, CrawfordError, Missing
from people.messages import describe_all
from people.snapshot import snapshot
from people.web.access import request_actor
from people.web.differences import saved_differences
from people.web.faults import add_faults
from tournaments.engine.notices import MAX_TEXT_LENGTH, Announcement, NoticeContent
from tournaments.engine.trail.notices import AnnouncementChanged
from tournaments.models import Event, Notice
from tournaments.notices.services.announcing import (
    announce,
    change_announcement,
    restore_announcement,
    withdraw_notice,
)
from tournaments.notices.web.words import news_message
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.notices import current_notices, get_notice, past_announcements
from tournaments.shared.fragments.cards import Context
from tournaments.shared.frames.access import event_action, event_form
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.frames.last_changes import last_saved_settings
from tournaments.shared.words.names import clock_time, date_and_time

KEEP_CURRENT_END: Final = "keep"
_MAX_DIGITS: Final = 9
DURATIONS: Final[tuple[tuple[str, str | Promise], ...]] = (
    ("", gettext_lazy("until I remove it")),
    ("15", gettext_lazy("for 15 minutes")),
    ("60", gettext_lazy("for an hour")),
    ("180", gettext_lazy("for three hours")),
)
_SERVICES_BY_ACTION: Final[Mapping[str, Callable[..., Notice]]] = {
    "withdraw": withdraw_notice,
    "show-again": restore_announcement,
}


class AnnouncementForm(forms.Form):
    """Form for an announcement: text, division and duration."""

    text = forms.CharField(
        label=gettext_lazy("Announcement text"),
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text=gettext_lazy(
            "Plain text without links. Shown on displays, on all pages of the event and on the players’ "
            "phones."
        ),
        error_messages={"required": gettext_lazy("Enter the text of the announcement.")},
    )
    division = forms.TypedChoiceField(
        label=gettext_lazy("Audience"), required=False, coerce=int, empty_value=None
    )
    lasts = forms.ChoiceField(label=gettext_lazy("Duration"), choices=DURATIONS, required=False)

    def __init__(
        self, data: Any, *, event: Event, notice: Notice | None = None, news: NoticeContent | None = None
    ) -> None:
        self.notice = notice
        initial: Context = {"lasts": ""}
        if notice is not None and isinstance(news, Announcement):
            end_choice = KEEP_CURRENT_END if notice.until is not None else ""
            initial = {"text": news.text, "division": notice.division_id, "lasts": end_choice}
        super().__init__(data, initial=initial)
        divisions = {stage.division_id: stage.division for stage in linked_stages(event)}
        choices = [(pk, str(division)) for pk, division in divisions.items()]
        field: Any = self.fields["division"]
        field.choices = [("", _("everyone")), *(choices if len(choices) > 1 else [])]
        if not choices[1:]:
            field.widget = forms.HiddenInput()
        if notice is not None and notice.until is not None:
            end_label = _("until %(time)s (unchanged)") % {"time": clock_time(notice.until, event)}
            end_field: Any = self.fields["lasts"]
            end_field.choices = [(KEEP_CURRENT_END, end_label), *DURATIONS]

    def service_arguments(self) -> dict[str, Any]:
        """Return the keyword arguments of the form for `announce` and `change_announcement`."""
        data = self.cleaned_data
        return {"text": data["text"], "division_id": data["division"], "until": self._until(data["lasts"])}

    def _until(self, end_choice: str) -> datetime | None:
        if end_choice == KEEP_CURRENT_END and self.notice is not None:
            return self.notice.until
        return timezone.now() + timedelta(minutes=int(end_choice)) if end_choice else None


@event_form
def notices(request: HttpRequest, event: Event) -> HttpResponse:
    """Page that lists the announcements; POST publishes a new one."""
    form = AnnouncementForm(request.POST if request.method == "POST" else None, event=event)
    if request.method == "POST" and form.is_valid():
        try:
            announce(actor=request_actor(request), event_id=event.pk, **form.service_arguments())
        except CrawfordError as error:
            if error.status not in {INVALID_STATUS, Conflict.status}:
                return render_refused_action(request, error, back=_notices_url(event))
            add_faults(form, error)
            return _notices_page(request, event, form, status=error.status)
        messages.success(request, _("Announcement published on displays and phones."))
        return redirect(_notices_url(event))
    return _notices_page(request, event, form, status=INVALID_STATUS if form.errors else 200)


@event_form
def notice(request: HttpRequest, event: Event, notice: str) -> HttpResponse:
    """Page that changes an announcement."""
    row, news = _get_notice(event, notice)
    if not isinstance(news, Announcement):
        raise Missing("notice.unknown")
    posted = request.POST if request.method == "POST" else None
    form = AnnouncementForm(posted, event=event, notice=row, news=news)
    context: dict[str, Any] = {"seen": _expected_version(request) or row.version}
    if request.method == "POST" and form.is_valid():
        try:
            change_announcement(
                actor=request_actor(request),
                event_id=event.pk,
                notice_id=row.pk,
                seen=_expected_version(request) or 0,
                **form.service_arguments(),
            )
        except CrawfordError as error:
            if error.code == "notice.changed":
                row, news = _get_notice(event, notice)
                form = AnnouncementForm(posted, event=event, notice=row, news=news)
                context = {
                    "sentences": describe_all(error),
                    "differences": saved_differences(form),
                    "changes": last_saved_settings(event, kind=AnnouncementChanged),
                    "here": request.path,
                    "seen": row.version,
                }
            elif error.status == INVALID_STATUS or error.code == "notice.said":
                add_faults(form, error)
            else:
                return render_refused_action(request, error, back=_notices_url(event))
        else:
            messages.success(request, _("Announcement changed."))
            return redirect(_notices_url(event))
    status = Conflict.status if "sentences" in context else INVALID_STATUS if form.errors else 200
    context |= {"form": form, "back": _notices_url(event)}
    return render_event_page(request, "notices/change.html", event, "notices", context, status=status)


@event_action
def apply_action(request: HttpRequest, event: Event, notice: str, action: str) -> HttpResponse:
    """Remove an announcement, or show it again."""
    service = _SERVICES_BY_ACTION.get(action)
    if service is None:
        raise Missing("notice.action_unknown")
    row, _news = _get_notice(event, notice)
    try:
        service(
            actor=request_actor(request), event_id=event.pk, notice_id=row.pk, seen=_expected_version(request)
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=_notices_url(event))
    messages.success(
        request,
        _("Announcement removed from all pages.") if action == "withdraw" else _("Announcement shown again."),
    )
    return redirect(_notices_url(event))


@snapshot()
def _notices_page(request: HttpRequest, event: Event, form: AnnouncementForm, *, status: int) -> HttpResponse:
    context = {
        "form": form,
        "now": [_notice_row(event, *pair) for pair in current_notices(event)],
        "before": [_notice_row(event, *pair) for pair in past_announcements(event)],
    }
    return render_event_page(request, "notices/notices.html", event, "notices", context, status=status)


def _notice_row(event: Event, row: Notice, news: NoticeContent) -> Context:
    parts = [str(row.division)] if row.division is not None else []
    parts.append(_("since %(time)s") % {"time": date_and_time(row.made_at, event)})
    if row.until is not None:
        parts.append(_("until %(time)s") % {"time": date_and_time(row.until, event)})
    return {
        "key": row.public_id,
        "version": row.version,
        "text": news_message(news),
        "about": " · ".join(parts),
        "typed": isinstance(news, Announcement),
    }


def _get_notice(event: Event, public_id: str) -> tuple[Notice, NoticeContent]:
    notice_and_news = get_notice(event, public_id)
    if notice_and_news is None:
        raise Missing("notice.unknown")
    return notice_and_news


def _expected_version(request: HttpRequest) -> int | None:
    """Return the version of the announcement that the user saw, or None if the form lacks it."""
    posted = request.POST.get("seen", "")
    return int(posted) if posted.isascii() and posted.isdecimal() and len(posted) <= _MAX_DIGITS else None


def _notices_url(event: Event) -> str:
    return reverse("director:notices", args=[event.public_id])
