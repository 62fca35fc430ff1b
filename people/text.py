"""Clean names and messages as typed or pasted: single blanks, no invisible characters."""

import re
import unicodedata

from faults import Fault

# Bidirectional controls: in a name they would rearrange the text around it.
_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cs", "Co", "Cn"})
# `https://…`, `www.…` and `example.org/…`, which mail programs and chats turn into links. A name like “bkgm.com” stays possible.
_WEB_ADDRESS = re.compile(r"://|\bwww\.|\w\.[a-z]{2,}/", re.IGNORECASE)


def clean_line(text: str) -> str:
    """Return ``text`` with single blanks, in NFC, without control, private-use and direction characters."""
    collapsed = " ".join(unicodedata.normalize("NFC", text).split())
    visible = "".join(
        c
        for c in collapsed
        if c not in _DIRECTION_MARKS and unicodedata.category(c) not in _INVISIBLE_CATEGORIES
    )
    return " ".join(visible.split())


def clean_paragraphs(text: str) -> str:
    r"""Return ``text`` with its lines cleaned by ``clean_line``, at most one empty line between two.

    >>> clean_paragraphs(" Hi  there \r\n\n\n\nbye")
    'Hi there\n\nbye'
    """
    lines: list[str] = []
    for line in map(clean_line, text.splitlines()):
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip()


def web_address_faults(name: str, field: str | None = "name") -> list[Fault]:
    """Return a fault if ``name`` contains a web address: names appear in mail, feeds and other pages.

    >>> [fault.code for fault in web_address_faults("Cheap chips at chips.example/win")]
    ['name.web_address']
    >>> web_address_faults("St. Gallen/Winterthur 2.0")
    []
    """
    return [Fault("name.web_address", field)] if _WEB_ADDRESS.search(name) else []
