"""``manage.py export_club ID FILE``: a club as one signed file, for another site."""

from tournaments.bundles.command import GivingOut
from tournaments.bundles.services.exporting import CLUB


class Command(GivingOut):
    help = "Write a club, with all its events, players, lists and its ledger, into one signed file; the site may run meanwhile."
    of = CLUB
