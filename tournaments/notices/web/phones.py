"""A browser says that it may be woken, that it may not any more, or that somebody opened what it showed: for `push.js`."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from faults import CrawfordError, Missing
from people.messages import describe
from people.web.access import action, user_of
from people.web.door.devices import device_of
from people.webpush import Browser
from tournaments.models import Entry
from tournaments.notices.services.phones import note_opened, remove, renew, subscribe, unsubscribe
from tournaments.selectors.access.links import entry_of_token
from tournaments.shared.frames.player import private, too_often

TRIES, PERIOD = 120, 600
_LONGEST = 1200


@require_POST
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """For the entry whose personal link this is."""
    try:
        return _done(request, entry=entry_of_token(token))
    except Missing as missing:
        return _refused(missing)


@action
def by_account(request: HttpRequest) -> HttpResponse:
    """For the account that is signed in."""
    user_id = user_of(request).pk
    return _done(request, user_id=user_id, device=device_of(request, user_id))


# The service worker sends it while no page is open, so without a token; what it proves is the secret of the old subscription.
@csrf_exempt
@require_POST
def renewed(request: HttpRequest) -> HttpResponse:
    """The push service gave this browser another address: what was told at the old one is told at the new one."""
    if too_often(request, "push", limit=TRIES, seconds=PERIOD):
        return private(JsonResponse({"subscribed": False}, status=429))
    browser = _browser(request)
    try:
        renew(endpoint=_field(request.POST, "old"), auth=_field(request.POST, "old_auth"), browser=browser)
    except CrawfordError as error:
        return _refused(error)
    return private(JsonResponse({"subscribed": True}))


# Sent from pages that have no token, as they are the same for everybody; what it proves is the secret of the subscription.
@csrf_exempt
@require_POST
def removed(request: HttpRequest) -> HttpResponse:
    """“Remove my data from this phone”: this browser is woken for nobody any more."""
    if too_often(request, "push", limit=TRIES, seconds=PERIOD):
        return private(JsonResponse({"subscribed": True}, status=429))
    try:
        remove(endpoint=_field(request.POST, "endpoint"), auth=_field(request.POST, "auth"))
    except CrawfordError as error:
        return _refused(error)
    return private(JsonResponse({"subscribed": False}))


@require_POST
def opened(request: HttpRequest, token: str) -> HttpResponse:
    """A notice was opened on this phone."""
    try:
        note_opened(entry=entry_of_token(token), public_id=_field(request.POST, "notice")[:16])
    except Missing as missing:
        return _refused(missing)
    return private(JsonResponse({"noted": True}))


def _done(
    request: HttpRequest, *, entry: Entry | None = None, user_id: int | None = None, device: str = ""
) -> HttpResponse:
    if too_often(request, "push", limit=TRIES, seconds=PERIOD):
        return private(JsonResponse({"subscribed": False}, status=429))
    endpoint = _field(request.POST, "endpoint")
    try:
        if "off" in request.POST:
            unsubscribe(endpoint=endpoint, entry=entry, user_id=user_id)
        else:
            browser, language = _browser(request), get_language() or ""
            subscribe(browser=browser, language=language, entry=entry, user_id=user_id, device=device)
    except CrawfordError as error:
        return _refused(error)
    return private(JsonResponse({"subscribed": "off" not in request.POST}))


def _browser(request: HttpRequest) -> Browser:
    return Browser(*(_field(request.POST, name) for name in ("endpoint", "p256dh", "auth")))


def _field(sent: Mapping[str, str], name: str) -> str:
    return sent.get(name, "").replace("\0", "")[:_LONGEST]


def _refused(error: CrawfordError) -> HttpResponse:
    return private(JsonResponse({"subscribed": False, "detail": describe(error)}, status=error.status))
