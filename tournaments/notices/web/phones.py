"""Requests of `push.js` and of the service worker: subscribe, unsubscribe, notification opened."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from faults import CrawfordError, Missing
from people.messages import describe
from people.web.access import action_view, request_user
from people.web.door.devices import device_name
from people.webpush import Browser
from tournaments.models import Entry
from tournaments.notices.services.phones import (
    delete_subscription,
    record_opened,
    renew_subscription,
    subscribe,
    unsubscribe,
)
from tournaments.selectors.access.links import entry_from_token
from tournaments.shared.frames.player import add_private_headers, is_rate_limited

MAX_TRIES, PERIOD_SECONDS = 120, 600
_MAX_FIELD_LENGTH = 1200


@require_POST
def subscribe_entry(request: HttpRequest, token: str) -> HttpResponse:
    """Subscribe or unsubscribe the browser for the entry of a personal link; answers with JSON."""
    try:
        return _change_subscription(request, entry=entry_from_token(token))
    except Missing as missing:
        return _refusal_response(missing)


@action_view
def subscribe_account(request: HttpRequest) -> HttpResponse:
    """Subscribe or unsubscribe the browser for the signed-in account; answers with JSON."""
    user_id = request_user(request).pk
    return _change_subscription(request, user_id=user_id, device=device_name(request, user_id))


# The service worker sends it without a page, so without a token; the secret of the old subscription proves it.
@csrf_exempt
@require_POST
def renew_address(request: HttpRequest) -> HttpResponse:
    """Move the subscriptions of a browser to its new address at the push service; answers with JSON."""
    if is_rate_limited(request, "push", limit=MAX_TRIES, seconds=PERIOD_SECONDS):
        return add_private_headers(JsonResponse({"subscribed": False}, status=429))
    browser = _posted_browser(request)
    try:
        renew_subscription(
            endpoint=_posted_text(request.POST, "old"),
            auth=_posted_text(request.POST, "old_auth"),
            browser=browser,
        )
    except CrawfordError as error:
        return _refusal_response(error)
    return add_private_headers(JsonResponse({"subscribed": True}))


# Sent from shared pages that carry no token; the secret of the subscription proves it.
@csrf_exempt
@require_POST
def remove_browser(request: HttpRequest) -> HttpResponse:
    """Delete all subscriptions of this browser (“Remove my data from this phone”); answers with JSON."""
    if is_rate_limited(request, "push", limit=MAX_TRIES, seconds=PERIOD_SECONDS):
        return add_private_headers(JsonResponse({"subscribed": True}, status=429))
    try:
        delete_subscription(
            endpoint=_posted_text(request.POST, "endpoint"), auth=_posted_text(request.POST, "auth")
        )
    except CrawfordError as error:
        return _refusal_response(error)
    return add_private_headers(JsonResponse({"subscribed": False}))


@require_POST
def record_notice_opened(request: HttpRequest, token: str) -> HttpResponse:
    """Record that a notification was opened on this device; answers with JSON."""
    try:
        record_opened(entry=entry_from_token(token), public_id=_posted_text(request.POST, "notice")[:16])
    except Missing as missing:
        return _refusal_response(missing)
    return add_private_headers(JsonResponse({"noted": True}))


def _change_subscription(
    request: HttpRequest, *, entry: Entry | None = None, user_id: int | None = None, device: str = ""
) -> HttpResponse:
    if is_rate_limited(request, "push", limit=MAX_TRIES, seconds=PERIOD_SECONDS):
        return add_private_headers(JsonResponse({"subscribed": False}, status=429))
    endpoint = _posted_text(request.POST, "endpoint")
    try:
        if "off" in request.POST:
            unsubscribe(endpoint=endpoint, entry=entry, user_id=user_id)
        else:
            browser, language = _posted_browser(request), get_language() or ""
            subscribe(browser=browser, language=language, entry=entry, user_id=user_id, device=device)
    except CrawfordError as error:
        return _refusal_response(error)
    return add_private_headers(JsonResponse({"subscribed": "off" not in request.POST}))


def _posted_browser(request: HttpRequest) -> Browser:
    return Browser(*(_posted_text(request.POST, name) for name in ("endpoint", "p256dh", "auth")))


def _posted_text(posted: Mapping[str, str], name: str) -> str:
    return posted.get(name, "").replace("\0", "")[:_MAX_FIELD_LENGTH]


def _refusal_response(error: CrawfordError) -> HttpResponse:
    return add_private_headers(
        JsonResponse({"subscribed": False, "detail": describe(error)}, status=error.status)
    )
