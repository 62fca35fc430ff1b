"""Decoding of bytes to text, with the limits of size and the encodings for all readers.

A record is read as a whole, so its size must be limited first. Limits of games and actions are here, too, so
that all formats share them.
"""

from __future__ import annotations

import codecs

from games.records.errors import UnreadableRecord

MAX_BYTES = 4_000_000
MAX_GAMES = 1_000
MAX_ACTIONS = 20_000
MAX_LINES = 200_000
MAX_LINE = 2_000
MAX_TAGS = 200
MAX_NAME = 200
MAX_UNPACKED = 40_000_000

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def check_size(data: bytes) -> None:
    if not data.strip(b"\0 \r\n\t"):
        raise UnreadableRecord("file.empty")
    if len(data) > MAX_BYTES:
        raise UnreadableRecord("file.too_big", {"bytes": len(data), "limit": MAX_BYTES})


def decode_text(data: bytes) -> str:
    """Return the text of a file: by its byte order mark, else as UTF-8 if valid, else as Windows-1252."""
    if data.startswith(codecs.BOM_UTF8):
        return data[3:].decode("utf-8", errors="replace")
    if data.startswith(_UTF16):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def replace_lone_surrogates(text: str) -> str:
    r"""Return text from JSON with lone surrogates (RFC 8259, 8.2) replaced and NUL removed.

    >>> replace_lone_surrogates("A\ud800da\0")
    'A�da'
    """
    return text.replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def looks_binary(data: bytes) -> bool:
    """Return whether these bytes cannot be the text of a record."""
    head = data[:4096]
    return not data.startswith(_UTF16) and b"\0" in head
