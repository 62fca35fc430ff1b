"""Lines about clocks (F11): ``clock 12``, ``clock 12 5-3``, ``clock 12 off``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tournaments.engine.desk.results import Line, line_of, matches_in, score_of
from tournaments.engine.desk.tokens import Token
from tournaments.engine.desk.values import (
    Desk,
    DeskMatch,
    PutClockOn,
    Reading,
    Refused,
    TakeClockOff,
    Understood,
    refused,
)
from tournaments.engine.desk.vocabulary import Word
from tournaments.engine.matches.rulings import check_clock_on
from tournaments.engine.types import Score, Side


def put_on(rest: Sequence[Token], desk: Desk) -> Reading:
    """A clock for the match; a score beside it says where it stands, the points of a named side first, else from the left."""
    found = matches_in(rest, desk, Word.CLOCK, points=True)
    line = line_of(rest)
    if isinstance(found, Refused) or line is None:
        return found if isinstance(found, Refused) else refused("desk.usage", word=Word.CLOCK.value)
    return _judged([_on(line, match, side) for match, side in found])


def take_off(rest: Sequence[Token], desk: Desk) -> Reading:
    """The match is played without the clock that was put on."""
    found = matches_in(rest, desk, Word.OFF)
    if isinstance(found, Refused):
        return found
    return _judged(
        [
            TakeClockOff(match) if match.clock is not None else refused("clock.not_on", match)
            for match, _side in found
        ]
    )


def _on(line: Line, match: DeskMatch, side: Side | None) -> PutClockOn | Refused:
    if match.clocked:
        return refused("clock.from_start", match)
    score: Score | None = None
    if line.points:
        given = score_of(line, match, side)
        if isinstance(given, Refused):
            return given
        score = given
    if match.clock is not None and score in {match.clock.score, None}:
        return refused("clock.on_already", match)
    faults = check_clock_on(match.length, match.least, score)
    if faults:
        return Refused(tuple(replace(fault, field=None) for fault in faults), match)
    return PutClockOn(match, score)


def _judged(readings: Sequence[PutClockOn | TakeClockOff | Refused]) -> Reading:
    """What can be done among them; if nothing can, why the first cannot."""
    meanings = tuple(dict.fromkeys(one for one in readings if not isinstance(one, Refused)))
    return Understood(meanings) if meanings else next(one for one in readings if isinstance(one, Refused))
