"""Base class of API views of an event: who may see the event, which names are shown, and the ETag."""

from rest_framework.request import Request
from rest_framework.views import APIView

from people.audience import Audience, activate_audience
from tournaments.selectors.access.versions import names_version
from tournaments.selectors.access.visibility import (
    VisibleEvent,
    VisibleMatch,
    is_event_staff,
    visible_event,
    visible_match,
)
from tournaments.shared.api.auth import linked_entry


def set_audience(request: Request, visible: VisibleEvent | VisibleMatch) -> None:
    """Set which form of players' names the response shows, for the user or personal link of the request.

    Directors and assistants of the event see full names; a personal link of the event sees the names as on
    displays in the hall, where some are abbreviated; all others see public names.
    """
    entry = linked_entry(request)
    if entry is not None:
        if entry.division.event_id == visible.event.pk:
            activate_audience(Audience.HALL)
    elif visible.can_direct or is_event_staff(request.user, visible.event):
        activate_audience(Audience.FULL)


def match_for(request: Request, public_id: str) -> VisibleMatch:
    """Return the match that the visitor may see, and set which form of players' names the response shows.

    Raises ``Missing`` while the draw of the match is not public.
    """
    visible = visible_match(request.user, public_id)
    set_audience(request, visible)
    return visible


class EventView(APIView):
    """Base class of views of an event that the visitor may see.

    The ETag follows from the versions of the event.
    """

    def get_visible_event(self, request: Request, event: str) -> VisibleEvent:
        visible = visible_event(request.user, event)
        set_audience(request, visible)
        return visible

    def versions(self, visible: VisibleEvent) -> list[object]:
        return [visible.event.version, visible.event.club.version, names_version()]
