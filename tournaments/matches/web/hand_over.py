"""Results signed on two devices: certificates for keys, submission, and the page that the QR code opens."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from faults import CrawfordError, Missing
from people.messages import describe
from tournaments.matches.services.hand_over import (
    SignedResult,
    SignedStatement,
    issue_certificate,
    submit_signed_result,
)
from tournaments.matches.web.answered import acknowledge_key
from tournaments.matches.web.link_phones import add_decision_message, with_device
from tournaments.matches.web.player import render_home
from tournaments.selectors.access.links import entry_from_token
from tournaments.selectors.matches.player import my_match
from tournaments.shared.frames.device import current_device
from tournaments.shared.frames.player import is_rate_limited, secret_view
from tournaments.shared.frames.public import public_page, public_view

MAX_CERTIFICATE_LENGTH = 400  # characters of a certificate
MAX_TRIES, PERIOD_SECONDS = 300, 600


class SignedResultForm(forms.Form):
    """A result with the signatures of both players' devices, as `static/js/hand_over.js` sends it."""

    won = forms.CharField(max_length=100)
    certificate = forms.CharField(max_length=MAX_CERTIFICATE_LENGTH)
    signature = forms.CharField(max_length=MAX_CERTIFICATE_LENGTH)
    agreed_at = forms.IntegerField(min_value=0, max_value=10**12)
    agreed_certificate = forms.CharField(max_length=MAX_CERTIFICATE_LENGTH)
    agreed_signature = forms.CharField(max_length=MAX_CERTIFICATE_LENGTH)

    def signed_result(self) -> SignedResult:
        data: dict[str, Any] = self.cleaned_data
        return SignedResult(
            data["won"],
            SignedStatement(data["certificate"], data["signature"]),
            data["agreed_at"],
            SignedStatement(data["agreed_certificate"], data["agreed_signature"]),
        )


@secret_view
@require_POST
def certify_key(request: HttpRequest, token: str) -> HttpResponse:
    """Issue a certificate for the public key of the player's device.

    With the certificate, results that the device signs offline can be accepted later. Answers JSON: the
    certificate, or ``why`` there is none.
    """
    entry = entry_from_token(token)
    if is_rate_limited(request, "phone-key", limit=MAX_TRIES, seconds=PERIOD_SECONDS):
        return HttpResponse(status=429)
    phone = current_device(request)
    try:
        certificate = issue_certificate(entry=entry, phone=phone, key=request.POST.get("key", ""))
    except Missing:
        raise
    except CrawfordError as error:
        return JsonResponse({"why": describe(error)}, status=error.status)
    return with_device(JsonResponse({"certificate": certificate}), phone)


@secret_view
@require_POST
@acknowledge_key
def receive_signed_result(request: HttpRequest, token: str, match: str) -> HttpResponse:
    """Record a result that both players signed on their devices; one of them sends it, by personal link."""
    entry = entry_from_token(token)
    form = SignedResultForm(request.POST)
    if not form.is_valid():
        raise Missing("hand_over.unreadable")
    try:
        outcome = submit_signed_result(sender=entry, match_id=match, hand_over=form.signed_result())
    except CrawfordError as error:
        return render_home(request, token, entry, error_message=describe(error), status=error.status)
    own_match = my_match(entry, match)
    if own_match is not None:
        add_decision_message(request, outcome, own_match)
    return redirect("player:home", token)


@public_view
def signed_result_page(request: HttpRequest) -> HttpResponse:
    """Page that the QR code of a signed result opens.

    The data is behind the `#` of the address and reaches no server; the device reads it.
    """
    return public_page(request, "matches/handed_over.html", dict, versions=[], listed=False)
