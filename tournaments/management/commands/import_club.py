"""``manage.py import_club FILE``: import a club that another site has exported, with the same ids."""

from tournaments.bundles.command import ImportCommand
from tournaments.bundles.services.exporting import CLUB_KIND


class Command(ImportCommand):
    help = "Import a club that another site has exported and signed, all of it or nothing. Importing it again changes nothing."
    of = CLUB_KIND
