"""``manage.py import_club FILE``: take in what another site has exported, with the same ids."""

from tournaments.bundles.command import TakingIn
from tournaments.bundles.services.exporting import CLUB


class Command(TakingIn):
    help = "Import a club that another site has exported and signed, all of it or nothing. Importing it again changes nothing."
    of = CLUB
