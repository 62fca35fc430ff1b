"""Random public ids of database rows, used in URLs, and secrets of which only a hash is stored.

Twelve characters of a 32-letter alphabet (Crockford's base 32: no I, L, O, U) have 60 bits, so ids can be
neither guessed nor counted. They are names and not secrets: an id grants no more than the page behind it
allows.
"""

import hashlib
import secrets

SECRET_BYTES = 32
MAX_ID_DIGITS = 16  # of the largest row id: all stay below 2^53 (docs/decisions/0088)
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
PUBLIC_ID_LENGTH = 12


def new_public_id() -> str:
    """Return a new public id of ``PUBLIC_ID_LENGTH`` characters."""
    return "".join(secrets.choice(ALPHABET) for _ in range(PUBLIC_ID_LENGTH))


def new_secret() -> str:
    """Return 256 random bits as 64 hexadecimal digits."""
    return secrets.token_hex(SECRET_BYTES)


def parse_row_id(text: str) -> int:
    """Return the database id in ``text``, from a form or address; 0, which no row has, if it is not valid."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MAX_ID_DIGITS else 0


def hash_token(token: str) -> str:
    """Return the hash that is stored for the secret ``token`` of a link.

    Unencodable text matches no secret.
    """
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
