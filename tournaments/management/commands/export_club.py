"""``manage.py export_club ID FILE``: export a club as one signed file for another site."""

from tournaments.bundles.command import ExportCommand
from tournaments.bundles.services.exporting import CLUB_KIND


class Command(ExportCommand):
    help = "Export a club with all its events, players, rating lists and its ledger to one signed file. The site can keep running."
    of = CLUB_KIND
