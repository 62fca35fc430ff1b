"""Command bar: what a text typed by a director means, given the present matches, tables and entries.

Every text has a result and nothing is guessed: a text with two meanings returns both for the director to
choose. A command word that is also a name is tried as both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from tournaments.engine.brackets.correction import absence_result
from tournaments.engine.desk import clocks
from tournaments.engine.desk.endings import ENDINGS_BY_WORD, WORDS_BY_RESULT, NameRole, has_fixed_score
from tournaments.engine.desk.names import matches_name, plain_word
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
from tournaments.engine.matches.reporting import check_score, claim_winner
from tournaments.engine.matches.rulings import MAX_MINUTES, Award, AwardReason, check_award, lateness_penalty
from tournaments.engine.statuses import UNSETTLED, MatchAction, MatchStatus, allowed_actions
from tournaments.engine.types import Claim, ResultKind, Score, Side

_TWO: Final = 2
MAX_NAME_LENGTH: Final = 40
MAX_NAME_WORDS: Final = 4


def needs_entries(line: str, vocabulary: Vocabulary) -> bool:
    """Return whether the command text may withdraw an entry; only then all entries have to be loaded."""
    return first_word(tokenize(line), vocabulary) is CommandWord.OUT


def needs_reports(line: str, vocabulary: Vocabulary) -> bool:
    """Return whether the command text may confirm reports; only then the reports have to be loaded."""
    return CommandWord.CONFIRM in _command_words(tokenize(line), vocabulary)


def _command_words(tokens: Sequence[Token], vocabulary: Vocabulary) -> list[CommandWord | None]:
    """Return for each token the command word that it is, or None."""
    return [vocabulary.known.get(token.text) if isinstance(token, TextToken) else None for token in tokens]


def first_word(tokens: Sequence[Token], vocabulary: Vocabulary) -> CommandWord | None:
    """Return the command word that the command text begins with, or None."""
    first = tokens[0] if tokens else None
    return vocabulary.known.get(first.text) if isinstance(first, TextToken) else None


def parse_command(line: str, vocabulary: Vocabulary, targets: CommandTargets) -> ParseResult:
    """Return all commands that the text ``line`` can mean at present, or the reason why it means none.

    ``targets``: the matches, tables and entries that a command may be about.
    """
    if len(line) > MAX_COMMAND_LENGTH:
        return make_refusal("desk.too_long", limit=MAX_COMMAND_LENGTH)
    tokens = tokenize(line)
    if not tokens:
        return make_refusal("desk.empty")
    text_tokens = [token for token in tokens if isinstance(token, TextToken)]
    unreadable = [
        token
        for token in text_tokens
        if token.text not in vocabulary.known and not any(c.isalpha() for c in token.letters)
    ]
    is_grammar = not unreadable and len(text_tokens) <= MAX_WORDS
    if first_word(tokens, vocabulary) is CommandWord.SAY:
        return _parse_announcement(line, parse_result(tokens, vocabulary, targets) if is_grammar else None)
    if not is_grammar:
        return make_refusal(
            "desk.unreadable",
            part=unreadable[0].text if unreadable else " ".join(token.text for token in text_tokens),
        )
    parse_results = [parser(rest, targets) for parser, rest in _parser_candidates(tokens, vocabulary)]
    result_reading = parse_result(tokens, vocabulary, targets)
    commands_by_mark: dict[str, Command] = {}
    for reading in (*parse_results, result_reading):
        for command in reading.commands if isinstance(reading, ParsedCommands) else ():
            commands_by_mark.setdefault(command.mark, command)
    if commands_by_mark:
        return ParsedCommands(tuple(commands_by_mark.values()))
    return parse_results[0] if parse_results else result_reading


def _parser_candidates(
    tokens: Sequence[Token], vocabulary: Vocabulary
) -> list[tuple[_Parser, Sequence[Token]]]:
    """Return the parsers to try, each with the tokens that remain without its command word.

    A command word counts at the beginning of the text; words for actions on a match also behind the match.
    """
    candidates: list[tuple[_Parser, Sequence[Token]]] = []
    command_words = _command_words(tokens, vocabulary)
    for place, word in enumerate(command_words):
        parser = _PARSERS.get(word) if word is not None else None
        if parser is None or (place > 0 and word not in _WORDS_AFTER_MATCH):
            continue
        if (
            word is CommandWord.OFF and CommandWord.CLOCK in command_words
        ):  # "clock 12 off": two words for one command
            word_places = {place, command_words.index(CommandWord.CLOCK)}
            candidates.insert(
                0, (parser, [token for index, token in enumerate(tokens) if index not in word_places])
            )
        else:
            candidates.append((parser, [*tokens[:place], *tokens[place + 1 :]]))
    return candidates


def _parse_call(rest: Sequence[Token], targets: CommandTargets) -> ParseResult:
    if not rest:
        return ParsedCommands((CallNextCommand(),))
    named_sides = named_matches(rest, targets, CommandWord.CALL)
    if isinstance(named_sides, CommandRefusal):
        return named_sides
    ready_matches = [
        match for match, _side in named_sides if MatchAction.CALL in allowed_actions(match.status)
    ]
    commands = tuple(map(CallMatchCommand, dict.fromkeys(ready_matches)))
    return ParsedCommands(commands) if commands else make_refusal("desk.not_to_call", named_sides[0][0])


def _action_parser(action: MatchAction, word: CommandWord) -> _Parser:
    """Return a parser of commands that name only a match, to which this action is then applied."""

    def command(rest: Sequence[Token], targets: CommandTargets) -> ParseResult:
        named_sides = named_matches(rest, targets, word)
        if isinstance(named_sides, CommandRefusal):
            return named_sides
        allowed_matches = dict.fromkeys(
            match for match, _side in named_sides if action in allowed_actions(match.status)
        )
        if allowed_matches:
            return ParsedCommands(tuple(MatchActionCommand(match, action) for match in allowed_matches))
        return make_refusal(f"match.{action}_refused", named_sides[0][0])

    return command


def _parse_adjournment(rest: Sequence[Token], targets: CommandTargets) -> ParseResult:
    """Adjourn a match at the given score; an existing adjournment is changed on the page of the match."""
    named_sides = named_matches(rest, targets, CommandWord.ADJOURN, allows_points=True)
    if isinstance(named_sides, CommandRefusal):
        return named_sides
    line = parse_line(rest)
    readings: list[AdjournCommand | CommandRefusal] = []
    for match, side in named_sides:
        score = (
            parse_score(line, match, side) if line is not None else make_refusal("desk.how_it_stood", match)
        )
        if match.status is MatchStatus.ADJOURNED:
            readings.append(make_refusal("desk.adjourned_already", match))
        elif isinstance(score, CommandRefusal):
            readings.append(score)
        else:
            readings.append(_adjourn_command(match, score))
    commands = tuple(
        dict.fromkeys(reading for reading in readings if not isinstance(reading, CommandRefusal))
    )
    return (
        ParsedCommands(commands)
        if commands
        else next(reading for reading in readings if isinstance(reading, CommandRefusal))
    )


def _adjourn_command(match: CommandMatch, score: Score) -> AdjournCommand | CommandRefusal:
    faults = check_score(
        match.length, Claim(score.a, score.b, ResultKind.ADJOURNED), start=match.minimum_score
    )
    if faults:
        return CommandRefusal(tuple(replace(fault, field=None) for fault in faults), match)
    return AdjournCommand(match, score)


def _parse_confirmation(rest: Sequence[Token], targets: CommandTargets) -> ParseResult:
    """Confirm the reports of a match, or of all matches; a name selects the report of that side."""
    if rest:
        named_sides = named_matches(rest, targets, CommandWord.CONFIRM)
        if isinstance(named_sides, CommandRefusal):
            return named_sides
    else:
        named_sides = [(match, None) for match in targets.matches if match.open_reports]
        if not named_sides:
            return make_refusal("desk.nothing_reported")
    readings = [reading for match, side in named_sides for reading in _result_commands(match, side)]
    commands = tuple(
        dict.fromkeys(reading for reading in readings if not isinstance(reading, CommandRefusal))
    )
    if commands:
        return ParsedCommands(commands)
    refusal = make_refusal("desk.not_reported", named_sides[0][0])
    return next((reading for reading in readings if isinstance(reading, CommandRefusal)), refusal)


def _result_commands(match: CommandMatch, side: Side | None) -> list[ResultCommand | CommandRefusal]:
    """Return a command for each different reported result; only results of ``side`` if it has reported."""
    if match.status not in UNSETTLED:
        return []
    own_reports = [report for report in match.open_reports if side is not None and report.by is side]
    commands: list[ResultCommand | CommandRefusal] = []
    for claim in dict.fromkeys(
        _with_winner(match, report.claim) for report in own_reports or match.open_reports
    ):
        reporting_sides = tuple(
            report.by
            for report in match.open_reports
            if report.by is not None and _with_winner(match, report.claim) == claim
        )
        # A penalty may have been added since.
        faults = check_score(match.length, claim, start=match.minimum_score)
        if faults:
            commands.append(CommandRefusal(tuple(replace(fault, field=None) for fault in faults), match))
        else:
            commands.append(
                ResultCommand(match, claim, claim.winner, claimed_by=tuple(sorted(reporting_sides)))
            )
    return commands


def _with_winner(match: CommandMatch, claim: Claim) -> Claim:
    """Return the reported result with its winner, also if the winner follows from the score."""
    return replace(claim, winner=claim_winner(match.length, claim))


def _parse_lateness(rest: Sequence[Token], targets: CommandTargets) -> ParseResult:
    line = parse_line(rest)
    if line is None or not line.names:
        return make_refusal("desk.usage", word=CommandWord.LATE.value)
    named_sides = matching_sides(line, targets)
    if isinstance(named_sides, CommandRefusal):
        return named_sides
    if len(line.points) != 1:
        return make_refusal("desk.how_late", named_sides[0][0])
    readings = [_lateness_command(match, side, line.points[0]) for match, side in named_sides]
    commands = tuple(reading for reading in readings if not isinstance(reading, CommandRefusal))
    return (
        ParsedCommands(commands)
        if commands
        else next(reading for reading in readings if isinstance(reading, CommandRefusal))
    )


def _lateness_command(
    match: CommandMatch, side: Side, minutes: int
) -> LatenessCommand | ResultCommand | CommandRefusal:
    """Return the penalty points for a late side, or the result if the match is lost by it (rule F15)."""
    if minutes > MAX_MINUTES:
        return make_refusal("award.minutes_odd", match, limit=MAX_MINUTES)
    penalty = lateness_penalty(match.length, minutes, match.lateness)
    if penalty.lost:
        claim = absence_result(match.length, match.minimum_score, [side])
        return ResultCommand(match, replace(claim, kind=match.lateness.lost_as), side.other, minutes)
    award = Award(side.other, penalty.points, AwardReason.LATE, minutes)
    faults = check_award(match.length, match.awards, award)
    if faults:
        return CommandRefusal(tuple(replace(fault, field=None) for fault in faults), match)
    return LatenessCommand(match, side, minutes, penalty)


def _parse_withdrawal(rest: Sequence[Token], targets: CommandTargets) -> ParseResult:
    names = tuple(token.letters for token in rest if isinstance(token, TextToken))
    if not names or len(names) != len(rest):
        return make_refusal("desk.usage", word=CommandWord.OUT.value)
    entries = [entry for entry in targets.entries if matches_name(names, entry.name)]
    if not entries:
        return make_refusal("desk.no_entry", name=" ".join(names))
    return ParsedCommands(tuple(map(WithdrawCommand, entries)))


def _parse_swap(rest: Sequence[Token], targets: CommandTargets) -> ParseResult:
    tables = [token.value for token in rest if isinstance(token, Number)]
    if len(tables) != _TWO or len(rest) != _TWO or tables[0] == tables[1]:
        return make_refusal("desk.usage", word=CommandWord.SWAP.value)
    first, second = tables
    for table in tables:
        if not 1 <= table <= targets.tables:
            return make_refusal("match.table_odd", limit=targets.tables)
    match_by_table = {table: targets.at_table(table) for table in tables}
    if not any(match_by_table.values()):
        return make_refusal("desk.both_free", first=first, second=second)
    for table, other in ((first, second), (second, first)):
        if table in targets.closed and match_by_table[other] is not None:
            return make_refusal("table.closed", table=table)
    return ParsedCommands(
        (SwapTablesCommand((first, second), (match_by_table[first], match_by_table[second])),)
    )


def _parse_announcement(line: str, result_reading: ParseResult | None) -> ParseResult:
    """Parse an announcement: all text after the command word.

    ``result_reading``: what the whole text means as a result, as the command word may also begin a name.
    """
    parts = line.split()
    while parts and not tokenize(parts[0]):
        del parts[0]
    text = " ".join(parts[1:])
    commands: list[Command] = [AnnounceCommand(text)] if text else []
    if isinstance(result_reading, ParsedCommands):
        commands += result_reading.commands
    return (
        ParsedCommands(tuple(commands))
        if commands
        else make_refusal("desk.usage", word=CommandWord.SAY.value)
    )


def _parse_undo(rest: Sequence[Token], _targets: CommandTargets) -> ParseResult:
    return (
        make_refusal("desk.usage", word=CommandWord.UNDO.value) if rest else ParsedCommands((UndoCommand(),))
    )


def _parse_help(_rest: Sequence[Token], _targets: CommandTargets) -> ParseResult:
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


def format_command(command: Command, vocabulary: Vocabulary) -> str:
    """Return a text for the command bar whose parsing gives exactly this command."""
    word_labels = vocabulary.shown
    match command:
        case ResultCommand(late=None):
            return _format_result(command, vocabulary)
        case ResultCommand():
            late_name = _short_name(command.match.name(Side.A if command.winner is Side.B else Side.B))
            return f"{word_labels[CommandWord.LATE]} #{command.match.number} {late_name} {command.late}"
        case LatenessCommand():
            late_name = _short_name(command.match.name(command.side))
            return f"{word_labels[CommandWord.LATE]} #{command.match.number} {late_name} {command.minutes}"
        case CallMatchCommand():
            return f"{word_labels[CommandWord.CALL]} #{command.match.number}"
        case MatchActionCommand():
            return f"{word_labels[_ACTION_WORDS[command.action]]} #{command.match.number}"
        case AdjournCommand():
            return f"{word_labels[CommandWord.ADJOURN]} #{command.match.number} {command.score.a}-{command.score.b}"
        case ClockOnCommand():
            score = f" {command.score.a}-{command.score.b}" if command.score is not None else ""
            return f"{word_labels[CommandWord.CLOCK]} #{command.match.number}{score}"
        case ClockOffCommand():
            return f"{word_labels[CommandWord.CLOCK]} #{command.match.number} {word_labels[CommandWord.OFF]}"
        case WithdrawCommand():
            return f"{word_labels[CommandWord.OUT]} {_short_name(command.entry.name)}"
        case SwapTablesCommand():
            return f"{word_labels[CommandWord.SWAP]} {command.tables[0]} {command.tables[1]}"
        case AnnounceCommand():
            return f"{word_labels[CommandWord.SAY]} {command.text}"
        case CallNextCommand():
            return word_labels[CommandWord.CALL]
        case UndoCommand():
            return word_labels[CommandWord.UNDO]
        case HelpCommand():
            return word_labels[CommandWord.HELP]


def _format_result(command: ResultCommand, vocabulary: Vocabulary) -> str:
    """Return the text of a result command: match number, command word, name, score.

    The name is the one that the command word takes; that side's points come first.
    """
    number, claim, winner = f"#{command.match.number}", command.claim, command.winner
    word = WORDS_BY_RESULT.get(claim.kind)
    ending = ENDINGS_BY_WORD[word] if word is not None else None
    named_side = winner.other if winner and ending and ending.name is NameRole.LOSER else winner
    first_side = named_side or Side.A
    score = (
        ""
        if ending and has_fixed_score(ending)
        else f"{claim.score.of(first_side)}-{claim.score.of(first_side.other)}"
    )
    name = _short_name(command.match.name(named_side)) if named_side else ""
    written_word = vocabulary.shown[word] if word is not None else ""
    return " ".join(part for part in (number, written_word, name, score) if part)


def _short_name(name: str) -> str:
    """Return as much of a name as the command bar needs.

    The words of a name with a number are joined, as the number would be read as points.
    """
    words = [word for word in (plain_word(word) for word in name.split()) if word]
    if any(word.isdecimal() for word in words):
        return "".join(words)[:MAX_NAME_LENGTH]
    return " ".join(words[:MAX_NAME_WORDS])[:MAX_NAME_LENGTH]
