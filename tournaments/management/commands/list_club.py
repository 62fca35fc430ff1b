"""``manage.py list_club``: list the events of a new club on the site now."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from faults import CrawfordError
from people.actors import Actor
from people.messages import describe
from people.selectors import visible_club
from people.services.clubs import list_events_at_once


class Command(BaseCommand):
    help = "List the events of a new club on the front page now, without waiting for NEW_CLUB_DAYS."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", help="public ID, from the address of the club's page")
        parser.add_argument("--reason", required=True, help="reason for the operators' audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            club = visible_club(options["club"])
            list_events_at_once(actor=Actor.program(), club_id=club.pk, reason=options["reason"])
        except CrawfordError as error:
            raise CommandError(describe(error)) from error
        self.stdout.write(f"The events of {club.name} are now listed.")
