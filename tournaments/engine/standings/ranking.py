"""Places in an elimination: 1, 2, 3-4, 5-8 …; losers of the same round share a range of places.

They are computed from bracket and results alone, at any moment of the event: an entry still in has the best
possible and the guaranteed place. Each section (main draw, consolation, last chance) has its own places; all
sections of a double elimination share one ranking.

A double walkover eliminates both sides in that round, and an entry that is not admitted to a consolation does
not come, so the ranges of a round are final when that round and those before it are over. *Ladder* means the
rounds that are ranked together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.engine.brackets.progression import (
    NO_MANUAL_SLOTS,
    ManualSlots,
    MatchState,
    SlotState,
    advance,
)
from tournaments.engine.brackets.structure import (
    MAIN,
    THIRD_PLACE,
    Bracket,
    BracketMatch,
    SlotTarget,
    SourceKind,
)
from tournaments.engine.types import EntryId, MatchNo, Outcome, Side

States = Mapping[MatchNo, MatchState]


@dataclass(frozen=True, slots=True)
class Place:
    """A range of places that an entry has or can still have; `first` is the best of them.

    `settled`: the entry has no match left to play.
    """

    first: int
    last: int
    settled: bool

    @property
    def shared(self) -> bool:
        return self.first != self.last

    def __str__(self) -> str:
        return f"{self.first}\N{EN DASH}{self.last}" if self.shared else str(self.first)


def elimination_places(
    bracket: Bracket,
    results: Mapping[MatchNo, Outcome],
    sections: Sequence[str] = (MAIN,),
    by_hand: ManualSlots = NO_MANUAL_SLOTS,
) -> dict[EntryId, Place]:
    """Return the places of all entries that have come to these sections, as a dictionary sorted best first.

    `results`: outcomes by match number; `by_hand`: slots that the director has filled.
    """
    return places_from_states(bracket, advance(bracket, results, by_hand).matches, sections)


def places_from_states(
    bracket: Bracket, states: States, sections: Sequence[str] = (MAIN,)
) -> dict[EntryId, Place]:
    """Return the places of all entries in these sections, computed from the state of every match."""
    ladder = {rnd.number for section in sections for rnd in bracket.section(section)}
    matches = [match for match in bracket.matches if match.round in ladder]
    coming = _coming_sides(bracket, states)
    remaining = sum(
        coming[match.number][side]
        for match in matches
        for side in Side
        if not _is_fed_from(bracket, match, side, ladder)
    )
    exits = _exits_by_round(bracket, matches, coming, states, ladder)
    remaining += _adjust_manual_exits(exits, bracket, matches, states, ladder)
    ranges: dict[int, tuple[int, int]] = {}
    for number in sorted(ladder):
        ranges[number] = (remaining - exits[number] + 1, remaining)
        remaining -= exits[number]
    places: dict[EntryId, Place] = {}
    for match in matches:  # later rounds overwrite earlier ones
        first, last = ranges[match.round]
        drop_round = bracket.match(match.loser_to.match).round if match.loser_to else None
        if drop_round in ranges and not states[match.number].settled:  # a loss here will not be the last
            last = ranges[drop_round][1]
        places.update(_match_places(states[match.number], first, last))
        paper_winner = _paper_winner(states, match.number)
        if paper_winner is not None:
            places[paper_winner] = Place(first, last, settled=True)
    for rnd in bracket.rounds:
        if rnd.code == THIRD_PLACE and rnd.section in sections:
            places.update(_third_places(states[rnd.matches[0]], places))
    return dict(sorted(places.items(), key=lambda item: (item[1].first, item[1].last, item[0])))


def _coming_sides(bracket: Bracket, states: States) -> dict[MatchNo, dict[Side, bool]]:
    """Return for each match and side whether an entry is there or will come from an unfinished match."""
    coming: dict[MatchNo, dict[Side, bool]] = {}
    for match in bracket.matches:
        coming[match.number] = {}
        for side, source in ((Side.A, match.a), (Side.B, match.b)):
            slot = states[match.number].slot(side)
            if slot.state is not SlotState.OPEN or source.match is None:
                coming[match.number][side] = slot.state is SlotState.ENTRY
            else:
                source_sides = coming[source.match].values()
                coming[match.number][side] = (any if source.kind is SourceKind.WINNER_OF else all)(
                    source_sides
                )
    return coming


def _is_fed_from(bracket: Bracket, match: BracketMatch, side: Side, ladder: set[int]) -> bool:
    """Return whether a slot gets its entry from a match in a round of the ladder."""
    source = match.a if side is Side.A else match.b
    return source.match is not None and bracket.match(source.match).round in ladder


def _exits_by_round(
    bracket: Bracket,
    matches: Sequence[BracketMatch],
    coming: Mapping[MatchNo, Mapping[Side, bool]],
    states: States,
    ladder: set[int],
) -> dict[int, int]:
    """Return how many entries end in each round, keyed by round number.

    These are the entries that come to the round and do not continue in another round of the ladder.
    """
    exits: dict[int, int] = {}

    def goes_on(target: SlotTarget | None) -> bool:
        is_in_ladder = target is not None and bracket.match(target.match).round in ladder
        return is_in_ladder and target is not None and coming[target.match][target.side]

    for match in matches:
        outcome = states[match.number].outcome
        arriving = sum(coming[match.number].values())
        champion = (
            match.winner_to is None and arriving > 0 and (outcome is None or outcome.winner is not None)
        )
        staying = champion + goes_on(match.winner_to) + goes_on(match.loser_to)
        exits[match.round] = exits.get(match.round, 0) + arriving - staying
    return exits


def _adjust_manual_exits(
    exits: dict[int, int],
    bracket: Bracket,
    matches: Sequence[BracketMatch],
    states: States,
    ladder: set[int],
) -> int:
    """Correct ``exits`` for manual placements; return how many placed entries come from outside the ladder.

    An entry placed by hand that played in neither side of the previous match does not end where it was
    beaten: the winner of that match on paper, or no entry, ends there instead. An entry that was in no
    earlier match of the ladder is one more in it.
    """
    outsiders = 0
    for match in matches:
        for side, source in ((Side.A, match.a), (Side.B, match.b)):
            slot = states[match.number].slot(side)
            if source.match is None or source.kind is not SourceKind.WINNER_OF or not slot.is_manual:
                continue
            source_match = bracket.match(source.match)
            if (
                slot.entry is None
                or source_match.round not in ladder
                or slot.entry in _match_entries(states, source_match)
            ):
                continue
            earlier_rounds = [
                earlier.round
                for earlier in matches
                if earlier.number < match.number and slot.entry in _match_entries(states, earlier)
            ]
            exits[source_match.round] += 1
            if earlier_rounds:
                exits[earlier_rounds[-1]] -= 1
            else:
                outsiders += 1
    return outsiders


def _match_entries(states: States, match: BracketMatch) -> tuple[EntryId | None, EntryId | None]:
    return states[match.number].a.entry, states[match.number].b.entry


def _match_places(match: MatchState, first: int, last: int) -> dict[EntryId, Place]:
    places: dict[EntryId, Place] = {}
    for side in Side:
        entry = match.slot(side).entry
        if entry is None:
            continue
        if match.outcome is None:
            places[entry] = Place(1, last, settled=False)
        elif match.outcome.winner is side:  # the next round, if any, overwrites this
            places[entry] = Place(1, 1, settled=True)
        else:
            places[entry] = Place(first, last, settled=True)
    return places


def _paper_winner(states: States, number: MatchNo) -> EntryId | None:
    """Return the entry that won a match only on paper, or None.

    Its result was corrected later, while another entry stayed in the next match by hand.
    """
    match = states[number]
    target = match.winner_to
    if target is None or match.outcome is None or match.outcome.winner is None:
        return None
    winner, slot = match.slot(match.outcome.winner).entry, states[target.match].slot(target.side)
    return winner if slot.is_manual and slot.entry != winner else None


def _third_places(match: MatchState, places: Mapping[EntryId, Place]) -> dict[EntryId, Place]:
    """Return the places of the semifinal losers, separated by the third-place match once it has a winner.

    A semifinal loser after a double walkover in the other semifinal does not play the third-place match and
    is placed behind its winner.
    """
    losers = [slot.entry for slot in (match.a, match.b) if slot.entry is not None]
    if not losers:
        return {}
    shared_place = places[losers[0]]
    tied_entries = [entry for entry, other_place in places.items() if other_place == shared_place]
    if match.outcome is None:
        return {entry: Place(shared_place.first, shared_place.last, settled=False) for entry in tied_entries}
    if match.outcome.winner is None:
        return {}
    winner = match.slot(match.outcome.winner).entry
    return {
        entry: Place(shared_place.first, shared_place.first, settled=True)
        if entry == winner
        else Place(shared_place.first + 1, shared_place.last, settled=True)
        for entry in tied_entries
    }
