"""``manage.py moderate``: hide, remove or restore a club, list, event, player or text."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from faults import CrawfordError
from people.actors import Actor
from people.messages import describe
from tournaments.operators.services.moderating import MODERATED_KINDS, moderate
from tournaments.operators.web.shapes import consequences
from tournaments.selectors.operators.subjects import get_subject

STATES = {"hide": "hidden", "remove": "removed", "restore": ""}


class Command(BaseCommand):
    help = (
        "Hide something from the public, remove it for everyone but operators, or restore it. Without --yes, only show what "
        "would change. Give the ID of a club, list, event, player or announcement, the ID of the event for a description, "
        "or the ID of the club for “about”."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=STATES, help="what to do")
        parser.add_argument("kind", choices=MODERATED_KINDS, help="what to hide, remove or restore")
        parser.add_argument("id", help="public ID, from the address of its page")
        parser.add_argument("--reason", default="", help="reason, shown to the owners")
        parser.add_argument("--yes", action="store_true", help="make the change")

    def handle(self, *args: Any, **options: Any) -> None:
        kind, key = options["kind"], options["id"]
        try:
            subject = get_subject(kind, key)
            line = [
                subject.name,
                subject.about,
                subject.text,
                subject.state or "public",
                *consequences(subject),
            ]
            self.stdout.write(" · ".join(filter(None, line)))
            if not options["yes"]:
                self.stdout.write("Nothing was changed. Add --yes to make the change.")
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
