"""The desk line: what a director types, read against what is on the desk.

Total and never a guess: every line has a reading, and a line that can mean two things means both, so that somebody chooses. A word of
the line that is also somebody's name is read both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from tournaments.engine.brackets.correction import absence_claim
from tournaments.engine.desk import clocks
from tournaments.engine.desk.endings import ENDINGS, WORD_OF, Means, is_fixed
from tournaments.engine.desk.names import may_mean, plain_word
from tournaments.engine.desk.results import (
    line_of,
    matches_in,
    meant_by,
    read_result,
    score_of,
)
from tournaments.engine.desk.tokens import LINE_LIMIT, MOST_WORDS, Number, Token, Typed, tokens_of
from tournaments.engine.desk.values import (
    Adjourn,
    CallMatch,
    CallNext,
    Desk,
    DeskMatch,
    Help,
    Late,
    Meaning,
    Out,
    PutClockOn,
    Reading,
    Refused,
    Result,
    Say,
    Step,
    Swap,
    TakeClockOff,
    Understood,
    Undo,
    refused,
)
from tournaments.engine.desk.vocabulary import Vocabulary, Word
from tournaments.engine.matches.reporting import check_score, winner_of
from tournaments.engine.matches.rulings import MOST_MINUTES, Award, Why, check_award, lateness_penalty
from tournaments.engine.statuses import UNSETTLED, MatchAction, MatchStatus, allowed_actions
from tournaments.engine.types import Claim, ResultKind, Score, Side

_TWO: Final = 2
NAME_SHOWN: Final = 40
WORDS_SHOWN: Final = 4


def asks_for_entries(line: str, words: Vocabulary) -> bool:
    """Whether the line can be about somebody who leaves: only then the desk needs all entries."""
    return first_word(tokens_of(line), words) is Word.OUT


def asks_for_reports(line: str, words: Vocabulary) -> bool:
    """Whether the line can be about what was reported: only then the desk needs it."""
    return Word.CONFIRM in _words_in(tokens_of(line), words)


def _words_in(tokens: Sequence[Token], words: Vocabulary) -> list[Word | None]:
    """For each token the word of the line that it is, if it is one."""
    return [words.known.get(one.text) if isinstance(one, Typed) else None for one in tokens]


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
    is_grammar = not odd and len(typed) <= MOST_WORDS
    if first_word(tokens, words) is Word.SAY:
        return _say(line, read_result(tokens, words, desk) if is_grammar else None)
    if not is_grammar:
        return refused("desk.unreadable", part=odd[0].text if odd else " ".join(one.text for one in typed))
    commands = [command(rest, desk) for command, rest in _commands(tokens, words)]
    as_result = read_result(tokens, words, desk)
    meanings: dict[str, Meaning] = {}
    for reading in (*commands, as_result):
        for meaning in reading.meanings if isinstance(reading, Understood) else ():
            meanings.setdefault(meaning.mark, meaning)
    if meanings:
        return Understood(tuple(meanings.values()))
    return commands[0] if commands else as_result


def _commands(tokens: Sequence[Token], words: Vocabulary) -> list[tuple[_Command, Sequence[Token]]]:
    """What the line can be told to do, each with the rest of it: what it begins with; of what is done to a match also behind it."""
    found: list[tuple[_Command, Sequence[Token]]] = []
    typed = _words_in(tokens, words)
    for place, word in enumerate(typed):
        command = _COMMANDS.get(word) if word is not None else None
        if command is None or (place > 0 and word not in _ALSO_BEHIND):
            continue
        if word is Word.OFF and Word.CLOCK in typed:  # “clock 12 off”: two words for one thing
            gone = {place, typed.index(Word.CLOCK)}
            found.insert(0, (command, [one for other, one in enumerate(tokens) if other not in gone]))
        else:
            found.append((command, [*tokens[:place], *tokens[place + 1 :]]))
    return found


def _call(rest: Sequence[Token], desk: Desk) -> Reading:
    if not rest:
        return Understood((CallNext(),))
    found = matches_in(rest, desk, Word.CALL)
    if isinstance(found, Refused):
        return found
    ready = [match for match, _side in found if MatchAction.CALL in allowed_actions(match.status)]
    meanings = tuple(map(CallMatch, dict.fromkeys(ready)))
    return Understood(meanings) if meanings else refused("desk.not_to_call", found[0][0])


def _step(action: MatchAction, word: Word) -> _Command:
    """What can be done to a match without anything more to be said."""

    def command(rest: Sequence[Token], desk: Desk) -> Reading:
        found = matches_in(rest, desk, word)
        if isinstance(found, Refused):
            return found
        able = dict.fromkeys(match for match, _side in found if action in allowed_actions(match.status))
        if able:
            return Understood(tuple(Step(match, action) for match in able))
        return refused(f"match.{action}_refused", found[0][0])

    return command


def _adjourn(rest: Sequence[Token], desk: Desk) -> Reading:
    """The match is broken off at the score that stands beside it. What was written down before is changed on its page."""
    found = matches_in(rest, desk, Word.ADJOURN, points=True)
    if isinstance(found, Refused):
        return found
    line = line_of(rest)
    readings: list[Adjourn | Refused] = []
    for match, side in found:
        score = score_of(line, match, side) if line is not None else refused("desk.how_it_stood", match)
        if match.status is MatchStatus.ADJOURNED:
            readings.append(refused("desk.adjourned_already", match))
        elif isinstance(score, Refused):
            readings.append(score)
        else:
            readings.append(_adjourned_at(match, score))
    meanings = tuple(dict.fromkeys(one for one in readings if not isinstance(one, Refused)))
    return Understood(meanings) if meanings else next(one for one in readings if isinstance(one, Refused))


def _adjourned_at(match: DeskMatch, score: Score) -> Adjourn | Refused:
    faults = check_score(match.length, Claim(score.a, score.b, ResultKind.ADJOURNED), start=match.least)
    if faults:
        return Refused(tuple(replace(fault, field=None) for fault in faults), match)
    return Adjourn(match, score)


def _confirm(rest: Sequence[Token], desk: Desk) -> Reading:
    """What was reported is right: of a match, or of all that wait; a name says whose word counts."""
    if rest:
        found = matches_in(rest, desk, Word.CONFIRM)
        if isinstance(found, Refused):
            return found
    else:
        found = [(match, None) for match in desk.matches if match.claims]
        if not found:
            return refused("desk.nothing_reported")
    readings = [one for match, side in found for one in _claims_of(match, side)]
    meanings = tuple(dict.fromkeys(one for one in readings if not isinstance(one, Refused)))
    if meanings:
        return Understood(meanings)
    silent = refused("desk.not_reported", found[0][0])
    return next((one for one in readings if isinstance(one, Refused)), silent)


def _claims_of(match: DeskMatch, side: Side | None) -> list[Result | Refused]:
    """Each claim about a match, once; of ``side`` alone if it has said something itself."""
    if match.status not in UNSETTLED:
        return []
    own = [one for one in match.claims if side is not None and one.by is side]
    found: list[Result | Refused] = []
    for claim in dict.fromkeys(_spelt_out(match, one.claim) for one in own or match.claims):
        by = tuple(
            one.by for one in match.claims if one.by is not None and _spelt_out(match, one.claim) == claim
        )
        faults = check_score(match.length, claim, start=match.least)  # a penalty may have come in between
        if faults:
            found.append(Refused(tuple(replace(fault, field=None) for fault in faults), match))
        else:
            found.append(Result(match, claim, claim.winner, claimed_by=tuple(sorted(by))))
    return found


def _spelt_out(match: DeskMatch, claim: Claim) -> Claim:
    """The claim with its winner, whether the score tells it or not."""
    return replace(claim, winner=winner_of(match.length, claim))


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


def _say(line: str, as_result: Reading | None) -> Reading:
    """What follows is no grammar but text. Where the word is somebody's name, the line may be a result as well."""
    parts = line.split()
    while parts and not tokens_of(parts[0]):
        del parts[0]
    text = " ".join(parts[1:])
    meanings: list[Meaning] = [Say(text)] if text else []
    if isinstance(as_result, Understood):
        meanings += as_result.meanings
    return Understood(tuple(meanings)) if meanings else refused("desk.usage", word=Word.SAY.value)


