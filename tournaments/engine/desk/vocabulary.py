"""The words of the desk line, in every language of the site: the one table that the reader and the help page are made from.

A director types the words of the language that the page is in; the English ones are understood in all of them. No word
stands for two things in one vocabulary (`tests/unit/engine/test_desk_words.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from tournaments.engine.desk.names import foldings

ENGLISH: Final = "en"


class Word(StrEnum):
    """What a word of the line stands for."""

    WALKOVER = "walkover"
    CALL = "call"
    LATE = "late"
    OUT = "out"
    SWAP = "swap"
    UNDO = "undo"
    HELP = "help"


# The first of each is the one that is shown and printed.
WORDS: Final[Mapping[str, Mapping[Word, tuple[str, ...]]]] = {
    ENGLISH: {
        Word.WALKOVER: ("w/o", "wo", "walkover", "walk-over"),
        Word.CALL: ("call",),
        Word.LATE: ("late",),
        Word.OUT: ("out", "withdraw"),
        Word.SWAP: ("swap",),
        Word.UNDO: ("undo",),
        Word.HELP: ("?", "help"),
    },
    "de": {
        Word.WALKOVER: ("kampflos",),
        Word.CALL: ("ruf", "rufe", "aufruf", "aufrufen"),
        Word.LATE: ("spät", "verspätet"),
        Word.OUT: ("raus", "abmelden"),
        Word.SWAP: ("tausch", "tausche", "tauschen"),
        Word.UNDO: ("zurück", "rückgängig"),
        Word.HELP: ("?", "hilfe"),
    },
}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of one language: by their folded writing, and the one to show for each."""

    known: Mapping[str, Word]
    shown: Mapping[Word, str]


@cache
def vocabulary(language: str) -> Vocabulary:
    """The words that are understood on a page in ``language``. A language without a table speaks English."""
    own = WORDS.get(language.split("-", maxsplit=1)[0].lower(), WORDS[ENGLISH])
    known = {
        written: word
        for table in (WORDS[ENGLISH], own)
        for word, words in table.items()
        for text in words
        for written in foldings(text)
    }
    return Vocabulary(known, {word: words[0] for word, words in own.items()})


@dataclass(frozen=True, slots=True)
class Form:
    """One kind of line. ``example`` with the word to show in the place of ``{}``; ``code`` finds its words for the help page."""

    code: str
    example: str
    word: Word | None = None

    def written(self, words: Vocabulary) -> str:
        """The example in a language."""
        return self.example.format(words.shown[self.word] if self.word is not None else "")


# Every kind of line there is, in the order of the help page. In the examples Bob Smith plays Ann Lind, to 7, at table 12: match 74.
FORMS: Final = (
    Form("winner", "12 bob"),
    Form("loser_points", "12 bob 3"),
    Form("as_on_the_slip", "12 7-3"),
    Form("by_name", "bob 7 3"),
    Form("by_number", "#74 bob 3"),
    Form("walkover", "#74 {} ann", Word.WALKOVER),
    Form("call_next", "{}", Word.CALL),
    Form("call_match", "{} 9", Word.CALL),
    Form("late", "{} bob 12", Word.LATE),
    Form("out", "{} bob", Word.OUT),
    Form("swap", "{} 3 9", Word.SWAP),
    Form("undo", "{}", Word.UNDO),
    Form("help", "{}", Word.HELP),
)
