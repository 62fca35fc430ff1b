"""Random public names for rows, what a URL shows instead of a database id, and secrets of which a hash alone is kept.

Twelve characters of a 32-letter alphabet (Crockford's base 32: no I, L, O, U) carry 60 bits, so they can neither be
guessed nor counted. They are names, not secrets: whoever holds one may see no more than the page behind it allows.
"""

import hashlib
import secrets

SECRET_BYTES = 32
MAX_ID_DIGITS = 16  # of the largest number of a row: all stay below 2^53 (docs/decisions/0088)
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
PUBLIC_ID_LENGTH = 12


def new_public_id() -> str:
    """A fresh public id of ``MATCH_LENGTH_POINTS`` characters."""
    return "".join(secrets.choice(ALPHABET) for _ in range(PUBLIC_ID_LENGTH))


def new_secret() -> str:
    """256 random bits as 64 hexadecimal digits; nobody is shown them before they are used."""
    return secrets.token_hex(SECRET_BYTES)


def parse_row_id(text: str) -> int:
    """The database id that a form or an address sends; 0, which no row has, for whatever is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MAX_ID_DIGITS else 0


def hash_token(token: str) -> str:
    """What is kept of a secret that a link carries. Whatever is no text is the hash of something that nobody was given."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
