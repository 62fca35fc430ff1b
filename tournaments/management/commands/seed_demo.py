"""``manage.py seed_demo``: create the demo club through the services."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from people.models import Club, User
from tournaments.checks.demo import DIRECTOR, OWNER, PASSWORD, make_demo


class Command(BaseCommand):
    help = "Create a demo club with finished, running and upcoming events of every kind."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--if-empty", action="store_true", help="do nothing if any club or account exists"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("The demo cannot be created in production because its password is public.")
        if options["if_empty"] and (Club.objects.exists() or User.objects.exists()):
            self.stdout.write("The site already has data, so the demo was not created.")
            return
        try:
            demo = make_demo(today=timezone.localdate())
        except ValueError as error:
            raise CommandError(f"Nothing was created: {error}.") from error
        self.stdout.write(f"Created {demo.club.name} with {len(demo.events)} events.")
        self.stdout.write(f"Sign in as {DIRECTOR} (director) or {OWNER} (owner), password {PASSWORD}.")
