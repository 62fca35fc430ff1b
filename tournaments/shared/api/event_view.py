"""The base of what is answered about an event: only to who may see it, with its ETag."""

from rest_framework.request import Request
from rest_framework.views import APIView

from people.audience import Audience, read_for
from tournaments.selectors.access.versions import event_players_version
from tournaments.selectors.access.visibility import VisibleEvent, visible_event


class EventView(APIView):
    """An event that the visitor may see, and its ETag."""

    def visible(self, request: Request, event: str) -> VisibleEvent:
        found = visible_event(request.user, event)
        if found.directs:
            read_for(Audience.FULL)
        return found

    def versions(self, visible: VisibleEvent) -> list[object]:
        return [visible.event.version, visible.event.club.version, event_players_version(visible.event)]
