"""Results from phone to phone: the certificate of a phone's key, what both have signed, and the page that the code leads to."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from faults import CrawfordError, Missing
from people.messages import describe
from tournaments.matches.services.hand_over import HandOver, Signed, certify, hand_over
from tournaments.matches.web.answered import answers_keys
from tournaments.matches.web.link_phones import tell_decision, with_device
from tournaments.matches.web.player import draw_home
from tournaments.selectors.access.links import entry_of_token
from tournaments.selectors.matches.player import my_match
from tournaments.shared.frames.device import phone_of
from tournaments.shared.frames.player import secret_view, too_often
from tournaments.shared.frames.public import public_page, public_view

LONGEST = 400  # characters of a certificate
TRIES, PERIOD = 300, 600


class HandOverForm(forms.Form):
    """What the phones have signed, as `static/js/hand_over.js` sends it."""

    won = forms.CharField(max_length=100)
    certificate = forms.CharField(max_length=LONGEST)
    signature = forms.CharField(max_length=LONGEST)
    agreed_at = forms.IntegerField(min_value=0, max_value=10**12)
    agreed_certificate = forms.CharField(max_length=LONGEST)
    agreed_signature = forms.CharField(max_length=LONGEST)

    def handed(self) -> HandOver:
        data: dict[str, Any] = self.cleaned_data
        return HandOver(
            data["won"],
            Signed(data["certificate"], data["signature"]),
            data["agreed_at"],
            Signed(data["agreed_certificate"], data["agreed_signature"]),
        )


@secret_view
@require_POST
def key(request: HttpRequest, token: str) -> HttpResponse:
    """A certificate for the public key that the page has made: what the page signs without network is taken later."""
    entry = entry_of_token(token)
    if too_often(request, "phone-key", limit=TRIES, seconds=PERIOD):
        return HttpResponse(status=429)
    phone = phone_of(request)
    try:
        found = certify(entry=entry, phone=phone, key=request.POST.get("key", ""))
    except Missing:
        raise
    except CrawfordError as refused:
        return JsonResponse({"why": describe(refused)}, status=refused.status)
    return with_device(JsonResponse({"certificate": found}), phone)


@secret_view
@require_POST
@answers_keys
def take(request: HttpRequest, token: str, match: str) -> HttpResponse:
    """What both have signed, sent by one of them."""
    entry = entry_of_token(token)
    form = HandOverForm(request.POST)
    if not form.is_valid():
        raise Missing("hand_over.unreadable")
    try:
        answer = hand_over(sender=entry, match_id=match, handed=form.handed())
    except CrawfordError as error:
        return draw_home(request, token, entry, refused=describe(error), status=error.status)
    mine = my_match(entry, match)
    if mine is not None:
        tell_decision(request, answer, mine)
    return redirect("player:home", token)


@public_view
def opened(request: HttpRequest) -> HttpResponse:
    """Where the code leads: what it says stands behind the `#` of the address and comes to no server; the phone reads it."""
    return public_page(request, "matches/handed_over.html", dict, versions=[], listed=False)
