"""Take a CSV of opening ratings or of old results in; without --apply only check it."""

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from faults import CrawfordError
from people.actors import Actor
from people.messages import describe, describe_all
from people.rows import one_or_none
from rating.models import RatingList
from rating.services.imports import check_openings, check_results, import_openings, import_results
from rating.services.tables import decode


class Command(BaseCommand):
    help = "Check a CSV of opening ratings or of old results; with --apply take it in, all or nothing."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("what", choices=["openings", "results"])
        parser.add_argument("file", type=Path)
        parser.add_argument("--list", required=True, metavar="ID", help="public id of the rating list")
        parser.add_argument("--as-of", type=datetime.fromisoformat, help="day of the opening ratings (today)")
        parser.add_argument("--create-players", action="store_true", help="make players nobody has yet")
        parser.add_argument(
            "--same",
            action="append",
            default=[],
            metavar="ID",
            help="player of another club who is meant by their name",
        )
        parser.add_argument("--again", action="store_true", help="take in again what was taken back")
        parser.add_argument("--apply", action="store_true")

    def handle(self, *_args: Any, **options: Any) -> None:
        rating_list = one_or_none(RatingList.objects.select_related("club").filter(public_id=options["list"]))
        if rating_list is None:
            raise CommandError("no such rating list")
        new: bool = options["create_players"]
        as_of = (options["as_of"] or datetime.now(UTC)).replace(tzinfo=UTC)
        try:
            text = decode(options["file"].read_bytes())
            if options["what"] == "openings":
                report = check_openings(
                    rating_list=rating_list, text=text, as_of=as_of, create_unknown=new, same=options["same"]
                )
            else:
                report = check_results(
                    club=rating_list.club,
                    text=text,
                    create_unknown=new,
                    openings_to=rating_list,
                    same=options["same"],
                )
            for match in report.matches:
                candidates = ", ".join(f"{player} ({club})" for player, club in match.candidates)
                self.stdout.write(f"{match.name}: the same person as {candidates}? Then add --same ID")
            for fault in report.faults:
                self.stderr.write(describe(fault))
            if report.faults:
                raise CommandError(f"{len(report.faults)} fault(s), nothing taken in", returncode=1)
            for note in report.notes:
                self.stdout.write(describe(note))
            scores = f", {report.filled} get their score" if report.filled else ""
            self.stdout.write(f"{report.new} new row(s), {report.known} in the ledger already{scores}")
            if options["apply"]:
                choices = {"create_unknown": new, "again": options["again"], "same": options["same"]}
                self._take(options["what"], rating_list, text, as_of, choices)
        except CrawfordError as error:
            raise CommandError("\n".join(describe_all(error))) from error
        except OSError as error:
            raise CommandError(str(error)) from error

    def _take(
        self, what: str, rating_list: RatingList, text: str, as_of: datetime, choices: dict[str, Any]
    ) -> None:
        actor = Actor.program()
        if what == "openings":
            import_openings(actor=actor, list_id=rating_list.pk, text=text, as_of=as_of, **choices)
        else:
            import_results(
                actor=actor,
                club_id=rating_list.club_id,
                text=text,
                openings_to=rating_list.pk,
                **choices,
            )
        self.stdout.write("taken in; the ratings follow with the next task or rebuild_ratings")
