"""``manage.py import_event FILE``: take in what another site has exported, with the same ids."""

from tournaments.bundles.command import TakingIn
from tournaments.bundles.services.exporting import EVENT


class Command(TakingIn):
    help = "Take in the bundle of an event that another site has signed, all of it or nothing; twice is once."
    of = EVENT
