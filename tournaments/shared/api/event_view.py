"""The base of what is answered about an event: only to who may see it, with its ETag."""

from rest_framework.request import Request
from rest_framework.views import APIView

from tournaments.selectors.access.versions import event_players_version
from tournaments.selectors.access.visibility import SeenEvent, event_seen_by


class EventView(APIView):
    """An event that the visitor may see, and its ETag."""

    def seen(self, request: Request, event: str) -> SeenEvent:
        return event_seen_by(request.user, event)

    def versions(self, seen: SeenEvent) -> list[object]:
        return [seen.event.version, seen.event.club.version, event_players_version(seen.event)]
