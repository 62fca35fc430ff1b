"""Which rating system would have foretold a list's own results best."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from people.rows import one_or_none
from rating.formulas.forecasts import COIN
from rating.models import RatingList
from rating.selectors.comparison import FEWEST, MOST, Comparison, compare_systems
from rating.web.explain import SYSTEM_NAMES


class Command(BaseCommand):
    help = "Foretell the results of a list by every rating system, each before it is rated; the best system comes first."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--list", required=True, metavar="ID", help="public id of a list")
        parser.add_argument(
            "--most", type=int, default=MOST, help=f"newest results to look at (usual: {MOST})"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        rating_list = one_or_none(RatingList.objects.filter(public_id=options["list"]))
        if rating_list is None:
            raise CommandError(f"no such rating list: {options['list']}")
        if options["most"] < 1:
            raise CommandError("--most must be 1 or more")
        self._print(rating_list, compare_systems(rating_list, most=options["most"]))

    def _print(self, rating_list: RatingList, found: Comparison) -> None:
        self.stdout.write(
            f"{rating_list.name}: {found.judged} results foretold, {found.learnt} before them to learn from."
        )
        if not found.tells_enough:
            self.stdout.write(f"That is fewer than {FEWEST}: which system comes first is chance.")
        if not found.systems:
            return
        self.stdout.write(
            "Log-loss: less is better; who says fifty-fifty each time has "
            f"{COIN:.4f}. Favourites: chance foretold > how often they won (matches)."
        )
        for one in found.systems:
            bands = "  ".join(f"{band.foretold:.0%} > {band.came:.0%} ({band.count})" for band in one.bands)
            mark = "*" if one.is_the_lists else " "
            self.stdout.write(f"{mark} {one.log_loss:.4f}  {SYSTEM_NAMES[one.system]}\n    {bands}")
        self.stdout.write("* the list's own system, with its own settings; the others with their usual ones.")
