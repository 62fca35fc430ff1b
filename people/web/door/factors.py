"""Second factors: who has one, and what a passkey is bound to."""

from urllib.parse import urlsplit

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest

SECOND_FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]


def has_second_factor(request: HttpRequest) -> bool:
    """Whether whoever is signed in has set one up. Recovery codes alone are none."""
    return request.user.is_authenticated and bool(is_mfa_enabled(request.user, SECOND_FACTORS))


class MfaAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """What django-allauth asks the site about second factors."""

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Passkeys are bound to the host of ``SITE_URL``, however the site was opened."""
        host = urlsplit(settings.SITE_URL).hostname or ""
        return {"id": host, "name": f"Crawford · {host}"}
