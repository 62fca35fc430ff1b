"""Who may open a director's page: the one gate for events.

A draft is nobody's business but its club's: strangers get a 404. Any other event can be known, so they get a 403.
"""

from collections.abc import Callable
from functools import wraps
from typing import cast

from django.http import HttpRequest, HttpResponse

from people.web.access import action, form_page, page, user_of
from tournaments.models import Event
from tournaments.selectors.access.visibility import event_at_desk_of, event_directed_by
from tournaments.shared.frames.presence import note_presence

EventView = Callable[..., HttpResponse]


def directed_event(request: HttpRequest, public_id: str) -> Event:
    """The event, for directors of its club."""
    return event_directed_by(user_of(request), public_id)


def _with_event(view: EventView) -> EventView:
    @wraps(view)
    def opened(request: HttpRequest, event: str, **kwargs: str) -> HttpResponse:
        found = directed_event(request, event)
        note_presence(request, found, user_of(request))
        return view(request, found, **kwargs)

    return cast("EventView", opened)


def helps(request: HttpRequest) -> bool:
    """Whether the page is open because the visitor helps with the event, and directs it not."""
    return bool(getattr(request, "helps", False))


def _at_desk(view: EventView) -> EventView:
    @wraps(view)
    def opened(request: HttpRequest, event: str, **kwargs: str) -> HttpResponse:
        found, only_helps = event_at_desk_of(user_of(request), event)
        request.helps = only_helps  # type: ignore[attr-defined]
        note_presence(request, found, user_of(request))
        return view(request, found, **kwargs)

    return cast("EventView", opened)


def desk_page(view: EventView) -> EventView:
    """As `event_page`, for those who help with the event, too."""
    return page(_at_desk(view))


def desk_form(view: EventView) -> EventView:
    """As `event_form`, for those who help with the event, too."""
    return form_page(_at_desk(view))


def desk_action(view: EventView) -> EventView:
    """As `event_action`, for those who help with the event, too."""
    return action(_at_desk(view))


def event_page(view: EventView) -> EventView:
    """A page about an event that is only read: the view gets the event itself."""
    return page(_with_event(view))


def event_form(view: EventView) -> EventView:
    """A page about an event with a form that is sent to itself."""
    return form_page(_with_event(view))


def event_action(view: EventView) -> EventView:
    """A change in an event: POST only."""
    return action(_with_event(view))
