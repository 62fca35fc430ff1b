"""What the pages of accounts say differently from site to site."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def sign_in_settings(_request: HttpRequest) -> dict[str, Any]:
    """``door.open``: whoever comes may make an account; ``door.mail``: the site sends mail; ``door.passkeys``: it has a name that
    passkeys can be bound to. ``door.contact``: whom to ask who runs the site.
    """
    passkeys = "webauthn" in settings.MFA_SUPPORTED_TYPES
    return {
        "door": {
            "open": settings.ACCOUNTS == "open",
            "mail": settings.MAIL_WORKS,
            "passkeys": passkeys,
            "contact": settings.OPERATOR_CONTACT,
        }
    }
