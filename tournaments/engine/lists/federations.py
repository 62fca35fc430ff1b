"""Column headers that name a federation's numbers or ratings: ``USBGF #``, ``DBgF-Nr``, ``WBF rating``."""

import re
from typing import Final

_NUMBER_HEADER: Final = re.compile(
    r"\s*([A-Za-z]{3,10})[\s\-_./:]*(?:member(?:ship)?|mitglieds?|licen[cs]e|lizenz)?[\s\-_./:]*"
    r"(?:#|№|id|no|nr|num|number|nummer|numero|licen[cs]e|lizenz)\.?\s*",
    re.IGNORECASE,
)
_RATING_HEADER: Final = re.compile(
    r"\s*([A-Za-z]{3,10})[\s\-_./:]*(?:rating|ratings|elo|wertung|wertungszahl)\s*", re.IGNORECASE
)
_NOT_FEDERATIONS: Final = frozenset(
    {"ELO", "RATING", "NAME", "CLUB", "TEAM", "PHONE", "TEL", "ORDER", "MEMBER"}
)
_MIN_CAPITALS: Final = 2  # abbreviations of bodies have at least so many capitals


def number_federation(head: str) -> str:
    """Return the federation whose member numbers a column with this header holds; empty if it names none.

    >>> number_federation("USBGF #"), number_federation("DBgF-Nr."), number_federation("Member no")
    ('USBGF', 'DBgF', '')
    """
    return _federation_code(_NUMBER_HEADER.fullmatch(head))


def rating_federation(head: str) -> str:
    """Return the federation whose ratings a column with this header holds; empty if it names none.

    >>> rating_federation("WBF rating"), rating_federation("Elo rating")
    ('WBF', '')
    """
    return _federation_code(_RATING_HEADER.fullmatch(head))


def _federation_code(match: re.Match[str] | None) -> str:
    if match is None:
        return ""
    name = match.group(1)
    capitals = sum(letter.isupper() for letter in name)
    return name if capitals >= _MIN_CAPITALS and name.upper() not in _NOT_FEDERATIONS else ""
