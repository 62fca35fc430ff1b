"""An entry's path through a bracket: its next match, those after a win or a loss, and possible opponents.

The path is computed from the stored matches, so it includes corrections and bracket lines that a director has
filled by hand.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tournaments.engine.brackets.double import RECHARGE
from tournaments.engine.brackets.structure import SourceKind, entrant_counts
from tournaments.engine.types import EntryId, MatchNo, Side

_MATCH_SOURCES: Final = (SourceKind.WINNER_OF, SourceKind.LOSER_OF)


@dataclass(frozen=True, slots=True)
class PathSide:
    """One side of a match: its entry, or the match whose winner or loser (``kind``) comes to this side.

    ``vacant``: no entry comes.
    """

    kind: SourceKind
    match: MatchNo | None = None
    entry: EntryId | None = None
    vacant: bool = False

    @property
    def arrival(self) -> bool | tuple[SourceKind, int]:
        if self.entry is not None or self.vacant or self.match is None:
            return self.entry is not None or (self.kind is SourceKind.HELD and not self.vacant)
        return self.kind, self.match


@dataclass(frozen=True, slots=True)
class PathNode:
    """A match of a bracket.

    ``code`` and ``section``: those of its round; ``over``: the match has a result, or is not played.
    """

    number: MatchNo
    section: str
    code: str
    sides: tuple[PathSide, PathSide]
    over: bool = False


@dataclass(frozen=True, slots=True)
class PathStep:
    """A match to come on an entry's path.

    ``node``: the match; ``side``: the entry's side; ``against``: the other side; ``candidates``: the ids of
    all entries that may be the opponent.
    """

    node: PathNode
    side: Side
    against: PathSide
    candidates: frozenset[EntryId]


@dataclass(frozen=True, slots=True)
class PathAhead:
    """The matches that an entry still has to play.

    ``now``: the next match; ``wins``: the matches after it as long as the entry wins; ``loss``: the match
    that follows if ``now`` is lost, None if the entry is then out.
    """

    now: PathStep
    wins: tuple[PathStep, ...]
    loss: PathStep | None


class BracketPaths:
    """All paths of entries through one bracket, computed from its matches."""

    def __init__(self, nodes: Iterable[PathNode]) -> None:
        self._nodes: Mapping[MatchNo, PathNode] = {node.number: node for node in sorted(nodes, key=_number)}
        self._candidates_by_source: dict[tuple[MatchNo, SourceKind], frozenset[EntryId]] = {}

    @cached_property
    def _feeds(self) -> Mapping[tuple[MatchNo, SourceKind], tuple[PathNode, Side]]:
        return {
            (line.match, line.kind): (node, side)
            for node in self._nodes.values()
            for side, line in zip(Side, node.sides, strict=True)
            if line.match is not None and line.kind in _MATCH_SOURCES and not line.vacant
        }

    @cached_property
    def _entrant_counts(self) -> Mapping[int, int]:
        return entrant_counts(
            (node.number, [line.arrival for line in node.sides]) for node in self._nodes.values()
        )

    def onward(
        self, entry: EntryId, *, has_won: bool = False, closed_sections: frozenset[str] = frozenset()
    ) -> PathAhead | None:
        """Return the matches that ``entry`` still has to play; None if there are none.

        ``closed_sections``: codes of sections that do not admit an entry that has already won a match
        (``has_won``).
        """
        for node in self._nodes.values():
            side = next((s for s, line in zip(Side, node.sides, strict=True) if line.entry == entry), None)
            if side is not None and not node.over:
                break
        else:
            return None
        loss = self._next_step(node, SourceKind.LOSER_OF)
        if loss is not None and (
            (has_won and loss.node.section in closed_sections)
            or (loss.node.code == RECHARGE and side is Side.B)
        ):
            loss = None
        wins: list[PathStep] = []
        step = self._next_step(node, SourceKind.WINNER_OF)
        while (
            step is not None and step.node.code != RECHARGE
        ):  # the second final is played only after a loss in the first
            wins.append(step)
            step = self._next_step(step.node, SourceKind.WINNER_OF)
        return PathAhead(self._step(node, side), tuple(wins), loss)

    def _next_step(self, node: PathNode, kind: SourceKind) -> PathStep | None:
        """Return the next match that the winner or loser (``kind``) of ``node`` plays, or None.

        Matches without an opponent are passed.
        """
        next_side = self._feeds.get((node.number, kind))
        while next_side is not None and self._entrant_counts[next_side[0].number] < len(Side):
            next_side = self._feeds.get((next_side[0].number, SourceKind.WINNER_OF))
        return self._step(*next_side) if next_side is not None else None

    def _step(self, node: PathNode, side: Side) -> PathStep:
        opponent = node.sides[1 if side is Side.A else 0]
        return PathStep(node, side, opponent, self._candidates(opponent))

    def _candidates(self, line: PathSide) -> frozenset[EntryId]:
        if line.entry is not None:
            return frozenset({line.entry})
        if line.match is None or line.vacant:
            return frozenset()
        key = (line.match, line.kind)
        if key not in self._candidates_by_source:
            source = self._nodes[line.match]
            self._candidates_by_source[key] = frozenset().union(
                *(self._candidates(side) for side in source.sides)
            )
        return self._candidates_by_source[key]


def _number(node: PathNode) -> int:
    return node.number
