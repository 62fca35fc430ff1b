"""Compare how well the rating systems would have predicted a list's own results."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from people.rows import one_or_none
from rating.formulas.forecasts import COIN_LOG_LOSS
from rating.models import RatingList
from rating.selectors.comparison import MAX_RESULTS, MIN_RESULTS, SystemComparison, compare_systems
from rating.web.explain import SYSTEM_NAMES


class Command(BaseCommand):
    help = "Compare how well each rating system predicts the results of a list before they are rated, best system first."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--list", required=True, metavar="ID", help="public ID of a list")
        parser.add_argument(
            "--most",
            type=int,
            default=MAX_RESULTS,
            help=f"number of most recent results to compare (default: {MAX_RESULTS})",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        rating_list = one_or_none(RatingList.objects.filter(public_id=options["list"]))
        if rating_list is None:
            raise CommandError(f"Rating list not found: {options['list']}")
        if options["most"] < 1:
            raise CommandError("--most must be at least 1.")
        self._print(rating_list, compare_systems(rating_list, limit=options["most"]))

    def _print(self, rating_list: RatingList, comparison: SystemComparison) -> None:
        self.stdout.write(
            f"{rating_list.name}: {comparison.judged_count} results predicted, after {comparison.training_count} earlier ones to learn from."
        )
        if not comparison.has_enough_results:
            self.stdout.write(
                f"With fewer than {MIN_RESULTS} results, the order of the systems is down to chance."
            )
        if not comparison.systems:
            return
        self.stdout.write(
            "Log-loss: lower is better; predicting 50% each time gives "
            f"{COIN_LOG_LOSS:.4f}. Favourites: predicted chance > share of wins (matches)."
        )
        for forecast in comparison.systems:
            bands = "  ".join(
                f"{band.mean_chance:.0%} > {band.win_share:.0%} ({band.count})" for band in forecast.bands
            )
            marker = "*" if forecast.is_own_system else " "
            self.stdout.write(
                f"{marker} {forecast.log_loss:.4f}  {SYSTEM_NAMES[forecast.system]}\n    {bands}"
            )
        self.stdout.write("* The list's own system with its settings; the other systems use their defaults.")
