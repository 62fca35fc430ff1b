"""``manage.py export_club ID FILE``: a club as one signed file, for another site."""

from tournaments.bundles.command import GivingOut
from tournaments.bundles.services.exporting import CLUB


class Command(GivingOut):
    help = "Export a club with all its events, players, rating lists and its ledger to one signed file. The site can keep running."
    of = CLUB
