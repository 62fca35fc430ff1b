"""Comparison of typed words with a name: prefixes of the name's words in any order, or its initials."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from names.folding import fold_text

_SEPARATORS: Final = re.compile(r"[\W_]+")
_MAX_PARTS: Final = 12
# Transliterations in German, the Nordic languages and Serbo-Croatian.
_TRANSLITERATIONS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "đ": "dj"})


@lru_cache(maxsize=8192)
def folded_forms(text: str) -> frozenset[str]:
    """Return all spellings of a text in small letters without accents: "Müller" is "muller" and "mueller".

    A text of punctuation only is unchanged.
    """
    composed = unicodedata.normalize("NFC", text.casefold())
    return frozenset(
        fold_text(spelling) or spelling for spelling in (text, composed.translate(_TRANSLITERATIONS))
    )


def plain_word(word: str) -> str:
    """Return a word of a name without hyphens, apostrophes and similar signs."""
    return _SEPARATORS.sub("", word)


Parts = tuple[frozenset[str], ...]


@lru_cache(maxsize=8192)
def _name_parts(name: str) -> tuple[tuple[Parts, ...], frozenset[str], str]:
    """Return the ways to split a name into words, its initials, and all spellings of its words in one text.

    A name is split at hyphens and apostrophes, or at spaces only; each word is a set of its spellings. In the
    text each spelling follows a blank.
    """
    whole_words = name.split()[:_MAX_PARTS]
    split_words = [word for word in _SEPARATORS.split(name) if word][:_MAX_PARTS]
    variants = []
    for words in (split_words, [plain_word(word) for word in whole_words]):
        parts = tuple(folded_forms(word) for word in words if word)
        if parts and parts not in variants:
            variants.append(parts)
    if len(split_words) > 1 and any(word.isdecimal() for word in split_words):
        variants.append(
            (folded_forms("".join(split_words)),)
        )  # "Lions 2" is also "lions2": a bare number is no part of a name
    initials = {"".join(min(part)[:1] for part in parts) for parts in variants}
    spellings = "".join(f" {spelling}" for parts in variants for part in parts for spelling in part)
    return tuple(variants), frozenset(first for first in initials if len(first) > 1), spellings


def matches_name(typed: Sequence[str], name: str) -> bool:
    """Return whether the typed words can mean the person or team called ``name``.

    Each typed word must begin a different word of the name; a single typed word may also be its initials.
    """
    if not typed or not all(typed):
        return False
    variants, initials, spellings = _name_parts(name)
    if len(typed) == 1:
        return f" {typed[0]}" in spellings or typed[0] in initials
    if not all(f" {word}" in spellings for word in typed):
        return False
    return any(_has_distinct_parts(typed, parts) for parts in variants)


def _has_distinct_parts(typed: Sequence[str], parts: Parts) -> bool:
    """Return whether the typed words begin different words of the name (by augmenting paths)."""
    if len(typed) > len(parts):
        return False
    candidate_places = [
        [place for place, part in enumerate(parts) if any(spelling.startswith(word) for spelling in part)]
        for word in typed
    ]
    word_by_place: dict[int, int] = {}

    def seat(word: int, tried_places: set[int]) -> bool:
        for place in candidate_places[word]:
            if place not in tried_places:
                tried_places.add(place)
                if place not in word_by_place or seat(word_by_place[place], tried_places):
                    word_by_place[place] = word
                    return True
        return False

    return all(seat(word, set()) for word in range(len(typed)))
