"""Names and messages as people type and paste them, made fit to be shown: single blanks, nothing invisible."""

import re
import unicodedata

from faults import Fault

# Marks that turn the direction of the text around them: in a name they would rearrange the page it stands on.
_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cs", "Co", "Cn"})
# `https://…`, `www.…` and `example.org/…`: what mail programs and chats turn into a link. A name like “bkgm.com” stays possible.
_WEB_ADDRESS = re.compile(r"://|\bwww\.|\w\.[a-z]{2,}/", re.IGNORECASE)


def clean_line(text: str) -> str:
    """``text`` with single blanks, composed characters (NFC), and without control, private and direction characters."""
    blanks = " ".join(unicodedata.normalize("NFC", text).split())
    seen = "".join(
        c
        for c in blanks
        if c not in _DIRECTION_MARKS and unicodedata.category(c) not in _INVISIBLE_CATEGORIES
    )
    return " ".join(seen.split())


def clean_paragraphs(text: str) -> str:
    r"""``text`` with its lines as they are, each as `clean_line` makes it, and at most one empty line between two.

    >>> clean_paragraphs(" Hi  there \r\n\n\n\nbye")
    'Hi there\n\nbye'
    """
    lines: list[str] = []
    for line in map(clean_line, text.splitlines()):
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip()


def web_address_faults(name: str, field: str | None = "name") -> list[Fault]:
    """A fault where ``name`` holds a web address: names appear in mail, feeds and other people's pages.

    >>> [fault.code for fault in web_address_faults("Cheap chips at chips.example/win")]
    ['name.web_address']
    >>> web_address_faults("St. Gallen/Winterthur 2.0")
    []
    """
    return [Fault("name.web_address", field)] if _WEB_ADDRESS.search(name) else []
