"""Pages of the notification settings, by personal link and by account; unsubscribing from mail."""

from collections.abc import Mapping
from datetime import time
from typing import Any, Final

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from faults import Missing
from people.messages import describe
from people.web.access import form_view, request_user
from people.webpush import site_key
from tournaments.engine.alerts import ALERT_KINDS, Channel, QuietHoursPolicy
from tournaments.notices.services.choosing import (
    reset_choice,
    save_choice,
    save_choice_by_link,
    unsubscribe_from_mail,
)
from tournaments.selectors.access.links import entry_from_token
from tournaments.selectors.access.off_links import parse_unsubscribe_token
from tournaments.selectors.own_notices import (
    configurable_event,
    configurable_events,
    entry_notification_choice,
    has_verified_address,
    user_notification_choice,
)
from tournaments.selectors.recipients import NotificationPreferences
from tournaments.shared.frames.player import add_private_headers, secret_view
from tournaments.shared.words.alerts import ALERT_LABELS

LINK_WAYS: Final = (Channel.PUSH,)
ACCOUNT_WAYS: Final = tuple(Channel)


class QuietHoursForm(forms.Form):
    """Form for the quiet hours."""

    quiet_from = forms.TimeField(
        label=gettext_lazy("Quiet hours from"), widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    quiet_until = forms.TimeField(
        label=gettext_lazy("Quiet hours until"),
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        help_text=gettext_lazy(
            "Table calls still come through; other notifications wait. Set both times the same to turn "
            "quiet hours off."
        ),
    )

    def hours(self) -> tuple[time, time]:
        """Return the start and the end of the quiet hours."""
        return self.cleaned_data["quiet_from"], self.cleaned_data["quiet_until"]


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
def entry_choices(request: HttpRequest, token: str) -> HttpResponse:
    """Page of the notification settings for the entry of a personal link; POST saves them."""
    entry = entry_from_token(token)
    choice = entry_notification_choice(entry)
    form = _quiet_hours_form(request, choice)
    if request.method == "POST" and form.is_valid():
        save_choice_by_link(
            entry=entry, channels_by_kind=_posted_ways(request, LINK_WAYS), quiet_hours=form.hours()
        )
        messages.success(request, _("Saved."))
        return redirect("player:link-notices", token)
    context = {
        "event": entry.division.event,
        "entry": entry,
        "token": token,
        "back": reverse("player:home", args=[token]),
        "push_url": reverse("player:link-push", args=[token]),
        "zone": entry.division.event.timezone,
        **_choices_context(request, choice, LINK_WAYS, form),
    }
    return render(request, "notices/choices.html", context, status=422 if form.errors else 200)


@form_view
def account_choices(request: HttpRequest, event: str = "") -> HttpResponse:
    """Page of the notification settings of the signed-in account, in general or for one event.

    POST saves them.
    """
    user = request_user(request)
    found_event = configurable_event(user, event) if event else None
    if event and found_event is None:
        raise Missing("event.unknown")
    choice = user_notification_choice(user, found_event)
    form = _quiet_hours_form(request, choice)
    page_url = reverse("player:event-notices", args=[event]) if event else reverse("player:notices")
    if request.method == "POST":
        if found_event is not None and "usual" in request.POST:
            reset_choice(user_id=user.pk, event_id=found_event.pk)
            messages.success(request, _("Your general settings now apply to this event."))
            return redirect("player:notices")
        if form.is_valid():
            event_id = found_event.pk if found_event is not None else None
            save_choice(
                user_id=user.pk,
                event_id=event_id,
                channels_by_kind=_posted_ways(request, ACCOUNT_WAYS),
                quiet_hours=form.hours(),
            )
            messages.success(request, _("Saved."))
            return redirect(page_url)
    events = configurable_events(user)
    context = {
        "event": found_event,
        "events": events if found_event is None else [],
        "is_own": any(configurable.own and configurable.public_id == event for configurable in events),
        "back": reverse("player:notices" if event else "player:me"),
        "push_url": reverse("player:push"),
        "push_for": user.pk,
        "zone": user.timezone,
        "no_mail": not settings.MAIL_WORKS or not has_verified_address(user),
        **_choices_context(request, choice, ACCOUNT_WAYS, form),
    }
    return add_private_headers(
        render(request, "notices/choices.html", context, status=422 if form.errors else 200)
    )


# A mail program sends it without a cookie (RFC 8058); the address is signed.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Page that unsubscribes from one kind of mail, or from all; only POST changes something.

    The POST comes from the page's button, or from a mail program (one-click unsubscribe).
    """
    try:
        user, kind = parse_unsubscribe_token(token)
    except Missing as missing:
        return add_private_headers(
            render(request, "shared/gone.html", {"reason": describe(missing)}, status=404)
        )
    done = request.method == "POST"
    if done and user is not None:
        every_kind = "kind" not in request.POST
        unsubscribe_from_mail(user_id=user.pk, kinds=ALERT_KINDS if every_kind else [kind])
    name = next((label for alert_type, label in ALERT_LABELS.items() if alert_type.kind == kind), "")
    context = {"done": done, "kind": name, "every": "kind" not in request.POST}
    return add_private_headers(render(request, "notices/off.html", context))


def _quiet_hours_form(request: HttpRequest, choice: NotificationPreferences) -> QuietHoursForm:
    start, end = choice.quiet_hours
    return QuietHoursForm(
        request.POST if request.method == "POST" and "usual" not in request.POST else None,
        initial={"quiet_from": start, "quiet_until": end},
    )


def _posted_ways(request: HttpRequest, channels: tuple[Channel, ...]) -> Mapping[str, list[Channel]]:
    return {
        kind: [channel for channel in channels if f"{kind}-{channel}" in request.POST] for kind in ALERT_KINDS
    }


def _choices_context(
    request: HttpRequest, choice: NotificationPreferences, channels: tuple[Channel, ...], form: QuietHoursForm
) -> dict[str, Any]:
    posted = _posted_ways(request, channels) if form.is_bound else None
    return {
        "form": form,
        "ways": channels,
        "push_key": site_key(),
        "kinds": [
            {
                "code": kind.kind,
                "name": ALERT_LABELS[kind],
                "comes": kind.quiet_hours_policy is QuietHoursPolicy.SEND,
                "ways": [
                    {
                        "code": channel,
                        "on": channel in posted[kind.kind]
                        if posted is not None
                        else choice.wants(kind, channel),
                    }
                    for channel in channels
                ],
            }
            for kind in ALERT_KINDS.values()
        ],
    }
