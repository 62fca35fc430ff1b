"""Staff actions for the devices that use a personal link: allow, refuse, forget."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import CrawfordError, Missing
from people.web.access import request_actor
from tournaments.entries.services.phones import allow_phone, forget_phones, refuse_phone
from tournaments.models import Entry, Event
from tournaments.selectors.access.phones import current_devices
from tournaments.selectors.entries import get_entry
from tournaments.shared.frames.access import is_helper, staff_action
from tournaments.shared.frames.director import render_refused_action
from tournaments.shared.words.names import date_and_time
from tournaments.shared.words.phones import PHONE_ACCESS_LABELS


def phone_contexts(event: Event, entry: Entry) -> list[dict[str, Any]]:
    """Return the template contexts of the devices that use or request to use the entry's personal link."""
    return [
        {
            "number": phone.number,
            "asks": phone.is_pending,
            "way": PHONE_ACCESS_LABELS[phone.allowed_by],
            "since": date_and_time(phone.since, event),
        }
        for phone in current_devices(entry)
    ]


@staff_action
def phone_action(request: HttpRequest, event: Event) -> HttpResponse:
    """Allow (``let_in``) or refuse one device of an entry's personal link, or forget all of them."""
    return_url = _return_url(request, event)
    entry = get_entry(event, request.POST.get("entry", "").replace("\0", "")[:16])
    service_args: dict[str, Any] = {
        "actor": request_actor(request),
        "event_id": event.pk,
        "entry_id": entry.pk,
    }
    try:
        if "let_in" in request.POST:
            allow_phone(**service_args, number=_number(request, "let_in"))
            message = _("This phone of %(name)s can now report.")
        elif "refuse" in request.POST:
            refuse_phone(**service_args, number=_number(request, "refuse"))
            message = _("This phone of %(name)s cannot report.")
        elif "forget" in request.POST:
            forget_phones(**service_args)
            message = _(
                "The phones of %(name)s have been removed. The next one that reports with the link belongs to "
                "the player."
            )
        else:
            raise Missing("phone.unknown")
    except CrawfordError as error:
        return render_refused_action(request, error, back=return_url)
    messages.success(request, message % {"name": entry.name})
    return redirect(return_url)


def _number(request: HttpRequest, name: str) -> int:
    typed = request.POST.get(name, "")
    return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 5 else 0


def _return_url(request: HttpRequest, event: Event) -> str:
    """Return the director's page of the event that sent the form, or else the page of pending requests."""
    next_url = request.POST.get("next", "")
    event_url = reverse("director:event", args=[event.public_id])
    if next_url.startswith(event_url) and not set(next_url) & set("\\?#") and "//" not in next_url:
        return next_url
    return reverse("director:expected" if is_helper(request) else "director:entries", args=[event.public_id])
