"""Parsing of commands that end a match: ``12 bob``, ``12 bob 3``, ``12 7-3``, ``bob 7 3``, ``#74 w/o ann``.

A number in front is a table, with ``#`` a match. A name is the winner's; one number gives the points of the
other side, two the winner's first; with the smaller number first the winner is ambiguous. Two numbers without
a name are the sides from the left, as on the score slip. `endings` defines the role of a name beside a word
("w/o", "retired").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tournaments.engine.desk.endings import (
    ENDINGS_BY_WORD,
    Ending,
    NameRole,
    default_score,
    ending_claim,
    has_fixed_score,
)
from tournaments.engine.desk.names import matches_name
from tournaments.engine.desk.tokens import MatchNumber, Number, Points, TextToken, Token
from tournaments.engine.desk.values import (
    CommandMatch,
    CommandRefusal,
    CommandTargets,
    ParsedCommands,
    ParseResult,
    ResultCommand,
    make_refusal,
)
from tournaments.engine.desk.vocabulary import CommandWord, Vocabulary
from tournaments.engine.matches.reporting import check_score, claim_winner
from tournaments.engine.statuses import may_report
from tournaments.engine.types import Claim, Score, Side

_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class ResultText:
    """The parts of a command text about a result.

    ``where``: the table or match number; ``names``: the words of names; ``points``: none, one or two numbers;
    ``ending``: how the match ended, None if it was played out; ``is_ending_first``: whether the word for the
    ending comes before the name.
    """

    where: Number | MatchNumber | None
    names: tuple[str, ...]
    points: tuple[int, ...]
    ending: Ending | None = None
    is_ending_first: bool = False


def split_match_reference(tokens: Sequence[Token]) -> tuple[Number | MatchNumber | None, Sequence[Token]]:
    """Return the table or match number that a command text begins with (or None), and the other tokens.

    ``7 3`` also begins with a table; the caller tries both.
    """
    first = tokens[0] if tokens else None
    return (first, tokens[1:]) if isinstance(first, Number | MatchNumber) else (None, tokens)


def parse_line(tokens: Sequence[Token]) -> ResultText | None:
    """Return the parts of a command text; None if it has more numbers than a result."""
    reference, rest = split_match_reference(tokens)
    names = tuple(token.letters for token in rest if isinstance(token, TextToken))
    numbers = [token for token in rest if isinstance(token, Number | Points)]
    points = tuple(
        n for token in numbers for n in ((token.a, token.b) if isinstance(token, Points) else (token.value,))
    )
    has_match_number = any(isinstance(token, MatchNumber) for token in rest)
    if (
        has_match_number
        or len(points) > _TWO
        or (len(numbers) > 1 and any(isinstance(token, Points) for token in numbers))
    ):
        return None
    return ResultText(reference, names, points)


def parse_result(tokens: Sequence[Token], vocabulary: Vocabulary, targets: CommandTargets) -> ParseResult:
    """Return all results that the command text can mean, or the reason why it means none.

    A word for an ending ("w/o") that also begins a name is tried as both.
    """
    lines = [
        line for line in (parse_line(tokens), *_lines_with_endings(tokens, vocabulary)) if line is not None
    ]
    if not lines:
        return make_refusal("desk.too_many_numbers")
    readings = [_read_line(line, targets) for line in lines]
    commands = [
        command for reading in readings if isinstance(reading, ParsedCommands) for command in reading.commands
    ]
    if commands:
        return ParsedCommands(tuple(dict.fromkeys(commands)))
    return readings[-1]  # of a line with an ending its own reasons, not those of a name


def _lines_with_endings(tokens: Sequence[Token], vocabulary: Vocabulary) -> list[ResultText | None]:
    """Return the parts of the command text for every reading in which one word is an ending.

    There is one item for each word that can be an ending; None for text with more numbers than a result.
    """
    lines = []
    for place, token in enumerate(tokens):
        word = vocabulary.known.get(token.text) if isinstance(token, TextToken) else None
        if word is not None and word in ENDINGS_BY_WORD:
            line = parse_line([*tokens[:place], *tokens[place + 1 :]])
            is_first = not any(isinstance(other, TextToken) for other in tokens[:place])
            lines.append(line and replace(line, ending=ENDINGS_BY_WORD[word], is_ending_first=is_first))
    return lines


def matches_at(reference: Number | MatchNumber | None, targets: CommandTargets) -> list[CommandMatch]:
    """Return the matches that a table or match number can mean; all matches for None.

    A table means the match at it, a match number the match of that number in each stage.
    """
    if isinstance(reference, MatchNumber):
        return [match for match in targets.matches if match.number == reference.value]
    if reference is not None:
        at_table = targets.at_table(reference.value)
        return [at_table] if at_table is not None else []
    return list(targets.matches)


def sides_by_names(names: Sequence[str], matches: Sequence[CommandMatch]) -> list[tuple[CommandMatch, Side]]:
    """Return the sides (pairs of match and side) that the words can mean.

    All words are taken as one name. Only if no side has that name, the first words are this side's name and
    the others the opponent's ("bob ann": Bob against Ann).
    """
    sides = [(match, side) for match in matches for side in Side if matches_name(names, match.name(side))]
    if sides:
        return sides
    return [(match, side) for match in matches for side in Side if _names_fit_both(names, match, side)]


def _names_fit_both(names: Sequence[str], match: CommandMatch, side: Side) -> bool:
    own_name, other_name = match.name(side), match.name(side.other)
    return any(
        matches_name(names[:cut], own_name) and matches_name(names[cut:], other_name)
        for cut in range(1, len(names))
    )


def matching_sides(
    line: ResultText, targets: CommandTargets
) -> list[tuple[CommandMatch, Side]] | CommandRefusal:
    """Return every match that the command text can mean with the side that it names, or why there is none.

    A number is a table. If the named player does not play there, the number may be that of a match of the
    player. Without a name a number is never a match number. Only matches that may have a result now count.
    """
    references = [line.where]
    if isinstance(line.where, Number) and line.names:
        references.append(MatchNumber(line.where.value))
    for reference in references:
        candidates = [match for match in matches_at(reference, targets) if may_report(match.status)]
        sides = sides_by_names(line.names, candidates)
        if sides:
            return sides
    matches = [match for match in matches_at(line.where, targets) if may_report(match.status)]
    if line.where is not None and not matches:
        return no_match_refusal(line.where, targets)
    return no_name_refusal(line.names, matches if line.where is not None else [])


def named_matches(
    tokens: Sequence[Token], targets: CommandTargets, word: CommandWord, *, allows_points: bool = False
) -> list[tuple[CommandMatch, Side | None]] | CommandRefusal:
    """Return the matches that a text names by table, match number or name, each with the named side or None.

    ``tokens``: the tokens without the command word ``word``; ``allows_points``: True if the text may also contain
    points. A refusal if no match fits.
    """
    line = parse_line(tokens)
    if line is None or (line.points and not allows_points) or (line.where is None and not line.names):
        return make_refusal("desk.usage", word=word.value)
    if line.names:
        named_sides = matching_sides(line, targets)
        return (
            named_sides
            if isinstance(named_sides, CommandRefusal)
            else [(match, side) for match, side in named_sides]
        )
    matches = matches_at(line.where, targets)
    if not matches and line.where is not None:
        return no_match_refusal(line.where, targets)
    return [(match, None) for match in matches]


def _read_line(line: ResultText, targets: CommandTargets) -> ParseResult:
    if not line.names:
        return _read_unnamed(line, targets)
    named_sides = matching_sides(line, targets)
    if isinstance(named_sides, CommandRefusal):
        return named_sides
    if line.where is None and not line.points and line.ending is None:
        matches = list(dict.fromkeys(match for match, _side in named_sides))
        if len(matches) == 1:
            return make_refusal("desk.which_result", matches[0])
        return make_refusal("desk.several_of_that_name", count=len(matches))
    if line.ending is not None:
        return _select_valid(
            [
                _ending_command(line, line.ending, match, winner, first=side)
                for match, side in named_sides
                for winner in _possible_winners(line.ending, side, is_certain=line.is_ending_first)
            ]
        )
    is_ambiguous = len(line.points) == _TWO and line.points[0] < line.points[1]
    claims = [_result_command(line, match, side) for match, side in named_sides]
    # "ann 3 7": Ann lost, her points first; or Ann won, and the points are as on the slip.
    claims += [
        _result_command(replace(line, points=line.points[::-1]), match, side)
        for match, side in named_sides
        if is_ambiguous
    ]
    return _select_valid(claims)


def _read_unnamed(line: ResultText, targets: CommandTargets) -> ParseResult:
    """Parse a text without a name, whose points are those of the sides from the left.

    If the score decides no winner, the refusal asks who won.
    """
    if line.where is None:
        return make_refusal("desk.which_match")
    matches = [match for match in matches_at(line.where, targets) if may_report(match.status)]
    if not matches:
        return no_match_refusal(line.where, targets)
    if line.ending is not None:
        winners: tuple[Side | None, ...] = (None,) if line.ending.name is NameRole.EITHER else tuple(Side)
        return _select_valid(
            [
                _ending_command(line, line.ending, match, winner, first=Side.A)
                for match in matches
                for winner in winners
            ]
        )
    if len(line.points) < _TWO:
        return make_refusal("desk.who_won", matches[0])
    a, b = line.points
    return _select_valid(
        [_result_command(line, match, Side.A if a > b else Side.B, from_left=True) for match in matches]
    )


def _result_command(
    line: ResultText, match: CommandMatch, side: Side, *, from_left: bool = False
) -> ResultCommand | CommandRefusal:
    """Return the result that the text means if its name is that of ``side``, or why it is not valid.

    ``from_left``: True if the points are those of the sides from the left, not of ``side`` first.
    """
    if len(line.points) < _TWO:
        other_points = line.points[0] if line.points else match.minimum_score.of(side.other)
        if line.points and not match.minimum_score.of(side.other) <= other_points < match.length:
            least = match.minimum_score.of(side.other)
            return make_refusal(
                "desk.loser_points", match, points=other_points, least=least, most=match.length - 1
            )
        return _check_claim(match, _claim(match.length, other_points, side))
    own_points, other_points = line.points
    return _check_claim(
        match, Claim(own_points, other_points) if from_left else _claim(own_points, other_points, side)
    )


def _possible_winners(ending: Ending, named_side: Side, *, is_certain: bool) -> tuple[Side | None, ...]:
    """Return who may have won if the name beside a command word is that of ``named_side``.

    Two sides if the text is ambiguous, that is, unless ``is_certain``; (None,) if the ending has no winner.
    """
    if ending.name is NameRole.EITHER:
        return (None,)
    if ending.name is NameRole.WINNER:
        return (named_side,)
    return (named_side.other,) if is_certain else (named_side.other, named_side)


def _ending_command(
    line: ResultText, ending: Ending, match: CommandMatch, winner: Side | None, *, first: Side
) -> ResultCommand | CommandRefusal:
    """Return the result with this ending, or why it is not valid; points of side ``first`` come first.

    A side that did not play wins no points (rule F10).
    """
    default = default_score(winner, length=match.length, least=match.minimum_score)
    if not line.points and not ending.is_score_required:
        return _check_claim(match, ending_claim(ending, default, winner))
    if len(line.points) < _TWO:
        return make_refusal("desk.how_it_stood", match)
    own_points, other_points = line.points
    score = _claim(own_points, other_points, first).score
    if has_fixed_score(ending) and score != default:
        return make_refusal("desk.walkover_score", match, a=default.of(first), b=default.of(first.other))
    return _check_claim(match, ending_claim(ending, score, winner))


def parse_score(line: ResultText, match: CommandMatch, side: Side | None) -> Score | CommandRefusal:
    """Return the score in a command text, or a refusal if the text has fewer than two numbers.

    The points of ``side`` come first; if ``side`` is None, they are from the left.
    """
    if len(line.points) < _TWO:
        return make_refusal("desk.how_it_stood", match)
    own_points, other_points = line.points
    return _claim(own_points, other_points, side or Side.A).score


def _claim(own_points: int, other_points: int, side: Side) -> Claim:
    return Claim(own_points, other_points) if side is Side.A else Claim(other_points, own_points)


def _check_claim(match: CommandMatch, claim: Claim) -> ResultCommand | CommandRefusal:
    faults = check_score(match.length, claim, start=match.minimum_score)
    if faults:
        return CommandRefusal(tuple(replace(fault, field=None) for fault in faults), match)
    winner = claim_winner(match.length, claim)
    return ResultCommand(match, replace(claim, winner=winner), winner)


def _select_valid(claims: Sequence[ResultCommand | CommandRefusal]) -> ParseResult:
    """Return the valid results; if there are none, the first refusal.

    ``claims``: what the text may mean, each as a result or a refusal.
    """
    results = [claim for claim in claims if isinstance(claim, ResultCommand)]
    if results:
        return ParsedCommands(tuple(results))
    return next(claim for claim in claims if isinstance(claim, CommandRefusal))


def no_match_refusal(reference: Number | MatchNumber, targets: CommandTargets) -> CommandRefusal:
    """Return the refusal for a table or number without a match that can have a result now."""
    if isinstance(reference, MatchNumber):
        return make_refusal("desk.no_such_match", searched=True, number=reference.value)
    is_number = any(match.number == reference.value for match in targets.matches)
    code = "desk.table_free_but_match" if is_number else "desk.table_free"
    return make_refusal(code, searched=True, table=reference.value)


def no_name_refusal(names: Sequence[str], matches: Sequence[CommandMatch]) -> CommandRefusal:
    """Return the refusal for a name that is not in the named match or, if that is open, in any match."""
    name = " ".join(names)
    if len(matches) == 1:
        return make_refusal("desk.not_in_this_match", matches[0], searched=True, name=name)
    return make_refusal("desk.nobody", searched=True, name=name)
