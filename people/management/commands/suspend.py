"""``manage.py suspend``: suspend an account and end its sessions, or lift the suspension."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from faults import CrawfordError
from people.actors import Actor
from people.messages import describe
from people.services.accounts import preview_suspension, suspend_account


class Command(BaseCommand):
    help = "Suspend an account, or lift its suspension. Without --yes, only show what would happen."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="e-mail address of the account")
        parser.add_argument("--lift", action="store_true", help="lift the suspension")
        parser.add_argument(
            "--reason", default="", help="reason for the operators' audit log; required with --yes"
        )
        parser.add_argument("--yes", action="store_true", help="make the change")

    def handle(self, *args: Any, **options: Any) -> None:
        email, lift = options["email"], options["lift"]
        try:
            preview = preview_suspension(email)
            for line in preview.lines(lift=lift):
                self.stdout.write(line)
            if not options["yes"]:
                self.stdout.write("Nothing was changed. Add --yes to make the change.")
                return
            suspend_account(
                actor=Actor.program(), email=email, lifts_suspension=lift, reason=options["reason"]
            )
        except CrawfordError as error:
            raise CommandError(describe(error)) from error
        self.stdout.write("Done.")
