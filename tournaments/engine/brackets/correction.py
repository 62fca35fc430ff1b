"""Corrections of a result after play has continued: what is affected, and the repairs to choose from.

Three repairs, computed completely before anything is changed, so that a director sees what each would do:

- *replace*: the right entry takes the place of the wrong one; possible while nothing affected was played;
- *void*: as *replace*, and later results are cancelled if other entries played them than would be there now;
- *keep*: the result is corrected on paper, and all entries stay where they are.

Also similar interventions: late entries on free byes (rule F17), walkovers against entries that have left,
and another entry in the place of a wrong one. All only return the results and manual placements afterwards;
the caller can undo them by storing the previous ones.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tournaments.engine.brackets.progression import (
    NO_MANUAL_SLOTS,
    ManualSlots,
    MatchState,
    Slot,
    SlotState,
    advance,
    advance_valid_results,
)
from tournaments.engine.brackets.structure import MAIN, Bracket, SlotTarget, SourceKind
from tournaments.engine.errors import BadInput
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import Claim, EntryId, MatchNo, Outcome, ResultKind, Score, Side

_EMPTY_SOURCES: Final = (SourceKind.BYE, SourceKind.HELD)  # a reserved line that was closed is a bye


class Repair(StrEnum):
    REPLACE = "replace"
    VOID = "void"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class SlotChange:
    """A side of a match that gets another entry, becomes empty or becomes undecided."""

    match: MatchNo
    side: Side
    before: Slot
    after: Slot


@dataclass(frozen=True, slots=True)
class Consequence:
    """The effect of a repair on a bracket.

    `moves`: slots that change; `cancelled_matches`: numbers of matches whose results are cancelled;
    `results`, `manual_slots`: all results and all manual placements after the repair.
    """

    moves: tuple[SlotChange, ...]
    cancelled_matches: tuple[MatchNo, ...]
    results: dict[MatchNo, Outcome]
    manual_slots: dict[SlotTarget, EntryId | None]


def preview_repairs(
    bracket: Bracket,
    results: Mapping[MatchNo, Outcome],
    match: MatchNo,
    outcome: Outcome | None,
    manual_slots: ManualSlots = NO_MANUAL_SLOTS,
    withdrawn: Collection[EntryId] = (),
) -> dict[Repair, Consequence]:
    """Return the possible repairs for giving `match` this outcome instead of its present one.

    The result is a dictionary from repairs to their effects. Only *replace* if nothing affected was played
    later; else *void* or *keep*. A match against an entry in `withdrawn` becomes a walkover. `outcome` None:
    the match has to be continued (rule F9), so no entry has come out of it and *keep* is not possible. Raises
    ``BadInput`` if the match has no result.
    """
    if match not in results:
        raise BadInput("result.none_to_correct", match=match)
    before = advance(bracket, results, manual_slots).matches
    corrected = {number: result for number, result in results.items() if number != match}
    if outcome is None or outcome.winner is not results[match].winner:
        manual_slots = _without_vacated_slots(bracket, [match], manual_slots)
    if outcome is not None:
        corrected[match] = outcome
    replacement = _keep_valid_results(bracket, before, corrected, dict(manual_slots), withdrawn)
    while (freed_slots := _release_manual_slots(bracket, before, replacement)) != replacement.manual_slots:
        replacement = _keep_valid_results(bracket, before, corrected, freed_slots, withdrawn)
    if not replacement.cancelled_matches:
        return {Repair.REPLACE: replacement}
    if outcome is None:
        return {Repair.VOID: replacement}
    kept_placings = _keep_placings(bracket, before, corrected, match, manual_slots)
    return {Repair.VOID: replacement, Repair.KEEP: kept_placings}


def _without_vacated_slots(
    bracket: Bracket, matches: Collection[MatchNo], by_hand: ManualSlots
) -> dict[SlotTarget, EntryId | None]:
    """Return the manual placements without those that keep empty a slot fed by one of these matches.

    The entry that now comes out of the match can then take the slot.
    """
    source_matches = [bracket.match(match) for match in matches]
    slots = {
        SlotTarget(target.match, target.side)
        for source in source_matches
        for target in (source.winner_to, source.loser_to)
        if target is not None
    }
    return {slot: entry for slot, entry in by_hand.items() if entry is not None or slot not in slots}


def _release_manual_slots(
    bracket: Bracket, before: Mapping[MatchNo, MatchState], consequence: Consequence
) -> dict[SlotTarget, EntryId | None]:
    """Return the manual placements without those that depend on cancelled matches.

    Slots that the director emptied are released to the entries that now come out of the cancelled matches. An
    entry that the director placed in the match after a cancelled one is removed if the entry no longer plays
    the cancelled match.
    """
    freed_slots = _without_vacated_slots(bracket, consequence.cancelled_matches, consequence.manual_slots)
    if not freed_slots:
        return freed_slots
    after = advance(bracket, consequence.results, consequence.manual_slots).matches
    for number in consequence.cancelled_matches:
        entries_before, entries_after = (
            {states[number].slot(side).entry for side in Side} for states in (before, after)
        )
        match = bracket.match(number)
        for target in (match.winner_to, match.loser_to):
            if target is not None and freed_slots.get(
                SlotTarget(target.match, target.side)
            ) in entries_before - entries_after - {None}:
                del freed_slots[SlotTarget(target.match, target.side)]
    return freed_slots


def slots_for_late_entries(
    bracket: Bracket,
    results: Mapping[MatchNo, Outcome],
    by_hand: ManualSlots = NO_MANUAL_SLOTS,
    section: str = MAIN,
) -> tuple[SlotTarget, ...]:
    """Return the slots of a section that a late entry can take.

    These are the reserved lines, and byes whose opponent has not yet played a later match.
    """
    states = advance(bracket, results, by_hand).matches
    late_entry_slots: list[SlotTarget] = []
    for number in (number for rnd in bracket.section(section) for number in rnd.matches):
        match = bracket.match(number)
        state = states[match.number]
        held_slots = [
            SlotTarget(match.number, side)
            for side, source in ((Side.A, match.a), (Side.B, match.b))
            if source.kind is SourceKind.HELD and state.slot(side).state is SlotState.OPEN
        ]
        late_entry_slots += held_slots
        if any(_has_played_on(target, states, results) for target in (match.winner_to, match.loser_to)):
            continue
        late_entry_slots += [
            SlotTarget(match.number, side)
            for side, source in ((Side.A, match.a), (Side.B, match.b))
            if source.kind in _EMPTY_SOURCES
            and state.slot(side).state is SlotState.VACANT
            and state.slot(side.other).state is SlotState.ENTRY
        ]
    return tuple(late_entry_slots)


def close_held_lines(
    bracket: Bracket, results: Mapping[MatchNo, Outcome], by_hand: ManualSlots = NO_MANUAL_SLOTS
) -> Consequence:
    """Return the effect of closing all reserved lines: the entries that wait opposite them advance."""
    before = advance(bracket, results, by_hand).matches
    closed_slots = {
        target: None
        for target in slots_for_late_entries(bracket, results, by_hand)
        if before[target.match].slot(target.side).state is SlotState.OPEN
    }
    return _keep_valid_results(bracket, before, dict(results), {**by_hand, **closed_slots})


def _has_played_on(
    target: SlotTarget | None, states: Mapping[MatchNo, MatchState], results: Mapping[MatchNo, Outcome]
) -> bool:
    """Return whether the match of a slot has a result, or one that follows it through byes only."""
    if target is None:
        return False
    if target.match in results:
        return True
    state = states[target.match]
    next_targets = (state.winner_to, state.loser_to) if state.settled else ()
    return any(_has_played_on(next_target, states, results) for next_target in next_targets)


def place_late_entry(
    bracket: Bracket,
    results: Mapping[MatchNo, Outcome],
    entry: EntryId,
    target: SlotTarget,
    by_hand: ManualSlots = NO_MANUAL_SLOTS,
    given_up: Collection[SlotTarget] = (),
) -> Consequence:
    """Return the effect of placing a late entry on a free line.

    An opponent that had already advanced has to play.

    `given_up`: slots that a re-entering player leaves empty, so that no player meets an own earlier entry.
    Raises ``BadInput`` if the line is not free or the entry already in the bracket.
    """
    section = bracket.rounds[bracket.match(target.match).round - 1].section
    if target not in slots_for_late_entries(bracket, results, by_hand, section):
        raise BadInput("late_entry.no_free_bye", match=target.match)
    before = advance(bracket, results, by_hand).matches
    if any(entry in (state.a.entry, state.b.entry) for state in before.values()):
        raise BadInput("draw.entry_twice", entry=entry)
    emptied_slots = dict.fromkeys(given_up)
    return _keep_valid_results(bracket, before, dict(results), {**by_hand, **emptied_slots, target: entry})


def award_walkovers(
    bracket: Bracket,
    results: Mapping[MatchNo, Outcome],
    withdrawn: Collection[EntryId],
    by_hand: ManualSlots = NO_MANUAL_SLOTS,
) -> Consequence:
    """Return the effect of awarding walkovers against entries in `withdrawn`.

    Every ready match of such an entry becomes a walkover, also a match that becomes ready by these walkovers.
    A match between two withdrawn entries has no winner.
    """
    before = advance(bracket, results, by_hand).matches
    return _with_walkovers(bracket, before, Consequence((), (), dict(results), dict(by_hand)), withdrawn)


def _with_walkovers(
    bracket: Bracket,
    before: Mapping[MatchNo, MatchState],
    consequence: Consequence,
    withdrawn: Collection[EntryId],
) -> Consequence:
    results = dict(consequence.results)
    while True:
        after = advance(bracket, results, consequence.manual_slots).matches
        absent_sides = {
            number: [side for side in Side if state.slot(side).entry in withdrawn]
            for number, state in after.items()
            if state.status is MatchStatus.READY
        }
        walkovers = {number: absence_outcome(absent) for number, absent in absent_sides.items() if absent}
        if not walkovers:
            return Consequence(
                _slot_changes(before, after), consequence.cancelled_matches, results, consequence.manual_slots
            )
        results |= walkovers


def absence_outcome(absent: Collection[Side]) -> Outcome:
    """Return the outcome of a match with absent sides: a walkover, or a double walkover for both."""
    if len(absent) == len(Side):
        return Outcome(None, ResultKind.DOUBLE_WALKOVER)
    return Outcome(next(iter(absent)).other, ResultKind.WALKOVER)


def absence_result(length: int, start: Score, absent: Collection[Side]) -> Claim:
    """Return the result, with its score, of a match in which these sides are absent (rule F10).

    The winner gets `length` points, an absent side keeps its starting score.
    """
    outcome = absence_outcome(absent)
    points = {side: length if side is outcome.winner else start.of(side) for side in Side}
    return Claim(points[Side.A], points[Side.B], outcome.kind, outcome.winner)


def _keep_valid_results(
    bracket: Bracket,
    before: Mapping[MatchNo, MatchState],
    wanted_results: dict[MatchNo, Outcome],
    by_hand: dict[SlotTarget, EntryId | None],
    withdrawn: Collection[EntryId] = (),
) -> Consequence:
    """Return the effect of giving the bracket these results.

    A result counts if the two sides of its match are the same as before; the other results are cancelled.
    """
    after, results = advance_valid_results(bracket, wanted_results, by_hand, before)
    voided = tuple(number for number in wanted_results if number not in results)
    consequence = Consequence(_slot_changes(before, after.matches), tuple(sorted(voided)), results, by_hand)
    return _with_walkovers(bracket, before, consequence, withdrawn) if withdrawn else consequence


def _keep_placings(
    bracket: Bracket,
    before: Mapping[MatchNo, MatchState],
    corrected: dict[MatchNo, Outcome],
    match: MatchNo,
    by_hand: ManualSlots,
) -> Consequence:
    """Return the effect of the repair *keep*: all entries that came out of the match stay where they are."""
    placements = dict(by_hand)
    for target in (bracket.match(match).winner_to, bracket.match(match).loser_to):
        if target is not None:
            slot = before[target.match].slot(target.side)
            placements[SlotTarget(target.match, target.side)] = slot.entry
    return Consequence((), (), corrected, placements)


def _slot_changes(
    before: Mapping[MatchNo, MatchState], after: Mapping[MatchNo, MatchState]
) -> tuple[SlotChange, ...]:
    return tuple(
        SlotChange(number, side, state.slot(side), after[number].slot(side))
        for number, state in before.items()
        for side in Side
        if _slot_content(state.slot(side)) != _slot_content(after[number].slot(side))
    )


def _slot_content(slot: Slot) -> tuple[SlotState, EntryId | None]:
    return slot.state, slot.entry
