"""Template context of account pages that depends on the site's settings."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def sign_in_settings(_request: HttpRequest) -> dict[str, Any]:
    """Return the context ``door``, a dictionary.

    ``open``: anyone may sign up; ``mail``: the site sends mail; ``passkeys``: passkeys can be used;
    ``contact``: the operator's.
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
