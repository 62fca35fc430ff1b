"""Parsing of commands about chess clocks (rule F11): ``clock 12``, ``clock 12 5-3``, ``clock 12 off``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tournaments.engine.desk.results import ResultText, named_matches, parse_line, parse_score
from tournaments.engine.desk.tokens import Token
from tournaments.engine.desk.values import (
    ClockOffCommand,
    ClockOnCommand,
    CommandMatch,
    CommandRefusal,
    CommandTargets,
    ParsedCommands,
    ParseResult,
    make_refusal,
)
from tournaments.engine.desk.vocabulary import CommandWord
from tournaments.engine.matches.rulings import check_clock_start
from tournaments.engine.types import Score, Side


def parse_clock_on(rest: Sequence[Token], targets: CommandTargets) -> ParseResult:
    """Return the commands that add a clock to a match, or a refusal with the reason.

    ``rest``: the tokens without the command word. Two points give the present score: the named side's first,
    or from the left if no side is named.
    """
    named_sides = named_matches(rest, targets, CommandWord.CLOCK, allows_points=True)
    line = parse_line(rest)
    if isinstance(named_sides, CommandRefusal) or line is None:
        return (
            named_sides
            if isinstance(named_sides, CommandRefusal)
            else make_refusal("desk.usage", word=CommandWord.CLOCK.value)
        )
    return _select_valid([_clock_on_command(line, match, side) for match, side in named_sides])


def parse_clock_off(rest: Sequence[Token], targets: CommandTargets) -> ParseResult:
    """Return the commands that remove a clock that was added to a match, or a refusal with the reason.

    ``rest``: the tokens without the command word.
    """
    named_sides = named_matches(rest, targets, CommandWord.OFF)
    if isinstance(named_sides, CommandRefusal):
        return named_sides
    return _select_valid(
        [
            ClockOffCommand(match) if match.clock is not None else make_refusal("clock.not_on", match)
            for match, _side in named_sides
        ]
    )


def _clock_on_command(
    line: ResultText, match: CommandMatch, side: Side | None
) -> ClockOnCommand | CommandRefusal:
    if match.has_clock:
        return make_refusal("clock.from_start", match)
    score: Score | None = None
    if line.points:
        parsed_score = parse_score(line, match, side)
        if isinstance(parsed_score, CommandRefusal):
            return parsed_score
        score = parsed_score
    if match.clock is not None and score in {match.clock.score, None}:
        return make_refusal("clock.on_already", match)
    faults = check_clock_start(match.length, match.minimum_score, score)
    if faults:
        return CommandRefusal(tuple(replace(fault, field=None) for fault in faults), match)
    return ClockOnCommand(match, score)


def _select_valid(readings: Sequence[ClockOnCommand | ClockOffCommand | CommandRefusal]) -> ParseResult:
    """Return the valid commands; if there are none, the first refusal.

    ``readings``: what the text may mean, each as a command or a refusal.
    """
    commands = tuple(
        dict.fromkeys(reading for reading in readings if not isinstance(reading, CommandRefusal))
    )
    return (
        ParsedCommands(commands)
        if commands
        else next(reading for reading in readings if isinstance(reading, CommandRefusal))
    )
