"""Texts that have every word somebody typed, accents, case and signs left aside: names of events, of places and of clubs.

They are folded here, not in the database: the first of a list are looked through, and kept folded in the process.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from names.folding import fold_text

MAX_SEARCHED_ROWS: Final = 2_000  # rows of one kind that are looked through


def folded_words(text: str) -> list[str]:
    """The words of ``text``, folded; none in signs alone."""
    return fold_text(text).split()


def matching_ids(words: Iterable[str], rows: Iterable[tuple[int, str]]) -> Iterator[int]:
    """The ids of these rows whose text has every word, in their order."""
    asked = list(words)
    for pk, text in rows:
        key = _folded(text)
        if all(word in key for word in asked):
            yield pk


@lru_cache(maxsize=2 * 2 * MAX_SEARCHED_ROWS)
def _folded(text: str) -> str:
    return fold_text(text)
