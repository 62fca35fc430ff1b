"""Search in names of events, places and clubs for all typed words, ignoring accents, case and signs.

Names are folded here, not in the database: the first of a list are searched, and cached folded in the
process.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from names.folding import fold_text

MAX_SEARCHED_ROWS: Final = 2_000  # rows of one kind that are looked through


def folded_words(text: str) -> list[str]:
    """The words of ``text``, folded; none if it consists of signs."""
    return fold_text(text).split()


def matching_ids(words: Iterable[str], rows: Iterable[tuple[int, str]]) -> Iterator[int]:
    """Ids of these rows whose text has every word, in their order."""
    word_list = list(words)
    for pk, text in rows:
        key = _folded(text)
        if all(word in key for word in word_list):
            yield pk


@lru_cache(maxsize=2 * 2 * MAX_SEARCHED_ROWS)
def _folded(text: str) -> str:
    return fold_text(text)
