"""``manage.py suspend``: an account that may do nothing any more, and is signed in nowhere; and the same taken back."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from faults import CrawfordError
from people.actors import Actor
from people.messages import describe
from people.services.accounts import suspend, suspension_of


class Command(BaseCommand):
    help = "Suspend an account, or let it in again. Without --yes it only tells what would happen."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="the address it signs in with")
        parser.add_argument("--lift", action="store_true", help="let it in again")
        parser.add_argument("--reason", default="", help="kept in the operators' trail; needed to do it")
        parser.add_argument("--yes", action="store_true", help="do it")

    def handle(self, *args: Any, **options: Any) -> None:
        email, lift = options["email"], options["lift"]
        try:
            found = suspension_of(email)
            for line in found.lines(lift=lift):
                self.stdout.write(line)
            if not options["yes"]:
                self.stdout.write("Nothing was done. Add --yes to do it.")
                return
            suspend(actor=Actor.program(), email=email, lift=lift, reason=options["reason"])
        except CrawfordError as error:
            raise CommandError(describe(error)) from error
        self.stdout.write("Done.")
