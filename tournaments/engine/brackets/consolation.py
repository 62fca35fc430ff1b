"""Sections for losers: first-match consolation, progressive consolation, last chance.

Each builder adds a section to a bracket and returns a bigger bracket; results, progression, corrections and
places work on the whole. Admission is a rule (F17): by default losers over the board, not by walkover.

- *First-match losers*: an elimination with one line for each first-round match of the main draw. A bye is not
  a won match, so an entry that had one and then loses comes in too, on the line of the bye. No main-draw
  match can be repeated: everyone here lost the only match they played.
- *Progressive*: the losers of round 1 play each other, then round for round the losers of the next main round
  come in against those still there. It is the lower bracket of a double elimination, stopped after the last
  round that feeds it.
- *Last chance*: an elimination among losers of the first rounds of a consolation. Of 17 to 24 entries the
  first round of a progressive consolation is nothing but byes, so a round that is mostly byes does not count
  as one.

Rematches in the progressive form: the losers of main round r do not drop opposite their own quarter of the
draw. Position j meets the loser of match j XOR m, with a mask m for each number of positions (`_MASKS`). The
masks were found by exhaustive simulation, size by size, and keep to about 0.7 rematches in a whole double
elimination at any size from 8 to 1,024 (undirected drops: 27 at 128), half of these in the last match of the
lower bracket, which cannot be avoided. `benchmarks/consolation_rematches.py` repeats the measurement.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tournaments.engine.brackets.building import (
    BYE_SOURCE,
    BracketBuilder,
    loser_source,
    pair_adjacent_sources,
    winner_source,
)
from tournaments.engine.brackets.structure import (
    FINAL,
    MAIN,
    Bracket,
    BracketRound,
    LoserAdmissionRule,
    Source,
    playable_matches,
)
from tournaments.engine.errors import BadInput
from tournaments.engine.matches.result_kinds import RESULT_RULES
from tournaments.engine.types import MatchNo, ResultKind

CONSOLATION: Final = "consolation"
LAST_CHANCE: Final = "last_chance"

PLAYED_KINDS: Final = frozenset(kind for kind in ResultKind if RESULT_RULES[kind].played)
PLAYED_OR_WALKOVER: Final = PLAYED_KINDS | {ResultKind.WALKOVER, ResultKind.FORFEIT}

# By the number of bits of a position: 64 positions have 6.
_MASKS: Final = (0b0, 0b1, 0b01, 0b101, 0b1111, 0b00101, 0b000100, 0b0000110, 0b00000101)
_MASKS_OF_SIXTEEN: Final = (0b0, 0b0, 0b11)  # a main draw of 16 has better masks of its own


def drop_mask(rounds: int, main_round: int) -> int:
    """Return the bit mask that decides opposite whom the losers of a main round drop into the lower bracket.

    Position j (from 0) meets the loser of match j XOR mask. `rounds`: how many rounds the main draw has.
    """
    masks = _MASKS_OF_SIXTEEN if rounds == 4 else _MASKS
    return masks[rounds - main_round]


def add_first_match_consolation(
    main: Bracket, *, admitted_kinds: frozenset[ResultKind] = PLAYED_KINDS
) -> Bracket:
    """Return the bracket with a consolation for all who lose their first match.

    That is a match of round 1 or, after a bye, of round 2. `admitted_kinds`: the kinds of result after which
    a loser is admitted. An entry that reaches round 3 without a match, because of double walkovers, and then
    loses is not admitted. Raises ``BadInput`` if the main draw has only one round.
    """
    rounds = main.section(MAIN)
    if len(rounds) < 2:
        raise BadInput("consolation.too_few_entries")
    lines: list[Source] = []
    for number in rounds[1].matches:
        second_match = main.match(number)
        feeders = (second_match.a.match, second_match.b.match)
        bye_matches = [
            n for n in feeders if n is not None and BYE_SOURCE in (main.match(n).a, main.match(n).b)
        ]
        pair = [BYE_SOURCE if n is None or n in bye_matches else loser_source(n) for n in feeders]
        if bye_matches:  # the entry with the bye plays its first match here
            pair[feeders.index(bye_matches[0])] = loser_source(number)
        lines += pair
    builder = BracketBuilder(main)
    builder.add_elimination(
        CONSOLATION, lines, rule=LoserAdmissionRule(admitted_kinds, first_match_only=True)
    )
    return builder.bracket()


def add_progressive_consolation(
    main: Bracket, last_round: int, *, admitted_kinds: frozenset[ResultKind] = PLAYED_KINDS
) -> Bracket:
    """Return the bracket with a consolation added that losers of main rounds enter round by round.

    `last_round`: the last main round whose losers come in; `admitted_kinds`: the kinds of result after which
    a loser is admitted.
    """
    builder = BracketBuilder(main)
    add_lower_rounds(builder, main, CONSOLATION, last_round, LoserAdmissionRule(admitted_kinds))
    return builder.bracket()


def add_last_chance(
    bracket: Bracket,
    rounds: int = 1,
    *,
    section: str = CONSOLATION,
    admitted_kinds: frozenset[ResultKind] = PLAYED_KINDS,
) -> Bracket:
    """Return the bracket with a last chance added, a knockout among losers of early rounds of a section.

    `rounds`: the losers of the first so many rounds come in. Only rounds count in which at least half of the
    matches are played; losers of rounds before them come in too, because a late entry may turn a bye into a
    match. The rounds are placed one below the other, every second one rotated by half, so that a loser of a
    later round is in another part of the draw than the opponents beaten before. Raises ``BadInput`` if the
    section has fewer rounds or fewer than two losers would come in.
    """
    if not 1 <= rounds <= len(bracket.section(section)):
        raise BadInput("consolation.no_such_round", rounds=rounds)
    sources: list[Source] = []
    for turn, rnd in enumerate(_rounds_feeding_last_chance(bracket, section, rounds)):
        losers = [loser_source(number) for number in rnd.matches]
        half = len(losers) // 2
        sources += losers if turn % 2 == 0 else losers[half:] + losers[:half]
    if len(sources) < 2:
        raise BadInput("consolation.too_few_entries")
    builder = BracketBuilder(bracket)
    builder.add_elimination(
        LAST_CHANCE,
        _spread_sources(sources, playable_matches(bracket)),
        rule=LoserAdmissionRule(admitted_kinds),
    )
    return builder.bracket()


def _rounds_feeding_last_chance(bracket: Bracket, section: str, rounds: int) -> Iterator[BracketRound]:
    """Yield the rounds of a section whose losers come into the last chance.

    `rounds`: how many rounds in which at least half of the matches can be played; rounds before them come
    too.
    """
    playable = playable_matches(bracket)
    for rnd in bracket.section(section):
        if rounds > 0:
            yield rnd
        rounds -= 2 * sum(number in playable for number in rnd.matches) >= len(rnd.matches)


def add_lower_rounds(
    builder: BracketBuilder, main: Bracket, section: str, last_round: int, rule: LoserAdmissionRule
) -> MatchNo:
    """Add the rounds of a lower bracket to the builder; return the number of its last match.

    Losers of main round 1 meet each other first; those of rounds 2 to `last_round` come in later. Raises
    ``BadInput`` if the main draw has only one round or no round `last_round`.
    """
    rounds = main.section(MAIN)
    if len(rounds) < 2:
        raise BadInput("consolation.too_few_entries")
    if not 1 <= last_round <= len(rounds):
        raise BadInput("consolation.no_such_round", rounds=last_round)
    plan = _drop_plan(len(rounds), last_round)
    sources = [loser_source(number) for number in rounds[0].matches]
    numbers: list[MatchNo] = []
    for turn, main_round in enumerate(plan, start=1):
        if main_round is None:
            pairs = pair_adjacent_sources(sources)
        else:
            mask, losers = drop_mask(len(rounds), main_round), rounds[main_round - 1].matches
            pairs = [(source, loser_source(losers[j ^ mask])) for j, source in enumerate(sources)]
        code = FINAL if turn == len(plan) else f"round_{turn}"
        numbers = builder.add_round(section, code, pairs, rule=rule)
        sources = [winner_source(number) for number in numbers]
    return numbers[0]


def _drop_plan(rounds: int, last_round: int) -> list[int | None]:
    """Return a list with one item for each round of the lower bracket.

    The item is the number of the main round whose losers come in, or None if only those already there meet.
    """
    plan: list[int | None] = [None]
    match_count = 1 << (rounds - 2)
    for main_round in range(2, last_round + 1):
        plan.append(main_round)
        if match_count > 1:
            plan.append(None)
            match_count //= 2
    while match_count > 1:
        plan.append(None)
        match_count //= 2
    return plan


def _spread_sources(sources: Sequence[Source], playable: Collection[MatchNo]) -> list[Source]:
    """Return the sources on a power of two of bracket lines, filled up with byes.

    Losers of matches that can be played are spread evenly over the matches.
    """
    size = 1 << (len(sources) - 1).bit_length()
    matches = size // 2
    playable_sources = deque(source for source in sources if source.match in playable)
    other_sources = deque(source for source in sources if source.match not in playable)
    other_sources.extend([BYE_SOURCE] * (size - len(sources)))
    count, lines = len(playable_sources), list[Source]()
    for match in range(matches):
        share = (match + 1) * count // matches - match * count // matches
        lines += [
            playable_sources.popleft() if place < share else other_sources.popleft() for place in range(2)
        ]
    return lines


class FlightKind(StrEnum):
    FIRST_MATCH = "first_match_consolation"
    PROGRESSIVE = "progressive_consolation"
    LAST_CHANCE = "last_chance"

    @property
    def section(self) -> str:
        return FLIGHT_RULES[self].section

    @property
    def source(self) -> str:
        """Code of the section whose losers come into this flight."""
        return FLIGHT_RULES[self].source


# (bracket, number of rounds whose losers come in, result kinds that admit) → the bracket with one more
# section
FlightBuilder = Callable[[Bracket, int, frozenset[ResultKind]], Bracket]


@dataclass(frozen=True, slots=True)
class FlightRule:
    """The rules of a kind of flight (a section for losers).

    ``section``: the code of the section it adds; ``source``: the section whose losers come in; ``build``:
    adds it to a bracket. ``duplicate_code``, ``alone``: error codes for two flights in the same section, and
    for a flight whose source section is missing. ``default_rounds``: initial value in forms for the number of
    rounds whose losers come in.
    """

    section: str
    source: str
    build: FlightBuilder
    duplicate_code: str
    alone: str = "plan.source_unknown"
    default_rounds: int = 1
    first_match_only: bool = False  # entries that have won a match are not admitted, from any round
    takes_semifinals: bool = False  # it may take losers of the semifinals, which excludes a third-place match


FLIGHT_RULES: Final[Mapping[FlightKind, FlightRule]] = {  # in the order of choices
    FlightKind.PROGRESSIVE: FlightRule(
        CONSOLATION,
        MAIN,
        lambda bracket, rounds, admitted_kinds: add_progressive_consolation(
            bracket, rounds, admitted_kinds=admitted_kinds
        ),
        duplicate_code="flight.two_consolations",
        default_rounds=2,
        takes_semifinals=True,
    ),
    FlightKind.FIRST_MATCH: FlightRule(
        CONSOLATION,
        MAIN,
        lambda bracket, _rounds, admitted_kinds: add_first_match_consolation(
            bracket, admitted_kinds=admitted_kinds
        ),
        duplicate_code="flight.two_consolations",
        first_match_only=True,
    ),
    FlightKind.LAST_CHANCE: FlightRule(
        LAST_CHANCE,
        CONSOLATION,
        lambda bracket, rounds, admitted_kinds: add_last_chance(
            bracket, rounds, admitted_kinds=admitted_kinds
        ),
        duplicate_code="flight.two_last_chances",
        alone="flight.last_chance_alone",
    ),
}

# Sections of flights in the order of the draw, each with the kinds that can be played in it.
FLIGHTS_BY_SOURCE: Final[Mapping[str, tuple[FlightKind, ...]]] = {
    section: tuple(kind for kind, row in FLIGHT_RULES.items() if row.section == section)
    for section in dict.fromkeys(row.section for row in FLIGHT_RULES.values())
}
