"""Whether what was typed can be meant for a name: beginnings of its words in any order, or its initials."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from names.folding import fold_text

_SEPARATORS: Final = re.compile(r"[\W_]+")
_MAX_PARTS: Final = 12
# As German, the Nordic languages and Serbo-Croatian write them where a letter is missing.
_TRANSLITERATIONS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "đ": "dj"})


@lru_cache(maxsize=8192)
def folded_forms(text: str) -> frozenset[str]:
    """Every plain way to write it: “Müller” is “muller” and “mueller”. Signs alone stay as they are."""
    composed = unicodedata.normalize("NFC", text.casefold())
    return frozenset(fold_text(way) or way for way in (text, composed.translate(_TRANSLITERATIONS)))


def plain_word(word: str) -> str:
    """A word of a name without hyphens, apostrophes and the like, as it is typed."""
    return _SEPARATORS.sub("", word)


Parts = tuple[frozenset[str], ...]


@lru_cache(maxsize=8192)
def _name_parts(name: str) -> tuple[tuple[Parts, ...], frozenset[str], str]:
    """The words of a name, each in its plain writings: once taken apart at hyphens and apostrophes, once not; its initials; and
    all writings in one text, each behind a blank.
    """
    whole = name.split()[:_MAX_PARTS]
    apart = [word for word in _SEPARATORS.split(name) if word][:_MAX_PARTS]
    ways = []
    for words in (apart, [plain_word(word) for word in whole]):
        parts = tuple(folded_forms(word) for word in words if word)
        if parts and parts not in ways:
            ways.append(parts)
    if len(apart) > 1 and any(word.isdecimal() for word in apart):
        ways.append(
            (folded_forms("".join(apart)),)
        )  # “Lions 2” is “lions2”, too: a bare number is no part of a name
    firsts = {"".join(min(part)[:1] for part in parts) for parts in ways}
    every = "".join(f" {written}" for parts in ways for part in parts for written in part)
    return tuple(ways), frozenset(first for first in firsts if len(first) > 1), every


def can_mean(typed: Sequence[str], name: str) -> bool:
    """Whether every typed word begins a word of its own in ``name``, or they are its initials (“bs” is Bob Smith)."""
    if not typed or not all(typed):
        return False
    ways, initials, every = _name_parts(name)
    if len(typed) == 1:
        return f" {typed[0]}" in every or typed[0] in initials
    if not all(f" {word}" in every for word in typed):
        return False
    return any(_has_distinct_parts(typed, parts) for parts in ways)


def _has_distinct_parts(typed: Sequence[str], parts: Parts) -> bool:
    """Whether the typed words can be given different words of the name (a matching by augmenting paths)."""
    if len(typed) > len(parts):
        return False
    begins = [
        [place for place, part in enumerate(parts) if any(written.startswith(word) for written in part)]
        for word in typed
    ]
    taken: dict[int, int] = {}

    def seat(word: int, tried: set[int]) -> bool:
        for place in begins[word]:
            if place not in tried:
                tried.add(place)
                if place not in taken or seat(taken[place], tried):
                    taken[place] = word
                    return True
        return False

    return all(seat(word, set()) for word in range(len(typed)))
