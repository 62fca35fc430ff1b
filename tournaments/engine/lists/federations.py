"""Heads of columns that hold what another body knows somebody by: ``USBGF #``, ``DBgF-Nr``, ``WBF rating``."""

import re
from typing import Final

_NUMBERED: Final = re.compile(
    r"\s*([A-Za-z]{3,10})[\s\-_./:]*(?:member(?:ship)?|mitglieds?|licen[cs]e|lizenz)?[\s\-_./:]*"
    r"(?:#|№|id|no|nr|num|number|nummer|numero|licen[cs]e|lizenz)\.?\s*",
    re.IGNORECASE,
)
_RATED: Final = re.compile(
    r"\s*([A-Za-z]{3,10})[\s\-_./:]*(?:rating|ratings|elo|wertung|wertungszahl)\s*", re.IGNORECASE
)
_NOBODY: Final = frozenset({"ELO", "RATING", "NAME", "CLUB", "TEAM", "PHONE", "TEL", "ORDER", "MEMBER"})
_CAPITALS: Final = 2  # a body is written in capitals, at least so many


def numbered_by(head: str) -> str:
    """The body whose numbers stand below this head; empty where it names none.

    >>> numbered_by("USBGF #"), numbered_by("DBgF-Nr."), numbered_by("Member no")
    ('USBGF', 'DBgF', '')
    """
    return _body(_NUMBERED.fullmatch(head))


def rated_by(head: str) -> str:
    """The body whose ratings stand below this head; empty where it names none.

    >>> rated_by("WBF rating"), rated_by("Elo rating")
    ('WBF', '')
    """
    return _body(_RATED.fullmatch(head))


def _body(found: re.Match[str] | None) -> str:
    if found is None:
        return ""
    name = found.group(1)
    capitals = sum(letter.isupper() for letter in name)
    return name if capitals >= _CAPITALS and name.upper() not in _NOBODY else ""
