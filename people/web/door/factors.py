"""Second factors: whether an account has one, and to which host passkeys are bound."""

from urllib.parse import urlsplit

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest

SECOND_FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]


def has_second_factor(request: HttpRequest) -> bool:
    """Return whether the signed-in user has a second factor; recovery codes alone do not count."""
    return request.user.is_authenticated and bool(is_mfa_enabled(request.user, SECOND_FACTORS))


class MfaAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Rules of this site for django-allauth's second factors."""

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return the host of ``SITE_URL``, to which passkeys are bound, whatever the site's address."""
        host = urlsplit(settings.SITE_URL).hostname or ""
        return {"id": host, "name": f"Crawford · {host}"}
