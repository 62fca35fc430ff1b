"""Places in a single elimination: 1, 2, 3-4, 5-8 …; who lost in the same round shares a range of places.

Computed from the bracket and its results alone, at any moment of the event: for whoever is still in, the best place
that is possible and the one that is safe. A double walk-over takes both sides out in that round, so the ranges of
its round and of the rounds before are known for certain only when those rounds are over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.engine.brackets.progression import MatchState, SlotState, advance
from tournaments.engine.brackets.structure import THIRD_PLACE, Bracket, BracketMatch, SourceKind
from tournaments.engine.types import EntryId, MatchNo, Outcome, Side


@dataclass(frozen=True, slots=True)
class Place:
    """A range of places, first the better one. `settled`: the entry has no match left to play."""

    first: int
    last: int
    settled: bool

    @property
    def shared(self) -> bool:
        return self.first != self.last

    def __str__(self) -> str:
        return f"{self.first}\N{EN DASH}{self.last}" if self.shared else str(self.first)


def elimination_places(bracket: Bracket, results: Mapping[MatchNo, Outcome]) -> dict[EntryId, Place]:
    """The place of every entry, best first."""
    state = advance(bracket, results).matches
    exits = _exits(bracket, state)
    left = len(bracket.entries)
    places: dict[EntryId, Place] = {}
    ranges: dict[int, tuple[int, int]] = {}
    for rnd in bracket.rounds:
        if rnd.code != THIRD_PLACE:
            ranges[rnd.number] = (left - exits[rnd.number] + 1, left)
            left -= exits[rnd.number]
    for match in bracket.matches:  # later rounds overwrite earlier ones
        if bracket.rounds[match.round - 1].code != THIRD_PLACE:
            places.update(_places_of(state[match.number], *ranges[match.round]))
    for match in bracket.matches:
        if bracket.rounds[match.round - 1].code == THIRD_PLACE:
            places.update(_third_places(state[match.number], places))
    return dict(sorted(places.items(), key=lambda item: (item[1].first, item[1].last, item[0])))


def _exits(bracket: Bracket, state: Mapping[MatchNo, MatchState]) -> dict[int, int]:
    """How many entries end in each round: known for settled matches, one for each that will be played."""
    comes: dict[MatchNo, bool] = {}  # does anybody come out of this match
    exits: dict[int, int] = {}
    for match in bracket.matches:
        sides = sum(_will_come(match, side, state, comes) for side in Side)
        outcome = state[match.number].outcome
        nobody = outcome is not None and outcome.winner is None
        comes[match.number] = sides > 0 and not nobody
        exits[match.round] = exits.get(match.round, 0) + sides - comes[match.number]
    return exits


def _will_come(
    match: BracketMatch, side: Side, state: Mapping[MatchNo, MatchState], comes: Mapping[MatchNo, bool]
) -> bool:
    slot = state[match.number].slot(side)
    source = match.a if side is Side.A else match.b
    if slot.state is not SlotState.OPEN:
        return slot.state is SlotState.ENTRY
    return source.kind is SourceKind.WINNER_OF and source.match is not None and comes[source.match]


def _places_of(match: MatchState, first: int, last: int) -> dict[EntryId, Place]:
    places: dict[EntryId, Place] = {}
    for side in Side:
        entry = match.slot(side).entry
        if entry is None:
            continue
        if match.outcome is None:
            places[entry] = Place(1, last, settled=False)
        elif match.outcome.winner is side:  # the next round overwrites this, if there is one
            places[entry] = Place(1, 1, settled=True)
        else:
            places[entry] = Place(first, last, settled=True)
    return places


def _third_places(match: MatchState, reached: Mapping[EntryId, Place]) -> dict[EntryId, Place]:
    """The losers of the semi-finals, told apart by their own match once it has a winner."""
    places: dict[EntryId, Place] = {}
    for side in Side:
        entry = match.slot(side).entry
        if entry is None:
            continue
        shared = reached[entry]
        if match.outcome is None:
            places[entry] = Place(shared.first, shared.last, settled=False)
        elif match.outcome.winner is side:
            places[entry] = Place(shared.first, shared.first, settled=True)
        elif match.outcome.winner is not None:
            places[entry] = Place(shared.last, shared.last, settled=True)
    return places
