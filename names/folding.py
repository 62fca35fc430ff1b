"""Normalise names for searching: ``Søren Łukasz-Weiß`` and ``soren lukasz weiss`` become equal."""

import unicodedata
from functools import lru_cache
from typing import Final

_MAX_CACHED_LENGTH: Final = 40  # longer texts are not cached

# Letters that Unicode does not decompose, as passports and simple keyboards write them (ICAO Doc 9303 has AE
# for æ and OE for ø; people type o for ø), and apostrophe signs that Unicode counts as letters.
_LETTER_MAP: Final = str.maketrans(
    {
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ß": "ss",
        "ı": "i",
        "ħ": "h",
        "ŧ": "t",
        "ŋ": "n",
        "ĸ": "k",
        "ƶ": "z",
        "ɨ": "i",
        "ƀ": "b",
        "ǥ": "g",
        "ə": "e",
        **dict.fromkeys("ʼʻʹʾʿ", " "),
    }
)


def fold_text(text: str) -> str:
    """Return ``text`` without accents, case and punctuation, its words separated by single spaces."""
    return _fold_cached(text) if len(text) <= _MAX_CACHED_LENGTH else _fold(text)


def _fold(text: str) -> str:
    base_letters = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    letters = base_letters.casefold().translate(_LETTER_MAP)
    return " ".join("".join(c if c.isalnum() else " " for c in letters).split())


_fold_cached = lru_cache(maxsize=16_384)(_fold)  # lists repeat the same words


def initials(name: str) -> frozenset[str]:
    """Return the first letters of the words of ``name``, normalised, for an index by letter; no digits.

    >>> sorted(initials("Øyvind van der Łoś 2"))
    ['d', 'l', 'o', 'v']
    """
    return frozenset(word[0] for word in fold_text(name).split() if word[0].isalpha())


def search_key(name: str) -> str:
    """Return ``name`` normalised and with its words sorted.

    The order of first name and surname is ignored.
    """
    return " ".join(sorted(fold_text(name).split()))
