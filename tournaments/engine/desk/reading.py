"""The command bar: parse what a director types, given the present matches, tables and entries.

Every line has a result and nothing is guessed: a line with two meanings returns both for the director to
choose. A command word that is also a name is tried as both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from tournaments.engine.brackets.correction import absence_claim
from tournaments.engine.desk import clocks
from tournaments.engine.desk.endings import ENDINGS_BY_WORD, WORDS_BY_RESULT, NameRole, has_fixed_score
from tournaments.engine.desk.names import can_mean, plain_word
from tournaments.engine.desk.results import (
    matching_sides,
    named_matches,
    parse_line,
    parse_result,
    parse_score,
)
from tournaments.engine.desk.tokens import MAX_COMMAND_LENGTH, MAX_WORDS, Number, TextToken, Token, tokenize
from tournaments.engine.desk.values import (
    AdjournCommand,
    AnnounceCommand,
    CallMatchCommand,
    CallNextCommand,
    ClockOffCommand,
    ClockOnCommand,
    Command,
    CommandMatch,
    CommandRefusal,
    CommandTargets,
    HelpCommand,
    LatenessCommand,
    MatchActionCommand,
    ParsedCommands,
    ParseResult,
    ResultCommand,
    SwapTablesCommand,
    UndoCommand,
    WithdrawCommand,
    make_refusal,
)
from tournaments.engine.desk.vocabulary import CommandWord, Vocabulary
from tournaments.engine.matches.reporting import check_score, winner_of
from tournaments.engine.matches.rulings import MAX_MINUTES, Award, AwardReason, check_award, lateness_penalty
from tournaments.engine.statuses import UNSETTLED, MatchAction, MatchStatus, allowed_actions
from tournaments.engine.types import Claim, ResultKind, Score, Side

_TWO: Final = 2
MAX_NAME_LENGTH: Final = 40
MAX_NAME_WORDS: Final = 4


def needs_entries(line: str, words: Vocabulary) -> bool:
    """Return whether the line may withdraw an entry; only then all entries have to be loaded."""
    return first_word(tokenize(line), words) is CommandWord.OUT


def needs_reports(line: str, words: Vocabulary) -> bool:
    """Return whether the line may confirm reports; only then they have to be loaded."""
    return CommandWord.CONFIRM in _command_words(tokenize(line), words)


def _command_words(tokens: Sequence[Token], words: Vocabulary) -> list[CommandWord | None]:
    """Return the command word of each token, None for others."""
    return [words.known.get(one.text) if isinstance(one, TextToken) else None for one in tokens]


def first_word(tokens: Sequence[Token], words: Vocabulary) -> CommandWord | None:
    """Return the command word that the line begins with, or None."""
    first = tokens[0] if tokens else None
    return words.known.get(first.text) if isinstance(first, TextToken) else None


def parse_command(line: str, words: Vocabulary, desk: CommandTargets) -> ParseResult:
    """Return all meanings of ``line`` at present, or the reason why it has none."""
    if len(line) > MAX_COMMAND_LENGTH:
        return make_refusal("desk.too_long", limit=MAX_COMMAND_LENGTH)
    tokens = tokenize(line)
    if not tokens:
        return make_refusal("desk.empty")
    typed = [one for one in tokens if isinstance(one, TextToken)]
    odd = [one for one in typed if one.text not in words.known and not any(c.isalpha() for c in one.letters)]
    is_grammar = not odd and len(typed) <= MAX_WORDS
    if first_word(tokens, words) is CommandWord.SAY:
        return _parse_announcement(line, parse_result(tokens, words, desk) if is_grammar else None)
    if not is_grammar:
        return make_refusal(
            "desk.unreadable", part=odd[0].text if odd else " ".join(one.text for one in typed)
        )
    commands = [command(rest, desk) for command, rest in _parser_candidates(tokens, words)]
    as_result = parse_result(tokens, words, desk)
    meanings: dict[str, Command] = {}
    for reading in (*commands, as_result):
        for meaning in reading.meanings if isinstance(reading, ParsedCommands) else ():
            meanings.setdefault(meaning.mark, meaning)
    if meanings:
        return ParsedCommands(tuple(meanings.values()))
    return commands[0] if commands else as_result


def _parser_candidates(tokens: Sequence[Token], words: Vocabulary) -> list[tuple[_Parser, Sequence[Token]]]:
    """Return the candidate parsers, each with the remaining tokens.

    A command word counts at the beginning; words for actions on a match also behind it.
    """
    found: list[tuple[_Parser, Sequence[Token]]] = []
    typed = _command_words(tokens, words)
    for place, word in enumerate(typed):
        command = _PARSERS.get(word) if word is not None else None
        if command is None or (place > 0 and word not in _WORDS_AFTER_MATCH):
            continue
        if (
            word is CommandWord.OFF and CommandWord.CLOCK in typed
        ):  # "clock 12 off": two words for one command
            gone = {place, typed.index(CommandWord.CLOCK)}
            found.insert(0, (command, [one for other, one in enumerate(tokens) if other not in gone]))
        else:
            found.append((command, [*tokens[:place], *tokens[place + 1 :]]))
    return found


def _parse_call(rest: Sequence[Token], desk: CommandTargets) -> ParseResult:
    if not rest:
        return ParsedCommands((CallNextCommand(),))
    found = named_matches(rest, desk, CommandWord.CALL)
    if isinstance(found, CommandRefusal):
        return found
    ready = [match for match, _side in found if MatchAction.CALL in allowed_actions(match.status)]
    meanings = tuple(map(CallMatchCommand, dict.fromkeys(ready)))
    return ParsedCommands(meanings) if meanings else make_refusal("desk.not_to_call", found[0][0])


def _action_parser(action: MatchAction, word: CommandWord) -> _Parser:
    """Return a parser for an action on a match that needs no further arguments."""

    def command(rest: Sequence[Token], desk: CommandTargets) -> ParseResult:
        found = named_matches(rest, desk, word)
        if isinstance(found, CommandRefusal):
            return found
        able = dict.fromkeys(match for match, _side in found if action in allowed_actions(match.status))
        if able:
            return ParsedCommands(tuple(MatchActionCommand(match, action) for match in able))
        return make_refusal(f"match.{action}_refused", found[0][0])

    return command


def _parse_adjournment(rest: Sequence[Token], desk: CommandTargets) -> ParseResult:
    """Adjourn a match at the given score. An existing adjournment is changed on the page of the match."""
    found = named_matches(rest, desk, CommandWord.ADJOURN, points=True)
    if isinstance(found, CommandRefusal):
        return found
    line = parse_line(rest)
    readings: list[AdjournCommand | CommandRefusal] = []
    for match, side in found:
        score = (
            parse_score(line, match, side) if line is not None else make_refusal("desk.how_it_stood", match)
        )
        if match.status is MatchStatus.ADJOURNED:
            readings.append(make_refusal("desk.adjourned_already", match))
        elif isinstance(score, CommandRefusal):
            readings.append(score)
        else:
            readings.append(_adjourn_command(match, score))
    meanings = tuple(dict.fromkeys(one for one in readings if not isinstance(one, CommandRefusal)))
    return (
        ParsedCommands(meanings)
        if meanings
        else next(one for one in readings if isinstance(one, CommandRefusal))
    )


def _adjourn_command(match: CommandMatch, score: Score) -> AdjournCommand | CommandRefusal:
    faults = check_score(match.length, Claim(score.a, score.b, ResultKind.ADJOURNED), start=match.least)
    if faults:
        return CommandRefusal(tuple(replace(fault, field=None) for fault in faults), match)
    return AdjournCommand(match, score)


def _parse_confirmation(rest: Sequence[Token], desk: CommandTargets) -> ParseResult:
    """Confirm the reports of a match, or of all that wait; a name selects that side's report."""
    if rest:
        found = named_matches(rest, desk, CommandWord.CONFIRM)
        if isinstance(found, CommandRefusal):
            return found
    else:
        found = [(match, None) for match in desk.matches if match.claims]
        if not found:
            return make_refusal("desk.nothing_reported")
    readings = [one for match, side in found for one in _result_commands(match, side)]
    meanings = tuple(dict.fromkeys(one for one in readings if not isinstance(one, CommandRefusal)))
    if meanings:
        return ParsedCommands(meanings)
    silent = make_refusal("desk.not_reported", found[0][0])
    return next((one for one in readings if isinstance(one, CommandRefusal)), silent)


