"""``manage.py merge_players``: merge two players of any clubs, or undo a merge."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from faults import CrawfordError
from people.actors import Actor
from people.messages import describe
from people.selectors import player_with_public_id
from tournaments.operators.services.merging import merge_across_clubs, undo_merge_across_clubs
from tournaments.operators.web.shapes import consequences
from tournaments.selectors.operators.subjects import get_subject


class Command(BaseCommand):
    help = "Merge a player into another one, also across clubs. Without --yes, only show what would change."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("keep", help="public ID of the player to keep, from the address of the page")
        parser.add_argument("duplicate", help="public ID of the duplicate")
        parser.add_argument("--undo", action="store_true", help="undo the merge of these two players")
        parser.add_argument("--reason", default="", help="reason for the operators' audit log")
        parser.add_argument("--yes", action="store_true", help="make the change")

    def handle(self, *args: Any, **options: Any) -> None:
        actor, reason, keys = Actor.program(), options["reason"], (options["keep"], options["duplicate"])
        try:
            for label, key in zip(("keep", "duplicate"), keys[: 1 if options["undo"] else 2], strict=False):
                subject = get_subject("player", key)
                line = [subject.name, subject.about, *consequences(subject)]
                self.stdout.write(f"{label}: {' · '.join(filter(None, line))}")
            if not options["yes"]:
                self.stdout.write("Nothing was changed. Add --yes to make the change.")
            elif options["undo"]:
                player = player_with_public_id(keys[1])
                undo_merge_across_clubs(actor=actor, duplicate_id=player.pk, reason=reason)
            else:
                merge_across_clubs(actor=actor, keep=keys[0], duplicate=keys[1], reason=reason)
        except CrawfordError as error:
            raise CommandError(describe(error)) from error
        if options["yes"]:
            self.stdout.write("Done.")
