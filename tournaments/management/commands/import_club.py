"""``manage.py import_club FILE``: take in what another site has exported, with the same ids."""

from tournaments.bundles.command import TakingIn
from tournaments.bundles.services.exporting import CLUB


class Command(TakingIn):
    help = "Take in the bundle of a club that another site has signed, all of it or nothing; twice is once."
    of = CLUB