def _result_commands(match: CommandMatch, side: Side | None) -> list[ResultCommand | CommandRefusal]:
    """Return each claim about a match once; only the claims of ``side`` if it has reported."""
    if match.status not in UNSETTLED:
        return []
    own = [one for one in match.claims if side is not None and one.by is side]
    found: list[ResultCommand | CommandRefusal] = []
    for claim in dict.fromkeys(_with_winner(match, one.claim) for one in own or match.claims):
        by = tuple(
            one.by for one in match.claims if one.by is not None and _with_winner(match, one.claim) == claim
        )
        faults = check_score(match.length, claim, start=match.least)  # a penalty may have been added since
        if faults:
            found.append(CommandRefusal(tuple(replace(fault, field=None) for fault in faults), match))
        else:
            found.append(ResultCommand(match, claim, claim.winner, claimed_by=tuple(sorted(by))))
    return found


def _with_winner(match: CommandMatch, claim: Claim) -> Claim:
    """Return the claim with its winner, also where it follows from the score."""
    return replace(claim, winner=winner_of(match.length, claim))


def _parse_lateness(rest: Sequence[Token], desk: CommandTargets) -> ParseResult:
    line = parse_line(rest)
    if line is None or not line.names:
        return make_refusal("desk.usage", word=CommandWord.LATE.value)
    meant = matching_sides(line, desk)
    if isinstance(meant, CommandRefusal):
        return meant
    if len(line.points) != 1:
        return make_refusal("desk.how_late", meant[0][0])
    readings = [_lateness_command(match, side, line.points[0]) for match, side in meant]
    meanings = tuple(one for one in readings if not isinstance(one, CommandRefusal))
    return (
        ParsedCommands(meanings)
        if meanings
        else next(one for one in readings if isinstance(one, CommandRefusal))
    )