def _undo(rest: Sequence[Token], _desk: Desk) -> Reading:
    return refused("desk.usage", word=Word.UNDO.value) if rest else Understood((Undo(),))


def _help(_rest: Sequence[Token], _desk: Desk) -> Reading:
    return Understood((Help(),))


_Command = Callable[[Sequence[Token], Desk], Reading]
_COMMANDS: Final[Mapping[Word, _Command]] = {
    Word.CALL: _call,
    Word.CONFIRM: _confirm,
    Word.START: _step(MatchAction.START, Word.START),
    Word.BACK: _step(MatchAction.SEND_BACK, Word.BACK),
    Word.ADJOURN: _adjourn,
    Word.RESUME: _step(MatchAction.RESUME, Word.RESUME),
    Word.LATE: _late,
    Word.CLOCK: clocks.put_on,
    Word.OFF: clocks.take_off,
    Word.OUT: _out,
    Word.SWAP: _swap,
    Word.UNDO: _undo,
    Word.HELP: _help,
}
_STEP_WORDS: Final = {
    MatchAction.START: Word.START,
    MatchAction.SEND_BACK: Word.BACK,
    MatchAction.RESUME: Word.RESUME,
}
# “12 ok”, “12 adjourn 5-3”: what is said of a match as well as in front.
_ALSO_BEHIND: Final = frozenset({Word.CONFIRM, Word.ADJOURN, Word.CLOCK, Word.OFF, *_STEP_WORDS.values()})


