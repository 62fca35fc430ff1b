"""The words of the command bar in all languages of the site, used by the parser and the help page.

A director types the words of the page's language; English words are accepted in all languages. No word has
two meanings in one vocabulary (`tests/unit/engine/test_desk_words.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from tournaments.engine.desk.names import folded_forms

ENGLISH: Final = "en"


class CommandWord(StrEnum):
    """The command words, each by its code, which is the same in all languages."""

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


# The first of each is shown and printed.
WORDS: Final[Mapping[str, Mapping[CommandWord, tuple[str, ...]]]] = {
    ENGLISH: {
        CommandWord.WALKOVER: ("w/o", "wo", "walkover", "walk-over"),
        CommandWord.RETIRED: ("ret", "retired", "retires"),
        CommandWord.ON_TIME: ("time", "on-time", "flagged"),
        CommandWord.FORFEIT: ("forfeit", "forfeits"),
        CommandWord.DISQUALIFIED: ("dsq", "dq", "disqualified"),
        CommandWord.SETTLED: ("settled", "agreed"),
        CommandWord.NOBODY: ("nobody", "dwo"),
        CommandWord.UNFINISHED: ("unfinished",),
        CommandWord.CONFIRM: ("ok", "confirm"),
        CommandWord.CALL: ("call",),
        CommandWord.START: ("start", "started"),
        CommandWord.BACK: ("back", "send-back"),
        CommandWord.ADJOURN: ("adjourn", "adjourned"),
        CommandWord.RESUME: ("resume", "resumed"),
        CommandWord.LATE: ("late",),
        CommandWord.CLOCK: ("clock",),
        CommandWord.OFF: ("off",),
        CommandWord.OUT: ("out", "withdraw"),
        CommandWord.SWAP: ("swap",),
        CommandWord.SAY: ("say", "announce"),
        CommandWord.UNDO: ("undo",),
        CommandWord.HELP: ("?", "help"),
    },
    "de": {
        CommandWord.WALKOVER: ("kampflos",),
        CommandWord.RETIRED: ("aufgabe", "aufgegeben"),
        CommandWord.ON_TIME: ("zeit", "zeitüberschreitung"),
        CommandWord.FORFEIT: ("verzicht", "verzichtet"),
        CommandWord.DISQUALIFIED: ("dsq", "disqualifiziert", "ausschluss"),
        CommandWord.SETTLED: ("vereinbart", "geeinigt"),
        CommandWord.NOBODY: ("niemand", "keiner"),
        CommandWord.UNFINISHED: ("unbeendet", "abbruch"),
        CommandWord.CONFIRM: ("ok", "stimmt", "bestätigen"),
        CommandWord.CALL: ("ruf", "rufe", "aufruf", "aufrufen"),
        CommandWord.START: ("start", "los"),
        CommandWord.BACK: ("wartet", "zurückschicken"),
        CommandWord.ADJOURN: ("vertagen", "vertagt"),
        CommandWord.RESUME: ("weiter", "fortsetzen"),
        CommandWord.LATE: ("spät", "verspätet"),
        CommandWord.CLOCK: ("uhr",),
        CommandWord.OFF: ("weg", "ab"),
        CommandWord.OUT: ("raus", "abmelden"),
        CommandWord.SWAP: ("tausch", "tausche", "tauschen"),
        CommandWord.SAY: ("sag", "sage", "ansage"),
        CommandWord.UNDO: ("zurück", "rückgängig"),
        CommandWord.HELP: ("?", "hilfe"),
    },
}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The command words of one language.

    ``known``: the command word for each accepted spelling (small letters, no accents); ``shown``: the
    spelling to show for each command word.
    """

    known: Mapping[str, CommandWord]
    shown: Mapping[CommandWord, str]


@cache
def vocabulary_for(language: str) -> Vocabulary:
    """Return the words accepted on a page in ``language``: its own and the English ones.

    A language without words of its own has the English ones only.
    """
    own_words = WORDS.get(language.split("-", maxsplit=1)[0].lower(), WORDS[ENGLISH])
    word_by_spelling = {
        spelling: word
        for table in (WORDS[ENGLISH], own_words)
        for word, words in table.items()
        for text in words
        for spelling in folded_forms(text)
    }
    return Vocabulary(word_by_spelling, {word: words[0] for word, words in own_words.items()})


@dataclass(frozen=True, slots=True)
class CommandExample:
    """An example on the help page of the command bar.

    ``example``: its text, with ``{}`` for the command word and ``{clock}`` for the word for a clock;
    ``code``: key of its description.
    """

    code: str
    example: str
    word: CommandWord | None = None

    def written(self, words: Vocabulary) -> str:
        """Return the text of the example with the command words of a language."""
        word = words.shown[self.word] if self.word is not None else ""
        return self.example.format(word, clock=words.shown[CommandWord.CLOCK])


# Examples of all commands in the order of the help page. Bob Smith plays Ann Lind, to 7, at table 12: match
# 74.
EXAMPLES: Final = (
    CommandExample("winner", "12 bob"),
    CommandExample("loser_points", "12 bob 3"),
    CommandExample("as_on_the_slip", "12 7-3"),
    CommandExample("by_name", "bob 7 3"),
    CommandExample("by_number", "#74 bob 3"),
    CommandExample("walkover", "#74 {} ann", CommandWord.WALKOVER),
    CommandExample("retired", "12 {} bob 3-2", CommandWord.RETIRED),
    CommandExample("on_time", "12 {} bob 3-2", CommandWord.ON_TIME),
    CommandExample("forfeit", "12 {} bob", CommandWord.FORFEIT),
    CommandExample("disqualified", "12 {} bob", CommandWord.DISQUALIFIED),
    CommandExample("settled", "12 {} ann 5-3", CommandWord.SETTLED),
    CommandExample("nobody", "12 {}", CommandWord.NOBODY),
    CommandExample("unfinished", "12 {} 5-3", CommandWord.UNFINISHED),
    CommandExample("confirm_all", "{}", CommandWord.CONFIRM),
    CommandExample("confirm", "12 {}", CommandWord.CONFIRM),
    CommandExample("decide", "12 {} ann", CommandWord.CONFIRM),
    CommandExample("call_next", "{}", CommandWord.CALL),
    CommandExample("call_match", "{} 9", CommandWord.CALL),
    CommandExample("start", "{} 9", CommandWord.START),
    CommandExample("back", "{} 9", CommandWord.BACK),
    CommandExample("adjourn", "{} 12 5-3", CommandWord.ADJOURN),
    CommandExample("resume", "{} #74", CommandWord.RESUME),
    CommandExample("late", "{} bob 12", CommandWord.LATE),
    CommandExample("clock", "{} 12", CommandWord.CLOCK),
    CommandExample("clock_at", "{} 12 5-3", CommandWord.CLOCK),
    CommandExample("clock_off", "{clock} 12 {}", CommandWord.OFF),
    CommandExample("out", "{} bob", CommandWord.OUT),
    CommandExample("swap", "{} 3 9", CommandWord.SWAP),
    CommandExample("say", "{} coffee is ready", CommandWord.SAY),
    CommandExample("undo", "{}", CommandWord.UNDO),
    CommandExample("help", "{}", CommandWord.HELP),
)
