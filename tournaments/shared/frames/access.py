"""Access to a director's pages of an event, as decorators of views.

A draft is visible to its club only: other visitors get a 404. For any other event they get a 403.
"""

from collections.abc import Callable
from functools import wraps
from typing import cast

from django.http import HttpRequest, HttpResponse

from people.web.access import action_view, form_view, page_view, request_user
from tournaments.models import Event
from tournaments.selectors.access.visibility import get_event_for_director, get_event_for_staff
from tournaments.shared.frames.presence import track_presence

EventViewFunc = Callable[..., HttpResponse]


def event_for_director(request: HttpRequest, public_id: str) -> Event:
    """Return the event ``public_id`` if the user is a director of its club.

    Raises ``Missing`` if the event does not exist or is hidden from the user, otherwise ``NotAllowed``.
    """
    return get_event_for_director(request_user(request), public_id)


def _with_event(view: EventViewFunc) -> EventViewFunc:
    @wraps(view)
    def wrapper(request: HttpRequest, event: str, **kwargs: str) -> HttpResponse:
        loaded_event = event_for_director(request, event)
        track_presence(request, loaded_event, request_user(request))
        return view(request, loaded_event, **kwargs)

    return cast("EventViewFunc", wrapper)


def is_helper(request: HttpRequest) -> bool:
    """Return whether the user is only an assistant of the event, not a director.

    Set by the ``staff_…`` decorators.
    """
    return bool(getattr(request, "helps", False))


def _with_staff_event(view: EventViewFunc) -> EventViewFunc:
    @wraps(view)
    def wrapper(request: HttpRequest, event: str, **kwargs: str) -> HttpResponse:
        loaded_event, is_assistant = get_event_for_staff(request_user(request), event)
        request.helps = is_assistant  # type: ignore[attr-defined]
        track_presence(request, loaded_event, request_user(request))
        return view(request, loaded_event, **kwargs)

    return cast("EventViewFunc", wrapper)


def staff_page(view: EventViewFunc) -> EventViewFunc:
    """Decorate a read-only page of an event for its directors and assistants.

    The view receives the ``Event``.
    """
    return page_view(_with_staff_event(view))


def staff_form(view: EventViewFunc) -> EventViewFunc:
    """Decorate a page with a form that posts to its own address, for the event's directors and assistants.

    The view receives the ``Event``.
    """
    return form_view(_with_staff_event(view))


def staff_action(view: EventViewFunc) -> EventViewFunc:
    """Decorate a POST-only action for the event's directors and assistants.

    The view receives the ``Event``.
    """
    return action_view(_with_staff_event(view))


def event_page(view: EventViewFunc) -> EventViewFunc:
    """Decorate a read-only page of an event for its directors; the view receives the ``Event``."""
    return page_view(_with_event(view))


def event_form(view: EventViewFunc) -> EventViewFunc:
    """Decorate a page with a form that posts to its own address, for the event's directors.

    The view receives the ``Event``.
    """
    return form_view(_with_event(view))


def event_action(view: EventViewFunc) -> EventViewFunc:
    """Decorate a POST-only action in an event for its directors; the view receives the ``Event``."""
    return action_view(_with_event(view))
