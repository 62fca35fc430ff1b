"""Fold names for finding: ``Søren Łukasz-Weiß`` and ``soren lukasz weiss`` are the same letters to whoever types them."""

import unicodedata
from functools import lru_cache
from typing import Final

_MAX_CACHED_LENGTH: Final = 40  # longer texts are not worth keeping

# Letters that no decomposition of Unicode takes apart, as passports and keyboards without them write them (ICAO Doc 9303
# has AE for æ and OE for ø; people type o for ø), and the signs that stand for an apostrophe and count as letters.
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
    """``text`` without accents, case and signs, single blanks between words, in the order written."""
    return _fold_cached(text) if len(text) <= _MAX_CACHED_LENGTH else _fold(text)


def _fold(text: str) -> str:
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    letters = plain.casefold().translate(_LETTER_MAP)
    return " ".join("".join(c if c.isalnum() else " " for c in letters).split())


_fold_cached = lru_cache(maxsize=16_384)(_fold)  # lists ask for the same words again and again


def initials(name: str) -> frozenset[str]:
    """The letters with which the words of ``name`` begin, folded: by any of them a list is opened at it. Digits are no letters.

    >>> sorted(initials("Øyvind van der Łoś 2"))
    ['d', 'l', 'o', 'v']
    """
    return frozenset(word[0] for word in fold_text(name).split() if word[0].isalpha())


def search_key(name: str) -> str:
    """``name`` folded for finding, its words sorted: the order of first name and surname does not matter."""
    return " ".join(sorted(fold_text(name).split()))
