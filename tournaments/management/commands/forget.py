"""``manage.py forget``: delete what is past its retention period (docs/running.md). Also runs every hour."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.site.services.retention import RULES, apply_rule, due_counts


class Command(BaseCommand):
    help = "Delete data whose retention period is over, and print how much was deleted. With --dry-run, only print it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["dry_run"]:
            counts = dict(due_counts())
            for code, count in counts.items():
                self.stdout.write(f"{code}: {count} to delete")
        else:
            counts = {}
            for rule in RULES:  # printed as soon as it is done
                counts[rule.code] = apply_rule(rule)
                self.stdout.write(f"{rule.code}: {counts[rule.code]} deleted")
        self.stdout.write(f"{sum(counts.values())} rows in total.")
