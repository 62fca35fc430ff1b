"""``manage.py import_event FILE``: import an event that another site has exported, with the same ids."""

from tournaments.bundles.command import ImportCommand
from tournaments.bundles.services.exporting import EVENT_KIND


class Command(ImportCommand):
    help = "Import an event that another site has exported and signed, all of it or nothing. Importing it again changes nothing."
    of = EVENT_KIND
