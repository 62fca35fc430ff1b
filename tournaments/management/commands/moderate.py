"""``manage.py moderate``: hide, remove or restore a club, list, event, player or text."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from faults import CrawfordError
from people.actors import Actor
from people.messages import describe
from tournaments.operators.services.moderating import KINDS, moderate
from tournaments.operators.web.shapes import consequences
from tournaments.selectors.operators.subjects import subject

STATES = {"hide": "hidden", "remove": "removed", "restore": ""}


class Command(BaseCommand):
    help = (
        "Hide something from the public, remove it for everybody, or restore it. Without --yes it only tells what it concerns. "
        "A club, list, event, player or announcement is named by the id in its address; a description by its event, "
        "“about” by its club."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=STATES)
        parser.add_argument("kind", choices=KINDS)
        parser.add_argument("id", help="the id in its address")
        parser.add_argument("--reason", default="", help="those whose it is read it")
        parser.add_argument("--yes", action="store_true", help="do it")

    def handle(self, *args: Any, **options: Any) -> None:
        kind, key = options["kind"], options["id"]
        try:
            about = subject(kind, key)
            line = [about.name, about.about, about.text, about.state or "public", *consequences(about)]
            self.stdout.write(" · ".join(filter(None, line)))
            if not options["yes"]:
                self.stdout.write("Nothing was done. Add --yes to do it.")
                return
            moderate(
                actor=Actor.program(),
                kind=kind,
                key=key,
                state=STATES[options["action"]],
                reason=options["reason"],
            )
        except CrawfordError as error:
            raise CommandError(describe(error)) from error
        self.stdout.write("Done.")
