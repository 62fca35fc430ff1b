"""``manage.py page_reports``: what visitors reported, and that it was handled."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from faults import CrawfordError
from people.actors import Actor
from people.messages import describe
from tournaments.operators.services.reports import answer_report
from tournaments.selectors.operators.lists import reports


class Command(BaseCommand):
    help = "List the reports of pages that are open, or close one (its id is what the list begins with), or open it again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("report", nargs="?", help="id of a report")
        parser.add_argument("--note", default="", help="what was done about it")
        parser.add_argument(
            "--again",
            action="store_true",
            help="open it again; without a report: list those that were handled",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        again = options["again"]
        if options["report"] is None:
            for row in reports(handled=again):
                self.stdout.write(f"{row.public_id}  {row.made_at:%Y-%m-%d %H:%M}  {row.page}  {row.text}")
            return
        try:
            answer_report(
                actor=Actor.program(), public_id=options["report"], note=options["note"], handled=not again
            )
        except CrawfordError as error:
            raise CommandError(describe(error)) from error
        self.stdout.write("Done.")
