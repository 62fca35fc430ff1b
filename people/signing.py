"""Signatures of the site: a JSON document in canonical form, and its Ed25519 signature.

**Canonical** is JSON with sorted keys, without blanks, of texts, integers, booleans, null, lists and objects
only: without fractions, which programs write differently (such numbers are texts). For these it equals RFC
8785 and `jq -cS`.

The key is derived from ``SIGNING_KEY``, or from the site's secret where that is empty, so every process of
the site has it without further storage. A stored signature has its public key beside it
(``current_public_key``), so that signatures by a former key can still be checked.
"""

import base64
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key
from django.conf import settings

from faults import Fault

ALGORITHM: Final = "Ed25519"
_PURPOSE: Final = b"crawford: what the site signs, 1"
_PUBLIC_LENGTH: Final = 32


class SignatureMismatch(Exception):
    """A file differs from what was signed; ``fault`` is the reason."""

    def __init__(self, code: str, **params: str) -> None:
        super().__init__(code)
        self.fault = Fault(code, None, params)


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature in base64, and its public key (32 bytes in base64url, without padding)."""

    value: str
    key: str


def canonical_json(value: Any) -> bytes:
    """Return ``value`` as the bytes to sign. Raises ``TypeError`` for values without a unique form.

    >>> canonical_json({"b": [1, None], "a": "x"})
    b'{"a":"x","b":[1,null]}'
    """
    _refuse_fractions(value)
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()


def _refuse_fractions(value: Any) -> None:
    if isinstance(value, float):
        raise TypeError("a number with a fraction is a text in a signed document")
    if isinstance(value, dict):
        for part in value.values():
            _refuse_fractions(part)
    elif isinstance(value, list | tuple):
        for part in value:
            _refuse_fractions(part)


def sign(document: bytes) -> Signature:
    """Return the site's signature of these bytes."""
    key = _private_key(settings.SIGNING_KEY, settings.SECRET_KEY)
    return Signature(base64.b64encode(key.sign(document)).decode(), _encode_key(key.public_key()))


def is_valid_signature(document: bytes, *, value: str, key: str) -> bool:
    """Return whether ``value`` is the signature of these bytes by the holder of the public ``key``."""
    try:
        _decode_key(key).verify(base64.b64decode(value, validate=True), document)
    except (InvalidSignature, ValueError):
        return False
    return True


def current_public_key() -> str:
    """Return the public key of the private key with which the site signs now."""
    return _encode_key(_private_key(settings.SIGNING_KEY, settings.SECRET_KEY).public_key())


@lru_cache(maxsize=4)
def _private_key(signing_key: str, secret_key: str) -> Ed25519PrivateKey:
    secret = signing_key or secret_key
    key_bytes = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(secret.encode())
    return Ed25519PrivateKey.from_private_bytes(key_bytes)


def _encode_key(key: Ed25519PublicKey) -> str:
    raw = key.public_bytes(Encoding.Raw, PublicFormat.Raw)
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _decode_key(key: str) -> Ed25519PublicKey:
    """Decode a public key. Raises ``ValueError`` if it is not valid."""
    raw = base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
    if len(raw) != _PUBLIC_LENGTH:
        raise ValueError("not a public key of Ed25519")
    return Ed25519PublicKey.from_public_bytes(raw)


def key_id(key: str) -> str:
    """Return the id of a public key: its RFC 7638/8037 thumbprint, shortened to 16 characters."""
    thumbprint_input = canonical_json({"crv": ALGORITHM, "kty": "OKP", "x": key})
    return base64.urlsafe_b64encode(hashlib.sha256(thumbprint_input).digest()).decode()[:16]


def key_set(keys: Iterable[str]) -> dict[str, Any]:
    """Return public keys as a JSON Web Key Set (RFC 7517, 8037), each in PEM as well for OpenSSL."""
    return {
        "keys": [
            {
                "kty": "OKP",
                "crv": ALGORITHM,
                "use": "sig",
                "kid": key_id(key),
                "x": key,
                "pem": _decode_key(key)
                .public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
                .decode(),
            }
            for key in keys
        ]
    }


def parse_keys(text: str) -> list[str]:
    """Return the public keys in ``text``, a JSON key set or PEM. Raises ``ValueError`` if there is none."""
    if text.lstrip().startswith("-----BEGIN"):
        key = load_pem_public_key(text.encode())
        if not isinstance(key, Ed25519PublicKey):
            raise ValueError("not a public key of Ed25519")
        return [_encode_key(key)]
    parsed = json.loads(text)
    keys = (
        [key_entry["x"] for key_entry in parsed["keys"]]
        if isinstance(parsed, dict) and "keys" in parsed
        else []
    )
    for key in keys:
        _decode_key(key)
    if not keys:
        raise ValueError("no key")
    return keys


def signed_file(document: bytes, signature: Signature) -> bytes:
    """Return the file to download: canonical JSON with the ``document`` and its ``signature``."""
    signature_fields = {"algorithm": ALGORITHM, "key": key_id(signature.key), "value": signature.value}
    return b'{"document":' + document + b',"signature":' + canonical_json(signature_fields) + b"}"


def check_file(content: bytes, keys: Iterable[str]) -> dict[str, Any]:
    """Return the document of a downloaded file if it is unchanged and signed by one of ``keys``.

    Raises ``SignatureMismatch`` otherwise.
    """
    key_by_id = {key_id(key): key for key in keys}
    try:
        parsed = json.loads(content)
        document, signature = parsed["document"], parsed["signature"]
        stated_id, value = signature["key"], signature["value"]
        is_canonical = canonical_json(parsed) == content
        if not isinstance(document, dict) or not isinstance(stated_id, str) or not isinstance(value, str):
            raise TypeError
    except (ValueError, TypeError, KeyError, RecursionError):
        raise SignatureMismatch("signing.unreadable") from None
    if signature != {"algorithm": ALGORITHM, "key": stated_id, "value": value} or len(parsed) != 2:
        raise SignatureMismatch("signing.unreadable")
    if stated_id not in key_by_id:
        raise SignatureMismatch("signing.other_key", key=stated_id)
    try:
        _decode_key(key_by_id[stated_id]).verify(
            base64.b64decode(value, validate=True), canonical_json(document)
        )
    except (InvalidSignature, ValueError):  # also for base64 with characters other than ASCII
        raise SignatureMismatch("signing.changed") from None
    if not is_canonical:
        raise SignatureMismatch("signing.rewritten")
    return document
