"""``manage.py export_event ID FILE``: an event as one signed file, for another site."""

from tournaments.bundles.command import GivingOut
from tournaments.bundles.services.exporting import EVENT


class Command(GivingOut):
    help = "Export an event with its players, game records and audit log to one signed file. The site can keep running."
    of = EVENT
