"""The base of what is answered about an event: only to who may see it, with its ETag."""

from rest_framework.request import Request
from rest_framework.views import APIView

from people.audience import Audience, read_for
from tournaments.selectors.access.versions import names_version
from tournaments.selectors.access.visibility import VisibleEvent, VisibleMatch, helps_at, visible_event


def name_in_full(request: Request, visible: VisibleEvent | VisibleMatch) -> None:
    """Who directs or helps with an event reads the names of those in it as they are; everybody else those for the public."""
    if visible.directs or helps_at(request.user, visible.event):
        read_for(Audience.FULL)


class EventView(APIView):
    """An event that the visitor may see, and its ETag."""

    def visible(self, request: Request, event: str) -> VisibleEvent:
        found = visible_event(request.user, event)
        name_in_full(request, found)
        return found

    def versions(self, visible: VisibleEvent) -> list[object]:
        return [visible.event.version, visible.event.club.version, names_version()]
