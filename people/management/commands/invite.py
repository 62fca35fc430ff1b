"""``manage.py invite``: create an account and a link for choosing its password."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email

from people.services.accounts import invite_account

HOUR = 3600


class Command(BaseCommand):
    help = "Create an account, or a new link for a lost password, on a site that sends no e-mail."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="e-mail address for signing in")
        parser.add_argument("--name", default="", help="the displayed name")

    def handle(self, *args: Any, **options: Any) -> None:
        email = options["email"].strip()
        try:
            validate_email(email)
        except ValidationError as error:
            raise CommandError(f"{email!r} is not a valid e-mail address.") from error
        invitation = invite_account(email=email, name=options["name"])
        self.stdout.write("The account was created." if invitation.is_new else "The account already exists.")
        self.stdout.write(f"Give this link only to {email}. It works once and expires in")
        self.stdout.write(f"{settings.PASSWORD_RESET_TIMEOUT // HOUR} hours:\n\n  {invitation.address}\n")
