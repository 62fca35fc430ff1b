"""Lines that end a match: ``12 bob``, ``12 bob 3``, ``12 7-3``, ``bob 7 3``, ``#74 w/o ann``.

A number in front is a table, with ``#`` a match. A name is who won, with one number the points of the other side, with two its own first;
with the smaller one first it is asked who won.
Two numbers without a name are the sides from the left, as on the slip. The name beside “w/o” is who goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tournaments.engine.brackets.correction import absence_claim
from tournaments.engine.desk.names import may_mean
from tournaments.engine.desk.tokens import MatchNumber, Number, Points, Token, Typed
from tournaments.engine.desk.values import Desk, DeskMatch, Reading, Refused, Result, Understood, refused
from tournaments.engine.desk.vocabulary import Vocabulary, Word
from tournaments.engine.matches.reporting import check_score, winner_of
from tournaments.engine.statuses import may_report
from tournaments.engine.types import Claim, Side

_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class Line:
    """A line taken apart: the match it names, the words of names, the points."""

    where: Number | MatchNumber | None
    names: tuple[str, ...]
    points: tuple[int, ...]
    walkover: bool = False


def where_of(tokens: Sequence[Token]) -> tuple[Number | MatchNumber | None, Sequence[Token]]:
    """The match that a line begins with, and the rest. ``7 3`` begins with a table, too: which of it fits is seen later."""
    first = tokens[0] if tokens else None
    return (first, tokens[1:]) if isinstance(first, Number | MatchNumber) else (None, tokens)


def line_of(tokens: Sequence[Token], *, walkover: int | None = None) -> Line | None:
    """The parts of a line; ``walkover``: the place of that word. None where there are more numbers than a result has."""
    where, rest = where_of(tokens)
    skipped = tokens[walkover] if walkover is not None else None
    names = tuple(one.letters for one in rest if isinstance(one, Typed) and one is not skipped)
    numbers = [one for one in rest if isinstance(one, Number | Points)]
    points = tuple(
        n for one in numbers for n in ((one.a, one.b) if isinstance(one, Points) else (one.value,))
    )
    extra = any(isinstance(one, MatchNumber) for one in rest)
    if extra or len(points) > _TWO or (len(numbers) > 1 and any(isinstance(one, Points) for one in numbers)):
        return None
    return Line(where, names, points, walkover is not None)


def read_result(tokens: Sequence[Token], words: Vocabulary, desk: Desk) -> Reading:
    """Every result that the line can mean; a walk-over and a name that begins the same are both of them."""
    every = [line_of(tokens)]
    every += [line_of(tokens, walkover=place) for place in _walkovers(tokens, words)]
    lines = [line for line in every if line is not None]
    if not lines:
        return refused("desk.too_many_numbers")
    readings = [_read(line, desk) for line in lines]
    meanings = [m for reading in readings if isinstance(reading, Understood) for m in reading.meanings]
    if meanings:
        return Understood(tuple(dict.fromkeys(meanings)))
    return readings[-1]  # of a walk-over its own reasons, not those of a name


def _walkovers(tokens: Sequence[Token], words: Vocabulary) -> list[int]:
    found = [
        place
        for place, one in enumerate(tokens)
        if isinstance(one, Typed) and words.known.get(one.text) is Word.WALKOVER
    ]
    return found[:1]


def matches_at(where: Number | MatchNumber | None, desk: Desk) -> list[DeskMatch]:
    """The matches that a line can be about: of a table the one that is there, of a number one in each stage."""
    if isinstance(where, MatchNumber):
        return [match for match in desk.matches if match.number == where.value]
    if where is not None:
        at_table = desk.at_table(where.value)
        return [at_table] if at_table is not None else []
    return list(desk.matches)


def sides_meant(names: Sequence[str], matches: Sequence[DeskMatch]) -> list[tuple[DeskMatch, Side]]:
    """Whom the words can mean: all of them are one name; only where nobody is called so, the first ones are this side's name and
    the others that of the other side (“bob ann”: Bob against Ann).
    """
    whole = [(match, side) for match in matches for side in Side if may_mean(names, match.name(side))]
    if whole:
        return whole
    return [(match, side) for match in matches for side in Side if _are_both(names, match, side)]


def _are_both(names: Sequence[str], match: DeskMatch, side: Side) -> bool:
    own, other = match.name(side), match.name(side.other)
    return any(may_mean(names[:cut], own) and may_mean(names[cut:], other) for cut in range(1, len(names)))


def meant_by(line: Line, desk: Desk) -> list[tuple[DeskMatch, Side]] | Refused:
    """Every match that the line can be about, with the side that its name is; or why there is none.

    A number is a table. Where nobody of that name plays there, it is the number of a match if the name stands in that one:
    the name makes sure of it. Without a name a number is never taken for a match.
    """
    tries = [line.where]
    if isinstance(line.where, Number) and line.names:
        tries.append(MatchNumber(line.where.value))
    for where in tries:
        found = [match for match in matches_at(where, desk) if may_report(match.status)]
        meant = sides_meant(line.names, found)
        if meant:
            return meant
    there = [match for match in matches_at(line.where, desk) if may_report(match.status)]
    if line.where is not None and not there:
        return nobody_there(line.where, desk)
    return nobody_called(line.names, there if line.where is not None else [])


def _read(line: Line, desk: Desk) -> Reading:
    if not line.names:
        return _by_score(line, desk)
    meant = meant_by(line, desk)
    if isinstance(meant, Refused):
        return meant
    if line.where is None and not line.points and not line.walkover:
        matches = list(dict.fromkeys(match for match, _side in meant))
        if len(matches) == 1:
            return refused("desk.which_result", matches[0])
        return refused("desk.several_of_that_name", count=len(matches))
    both = len(line.points) == _TWO and line.points[0] < line.points[1] and not line.walkover
    claims = [_claimed(line, match, side) for match, side in meant]
    # “ann 3 7”: she lost by it, her own points first; or she won, and it is written as on the slip.
    claims += [
        _claimed(replace(line, points=line.points[::-1]), match, side) for match, side in meant if both
    ]
    return _judged(claims)


def _by_score(line: Line, desk: Desk) -> Reading:
    """Without a name: the sides from the left. A walk-over without one is asked: to whom."""
    if line.where is None:
        return refused("desk.which_match")
    found = [match for match in matches_at(line.where, desk) if may_report(match.status)]
    if not found:
        return nobody_there(line.where, desk)
    if line.walkover and not line.points:
        return _judged([_claimed(line, match, side) for match in found for side in Side])
    if len(line.points) < _TWO:
        return refused("desk.who_won", found[0])
    a, b = line.points
    return _judged([_claimed(line, match, Side.A if a > b else Side.B, from_left=True) for match in found])


def _claimed(line: Line, match: DeskMatch, side: Side, *, from_left: bool = False) -> Result | Refused:
    """What the line claims of this match if its name is this side's."""
    if line.walkover:
        return _walked_over(line, match, side, from_left=from_left)
    if len(line.points) < _TWO:
        other = line.points[0] if line.points else match.least.of(side.other)
        if line.points and not match.least.of(side.other) <= other < match.length:
            least = match.least.of(side.other)
            return refused("desk.loser_points", match, points=other, least=least, most=match.length - 1)
        return _checked(match, _claim(match.length, other, side))
    own, other = line.points
    return _checked(match, Claim(own, other) if from_left else _claim(own, other, side))


