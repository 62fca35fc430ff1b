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
    RETIRED = "retired"
    ON_TIME = "on_time"
    FORFEIT = "forfeit"
    DISQUALIFIED = "disqualified"
    SETTLED = "settled"
    NOBODY = "nobody"
    UNFINISHED = "unfinished"
    CONFIRM = "confirm"
    CALL = "call"
    START = "start"
    BACK = "back"
    ADJOURN = "adjourn"
    RESUME = "resume"
    LATE = "late"
    CLOCK = "clock"
    OFF = "off"
    OUT = "out"
    SWAP = "swap"
    SAY = "say"
    UNDO = "undo"
    HELP = "help"


# The first of each is the one that is shown and printed.
WORDS: Final[Mapping[str, Mapping[Word, tuple[str, ...]]]] = {
    ENGLISH: {
        Word.WALKOVER: ("w/o", "wo", "walkover", "walk-over"),
        Word.RETIRED: ("ret", "retired", "retires"),
        Word.ON_TIME: ("time", "on-time", "flagged"),
        Word.FORFEIT: ("forfeit", "forfeits"),
        Word.DISQUALIFIED: ("dsq", "dq", "disqualified"),
        Word.SETTLED: ("settled", "agreed"),
        Word.NOBODY: ("nobody", "dwo"),
        Word.UNFINISHED: ("unfinished",),
        Word.CONFIRM: ("ok", "confirm"),
        Word.CALL: ("call",),
        Word.START: ("start", "started"),
        Word.BACK: ("back", "send-back"),
        Word.ADJOURN: ("adjourn", "adjourned"),
        Word.RESUME: ("resume", "resumed"),
        Word.LATE: ("late",),
        Word.CLOCK: ("clock",),
        Word.OFF: ("off",),
        Word.OUT: ("out", "withdraw"),
        Word.SWAP: ("swap",),
        Word.SAY: ("say", "announce"),
        Word.UNDO: ("undo",),
        Word.HELP: ("?", "help"),
    },
    "de": {
        Word.WALKOVER: ("kampflos",),
        Word.RETIRED: ("aufgabe", "aufgegeben"),
        Word.ON_TIME: ("zeit", "zeitüberschreitung"),
        Word.FORFEIT: ("verzicht", "verzichtet"),
        Word.DISQUALIFIED: ("dsq", "disqualifiziert", "ausschluss"),
        Word.SETTLED: ("vereinbart", "geeinigt"),
        Word.NOBODY: ("niemand", "keiner"),
        Word.UNFINISHED: ("unbeendet", "abbruch"),
        Word.CONFIRM: ("ok", "stimmt", "bestätigen"),
        Word.CALL: ("ruf", "rufe", "aufruf", "aufrufen"),
        Word.START: ("start", "los"),
        Word.BACK: ("wartet", "zurückschicken"),
        Word.ADJOURN: ("vertagen", "vertagt"),
        Word.RESUME: ("weiter", "fortsetzen"),
        Word.LATE: ("spät", "verspätet"),
        Word.CLOCK: ("uhr",),
        Word.OFF: ("weg", "ab"),
        Word.OUT: ("raus", "abmelden"),
        Word.SWAP: ("tausch", "tausche", "tauschen"),
        Word.SAY: ("sag", "sage", "ansage"),
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
    """One kind of line. ``example`` with the word to show in the place of ``{}``, ``{clock}`` with that word; ``code`` finds its words for the help page."""

    code: str
    example: str
    word: Word | None = None

    def written(self, words: Vocabulary) -> str:
        """The example in a language."""
        own = words.shown[self.word] if self.word is not None else ""
        return self.example.format(own, clock=words.shown[Word.CLOCK])


# Every kind of line there is, in the order of the help page. In the examples Bob Smith plays Ann Lind, to 7, at table 12: match 74.
FORMS: Final = (
    Form("winner", "12 bob"),
    Form("loser_points", "12 bob 3"),
    Form("as_on_the_slip", "12 7-3"),
    Form("by_name", "bob 7 3"),
    Form("by_number", "#74 bob 3"),
    Form("walkover", "#74 {} ann", Word.WALKOVER),
    Form("retired", "12 {} bob 3-2", Word.RETIRED),
    Form("on_time", "12 {} bob 3-2", Word.ON_TIME),
    Form("forfeit", "12 {} bob", Word.FORFEIT),
    Form("disqualified", "12 {} bob", Word.DISQUALIFIED),
    Form("settled", "12 {} ann 5-3", Word.SETTLED),
    Form("nobody", "12 {}", Word.NOBODY),
    Form("unfinished", "12 {} 5-3", Word.UNFINISHED),
    Form("confirm_all", "{}", Word.CONFIRM),
    Form("confirm", "12 {}", Word.CONFIRM),
    Form("decide", "12 {} ann", Word.CONFIRM),
    Form("call_next", "{}", Word.CALL),
    Form("call_match", "{} 9", Word.CALL),
    Form("start", "{} 9", Word.START),
    Form("back", "{} 9", Word.BACK),
    Form("adjourn", "{} 12 5-3", Word.ADJOURN),
    Form("resume", "{} #74", Word.RESUME),
    Form("late", "{} bob 12", Word.LATE),
    Form("clock", "{} 12", Word.CLOCK),
    Form("clock_at", "{} 12 5-3", Word.CLOCK),
    Form("clock_off", "{clock} 12 {}", Word.OFF),
    Form("out", "{} bob", Word.OUT),
    Form("swap", "{} 3 9", Word.SWAP),
    Form("say", "{} coffee is ready", Word.SAY),
    Form("undo", "{}", Word.UNDO),
    Form("help", "{}", Word.HELP),
)
