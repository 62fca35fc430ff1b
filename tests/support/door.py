"""Who is signed in, without a form to send; second factors without a phone in the hand."""

import time
from datetime import timedelta
from typing import ClassVar

from allauth.mfa.app_settings import TOTP_PERIOD
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from allauth.mfa.webauthn.internal.auth import WebAuthn
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from django.utils.crypto import get_random_string
from fido2.cose import CoseKey
from fido2.utils import websafe_encode
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData

from people.models import User


def sign_in(client: Client, user: User) -> None:
    """The browser has a session of this account, as from an earlier day: nothing that follows a sign-in happens. One statement
    instead of the eight of ``force_login``, in every third test.
    """
    session = Session.objects.create(
        session_key=get_random_string(32),
        session_data=SessionStore().encode(
            {
                SESSION_KEY: str(user.pk),
                BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
                HASH_SESSION_KEY: user.get_session_auth_hash(),
            }
        ),
        expire_date=timezone.now() + timedelta(days=14),
    )
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key


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


def with_key(user: User) -> Authenticator:
    """A key that is on the list, and that nobody has in the hand."""
    point = {1: 2, 3: -7, -1: 1, -2: b"x" * 32, -3: b"y" * 32}
    credential = AttestedCredentialData.create(Aaguid(b"a" * 16), b"an-id", CoseKey.parse(point))
    flags = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV | AuthenticatorData.FLAG.AT
    seen = AuthenticatorData.create(b"r" * 32, flags, 1, credential)
    response = {
        "clientDataJSON": websafe_encode(b'{"type": "webauthn.create", "challenge": "", "origin": ""}'),
        "attestationObject": websafe_encode(AttestationObject.create("none", seen, {})),
    }
    kept = {"id": "YW4taWQ", "rawId": "YW4taWQ", "type": "public-key", "response": response}
    return WebAuthn.add(user, "Key ring", kept).instance


def code_for(secret: str, later: int = 0) -> str:
    """What the app shows now, or will show so many half minutes later. A code works once, and one half minute early or late."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // TOTP_PERIOD + later)))
