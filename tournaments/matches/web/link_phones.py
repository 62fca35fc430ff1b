"""Access of the current browser to a personal link: template contexts, the form for a code, messages."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from faults import Conflict, CrawfordError, Invalid
from people.messages import describe
from tournaments.engine.matches.reporting import ReportPolicy
from tournaments.matches.services.phones import redeem_access_code, request_access
from tournaments.matches.services.reports import ReportOutcome
from tournaments.models import Entry
from tournaments.selectors.access.phones import (
    LinkAccess,
    LinkDevices,
    RequestOrigin,
    is_player_of,
    link_devices,
)
from tournaments.selectors.matches.player import MyMatch
from tournaments.shared.fragments.cards import Context
from tournaments.shared.frames.device import known_device, set_device_cookie
from tournaments.shared.frames.player import is_rate_limited
from tournaments.shared.words.names import date_and_time
from tournaments.shared.words.phones import PHONE_ACCESS_LABELS

MAX_CODE_TRIES, TRIES_PERIOD_SECONDS = 40, 600
MAX_CODE_LENGTH = 40


def browser_access(request: HttpRequest, entry: Entry, device: str = "") -> LinkDevices:
    """Return this browser's access to the link. A browser in which the player is signed in is never excluded.

    ``device``: the device to look up; by default that of the request's cookie.
    """
    access = link_devices(entry, device or known_device(request))
    user = request.user
    is_excluded = access.access in {LinkAccess.PENDING, LinkAccess.OTHER}
    if is_excluded and user.is_authenticated and is_player_of(entry, user.pk):
        return LinkDevices(LinkAccess.FREE, access.number, access.devices)
    return access


def access_context(entry: Entry, access: LinkDevices, *, fault: str = "", typed_code: str = "") -> Context:
    """Return the template context of the device's access and of all devices with access.

    ``shut``: other devices have access and this one has not. ``fault``: an error message to display.
    """
    event = entry.division.event
    return {
        "shut": access.access in {LinkAccess.PENDING, LinkAccess.OTHER},
        "asks": access.access is LinkAccess.PENDING,
        "speaks": access.access is LinkAccess.ALLOWED,
        "number": access.number,
        "phones": [
            {
                "number": phone.number,
                "way": PHONE_ACCESS_LABELS[phone.allowed_by],
                "since": date_and_time(phone.since, event),
                "here": phone.number == access.number,
            }
            for phone in access.devices
        ],
        "fault": fault,
        "typed": typed_code,
    }


def code_from_form(request: HttpRequest) -> str:
    """Return the access code that the user typed, or an empty string."""
    return request.POST.get("phone_code", "").replace("\0", "")[:MAX_CODE_LENGTH].strip()


def enter_typed_code(request: HttpRequest, entry: Entry, phone: RequestOrigin) -> None:
    """Give the device access with the code in the form.

    Raises ``Invalid`` for a wrong code, and after too many tries from this IP address, against guessing at
    many links.
    """
    if is_rate_limited(request, "phone-code", limit=MAX_CODE_TRIES, seconds=TRIES_PERIOD_SECONDS):
        raise Invalid("phone.codes_often", field="code")
    redeem_access_code(entry=entry, phone=phone, code=code_from_form(request))


def request_access_context(
    request: HttpRequest, entry: Entry, phone: RequestOrigin, error: CrawfordError
) -> Context:
    """Ask the staff to give a device access whose report was rejected.

    Returns the template context of the form with the error and the typed code.
    """
    fault = describe(error)
    try:
        request_access(entry=entry, phone=phone)
    except Conflict as conflict:
        fault = f"{fault} {describe(conflict)}"
    access = browser_access(request, entry, phone.device)
    return access_context(entry, access, fault=fault, typed_code=code_from_form(request))


def with_device(response: HttpResponse, phone: RequestOrigin) -> HttpResponse:
    """Set the cookie that identifies this browser, and return the response."""
    set_device_cookie(response, phone.device)
    return response


def add_decision_message(request: HttpRequest, outcome: ReportOutcome, own_match: MyMatch) -> None:
    """Add a message to the next page that tells the player the outcome of their report."""
    opponent = {"name": own_match.other.name}
    if outcome.decision == "confirmed":
        messages.success(request, _("The result is confirmed. Thank you!"))
    elif outcome.decision == "disputed":
        messages.warning(
            request,
            _("You and %(name)s reported different results. The director will come to you.") % opponent,
        )
    elif own_match.match.stage.report_policy == ReportPolicy.DIRECTOR_ONLY:
        messages.success(request, _("Sent. The director has to confirm it."))
    else:
        messages.success(request, _("Sent. %(name)s has to confirm it.") % opponent)