def _walked_over(line: Line, match: DeskMatch, side: Side, *, from_left: bool) -> Result | Refused:
    """The one who is there has won to the length; a score beside the word must say the same."""
    claim = absence_claim(match.length, match.least, [side.other])
    won = (claim.score_a, claim.score_b) if from_left else (match.length, match.least.of(side.other))
    if line.points and line.points != won:
        return refused("desk.walkover_score", match, a=won[0], b=won[1])
    return _checked(match, claim)


def _claim(own: int, other: int, side: Side) -> Claim:
    return Claim(own, other) if side is Side.A else Claim(other, own)


def _checked(match: DeskMatch, claim: Claim) -> Result | Refused:
    faults = check_score(match.length, claim, start=match.least)
    winner = winner_of(match.length, claim)
    if faults or winner is None:
        return Refused(tuple(replace(fault, field=None) for fault in faults), match)
    return Result(match, replace(claim, winner=winner), winner)


def _judged(claims: Sequence[Result | Refused]) -> Reading:
    """The results among them; if there is none, why the first is none."""
    results = [claim for claim in claims if isinstance(claim, Result)]
    if results:
        return Understood(tuple(results))
    return next(claim for claim in claims if isinstance(claim, Refused))


def nobody_there(where: Number | MatchNumber, desk: Desk) -> Refused:
    """There is no such match that can have a result now."""
    if isinstance(where, MatchNumber):
        return refused("desk.no_such_match", searched=True, number=where.value)
    numbered = any(match.number == where.value for match in desk.matches)
    code = "desk.table_free_but_match" if numbered else "desk.table_free"
    return refused(code, searched=True, table=where.value)


def nobody_called(names: Sequence[str], found: Sequence[DeskMatch]) -> Refused:
    """Nobody of that name, in the one match that was named or in any."""
    typed = " ".join(names)
    if len(found) == 1:
        return refused("desk.not_in_this_match", found[0], searched=True, name=typed)
    return refused("desk.nobody", searched=True, name=typed)
