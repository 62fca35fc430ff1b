"""Search in names of events, places and clubs for all typed words, ignoring accents, case and punctuation.

Names are simplified (``fold_text``) here, not in the database: the first rows of a list are searched, and
their simplified names cached in the process.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from names.folding import fold_text

MAX_SEARCHED_ROWS: Final = 2_000  # rows of one kind that are looked through


def folded_words(text: str) -> list[str]:
    """Return the words of ``text`` without accents, case and punctuation; empty if nothing else is in it."""
    return fold_text(text).split()


def matching_ids(words: Iterable[str], rows: Iterable[tuple[int, str]]) -> Iterator[int]:
    """Yield the ids of those rows whose text contains every word, in the order of the rows."""
    word_list = list(words)
    for pk, text in rows:
        key = _folded(text)
        if all(word in key for word in word_list):
            yield pk


@lru_cache(maxsize=2 * 2 * MAX_SEARCHED_ROWS)
def _folded(text: str) -> str:
    return fold_text(text)
