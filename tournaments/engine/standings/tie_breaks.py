"""The registry of tie-breaks: code, name, source, version, and the function. More is always better.

Values are whole numbers in the unit of the tie-break (`unit` 2: half points, 4: quarter points) or exact fractions.
Results without play (byes, walk-overs, absence) in the Buchholz family follow the rule of the FIDE congress of
Kallithea, 2009: for the entry itself an opponent is imagined who had as many points before that round, got what the
entry did not get in it, and half a point in every round after; for its opponents the entry's unplayed rounds count
half a point each.

Not here: a play-off's matches. What each play-off was worth to whom comes with the book and is read by `play_off`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations
from typing import Final

from faults import Fault
from tournaments.engine.chance import Chance
from tournaments.engine.errors import BadInput
from tournaments.engine.pairing.history import HALF, WIN
from tournaments.engine.standings.table import Book, Line, Value
from tournaments.engine.types import EntryId

LOT: Final = "tie-break lot"
OWN_DEFINITION: Final = "own definition"  # a source: no regulation says it
LEAST_RATE: Final = Fraction(33, 100)

Entries = Sequence[EntryId]


@dataclass(frozen=True, slots=True)
class TieBreak:
    """`of_the_tied`: looks at the tied entries only, and may have nothing to say about them.

    `again`: where it leaves some of them tied, it is asked again about those alone. `fewer`: people count something of which
    fewer is better; its values are below zero, so that here, too, more is better.
    """

    code: str
    source: str
    version: str
    compute: Callable[[Book, Entries], Mapping[EntryId, Value]]
    unit: int = 1
    of_the_tied: bool = False
    again: bool = False
    fewer: bool = False

    def counted(self, value: Value) -> Fraction:
        """`value` as people count it: in whole units, and of what was lost how much it is."""
        exact = Fraction(value, self.unit)
        return -exact if self.fewer else exact


def _each(value: Callable[[Book, EntryId], Value]) -> Callable[[Book, Entries], Mapping[EntryId, Value]]:
    """A tie-break that looks at each entry by itself."""
    return lambda book, entries: {entry: value(book, entry) for entry in entries}


def _points(book: Book, entry: EntryId) -> int:
    return book.points[entry]


def _survival(book: Book, entry: EntryId) -> int:
    """The round in which the last life was lost; for who is still in, all rounds and the lives that are left."""
    lost = book.lost(entry)
    if len(lost) >= book.lives > 0:
        return lost[book.lives - 1]
    return len(book.lines[entry]) + book.lives - len(lost)


def _wins(book: Book, entry: EntryId) -> int:
    return sum(line.points >= WIN for line in book.lines[entry])


def _wins_played(book: Book, entry: EntryId) -> int:
    return sum(line.played and line.points >= WIN for line in book.lines[entry])


def _progressive(book: Book, entry: EntryId) -> int:
    """The points after every round, added up: early wins weigh more."""
    return sum(accumulate(line.points for line in book.lines[entry]))


def _scored(book: Book, entry: EntryId) -> int:
    return sum(line.scored for line in book.lines[entry])


def _conceded(book: Book, entry: EntryId) -> int:
    return -sum(line.conceded for line in book.lines[entry])


def _difference(book: Book, entry: EntryId) -> int:
    return _scored(book, entry) + _conceded(book, entry)


def _strengths(book: Book, entry: EntryId) -> list[tuple[int, Line]]:
    """The points of every opponent, real or imagined, beside the round's line, round by round."""
    lines = book.lines[entry]
    strengths: list[tuple[int, Line]] = []
    before = 0
    for number, line in enumerate(lines, start=1):
        if line.played and line.opponent is not None:
            strengths.append((book.adjusted[line.opponent], line))
        elif line.present:
            strengths.append((before + WIN - line.points + HALF * (len(lines) - number), line))
        before += line.points
    return strengths


def _buchholz(cut_low: int = 0, cut_high: int = 0) -> Callable[[Book, Entries], Mapping[EntryId, Value]]:
    """Opponents' points without so many of the lowest and highest ones."""

    def compute(book: Book, entry: EntryId) -> int:
        ordered = sorted(strength for strength, _line in _strengths(book, entry))
        return sum(ordered[cut_low : max(cut_low, len(ordered) - cut_high)])

    return _each(compute)


def _sonneborn_berger(book: Book, entry: EntryId) -> int:
    """Half points of the opponents times half points got from them: quarters."""
    return sum(strength * line.points for strength, line in _strengths(book, entry))


def _win_rate(book: Book, entry: EntryId) -> Fraction:
    """Points out of those possible in the rounds where the entry took part; never below 0.33."""
    there = [line for line in book.lines[entry] if line.present]
    rate = Fraction(book.points[entry], WIN * len(there)) if there else Fraction(0)
    return max(rate, LEAST_RATE)


