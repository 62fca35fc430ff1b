"""Compute rating lists anew from the ledger, or compare the stored lists with a fresh computation."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rating.models import RatingList
from rating.services import check_list, rebuild_list

MAX_PRINTED = 100


class Command(BaseCommand):
    help = "Recalculate rating lists from the ledger. With --check, only compare, and exit with 1 if anything differs."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--list",
            action="append",
            default=[],
            metavar="ID",
            help="public ID of a list (default: all); can be repeated",
        )
        parser.add_argument(
            "--check", action="store_true", help="print differences without changing anything"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        lists = RatingList.objects.order_by("pk")
        if options["list"]:
            lists = lists.filter(public_id__in=options["list"])
            unknown_ids = set(options["list"]) - set(lists.values_list("public_id", flat=True))
            if unknown_ids:
                raise CommandError(f"Rating list not found: {', '.join(sorted(unknown_ids))}")
        difference_count = 0
        for rating_list in lists:
            if options["check"]:
                difference_count += self._check(rating_list)
            else:
                self._rebuild(rating_list)
        if difference_count:
            raise CommandError(f"Differences: {difference_count}", returncode=1)

    def _check(self, rating_list: RatingList) -> int:
        differences = check_list(list_id=rating_list.pk)
        for difference in differences[:MAX_PRINTED]:
            self.stdout.write(
                f"{rating_list.public_id} {difference.what} {difference.where}:"
                f" stored {difference.stored}, calculated {difference.computed}"
            )
        self.stdout.write(
            f"{rating_list.public_id} {rating_list.name}: differences found: {len(differences)}"
        )
        return len(differences)

    def _rebuild(self, rating_list: RatingList) -> None:
        generation = rebuild_list(list_id=rating_list.pk, started_by="rebuild_ratings")
        if generation is None:
            raise CommandError(f"{rating_list.public_id} is already being rebuilt.")
        self.stdout.write(f"{rating_list.public_id} {rating_list.name}: {generation.total} results rated")
