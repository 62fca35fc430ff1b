"""Who may open a director's page: the one gate for events.

A draft is nobody's business but its club's: strangers get a 404. Any other event can be known, so they get a 403.
"""

from collections.abc import Callable
from functools import wraps
from typing import cast

from django.http import HttpRequest, HttpResponse

from people.web.access import action, form_page, page, request_user
from tournaments.models import Event
from tournaments.selectors.access.visibility import get_event_for_director, get_event_for_staff
from tournaments.shared.frames.presence import track_presence

EventViewFunc = Callable[..., HttpResponse]


def event_for_director(request: HttpRequest, public_id: str) -> Event:
    """The event, for directors of its club."""
    return get_event_for_director(request_user(request), public_id)


def _with_event(view: EventViewFunc) -> EventViewFunc:
    @wraps(view)
    def opened(request: HttpRequest, event: str, **kwargs: str) -> HttpResponse:
        found = event_for_director(request, event)
        track_presence(request, found, request_user(request))
        return view(request, found, **kwargs)

    return cast("EventViewFunc", opened)


def is_helper(request: HttpRequest) -> bool:
    """Whether the page is open because the visitor helps with the event, and directs it not."""
    return bool(getattr(request, "helps", False))


def _with_staff_event(view: EventViewFunc) -> EventViewFunc:
    @wraps(view)
    def opened(request: HttpRequest, event: str, **kwargs: str) -> HttpResponse:
        found, only_helps = get_event_for_staff(request_user(request), event)
        request.helps = only_helps  # type: ignore[attr-defined]
        track_presence(request, found, request_user(request))
        return view(request, found, **kwargs)

    return cast("EventViewFunc", opened)


def staff_page(view: EventViewFunc) -> EventViewFunc:
    """As `event_page`, for those who help with the event, too."""
    return page(_with_staff_event(view))


def staff_form(view: EventViewFunc) -> EventViewFunc:
    """As `event_form`, for those who help with the event, too."""
    return form_page(_with_staff_event(view))


def staff_action(view: EventViewFunc) -> EventViewFunc:
    """As `event_action`, for those who help with the event, too."""
    return action(_with_staff_event(view))


def event_page(view: EventViewFunc) -> EventViewFunc:
    """A page about an event that is only read: the view gets the event itself."""
    return page(_with_event(view))


def event_form(view: EventViewFunc) -> EventViewFunc:
    """A page about an event with a form that is sent to itself."""
    return form_page(_with_event(view))


def event_action(view: EventViewFunc) -> EventViewFunc:
    """A change in an event: POST only."""
    return action(_with_event(view))
