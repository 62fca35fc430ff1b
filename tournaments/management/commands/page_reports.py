"""``manage.py page_reports``: list page reports of visitors, and mark them as handled."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from faults import CrawfordError
from people.actors import Actor
from people.messages import describe
from tournaments.operators.services.reports import answer_report
from tournaments.selectors.operators.lists import page_reports


class Command(BaseCommand):
    help = "List open page reports, or close or reopen one. Each line of the list begins with the ID of the report."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("report", nargs="?", help="ID of a report")
        parser.add_argument("--note", default="", help="what was done")
        parser.add_argument(
            "--again",
            action="store_true",
            help="reopen the report; without a report, list the closed ones",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        reopen = options["again"]
        if options["report"] is None:
            for row in page_reports(handled=reopen):
                self.stdout.write(f"{row.public_id}  {row.made_at:%Y-%m-%d %H:%M}  {row.page}  {row.text}")
            return
        try:
            answer_report(
                actor=Actor.program(), public_id=options["report"], note=options["note"], handled=not reopen
            )
        except CrawfordError as error:
            raise CommandError(describe(error)) from error
        self.stdout.write("Done.")