def _lateness_command(
    match: CommandMatch, side: Side, minutes: int
) -> LatenessCommand | ResultCommand | CommandRefusal:
    """Return the points by the schedule, or the result if the match is lost by it (F15)."""
    if minutes > MAX_MINUTES:
        return make_refusal("award.minutes_odd", match, limit=MAX_MINUTES)
    penalty = lateness_penalty(match.length, minutes, match.lateness)
    if penalty.lost:
        claim = absence_claim(match.length, match.least, [side])
        return ResultCommand(match, replace(claim, kind=match.lateness.lost_as), side.other, minutes)
    award = Award(side.other, penalty.points, AwardReason.LATE, minutes)
    faults = check_award(match.length, match.awards, award)
    if faults:
        return CommandRefusal(tuple(replace(fault, field=None) for fault in faults), match)
    return LatenessCommand(match, side, minutes, penalty)


def _parse_withdrawal(rest: Sequence[Token], desk: CommandTargets) -> ParseResult:
    names = tuple(one.letters for one in rest if isinstance(one, TextToken))
    if not names or len(names) != len(rest):
        return make_refusal("desk.usage", word=CommandWord.OUT.value)
    found = [entry for entry in desk.entries if can_mean(names, entry.name)]
    if not found:
        return make_refusal("desk.no_entry", name=" ".join(names))
    return ParsedCommands(tuple(map(WithdrawCommand, found)))


def _parse_swap(rest: Sequence[Token], desk: CommandTargets) -> ParseResult:
    tables = [one.value for one in rest if isinstance(one, Number)]
    if len(tables) != _TWO or len(rest) != _TWO or tables[0] == tables[1]:
        return make_refusal("desk.usage", word=CommandWord.SWAP.value)
    first, second = tables
    for table in tables:
        if not 1 <= table <= desk.tables:
            return make_refusal("match.table_odd", limit=desk.tables)
    held = {table: desk.at_table(table) for table in tables}
    if not any(held.values()):
        return make_refusal("desk.both_free", first=first, second=second)
    for table, other in ((first, second), (second, first)):
        if table in desk.closed and held[other] is not None:
            return make_refusal("table.closed", table=table)
    return ParsedCommands((SwapTablesCommand((first, second), (held[first], held[second])),))


def _parse_announcement(line: str, as_result: ParseResult | None) -> ParseResult:
    """Parse an announcement: the rest is text.

    If the word is also a name, the line may be a result as well.
    """
    parts = line.split()
    while parts and not tokenize(parts[0]):
        del parts[0]
    text = " ".join(parts[1:])
    meanings: list[Command] = [AnnounceCommand(text)] if text else []
    if isinstance(as_result, ParsedCommands):
        meanings += as_result.meanings
    return (
        ParsedCommands(tuple(meanings))
        if meanings
        else make_refusal("desk.usage", word=CommandWord.SAY.value)
    )


def _parse_undo(rest: Sequence[Token], _desk: CommandTargets) -> ParseResult:
    return (
        make_refusal("desk.usage", word=CommandWord.UNDO.value) if rest else ParsedCommands((UndoCommand(),))
    )


def _parse_help(_rest: Sequence[Token], _desk: CommandTargets) -> ParseResult:
    return ParsedCommands((HelpCommand(),))


