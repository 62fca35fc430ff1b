"""Import a CSV file of opening ratings or of old results; without --apply only check it."""

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from faults import CrawfordError
from names.public_page import PublicPage
from people.actors import Actor
from people.messages import describe, describe_all
from people.rows import one_or_none
from rating.models import RatingList
from rating.services.imports import check_openings, check_results, import_openings, import_results
from rating.services.tables import decode_table


class Command(BaseCommand):
    help = "Check a CSV file of opening ratings or old results; with --apply, import all of it or nothing."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "what", choices=["openings", "results"], help="content of the file: opening ratings or results"
        )
        parser.add_argument("file", type=Path, help="the CSV file")
        parser.add_argument("--list", required=True, metavar="ID", help="public ID of the rating list")
        parser.add_argument(
            "--as-of", type=datetime.fromisoformat, help="date of the opening ratings (default: today)"
        )
        parser.add_argument("--create-players", action="store_true", help="create players for unknown names")
        parser.add_argument(
            "--public-page",
            choices=[page.value for page in PublicPage],
            default=PublicPage.WITH_DRAW.value,
            help="from when created players are public: first public draw, now (they agreed), or never",
        )
        parser.add_argument(
            "--same",
            action="append",
            default=[],
            metavar="ID",
            help="public ID of the player from another club who is meant by a name; can be repeated",
        )
        parser.add_argument("--again", action="store_true", help="import rows again that were removed")
        parser.add_argument("--apply", action="store_true", help="import the file if it has no errors")

    def handle(self, *_args: Any, **options: Any) -> None:
        rating_list = one_or_none(RatingList.objects.select_related("club").filter(public_id=options["list"]))
        if rating_list is None:
            raise CommandError("Rating list not found.")
        create_unknown: bool = options["create_players"]
        as_of = (options["as_of"] or datetime.now(UTC)).replace(tzinfo=UTC)
        try:
            text = decode_table(options["file"].read_bytes())
            if options["what"] == "openings":
                report = check_openings(
                    rating_list=rating_list,
                    text=text,
                    as_of=as_of,
                    create_unknown=create_unknown,
                    same=options["same"],
                )
            else:
                report = check_results(
                    club=rating_list.club,
                    text=text,
                    create_unknown=create_unknown,
                    openings_to=rating_list,
                    same=options["same"],
                )
            for match in report.matches:
                candidates = ", ".join(f"{player} ({club})" for player, club in match.candidates)
                self.stdout.write(f"{match.name} may be {candidates}. If so, add --same ID.")
            for fault in report.faults:
                self.stderr.write(describe(fault))
            if report.faults:
                raise CommandError(f"Errors: {len(report.faults)}. Nothing was imported.", returncode=1)
            for note in report.notes:
                self.stdout.write(describe(note))
            scores = f", scores added: {report.filled}" if report.filled else ""
            self.stdout.write(f"New rows: {report.new}, already in the ledger: {report.known}{scores}.")
            if options["apply"]:
                choices = {
                    "create_unknown": create_unknown,
                    "again": options["again"],
                    "same": options["same"],
                    "public_page": PublicPage(options["public_page"]),
                }
                self._import(options["what"], rating_list, text, as_of, choices)
        except CrawfordError as error:
            raise CommandError("\n".join(describe_all(error))) from error
        except OSError as error:
            raise CommandError(str(error)) from error

    def _import(
        self, table_kind: str, rating_list: RatingList, text: str, as_of: datetime, choices: dict[str, Any]
    ) -> None:
        actor = Actor.program()
        if table_kind == "openings":
            import_openings(actor=actor, list_id=rating_list.pk, text=text, as_of=as_of, **choices)
        else:
            import_results(
                actor=actor,
                club_id=rating_list.club_id,
                text=text,
                openings_to=rating_list.pk,
                **choices,
            )
        self.stdout.write(
            "Imported. The ratings are updated by the next background task, or by rebuild_ratings."
        )
