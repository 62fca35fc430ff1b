"""What django-allauth asks the site while somebody signs in, signs up or changes an account."""

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Accounts, their passwords and their mail."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002 (allauth's signature)
        """Where accounts are invited nobody makes one alone (`manage.py invite`)."""
        return bool(settings.ACCOUNTS == "open")