def _opponents_win_rate(book: Book, entry: EntryId) -> Fraction:
    rates = [
        _win_rate(book, line.opponent)
        for line in book.lines[entry]
        if line.played and line.opponent is not None
    ]
    return sum(rates, Fraction(0)) / len(rates) if rates else Fraction(0)


def _among(book: Book, tied: Entries, value: Callable[[Line], int]) -> dict[EntryId, Value]:
    """Sums over the played meetings of the tied with each other."""
    inside = set(tied)
    return {
        entry: sum(value(line) for line in book.lines[entry] if line.played and line.opponent in inside)
        for entry in tied
    }


def _head_to_head(book: Book, tied: Entries) -> Mapping[EntryId, Value]:
    met = {entry: {line.opponent for line in book.lines[entry] if line.played} for entry in tied}
    if all(b in met[a] for a, b in combinations(tied, 2)):
        return _among(book, tied, lambda line: line.points)
    return {}


def _mini_table(book: Book, tied: Entries) -> Mapping[EntryId, Value]:
    return _among(book, tied, lambda line: line.points)


def _mini_difference(book: Book, tied: Entries) -> Mapping[EntryId, Value]:
    return _among(book, tied, lambda line: line.scored - line.conceded)


def _play_off(book: Book, tied: Entries) -> Mapping[EntryId, Value]:
    """Speaks only about a group that has played it off in full; who is equal in a play-off is told apart by the next one."""
    played = [one for one in book.play_offs if all(entry in one for entry in tied)]
    if not played:
        return {}
    most = 1 + max(one[entry] for one in played for entry in tied)
    values: dict[EntryId, Value] = dict.fromkeys(tied, 0)
    for one in played:
        values = {entry: values[entry] * most + one[entry] for entry in tied}
    return values


def _lot(book: Book, entries: Entries) -> Mapping[EntryId, Value]:
    """Everybody's lot is drawn at once, so that it does not change with who else is tied."""
    drawn = Chance(book.seed, LOT).shuffled(book.entries)
    lots = {entry: len(drawn) - place for place, entry in enumerate(drawn)}
    return {entry: lots[entry] for entry in entries}


_FIDE: Final = "FIDE Handbook C.07 Tie-Break Regulations; unplayed rounds: FIDE Congress 2009 (Kallithea)"
_MTR: Final = "Magic Tournament Rules, Appendix C; points out of those possible, at least 0.33"

TIE_BREAKS: Final[Mapping[str, TieBreak]] = {
    breaker.code: breaker
    for breaker in (
        TieBreak("points", OWN_DEFINITION, "1", _each(_points), unit=2),
        TieBreak("survival", OWN_DEFINITION, "1", _each(_survival)),
        TieBreak("wins", _FIDE, "2024", _each(_wins)),
        TieBreak("wins_played", _FIDE, "2024", _each(_wins_played)),
        TieBreak(
            "head_to_head",
            _FIDE,
            "2024",
            _head_to_head,
            unit=2,
            of_the_tied=True,
            again=True,
        ),
        TieBreak(
            "mini_table",
            OWN_DEFINITION,
            "1",
            _mini_table,
            unit=2,
            of_the_tied=True,
            again=True,
        ),
        TieBreak(
            "mini_table_difference",
            OWN_DEFINITION,
            "1",
            _mini_difference,
            of_the_tied=True,
        ),
        TieBreak("buchholz", _FIDE, "2009", _buchholz(), unit=2),
        TieBreak("buchholz_cut_1", _FIDE, "2009", _buchholz(1), unit=2),
        TieBreak("buchholz_cut_2", _FIDE, "2009", _buchholz(2), unit=2),
        TieBreak(
            "buchholz_median_1",
            _FIDE,
            "2009",
            _buchholz(1, 1),
            unit=2,
        ),
        TieBreak("sonneborn_berger", _FIDE, "2009", _each(_sonneborn_berger), unit=4),
        TieBreak("progressive", _FIDE, "2024", _each(_progressive), unit=2),
        TieBreak("opponents_win_rate", _MTR, "2020", _each(_opponents_win_rate)),
        TieBreak("match_points_won", OWN_DEFINITION, "1", _each(_scored)),
        TieBreak("match_points_lost", OWN_DEFINITION, "1", _each(_conceded), fewer=True),
        TieBreak("match_points_difference", OWN_DEFINITION, "1", _each(_difference)),
        TieBreak("play_off", OWN_DEFINITION, "2", _play_off, of_the_tied=True, again=True),
        TieBreak("lot", OWN_DEFINITION, "1", _lot, of_the_tied=True),
    )
}


def tie_break(code: str) -> TieBreak:
    """The tie-break of this code; an unknown one is refused."""
    try:
        return TIE_BREAKS[code]
    except KeyError:
        raise BadInput(faults=[Fault("tie_break.unknown", None, {"code": code})]) from None