def printed(meaning: Meaning, words: Vocabulary) -> str:
    """The line that says just this: what stands in the field once somebody has chosen. Read again it has this meaning."""
    shown = words.shown
    match meaning:
        case Result(late=None):
            return _printed_result(meaning, words)
        case Result():
            late = _spoken(meaning.match.name(Side.A if meaning.winner is Side.B else Side.B))
            return f"{shown[Word.LATE]} #{meaning.match.number} {late} {meaning.late}"
        case Late():
            late = _spoken(meaning.match.name(meaning.side))
            return f"{shown[Word.LATE]} #{meaning.match.number} {late} {meaning.minutes}"
        case CallMatch():
            return f"{shown[Word.CALL]} #{meaning.match.number}"
        case Step():
            return f"{shown[_STEP_WORDS[meaning.action]]} #{meaning.match.number}"
        case Adjourn():
            return f"{shown[Word.ADJOURN]} #{meaning.match.number} {meaning.score.a}-{meaning.score.b}"
        case PutClockOn():
            score = f" {meaning.score.a}-{meaning.score.b}" if meaning.score is not None else ""
            return f"{shown[Word.CLOCK]} #{meaning.match.number}{score}"
        case TakeClockOff():
            return f"{shown[Word.CLOCK]} #{meaning.match.number} {shown[Word.OFF]}"
        case Out():
            return f"{shown[Word.OUT]} {_spoken(meaning.entry.name)}"
        case Swap():
            return f"{shown[Word.SWAP]} {meaning.tables[0]} {meaning.tables[1]}"
        case Say():
            return f"{shown[Word.SAY]} {meaning.text}"
        case CallNext():
            return shown[Word.CALL]
        case Undo():
            return shown[Word.UNDO]
        case Help():
            return shown[Word.HELP]


def _printed_result(meaning: Result, words: Vocabulary) -> str:
    """The match by its number; who the line is about as its word has it; the points of that side first."""
    number, claim, winner = f"#{meaning.match.number}", meaning.claim, meaning.winner
    word = WORD_OF.get(claim.kind)
    ending = ENDINGS[word] if word is not None else None
    named = winner.other if winner and ending and ending.name is Means.LOSER else winner
    first = named or Side.A
    score = "" if ending and is_fixed(ending) else f"{claim.score.of(first)}-{claim.score.of(first.other)}"
    name = _spoken(meaning.match.name(named)) if named else ""
    written = words.shown[word] if word is not None else ""
    return " ".join(part for part in (number, written, name, score) if part)


def _spoken(name: str) -> str:
    """As much of a name as a line needs. A number that stands alone in it would be points: it is written together."""
    words = [word for word in (plain_word(word) for word in name.split()) if word]
    if any(word.isdecimal() for word in words):
        return "".join(words)[:NAME_SHOWN]
    return " ".join(words[:WORDS_SHOWN])[:NAME_SHOWN]
