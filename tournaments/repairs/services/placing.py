"""Placing an entry in a free place of a drawn bracket: at random or, recorded as such, by choice."""

from collections.abc import Sequence

from faults import Conflict
from people.actors import Actor
from people.models import AuditEntry
from tournaments.engine.brackets.correction import Consequence, place_late_entry
from tournaments.engine.brackets.structure import SlotTarget
from tournaments.engine.changes.trail import PreviousEntry
from tournaments.engine.lots.lists import draw_late_place
from tournaments.engine.statuses import DRAW_PUBLIC, EVENT_CHANGEABLE, EntryStatus
from tournaments.engine.trail.repairs import LateEntryPlaced
from tournaments.engine.types import EntryId, MatchNo, Side
from tournaments.models import Entry, Event, Lot, Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.repairs.late import (
    LATE_ENTRY_STATUSES,
    FreeLine,
    abandoned_slots,
    free_lines,
    late_entry_list,
    place_code,
)
from tournaments.store.load import load_stage
from tournaments.store.lock import get_stage
from tournaments.store.lots import build_manual_lot, draw_lot, save_lot
from tournaments.store.repairs import StageRepair, change_from_consequence, record_repair


def late_entry_stage(event: Event, stage_id: int) -> Stage:
    """Return the stage with this id, if it is a drawn bracket of ``event`` that takes late entries.

    Raises ``Conflict`` (409) with the reason otherwise.
    """
    stage = get_stage(event, stage_id, Stage.ELIMINATIONS)
    if event.status not in EVENT_CHANGEABLE or stage.status not in LATE_ENTRY_STATUSES:
        raise Conflict("late_entry.not_now", present=stage)
    if stage.fed_by_id is not None:
        raise Conflict("late_entry.fed", present=stage)
    return stage


def requested_line(
    draw: Draw, places: Sequence[FreeLine], match: MatchNo | None, side: Side, expected_opponent: str = ""
) -> SlotTarget | None:
    """Return the free place on ``side`` of ``match``; None, for a random place, if ``match`` is None.

    ``expected_opponent``: the name that has to be opposite, if given. Raises ``Conflict`` if the place, or
    every place, is taken.
    """
    target = SlotTarget(match, side) if match is not None else None
    for place in places if target is None else free_lines(draw):
        is_target = target is not None and (place.match.number, place.side) == (target.match, target.side)
        if target is None or (is_target and expected_opponent in ("", place.opponent)):
            return target
    raise Conflict("late_entry.taken" if target is not None else "late_entry.none_free", present=draw.stage)


def _draw_line(draw: Draw, entry: Entry, places: Sequence[FreeLine]) -> SlotTarget:
    """Return one of the free places, drawn at random, and save the record of this draw."""
    target_by_code = {place_code(place): SlotTarget(place.match.number, place.side) for place in places}
    frozen_list = late_entry_list(draw.stage, entry, list(target_by_code))
    lot, drawn_seed = draw_lot(draw.stage, frozen_list)
    code = draw_late_place(frozen_list, drawn_seed)
    _save_lot(draw.stage, lot, code)
    return target_by_code[code]


def _record_chosen_line(draw: Draw, entry: Entry, target: SlotTarget) -> None:
    """Save a draw record that says that the director chose the place."""
    frozen_list = late_entry_list(draw.stage, entry, [place_code(place) for place in free_lines(draw)])
    lot = build_manual_lot(draw.stage, frozen_list)
    _save_lot(draw.stage, lot, f"{target.match}{target.side}")


def _save_lot(stage: Stage, lot: Lot, code: str) -> None:
    """Save the draw record of a late entry; public at once if the draw is published."""
    lot.shown_at = lot.at if stage.status in DRAW_PUBLIC else None
    save_lot(lot, {"place": code})


def place_entry(
    actor: Actor,
    event: Event,
    draw: Draw,
    entry: Entry,
    chosen_target: SlotTarget | None,
    places: Sequence[FreeLine],
    *,
    is_new: bool,
) -> AuditEntry:
    """Place the entry at ``chosen_target``, or at random on one of ``places``; return the audit log entry.

    ``is_new``: the entry is withdrawn if this is undone.
    """
    target = chosen_target if chosen_target is not None else _draw_line(draw, entry, places)
    if chosen_target is not None:
        _record_chosen_line(draw, entry, chosen_target)
    consequence: Consequence = place_late_entry(
        draw.bracket(),
        draw.outcomes(),
        EntryId(entry.pk),
        target,
        draw.entries_placed_by_hand(),
        abandoned_slots(draw, entry),
    )
    loaded_stage = load_stage(draw.stage)
    opponent = next(
        slot.name
        for match in draw.matches
        for slot in match.sides
        if match.number == target.match and slot.side is not target.side
    )
    # An undo removes the new entry from the draw and leaves it withdrawn.
    previous_entries = {entry.pk: PreviousEntry(EntryStatus.WITHDRAWN, entry.name, entry.seed)}
    return record_repair(
        event,
        StageRepair(loaded_stage, loaded_stage.after(change_from_consequence(draw, consequence))),
        actor=actor,
        action=LateEntryPlaced(
            name=entry.name, match=target.match, opponent=opponent, by_lot=chosen_target is None
        ),
        subject=entry,
        entries=previous_entries if is_new else {},
    )
