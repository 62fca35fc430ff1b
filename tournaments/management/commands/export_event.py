"""``manage.py export_event ID FILE``: an event as one signed file, for another site."""

from tournaments.bundles.command import GivingOut
from tournaments.bundles.services.exporting import EVENT


class Command(GivingOut):
    help = "Write an event, with its players, its records and its trail, into one signed file; the site may run meanwhile."
    of = EVENT
