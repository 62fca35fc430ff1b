"""The graph of a bracket: matches, their two slots, and where winners and losers go. Play does not change it.

A *bracket* is everything that is connected in one division: the main draw and whatever its losers feed
(`consolation`, `double`), each a *section*. Its matches are numbered 1…n so that the matches that feed a
match always have lower numbers: one pass in that order is enough for every computation. Results are kept
separately (`progression`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tournaments.engine.brackets.seeding import bracket_size
from tournaments.engine.errors import BadInput
from tournaments.engine.types import EntryId, MatchNo, ResultKind, Side

MAIN: Final = "main"
FINAL: Final = "final"
THIRD_PLACE: Final = "third_place"
_ROUND_CODES: Final = {2: FINAL, 4: "semifinal", 8: "quarterfinal"}


class SourceKind(StrEnum):
    """Where the entry of a slot comes from: the draw (an entry, a bye, a reserved line) or another match."""

    ENTRY = "entry"
    BYE = "bye"
    HELD = "held"  # a line reserved for late entries and re-entries, until it is closed
    WINNER_OF = "winner_of"
    LOSER_OF = "loser_of"


@dataclass(frozen=True, slots=True)
class Source:
    kind: SourceKind
    entry: EntryId | None = None
    match: MatchNo | None = None


@dataclass(frozen=True, slots=True)
class LoserAdmissionRule:
    """Which losers of a match are admitted to the slot that the match feeds (rule F17).

    The slot stays vacant for other losers. `after`: the kinds of result after which a loser is admitted.
    `first_match_only`: an entry that won a match before is not admitted (a bye does not count as won).
    `side`: the loser is admitted only if this side lost, as in the second final of a double elimination.
    """

    after: frozenset[ResultKind] = frozenset(ResultKind)
    first_match_only: bool = False
    side: Side | None = None

    def admits(self, kind: ResultKind, side: Side, *, has_won: bool) -> bool:
        return (
            kind in self.after
            and not (self.first_match_only and has_won)
            and (self.side is None or self.side is side)
        )


@dataclass(frozen=True, slots=True)
class SlotTarget:
    """The slot that the winner or loser of a match goes to.

    `match`, `side`: where the slot is; `rule`: which losers are admitted, None for all.
    """

    match: MatchNo
    side: Side
    rule: LoserAdmissionRule | None = None


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of the bracket, without its result.

    `position` counts from the top of its round, from 1. `winner_to`, `loser_to`: the slots that the winner
    and the loser go to, None if they go nowhere.
    """

    number: MatchNo
    round: int
    position: int
    a: Source
    b: Source
    winner_to: SlotTarget | None = None
    loser_to: SlotTarget | None = None


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round of one section of the bracket.

    `number` counts all rounds of the bracket from 1; `code`: final, semifinal, quarterfinal, last_16,
    third_place…; `of`: the number of entries that the round has room for; `matches`: their numbers.
    """

    number: int
    code: str
    of: int
    matches: tuple[MatchNo, ...]
    section: str = MAIN


@dataclass(frozen=True, slots=True)
class Bracket:
    """All rounds and matches of a bracket, each in the order of their numbers."""

    rounds: tuple[BracketRound, ...]
    matches: tuple[BracketMatch, ...]

    def match(self, number: MatchNo) -> BracketMatch:
        if not 1 <= number <= len(self.matches):
            raise BadInput("bracket.no_such_match", match=number)
        return self.matches[number - 1]

    @property
    def final(self) -> BracketMatch:
        """Last match of the main draw."""
        return self.match(self.section(MAIN)[-1].matches[0])

    def section(self, section: str) -> tuple[BracketRound, ...]:
        """Return the rounds of a section (given by its code) in order, without a third-place match."""
        return tuple(r for r in self.rounds if r.section == section and r.code != THIRD_PLACE)

    @property
    def entries(self) -> tuple[EntryId, ...]:
        """The ids of all entries placed by the draw, from the top line down."""
        sources = (source for m in self.matches for source in (m.a, m.b))
        return tuple(source.entry for source in sources if source.entry is not None)


Arrival = (
    bool | tuple[SourceKind, int]
)  # whether an entry is in a slot, or the match whose winner or loser may come


def entrant_counts(matches: Iterable[tuple[int, Iterable[Arrival]]]) -> dict[int, int]:
    """Return how many entries can still come to each match (0, 1 or 2), keyed by match number.

    `matches`: pairs of a match number and what may come to its slots; a match must follow those that feed it.
    With two the match will be played unless a side stays away; a loser comes only out of such a match.
    """
    counts: dict[int, int] = {}
    for number, slots in matches:
        count = 0
        for slot in slots:
            count += slot if isinstance(slot, bool) else counts[slot[1]] > (slot[0] is SourceKind.LOSER_OF)
        counts[number] = count
    return counts


def playable_matches(bracket: Bracket) -> frozenset[MatchNo]:
    """Return the numbers of the matches to which two entries can come by the draw.

    The others are byes or void.
    """
    counts = entrant_counts(
        (match.number, (_arrival(match.a), _arrival(match.b))) for match in bracket.matches
    )
    return frozenset(match.number for match in bracket.matches if counts[match.number] == len(Side))


def _arrival(source: Source) -> Arrival:
    if source.match is None:
        return source.entry is not None or source.kind is SourceKind.HELD
    return source.kind, source.match


def round_code(size: int) -> str:
    return _ROUND_CODES.get(size) or f"last_{size}"


def single_elimination(
    lines: Sequence[EntryId | None], *, third_place: bool = False, held: Collection[int] = ()
) -> Bracket:
    """Return the single elimination bracket for these lines (entries, or None for a bye).

    `third_place`: add a third-place match, as a round of its own after the final. `held`: the reserved empty
    lines, counted from 0. Raises ``BadInput`` if the lines do not fit.
    """
    size = len(lines)
    entries = [entry for entry in lines if entry is not None]
    if size != bracket_size(len(entries) + len(held)) or any(lines[line] is not None for line in held):
        raise BadInput("draw.lines_do_not_fit", lines=size, entries=len(entries))
    if len(set(entries)) != len(entries):
        raise BadInput("draw.entry_twice")
    if third_place and size == 2:
        raise BadInput("draw.no_semifinal")
    matches: list[BracketMatch] = []
    rounds: list[BracketRound] = []
    round_size, first = size, 1  # first: the number of the round's first match
    while round_size >= 2:
        count = round_size // 2
        for i in range(count):
            pair = (
                _opening_pair(lines, i, held) if round_size == size else _winners_pair(first - round_size, i)
            )
            winner_to = _target(first + count, i) if round_size > 2 else None
            loser_to = SlotTarget(MatchNo(size), _side(i)) if third_place and round_size == 4 else None
            number = MatchNo(first + i)
            matches.append(BracketMatch(number, len(rounds) + 1, i + 1, *pair, winner_to, loser_to))
        numbers = tuple(m.number for m in matches[first - 1 :])
        rounds.append(BracketRound(len(rounds) + 1, round_code(round_size), round_size, numbers))
        first, round_size = first + count, count
    if third_place:
        a, b = (Source(SourceKind.LOSER_OF, match=number) for number in rounds[-2].matches)
        matches.append(BracketMatch(MatchNo(size), len(rounds) + 1, 1, a, b))
        rounds.append(BracketRound(len(rounds) + 1, THIRD_PLACE, 2, (MatchNo(size),)))
    return Bracket(tuple(rounds), tuple(matches))


def _side(index: int) -> Side:
    return Side.A if index % 2 == 0 else Side.B


def _target(first_of_next: int, index: int) -> SlotTarget:
    return SlotTarget(MatchNo(first_of_next + index // 2), _side(index))


def _opening_pair(
    lines: Sequence[EntryId | None], index: int, held: Collection[int]
) -> tuple[Source, Source]:
    a, b = (_line_source(lines[line], is_held=line in held) for line in (2 * index, 2 * index + 1))
    return a, b


def _line_source(entry: EntryId | None, *, is_held: bool) -> Source:
    if entry is not None:
        return Source(SourceKind.ENTRY, entry=entry)
    return Source(SourceKind.HELD if is_held else SourceKind.BYE)


def _winners_pair(first_of_previous: int, index: int) -> tuple[Source, Source]:
    a, b = (
        Source(SourceKind.WINNER_OF, match=MatchNo(first_of_previous + 2 * index + step)) for step in (0, 1)
    )
    return a, b
