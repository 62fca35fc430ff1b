"""What I am told, and by which way: by a personal link for its entry, with an account in general and for each event; mail ended by one tap."""

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
from people.web.access import form_page, user_of
from people.webpush import site_key
from tournaments.engine.alerts import KINDS, Quiet, Way
from tournaments.notices.services.choosing import choose, choose_as_usual, choose_by_link, end_mail
from tournaments.selectors.access.links import entry_of_token
from tournaments.selectors.access.off_links import user_and_kind
from tournaments.selectors.own_notices import (
    choice_of,
    choice_of_entry,
    event_to_choose_for,
    events_to_choose_for,
    has_verified_address,
)
from tournaments.selectors.recipients import Choice
from tournaments.shared.frames.player import private, secret_view
from tournaments.shared.words.alerts import NAMES

BY_LINK: Final = (Way.PUSH,)
BY_ACCOUNT: Final = tuple(Way)


class QuietForm(forms.Form):
    """When nothing is to sound."""

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
        """What was typed."""
        return self.cleaned_data["quiet_from"], self.cleaned_data["quiet_until"]


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """For the entry whose personal link this is."""
    entry = entry_of_token(token)
    choice = choice_of_entry(entry)
    form = _form(request, choice)
    if request.method == "POST" and form.is_valid():
        choose_by_link(entry=entry, ways=_chosen(request, BY_LINK), quiet=form.hours())
        messages.success(request, _("Saved."))
        return redirect("player:link-notices", token)
    context = {
        "event": entry.division.event,
        "entry": entry,
        "token": token,
        "back": reverse("player:home", args=[token]),
        "push_url": reverse("player:link-push", args=[token]),
        "zone": entry.division.event.timezone,
        **_shape(request, choice, BY_LINK, form),
    }
    return render(request, "notices/choices.html", context, status=422 if form.errors else 200)


@form_page
def by_account(request: HttpRequest, event: str = "") -> HttpResponse:
    """For the account that is signed in: in general, or for one event."""
    user = user_of(request)
    found = event_to_choose_for(user, event) if event else None
    if event and found is None:
        raise Missing("event.unknown")
    choice = choice_of(user, found)
    form = _form(request, choice)
    here = reverse("player:event-notices", args=[event]) if event else reverse("player:notices")
    if request.method == "POST":
        if found is not None and "usual" in request.POST:
            choose_as_usual(user_id=user.pk, event_id=found.pk)
            messages.success(request, _("Your general settings now apply to this event."))
            return redirect("player:notices")
        if form.is_valid():
            event_id = found.pk if found is not None else None
            choose(user_id=user.pk, event_id=event_id, ways=_chosen(request, BY_ACCOUNT), quiet=form.hours())
            messages.success(request, _("Saved."))
            return redirect(here)
    events = events_to_choose_for(user)
    context = {
        "event": found,
        "events": events if found is None else [],
        "is_own": any(one.own and one.public_id == event for one in events),
        "back": reverse("player:notices" if event else "player:me"),
        "push_url": reverse("player:push"),
        "push_for": user.pk,
        "zone": user.timezone,
        "no_mail": not settings.MAIL_WORKS or not has_verified_address(user),
        **_shape(request, choice, BY_ACCOUNT, form),
    }
    return private(render(request, "notices/choices.html", context, status=422 if form.errors else 200))


# A program of whoever reads mail sends it, without a cookie (RFC 8058); the address is signed.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def off(request: HttpRequest, token: str) -> HttpResponse:
    """No more such mail: by one tap in a mail program, or by a button of the page. Nothing is changed by looking."""
    try:
        user, kind = user_and_kind(token)
    except Missing as missing:
        return private(render(request, "shared/gone.html", {"reason": describe(missing)}, status=404))
    done = request.method == "POST"
    if done and user is not None:
        every = "kind" not in request.POST
        end_mail(user_id=user.pk, kinds=KINDS if every else [kind])
    name = next((words for one, words in NAMES.items() if one.kind == kind), "")
    context = {"done": done, "kind": name, "every": "kind" not in request.POST}
    return private(render(request, "notices/off.html", context))


def _form(request: HttpRequest, choice: Choice) -> QuietForm:
    begins, ends = choice.quiet
    return QuietForm(
        request.POST if request.method == "POST" and "usual" not in request.POST else None,
        initial={"quiet_from": begins, "quiet_until": ends},
    )


def _chosen(request: HttpRequest, ways: tuple[Way, ...]) -> Mapping[str, list[Way]]:
    return {kind: [way for way in ways if f"{kind}-{way}" in request.POST] for kind in KINDS}


def _shape(request: HttpRequest, choice: Choice, ways: tuple[Way, ...], form: QuietForm) -> dict[str, Any]:
    sent = _chosen(request, ways) if form.is_bound else None
    return {
        "form": form,
        "ways": ways,
        "push_key": site_key(),
        "kinds": [
            {
                "code": kind.kind,
                "name": NAMES[kind],
                "comes": kind.quiet is Quiet.COMES,
                "ways": [
                    {
                        "code": way,
                        "on": way in sent[kind.kind] if sent is not None else choice.wants(kind, way),
                    }
                    for way in ways
                ],
            }
            for kind in KINDS.values()
        ],
    }
