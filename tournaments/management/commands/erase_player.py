"""``manage.py erase_player ID``: a player leaves for good; results stay, under “former player”. Says what it will do first."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from people.actors import Actor
from people.models import Player
from people.rows import one_or_none
from tournaments.selectors.forgetting import leaving
from tournaments.site.services.forgetting import erase_player


class Command(BaseCommand):
    help = "Erase a player: names leave events, trails, records of games and lists; results stay. Without --yes: says what that is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("player", help="public id, as in the address of the player's page")
        parser.add_argument("--yes", action="store_true", help="do it; it cannot be undone")

    def handle(self, *args: Any, **options: Any) -> None:
        player = one_or_none(Player.objects.filter(public_id=options["player"]))
        if player is None:
            raise CommandError("There is no such player.")
        found = leaving(player)
        self.stdout.write(
            f"{', '.join(found.names) or 'No name'}: {found.entries} entries in {found.events} events, {found.records} records."
        )
        if not options["yes"]:
            self.stdout.write("Nothing is done without --yes.")
            return
        erase_player(actor=Actor.program(), player_id=player.pk)
        self.stdout.write("Erased.")
