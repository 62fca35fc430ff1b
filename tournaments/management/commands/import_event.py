"""``manage.py import_event FILE``: take in what another site has exported, with the same ids."""

from tournaments.bundles.command import TakingIn
from tournaments.bundles.services.exporting import EVENT


class Command(TakingIn):
    help = "Import an event that another site has exported and signed, all of it or nothing. Importing it again changes nothing."
    of = EVENT
