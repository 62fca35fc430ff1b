"""``manage.py invite``: an account for somebody, and the link by which they choose its password."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email

from people.services.accounts import invite

HOUR = 3600


class Command(BaseCommand):
    help = (
        "Make an account, or a new link for somebody who has lost the password, where the site sends no mail."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="the address to sign in with")
        parser.add_argument("--name", default="", help="the name that others read")

    def handle(self, *args: Any, **options: Any) -> None:
        email = options["email"].strip()
        try:
            validate_email(email)
        except ValidationError as error:
            raise CommandError(f"{email!r} is no e-mail address.") from error
        invitation = invite(email=email, name=options["name"])
        self.stdout.write("A new account." if invitation.is_new else "The account is there already.")
        self.stdout.write(f"Hand this link to {email} and to nobody else. It works once, for")
        self.stdout.write(f"{settings.PASSWORD_RESET_TIMEOUT // HOUR} hours:\n\n  {invitation.address}\n")
