"""Splitting of a command text into numbers, match numbers, scores and words; every input is valid."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from names.folding import fold_text

MAX_COMMAND_LENGTH: Final = 80
MAX_WORDS: Final = 8
_TOKEN: Final = re.compile(
    r"#\s*(?P<match>\d+)(?!\w)"
    r"|(?<!\S)(?P<a>\d+)\s*[-‐‑–—−:]\s*(?P<b>\d+)(?!\S)"
    r"|(?<!\S)(?P<number>\d+)(?!\S)"
    r"|(?P<word>\S+)"
)
# Separators between names or numbers, without meaning.
_SEPARATORS: Final = frozenset("-‐‑–—−/,;.&+=")


@dataclass(frozen=True, slots=True)
class Number:
    """A bare number in a command text: a table, points, or minutes."""

    value: int


@dataclass(frozen=True, slots=True)
class MatchNumber:
    """A match number in a command text, typed with ``#`` before the number."""

    value: int


@dataclass(frozen=True, slots=True)
class Points:
    """Two numbers with a dash between them, such as ``5-3``."""

    a: int
    b: int


@dataclass(frozen=True, slots=True)
class TextToken:
    """Any other token, in small letters without accents.

    ``letters``: without blanks; ``text``: with blanks in place of punctuation, or the punctuation if there is
    nothing else.
    """

    letters: str
    text: str


Token = Number | MatchNumber | Points | TextToken


def tokenize(line: str) -> list[Token]:
    """Return the tokens of a command text from the left; text beyond `MAX_COMMAND_LENGTH` is ignored."""
    tokens: list[Token] = []
    for part in _TOKEN.finditer(line[:MAX_COMMAND_LENGTH]):
        if part["match"] is not None:
            tokens.append(MatchNumber(int(part["match"])))
        elif part["a"] is not None:
            tokens.append(Points(int(part["a"]), int(part["b"])))
        elif part["number"] is not None:
            tokens.append(Number(int(part["number"])))
        elif not _SEPARATORS.issuperset(part["word"]):
            folded = fold_text(part["word"])
            tokens.append(TextToken(folded.replace(" ", ""), folded or part["word"]))
    return tokens
