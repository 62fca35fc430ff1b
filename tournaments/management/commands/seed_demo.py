"""``manage.py seed_demo``: the demo club, made by the services."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from people.models import Club, User
from tournaments.checks.demo import DIRECTOR, OWNER, PASSWORD, make_demo


class Command(BaseCommand):
    help = "Make a demo club with events of every kind: finished, running and upcoming."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--if-empty", action="store_true", help="do nothing if there is a club or an account already"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("This is production, and the password of the demo is known to everybody.")
        if options["if_empty"] and (Club.objects.exists() or User.objects.exists()):
            self.stdout.write("There is data already; the demo was not added.")
            return
        try:
            demo = make_demo(today=timezone.localdate())
        except ValueError as error:
            raise CommandError(f"Nothing was added: {error}.") from error
        self.stdout.write(f"Made {demo.club.name} with {len(demo.events)} events.")
        self.stdout.write(f"Sign in as {DIRECTOR} (director) or {OWNER} (owner), password {PASSWORD}.")
