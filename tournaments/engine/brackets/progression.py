"""How a bracket fills: from the draw and the confirmed results to slots, statuses and next matches.

Two functions, both pure and linear: `advance` computes the state of all matches from the results (for
drawing, checks and display), `result_effects` computes what one more result changes (for storing it).
`correction` computes what follows from a removed result.

A slot is *open* (not known yet, or a reserved line), holds an *entry*, or is *vacant*: no entry comes,
because of a bye or because both sides lost the previous match by a double walkover. An entry opposite a
vacant slot advances at once; two vacant slots make the match void and the next slot vacant.

A director may place entries by hand (`by_hand`): a late entry on a bye, another entry for a wrong one, or
entries that stay although an earlier result was corrected. Such a slot ignores the match that feeds it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Protocol

from tournaments.engine.brackets.structure import Bracket, SlotTarget, Source, SourceKind
from tournaments.engine.errors import BadInput
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import EntryId, MatchNo, Outcome, ResultKind, Side


class SlotState(StrEnum):
    OPEN = "open"
    ENTRY = "entry"
    VACANT = "vacant"


@dataclass(frozen=True, slots=True)
class Slot:
    """What is known of one side of a match.

    `has_won`: the entry won a match before (a bye does not count), needed by drop rules (rule F17).
    `is_manual`: the director filled the slot, so the match that feeds it is ignored.
    """

    state: SlotState
    entry: EntryId | None = None
    has_won: bool = False
    is_manual: bool = field(default=False, compare=False)


OPEN_SLOT: Final = Slot(SlotState.OPEN)
VACANT_SLOT: Final = Slot(SlotState.VACANT)


@dataclass(frozen=True, slots=True)
class MatchState:
    """The state of a bracket match; its status is waiting, ready, confirmed or void.

    `winner_to`, `loser_to`: the slots that the winner and the loser go to, None if they go nowhere.
    """

    number: MatchNo
    a: Slot
    b: Slot
    status: MatchStatus
    outcome: Outcome | None = None
    winner_to: SlotTarget | None = None
    loser_to: SlotTarget | None = None

    def slot(self, side: Side) -> Slot:
        return self.a if side is Side.A else self.b

    @property
    def settled(self) -> bool:
        return self.outcome is not None

    def winner(self) -> Slot:
        """Return what goes to the winner's next slot.

        The slot is open until the match has an outcome, and vacant if the match has no winner.
        """
        if self.outcome is None:
            return OPEN_SLOT
        if self.outcome.winner is None:
            return VACANT_SLOT
        slot = self.slot(self.outcome.winner)
        has_won = slot.has_won or self.outcome.kind is not ResultKind.BYE
        return replace(slot, has_won=has_won, is_manual=False)

    def loser(self) -> Slot:
        """Return what goes to the loser's next slot: the loser, open until it is known, or vacant.

        Vacant after a bye, a double walkover (rule F12: neither side was beaten), or if the slot's drop rule
        does not admit the loser. A bye has no loser, which is known before its entry comes.
        """
        if self.outcome is None:
            return VACANT_SLOT if SlotState.VACANT in (self.a.state, self.b.state) else OPEN_SLOT
        if self.outcome.winner is None:
            return VACANT_SLOT
        side = self.outcome.winner.other
        losing_slot = self.slot(side)
        rule = self.loser_to.rule if self.loser_to else None
        if rule and not rule.admits(self.outcome.kind, side, has_won=losing_slot.has_won):
            return VACANT_SLOT
        return replace(losing_slot, has_won=False, is_manual=False)


@dataclass(frozen=True, slots=True)
class BracketState:
    """The states of all matches of a bracket, as a dictionary keyed by match number in ascending order."""

    matches: dict[MatchNo, MatchState]

    @property
    def finished(self) -> bool:
        return all(match.settled for match in self.matches.values())


@dataclass(frozen=True, slots=True)
class FilledSlot:
    """A slot whose content became known: an entry, or None if the slot is vacant."""

    match: MatchNo
    side: Side
    entry: EntryId | None
    has_won: bool = False


@dataclass(frozen=True, slots=True)
class SettledMatch:
    """A match decided without play: confirmed as a bye, or void because no entry comes to either side."""

    match: MatchNo
    status: MatchStatus
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class ResultEffects:
    """What one result changes in other matches.

    `fills`: slots that became known; `settled`: matches decided without play; `ready`: numbers of matches
    that can be played now.
    """

    fills: tuple[FilledSlot, ...]
    settled: tuple[SettledMatch, ...]
    ready: tuple[MatchNo, ...]


ManualSlots = Mapping[
    SlotTarget, EntryId | None
]  # entries in these slots by the director's decision; None: vacant
NO_MANUAL_SLOTS: Final[ManualSlots] = {}


def opening_state(bracket: Bracket) -> BracketState:
    """Return the state of the bracket before the first result; entries with a bye have already advanced."""
    return advance(bracket, {})


def advance(
    bracket: Bracket, results: Mapping[MatchNo, Outcome], manual_slots: ManualSlots = NO_MANUAL_SLOTS
) -> BracketState:
    """Return the state of the bracket after these results, whatever their order.

    `manual_slots`: slots that the director has filled. Raises ``BadInput`` for a result of an unknown match
    or of a match whose two sides are not known.
    """
    for number in results:
        bracket.match(number)  # raises for a match that is not in the bracket

    def find_result(match: MatchNo, a: Slot, b: Slot) -> Outcome | None:
        if match in results and not _has_both_entries(a, b):
            raise BadInput("result.match_not_ready", match=match)
        return results.get(match)

    return _fill_slots(bracket, manual_slots, find_result)


def advance_valid_results(
    bracket: Bracket,
    results: Mapping[MatchNo, Outcome],
    by_hand: ManualSlots,
    previous_states: Mapping[MatchNo, MatchState],
) -> tuple[BracketState, dict[MatchNo, Outcome]]:
    """Return the state of the bracket and the results that count.

    A result counts if the two sides of its match are the same as in `previous_states`; the other matches have
    to be played again or are cancelled.
    """
    valid: dict[MatchNo, Outcome] = {}

    def find_result(match: MatchNo, a: Slot, b: Slot) -> Outcome | None:
        previous = previous_states[match]
        has_same_sides = (a.entry, b.entry) == (previous.a.entry, previous.b.entry)
        if match in results and has_same_sides and _has_both_entries(a, b):
            valid[match] = results[match]
        return valid.get(match)

    return _fill_slots(bracket, by_hand, find_result), valid


def _has_both_entries(a: Slot, b: Slot) -> bool:
    return a.state is SlotState.ENTRY and b.state is SlotState.ENTRY


def _fill_slots(
    bracket: Bracket, by_hand: ManualSlots, find_result: Callable[[MatchNo, Slot, Slot], Outcome | None]
) -> BracketState:
    """Return the state of the bracket, filled in one pass in the order of match numbers.

    One pass is enough as a match has a higher number than those that feed it. `find_result` gets a match
    number and its two slots and returns the outcome, None if there is none.
    """
    states: dict[MatchNo, MatchState] = {}
    for match in bracket.matches:
        a, b = _source_slot(match.a, states), _source_slot(match.b, states)
        if by_hand:
            a = _effective_slot(SlotTarget(match.number, Side.A), match.a, a, by_hand)
            b = _effective_slot(SlotTarget(match.number, Side.B), match.b, b, by_hand)
        status, outcome = _status_without_result(a, b)
        result = find_result(match.number, a, b)
        if result is not None:
            status, outcome = MatchStatus.CONFIRMED, result
        states[match.number] = MatchState(
            match.number, a, b, status, outcome, match.winner_to, match.loser_to
        )
    return BracketState(states)


class MatchLookup(Protocol):
    """A mapping from match numbers to match states that may load a state when it is looked up."""

    def __getitem__(self, number: MatchNo, /) -> MatchState: ...


def result_effects(matches: MatchLookup, match: MatchNo, outcome: Outcome) -> ResultEffects:
    """Return what the result of `match` changes in other matches.

    Looks up `match` and the matches that it feeds, and further ones only past byes. Slots that the director
    has filled remain. Raises ``BadInput`` if the sides of `match` are not known.
    """
    played_match = matches[match]
    if played_match.a.state is not SlotState.ENTRY or played_match.b.state is not SlotState.ENTRY:
        raise BadInput("result.match_not_ready", match=match)
    fills: list[FilledSlot] = []
    settled: list[SettledMatch] = []
    ready: list[MatchNo] = []
    changed_states: dict[MatchNo, MatchState] = {}
    queue = deque(
        [_replace_slots(played_match, played_match.a, played_match.b, MatchStatus.CONFIRMED, outcome)]
    )
    while queue:
        match_state = queue.popleft()
        for target, slot in (
            (match_state.winner_to, match_state.winner()),
            (match_state.loser_to, match_state.loser()),
        ):
            if target is None or slot.state is SlotState.OPEN:
                continue
            next_match = changed_states.get(target.match) or matches[target.match]
            current_slot = next_match.slot(target.side)
            if current_slot.is_manual or current_slot.state is slot.state is SlotState.VACANT:
                continue
            fills.append(FilledSlot(target.match, target.side, slot.entry, slot.has_won))
            a, b = (slot, next_match.b) if target.side is Side.A else (next_match.a, slot)
            status, bye_outcome = _status_without_result(a, b)
            next_match = changed_states[next_match.number] = _replace_slots(
                next_match, a, b, status, bye_outcome
            )
            if bye_outcome is not None:
                settled.append(SettledMatch(next_match.number, status, bye_outcome))
                queue.append(next_match)
            elif status is MatchStatus.READY:
                ready.append(next_match.number)
            else:
                queue.append(next_match)
    return ResultEffects(tuple(fills), tuple(settled), tuple(ready))


def _source_slot(source: Source, states: Mapping[MatchNo, MatchState]) -> Slot:
    if source.match is None and source.kind is SourceKind.HELD:
        return OPEN_SLOT
    if source.match is None:
        return VACANT_SLOT if source.entry is None else Slot(SlotState.ENTRY, source.entry)
    source_match = states[source.match]
    return source_match.winner() if source.kind is SourceKind.WINNER_OF else source_match.loser()


def _effective_slot(target: SlotTarget, source: Source, fed_slot: Slot, by_hand: ManualSlots) -> Slot:
    """Return the slot that the director has filled if there is one, else `fed_slot`."""
    if target not in by_hand:
        return fed_slot
    entry = by_hand[target]
    has_won = source.kind is SourceKind.WINNER_OF
    if entry is None:
        return replace(VACANT_SLOT, is_manual=True)
    return Slot(SlotState.ENTRY, entry, has_won=has_won, is_manual=True)


def _status_without_result(a: Slot, b: Slot) -> tuple[MatchStatus, Outcome | None]:
    """Return the status and outcome of a match without a result, as they follow from its two slots.

    The outcome is None unless the match is a bye or void.
    """
    if a.state is SlotState.OPEN or b.state is SlotState.OPEN:
        return MatchStatus.WAITING, None
    if a.state is b.state:
        if a.state is SlotState.ENTRY:
            return MatchStatus.READY, None
        return MatchStatus.VOID, Outcome(None, ResultKind.BYE)
    return MatchStatus.CONFIRMED, Outcome(Side.A if a.state is SlotState.ENTRY else Side.B, ResultKind.BYE)


def _replace_slots(
    match: MatchState, a: Slot, b: Slot, status: MatchStatus, outcome: Outcome | None
) -> MatchState:
    return MatchState(match.number, a, b, status, outcome, match.winner_to, match.loser_to)
