"""``manage.py quota``: how much an account or club may have, and more (or less) of it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from faults import CrawfordError, Missing
from people.actors import Actor
from people.messages import describe
from people.models import Club, User
from people.selectors import account_with, visible_club
from people.services.quotas import set_allowance
from tournaments.selectors.operators.quotas import quota_use


class Command(BaseCommand):
    help = (
        "Show the quotas of an account (its address) or a club (the id in its address), or allow it another number of one. "
        "What it has stays, whatever the number."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("owner", help="address of an account, or id of a club")
        parser.add_argument("quota", nargs="?", help="which one, as shown")
        parser.add_argument(
            "amount", nargs="?", help="how many; “usual” for as many as everybody, from the settings"
        )
        parser.add_argument("--reason", default="", help="kept in the operators' trail")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            owner = _owner(options["owner"])
            if options["quota"] is not None:
                set_allowance(
                    actor=Actor.program(),
                    owner=owner,
                    quota=options["quota"],
                    amount=_amount(options["amount"]),
                    reason=options["reason"],
                )
        except CrawfordError as error:
            raise CommandError(describe(error)) from error
        for use in quota_use(owner):
            have = "" if use.have is None else f"{use.have} of "
            raised = f" (everybody else: {use.quota.usual})" if use.allowed is not None else ""
            day = " a day" if use.quota.a_day else ""
            self.stdout.write(f"{use.quota.code:<12} {have}{use.limit}{day}{raised}")


def _owner(name: str) -> User | Club:
    if "@" not in name:
        return visible_club(name)
    found = account_with(name)
    if found is None:
        raise Missing("account.unknown")
    return found


def _amount(text: str | None) -> int | None:
    if text == "usual":
        return None
    if text is None or not (text.isascii() and text.isdecimal() and len(text) < 10):
        message = "Say how many, or “usual”."
        raise CommandError(message)
    return int(text)