_Parser = Callable[[Sequence[Token], CommandTargets], ParseResult]
_PARSERS: Final[Mapping[CommandWord, _Parser]] = {
    CommandWord.CALL: _parse_call,
    CommandWord.CONFIRM: _parse_confirmation,
    CommandWord.START: _action_parser(MatchAction.START, CommandWord.START),
    CommandWord.BACK: _action_parser(MatchAction.SEND_BACK, CommandWord.BACK),
    CommandWord.ADJOURN: _parse_adjournment,
    CommandWord.RESUME: _action_parser(MatchAction.RESUME, CommandWord.RESUME),
    CommandWord.LATE: _parse_lateness,
    CommandWord.CLOCK: clocks.parse_clock_on,
    CommandWord.OFF: clocks.parse_clock_off,
    CommandWord.OUT: _parse_withdrawal,
    CommandWord.SWAP: _parse_swap,
    CommandWord.UNDO: _parse_undo,
    CommandWord.HELP: _parse_help,
}
_ACTION_WORDS: Final = {
    MatchAction.START: CommandWord.START,
    MatchAction.SEND_BACK: CommandWord.BACK,
    MatchAction.RESUME: CommandWord.RESUME,
}
# "12 ok", "12 adjourn 5-3": words that may follow the match.
_WORDS_AFTER_MATCH: Final = frozenset(
    {CommandWord.CONFIRM, CommandWord.ADJOURN, CommandWord.CLOCK, CommandWord.OFF, *_ACTION_WORDS.values()}
)


def format_command(meaning: Command, words: Vocabulary) -> str:
    """Return the line with exactly this meaning, to fill in after a choice.

    Parsing it gives the same command.
    """
    shown = words.shown
    match meaning:
        case ResultCommand(late=None):
            return _format_result(meaning, words)
        case ResultCommand():
            late = _short_name(meaning.match.name(Side.A if meaning.winner is Side.B else Side.B))
            return f"{shown[CommandWord.LATE]} #{meaning.match.number} {late} {meaning.late}"
        case LatenessCommand():
            late = _short_name(meaning.match.name(meaning.side))
            return f"{shown[CommandWord.LATE]} #{meaning.match.number} {late} {meaning.minutes}"
        case CallMatchCommand():
            return f"{shown[CommandWord.CALL]} #{meaning.match.number}"
        case MatchActionCommand():
            return f"{shown[_ACTION_WORDS[meaning.action]]} #{meaning.match.number}"
        case AdjournCommand():
            return f"{shown[CommandWord.ADJOURN]} #{meaning.match.number} {meaning.score.a}-{meaning.score.b}"
        case ClockOnCommand():
            score = f" {meaning.score.a}-{meaning.score.b}" if meaning.score is not None else ""
            return f"{shown[CommandWord.CLOCK]} #{meaning.match.number}{score}"
        case ClockOffCommand():
            return f"{shown[CommandWord.CLOCK]} #{meaning.match.number} {shown[CommandWord.OFF]}"
        case WithdrawCommand():
            return f"{shown[CommandWord.OUT]} {_short_name(meaning.entry.name)}"
        case SwapTablesCommand():
            return f"{shown[CommandWord.SWAP]} {meaning.tables[0]} {meaning.tables[1]}"
        case AnnounceCommand():
            return f"{shown[CommandWord.SAY]} {meaning.text}"
        case CallNextCommand():
            return shown[CommandWord.CALL]
        case UndoCommand():
            return shown[CommandWord.UNDO]
        case HelpCommand():
            return shown[CommandWord.HELP]


def _format_result(meaning: ResultCommand, words: Vocabulary) -> str:
    """Format a result: match number, word, the name that the word takes, that side's points first."""
    number, claim, winner = f"#{meaning.match.number}", meaning.claim, meaning.winner
    word = WORDS_BY_RESULT.get(claim.kind)
    ending = ENDINGS_BY_WORD[word] if word is not None else None
    named = winner.other if winner and ending and ending.name is NameRole.LOSER else winner
    first = named or Side.A
    score = (
        "" if ending and has_fixed_score(ending) else f"{claim.score.of(first)}-{claim.score.of(first.other)}"
    )
    name = _short_name(meaning.match.name(named)) if named else ""
    written = words.shown[word] if word is not None else ""
    return " ".join(part for part in (number, written, name, score) if part)


def _short_name(name: str) -> str:
    """Return the part of a name that a line needs.

    A name with a number is joined, as the number would be read as points.
    """
    words = [word for word in (plain_word(word) for word in name.split()) if word]
    if any(word.isdecimal() for word in words):
        return "".join(words)[:MAX_NAME_LENGTH]
    return " ".join(words[:MAX_NAME_WORDS])[:MAX_NAME_LENGTH]
