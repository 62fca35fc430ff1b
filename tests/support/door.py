"""Second factors without a phone in the hand."""

import time
from typing import ClassVar

from allauth.mfa.app_settings import TOTP_PERIOD
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.contrib.auth.hashers import MD5PasswordHasher

from people.models import User


class CountingHasher(MD5PasswordHasher):
    """Keeps what it was given to hash."""

    algorithm = "counted"
    seen: ClassVar[list[str]] = []

    def encode(self, password: str, salt: str) -> str:
        self.seen.append(password)
        return super().encode(password, salt)


def with_second_factor(user: User) -> str:
    """An authenticator app for this account; its secret."""
    secret = str(generate_totp_secret())
    TOTP.activate(user, secret)
    return secret


def code_for(secret: str, ago: int = 0) -> str:
    """What the app shows now, or showed so many half minutes ago. A code works once."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // TOTP_PERIOD - ago)))
