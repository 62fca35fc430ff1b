"""Builder that adds sections to a bracket: new rounds whose entries come from matches of existing rounds.

A builder is used inside one function; the result is again a frozen bracket. New matches have higher numbers
than all before them, so the matches that feed a match always have lower numbers than that match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tournaments.engine.brackets.structure import (
    Bracket,
    BracketMatch,
    BracketRound,
    LoserAdmissionRule,
    SlotTarget,
    Source,
    SourceKind,
    round_code,
)
from tournaments.engine.errors import BadInput
from tournaments.engine.types import MatchNo, Side

BYE_SOURCE: Final = Source(SourceKind.BYE)
SourcePair = tuple[Source, Source]


def winner_source(match: MatchNo) -> Source:
    return Source(SourceKind.WINNER_OF, match=match)


def loser_source(match: MatchNo) -> Source:
    return Source(SourceKind.LOSER_OF, match=match)


class BracketBuilder:
    """Builder of a bracket that starts with the rounds of an existing one and gets further rounds."""

    def __init__(self, bracket: Bracket) -> None:
        self._matches = list(bracket.matches)
        self._rounds = list(bracket.rounds)

    def bracket(self) -> Bracket:
        return Bracket(tuple(self._rounds), tuple(self._matches))

    def add_round(
        self,
        section: str,
        code: str,
        pairs: Sequence[SourcePair],
        *,
        size: int | None = None,
        rule: LoserAdmissionRule | None = None,
    ) -> list[MatchNo]:
        """Add a round with one match for each pair of sources, and return the numbers of these matches.

        `section`, `code`: those of the round; `size`: how many entries the round has room for, twice its
        matches if None; `rule`: which losers of earlier matches may come into the round, all if None. Raises
        ``BadInput`` if the losers of a match go elsewhere already.
        """
        numbers: list[MatchNo] = []
        for position, (a, b) in enumerate(pairs, start=1):
            number = MatchNo(len(self._matches) + 1)
            self._matches.append(BracketMatch(number, len(self._rounds) + 1, position, a, b))
            self._link_target(a, SlotTarget(number, Side.A), rule)
            self._link_target(b, SlotTarget(number, Side.B), rule)
            numbers.append(number)
        round_size = size or 2 * len(numbers)
        self._rounds.append(BracketRound(len(self._rounds) + 1, code, round_size, tuple(numbers), section))
        return numbers

    def add_elimination(
        self, section: str, lines: Sequence[Source], *, rule: LoserAdmissionRule | None = None
    ) -> list[MatchNo]:
        """Add knockout rounds until one winner is left; return a list with the number of the last match.

        `lines`: where the entries of the first of these rounds come from, from top to bottom; their number
        must be a power of two, else ``BadInput`` is raised. `rule`: which losers are admitted.
        """
        if len(lines) < 2 or len(lines) & (len(lines) - 1):
            raise BadInput("draw.no_power_of_two", size=len(lines))
        numbers: list[MatchNo] = []
        while len(lines) > 1:
            numbers = self.add_round(section, round_code(len(lines)), pair_adjacent_sources(lines), rule=rule)
            lines = [winner_source(number) for number in numbers]
        return numbers

    def _link_target(self, source: Source, target: SlotTarget, rule: LoserAdmissionRule | None) -> None:
        if source.match is None:
            return
        feeding_match = self._matches[source.match - 1]
        if source.kind is SourceKind.WINNER_OF:
            self._matches[source.match - 1] = replace(feeding_match, winner_to=target)
            return
        if feeding_match.loser_to is not None:
            raise BadInput("bracket.losers_go_elsewhere", match=source.match)
        self._matches[source.match - 1] = replace(feeding_match, loser_to=replace(target, rule=rule))


def pair_adjacent_sources(lines: Sequence[Source]) -> list[SourcePair]:
    return list(zip(lines[::2], lines[1::2], strict=True))
