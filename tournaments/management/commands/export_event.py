"""``manage.py export_event ID FILE``: export an event as one signed file for another site."""

from tournaments.bundles.command import ExportCommand
from tournaments.bundles.services.exporting import EVENT_KIND


class Command(ExportCommand):
    help = "Export an event with its players, game records and audit log to one signed file. The site can keep running."
    of = EVENT_KIND
