"""The desk line: what a director types, read against what is on the desk.

Total and never a guess: every line has a reading, and a line that can mean two things means both, so that somebody chooses. A word of
the line that is also somebody's name is read both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from tournaments.engine.brackets.correction import absence_claim
from tournaments.engine.desk.names import may_mean, plain_word
from tournaments.engine.desk.results import line_of, matches_at, meant_by, nobody_there, read_result
from tournaments.engine.desk.tokens import LINE_LIMIT, MOST_WORDS, Number, Token, Typed, tokens_of
from tournaments.engine.desk.values import (
    CallMatch,
    CallNext,
    Desk,
    DeskMatch,
    Help,
    Late,
    Meaning,
    Out,
    Reading,
    Refused,
    Result,
    Swap,
    Understood,
    Undo,
    refused,
)
from tournaments.engine.desk.vocabulary import Vocabulary, Word
from tournaments.engine.matches.rulings import MOST_MINUTES, Award, Why, check_award, lateness_penalty
from tournaments.engine.statuses import MatchAction, allowed_actions
from tournaments.engine.types import ResultKind, Side

_TWO: Final = 2
NAME_SHOWN: Final = 40
WORDS_SHOWN: Final = 4


def asks_for_entries(line: str, words: Vocabulary) -> bool:
    """Whether the line can be about somebody who leaves: only then the desk needs all entries."""
    return first_word(tokens_of(line), words) is Word.OUT


def first_word(tokens: Sequence[Token], words: Vocabulary) -> Word | None:
    """What the line begins with, if that is one of its words."""
    first = tokens[0] if tokens else None
    return words.known.get(first.text) if isinstance(first, Typed) else None


def read(line: str, words: Vocabulary, desk: Desk) -> Reading:
    """Everything that ``line`` can mean now, or why it means nothing."""
    if len(line) > LINE_LIMIT:
        return refused("desk.too_long", limit=LINE_LIMIT)
    tokens = tokens_of(line)
    if not tokens:
        return refused("desk.empty")
    typed = [one for one in tokens if isinstance(one, Typed)]
    odd = [one for one in typed if one.text not in words.known and not any(c.isalpha() for c in one.letters)]
    if odd or len(typed) > MOST_WORDS:
        return refused("desk.unreadable", part=odd[0].text if odd else " ".join(one.text for one in typed))
    word = first_word(tokens, words)
    command = _COMMANDS.get(word) if word is not None else None
    as_result = read_result(tokens, words, desk)
    if command is None:
        return as_result
    as_command = command(tokens[1:], desk)
    both: list[Meaning] = [
        meaning
        for reading in (as_command, as_result)
        if isinstance(reading, Understood)
        for meaning in reading.meanings
    ]
    return Understood(tuple(both)) if both else as_command


def _call(rest: Sequence[Token], desk: Desk) -> Reading:
    if not rest:
        return Understood((CallNext(),))
    line = line_of(rest)
    if line is None or line.points:
        return refused("desk.usage", word=Word.CALL.value)
    found: list[DeskMatch] = []
    if line.names:
        meant = meant_by(line, desk)
        if isinstance(meant, Refused):
            return meant
        found = list(dict.fromkeys(match for match, _side in meant))
    elif line.where is not None:
        found = matches_at(line.where, desk)
        if not found:
            return nobody_there(line.where, desk)
    ready = [match for match in found if MatchAction.CALL in allowed_actions(match.status)]
    return Understood(tuple(map(CallMatch, ready))) if ready else refused("desk.not_to_call", found[0])


def _late(rest: Sequence[Token], desk: Desk) -> Reading:
    line = line_of(rest)
    if line is None or not line.names:
        return refused("desk.usage", word=Word.LATE.value)
    meant = meant_by(line, desk)
    if isinstance(meant, Refused):
        return meant
    if len(line.points) != 1:
        return refused("desk.how_late", meant[0][0])
    readings = [_how_late(match, side, line.points[0]) for match, side in meant]
    meanings = tuple(one for one in readings if not isinstance(one, Refused))
    return Understood(meanings) if meanings else next(one for one in readings if isinstance(one, Refused))


def _how_late(match: DeskMatch, side: Side, minutes: int) -> Late | Result | Refused:
    """The points that the schedule gives, or the result where it says that the match is lost (F15)."""
    if minutes > MOST_MINUTES:
        return refused("award.minutes_odd", match, limit=MOST_MINUTES)
    penalty = lateness_penalty(match.length, minutes, match.lateness)
    if penalty.lost:
        claim = absence_claim(match.length, match.least, [side])
        return Result(match, replace(claim, kind=match.lateness.lost_as), side.other, minutes)
    award = Award(side.other, penalty.points, Why.LATE, minutes)
    faults = check_award(match.length, match.awards, award)
    if faults:
        return Refused(tuple(replace(fault, field=None) for fault in faults), match)
    return Late(match, side, minutes, penalty)


def _out(rest: Sequence[Token], desk: Desk) -> Reading:
    names = tuple(one.letters for one in rest if isinstance(one, Typed))
    if not names or len(names) != len(rest):
        return refused("desk.usage", word=Word.OUT.value)
    found = [entry for entry in desk.entries if may_mean(names, entry.name)]
    if not found:
        return refused("desk.no_entry", name=" ".join(names))
    return Understood(tuple(map(Out, found)))


def _swap(rest: Sequence[Token], desk: Desk) -> Reading:
    tables = [one.value for one in rest if isinstance(one, Number)]
    if len(tables) != _TWO or len(rest) != _TWO or tables[0] == tables[1]:
        return refused("desk.usage", word=Word.SWAP.value)
    first, second = tables
    for table in tables:
        if not 1 <= table <= desk.tables:
            return refused("match.table_odd", limit=desk.tables)
    held = {table: desk.at_table(table) for table in tables}
    if not any(held.values()):
        return refused("desk.both_free", first=first, second=second)
    for table, other in ((first, second), (second, first)):
        if table in desk.closed and held[other] is not None:
            return refused("table.closed", table=table)
    return Understood((Swap((first, second), (held[first], held[second])),))


def _undo(rest: Sequence[Token], _desk: Desk) -> Reading:
    return refused("desk.usage", word=Word.UNDO.value) if rest else Understood((Undo(),))


def _help(_rest: Sequence[Token], _desk: Desk) -> Reading:
    return Understood((Help(),))


_COMMANDS: Final[Mapping[Word, Callable[[Sequence[Token], Desk], Reading]]] = {
    Word.CALL: _call,
    Word.LATE: _late,
    Word.OUT: _out,
    Word.SWAP: _swap,
    Word.UNDO: _undo,
    Word.HELP: _help,
}


def printed(meaning: Meaning, words: Vocabulary) -> str:
    """The line that says just this: what stands in the field once somebody has chosen. Read again it has this meaning."""
    shown = words.shown
    match meaning:
        case Result(late=None):
            name = _spoken(meaning.match.name(meaning.winner))
            if meaning.claim.kind is not ResultKind.PLAYED:
                return f"#{meaning.match.number} {shown[Word.WALKOVER]} {name}"
            won, lost = meaning.claim.score.of(meaning.winner), meaning.claim.score.of(meaning.winner.other)
            return f"#{meaning.match.number} {name} {won}-{lost}"
        case Result():
            late = _spoken(meaning.match.name(meaning.winner.other))
            return f"{shown[Word.LATE]} #{meaning.match.number} {late} {meaning.late}"
        case Late():
            late = _spoken(meaning.match.name(meaning.side))
            return f"{shown[Word.LATE]} #{meaning.match.number} {late} {meaning.minutes}"
        case CallMatch():
            return f"{shown[Word.CALL]} #{meaning.match.number}"
        case Out():
            return f"{shown[Word.OUT]} {_spoken(meaning.entry.name)}"
        case Swap():
            return f"{shown[Word.SWAP]} {meaning.tables[0]} {meaning.tables[1]}"
        case CallNext():
            return shown[Word.CALL]
        case Undo():
            return shown[Word.UNDO]
        case Help():
            return shown[Word.HELP]


def _spoken(name: str) -> str:
    """As much of a name as a line needs. A number that stands alone in it would be points: it is written together."""
    words = [word for word in (plain_word(word) for word in name.split()) if word]
    if any(word.isdecimal() for word in words):
        return "".join(words)[:NAME_SHOWN]
    return " ".join(words[:WORDS_SHOWN])[:NAME_SHOWN]
