"""Web push messages: encrypted for one browser (RFC 8291), signed by the site (RFC 8292).

The push service, run by the browser's maker, learns the time, the length and the browser of a message, and
not its content. The site's key is derived from ``PUSH_KEY``, or from the site's secret where that is empty,
so every process has it without further storage.
"""

import base64
import binascii
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    derive_private_key,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

from faults import Fault

MAX_MESSAGE_BYTES: Final = 3000  # push services take 3993 at least
MAX_ENDPOINT_LENGTH: Final = 1000
SIGNATURE_SECONDS: Final = 12 * 3600  # a day at most by RFC 8292
_RECORD_BYTES: Final = 4096
_PURPOSE: Final = b"crawford: push messages, 1"
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve
_POINT_BYTES, _SECRET_BYTES = 65, 16  # bytes
_HTTPS_PORT: Final = 443


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser's push subscription: the endpoint, and the keys ``p256dh`` and ``auth`` in base64url."""

    endpoint: str
    p256dh: str
    auth: str


def check_browser(browser: Browser) -> Fault | None:
    """Return the fault of a push subscription: invalid keys, or an endpoint of no known push service.

    None if it is valid. Known services are those of ``PUSH_SERVICES``: no other server is ever contacted.
    """
    try:
        EllipticCurvePublicKey.from_encoded_point(
            SECP256R1(), _decode_base64url(browser.p256dh, _POINT_BYTES)
        )
        _decode_base64url(browser.auth, _SECRET_BYTES)
    except ValueError:
        return Fault("push.keys")
    return None if is_known_endpoint(browser.endpoint) else Fault("push.service")


def is_known_endpoint(endpoint: str) -> bool:
    """Return whether this is an https address of a known push service, without user name and password."""
    if (
        len(endpoint) > MAX_ENDPOINT_LENGTH
        or not endpoint.isascii()
        or not endpoint.isprintable()
        or " " in endpoint
    ):
        return False
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if parts.scheme != "https" or "@" in parts.netloc or parts.fragment:
        return False
    return any(_is_service_host(host, port or _HTTPS_PORT, service) for service in settings.PUSH_SERVICES)


def _is_service_host(host: str, port: int, service: str) -> bool:
    """Return whether ``host`` is the host of ``service`` or a subdomain, at the port of ``service`` (443)."""
    name, _colon, port_text = service.partition(":")
    return port == int(port_text or _HTTPS_PORT) and (host == name or host.endswith(f".{name}"))


def site_key() -> str:
    """Return the public key of the site as browsers need it (``applicationServerKey``)."""
    return _encode_base64url(_encode_point(_private_key(settings.PUSH_KEY, settings.SECRET_KEY)))


def authorization_header(endpoint: str, now: float) -> str:
    """Return the ``Authorization`` header for the push service at ``endpoint``.

    Valid for ``SIGNATURE_SECONDS`` from ``now``, in seconds since 1970.
    """
    parts = urlsplit(endpoint)
    contact = settings.OPERATOR_CONTACT
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(now) + SIGNATURE_SECONDS,
        "sub": contact if "://" in contact else f"mailto:{contact}",
    }
    token = f"{_encode_json({'typ': 'JWT', 'alg': 'ES256'})}.{_encode_json(claims)}"
    key = _private_key(settings.PUSH_KEY, settings.SECRET_KEY)
    signature_values = decode_dss_signature(key.sign(token.encode(), ECDSA(SHA256())))
    signature = b"".join(part.to_bytes(32, "big") for part in signature_values)
    return f"vapid t={token}.{_encode_base64url(signature)}, k={site_key()}"


def encrypt_message(
    message: bytes, browser: Browser, *, key: EllipticCurvePrivateKey | None = None, salt: bytes = b""
) -> bytes:
    """Return ``message`` encrypted for ``browser``, as a body with ``Content-Encoding: aes128gcm``.

    Raises ``ValueError`` for invalid keys, and for a message of more than ``MAX_MESSAGE_BYTES`` bytes.
    ``key`` and ``salt`` are new for each message unless given, as in the example of RFC 8291.
    """
    if len(message) > MAX_MESSAGE_BYTES:
        raise ValueError(f"a message of {len(message)} bytes")
    browser_key = _decode_base64url(browser.p256dh, _POINT_BYTES)
    key, salt = key or generate_private_key(SECP256R1()), salt or os.urandom(16)
    own_key = _encode_point(key)
    shared_secret = key.exchange(ECDH(), EllipticCurvePublicKey.from_encoded_point(SECP256R1(), browser_key))
    auth = _decode_base64url(browser.auth, _SECRET_BYTES)
    secret = _derive_key(auth, shared_secret, b"WebPush: info\0" + browser_key + own_key, 32)
    content_key = _derive_key(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive_key(salt, secret, b"Content-Encoding: nonce\0", 12)
    header = salt + _RECORD_BYTES.to_bytes(4, "big") + len(own_key).to_bytes(1, "big") + own_key
    return header + AESGCM(content_key).encrypt(nonce, message + b"\x02", None)


def _derive_key(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)


@lru_cache(maxsize=4)
def _private_key(push_key: str, secret_key: str) -> EllipticCurvePrivateKey:
    key_bytes = HKDF(algorithm=SHA256(), length=48, salt=None, info=_PURPOSE).derive(
        (push_key or secret_key).encode()
    )
    return derive_private_key(int.from_bytes(key_bytes, "big") % (_ORDER - 1) + 1, SECP256R1())


def _encode_point(key: EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _encode_json(value: Mapping[str, object]) -> str:
    return _encode_base64url(json.dumps(value, separators=(",", ":")).encode())


def _encode_base64url(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def _decode_base64url(text: str, length: int) -> bytes:
    """Decode base64url. Raises ``ValueError`` unless it is valid and ``length`` bytes long."""
    try:
        decoded = base64.b64decode(
            text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), b"-_", validate=True
        )
    except (binascii.Error, ValueError):
        raise ValueError("not base64url") from None
    if len(decoded) != length:
        raise ValueError(f"{len(decoded)} bytes where {length} belong")
    return decoded
