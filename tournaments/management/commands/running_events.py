"""``manage.py running_events``: list the events in progress, before an update or a restart."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from tournaments.selectors.events.running import events_in_play


class Command(BaseCommand):
    help = "List the events in progress with the time of their last change. Exit status 3 if there are any."

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        events = events_in_play(now)
        for event in events:
            last_change = f"{(now - event.last).total_seconds() / 60:.0f} min ago" if event.last else "never"
            self.stdout.write(
                f"{event.public_id} {event.name} ({event.club}): matches being played: {event.playing}, last change: {last_change}"
            )
        if events:
            self.stdout.write(f"Events in progress: {len(events)}. A rolling update does not interrupt them.")
            raise SystemExit(3)
        self.stdout.write("No event is in progress.")
