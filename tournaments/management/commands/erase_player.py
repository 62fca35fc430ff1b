"""``manage.py erase_player ID``: erase a player permanently, after a preview.

Results stay, under “former player”.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from people.actors import Actor
from people.models import Player
from people.rows import one_or_none
from tournaments.selectors.forgetting import erasure_summary
from tournaments.site.services.forgetting import erase_player


class Command(BaseCommand):
    help = "Erase a player: remove the name from events, audit logs, game records and lists, but keep results. Without --yes, only show what would be erased."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("player", help="public ID, from the address of the player's page")
        parser.add_argument("--yes", action="store_true", help="erase the player; you cannot undo this")

    def handle(self, *args: Any, **options: Any) -> None:
        player = one_or_none(Player.objects.filter(public_id=options["player"]))
        if player is None:
            raise CommandError("Player not found.")
        summary = erasure_summary(player)
        self.stdout.write(
            f"{', '.join(summary.names) or 'No name'}: entries: {summary.entries}, events: {summary.events}, game records: {summary.records}."
        )
        if not options["yes"]:
            self.stdout.write("Nothing was changed. Add --yes to erase the player.")
            return
        erase_player(actor=Actor.program(), player_id=player.pk)
        self.stdout.write("The player was erased.")
