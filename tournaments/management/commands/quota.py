"""``manage.py quota``: show the limits of an account or club, and set custom ones."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from faults import CrawfordError, Missing
from people.actors import Actor
from people.messages import describe
from people.models import Club, User
from people.selectors import account_with_email, visible_club
from people.services.quotas import set_allowance
from tournaments.selectors.operators.quotas import quota_use


class Command(BaseCommand):
    help = (
        "Show the limits of an account or club, or set a custom limit. "
        "A lower limit does not remove anything that exists."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("owner", help="e-mail address of an account, or public ID of a club")
        parser.add_argument("quota", nargs="?", help="name of the limit, as shown")
        parser.add_argument(
            "amount", nargs="?", help="the custom limit, or “usual” to remove it and use the site's setting"
        )
        parser.add_argument("--reason", default="", help="reason for the operators' audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            owner = _owner(options["owner"])
            if options["quota"] is not None:
                set_allowance(
                    actor=Actor.program(),
                    owner=owner,
                    quota=options["quota"],
                    amount=_parse_amount(options["amount"]),
                    reason=options["reason"],
                )
        except CrawfordError as error:
            raise CommandError(describe(error)) from error
        for usage in quota_use(owner):
            used = "" if usage.used is None else f"{usage.used} of "
            default_note = (
                f" (usual limit: {usage.quota.default_amount})" if usage.allowed is not None else ""
            )
            period = " per day" if usage.quota.is_daily else ""
            self.stdout.write(f"{usage.quota.code:<12} {used}{usage.limit}{period}{default_note}")


def _owner(name: str) -> User | Club:
    if "@" not in name:
        return visible_club(name)
    account = account_with_email(name)
    if account is None:
        raise Missing("account.unknown")
    return account


def _parse_amount(text: str | None) -> int | None:
    if text == "usual":
        return None
    if text is None or not (text.isascii() and text.isdecimal() and len(text) < 10):
        message = "Enter a number or “usual”."
        raise CommandError(message)
    return int(text)
