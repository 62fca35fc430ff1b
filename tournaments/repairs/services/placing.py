"""Putting an entry on a free line of a drawn bracket: by lot, or, marked so, by hand."""

from collections.abc import Sequence

from faults import Conflict
from people.actors import Actor
from people.models import AuditEntry
from tournaments.engine.brackets.correction import Consequence, place_late_entry
from tournaments.engine.brackets.structure import Target
from tournaments.engine.changes.trail import EntryBefore
from tournaments.engine.lots.lists import place_from
from tournaments.engine.statuses import DRAW_SHOWN, EVENT_GOING_ON, EntryStatus
from tournaments.engine.trail.repairs import LateEntryPlaced
from tournaments.engine.types import EntryId, MatchNo, Side
from tournaments.models import Entry, Event, Lot, Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.repairs.late import (
    TAKES_LATE,
    FreeLine,
    free_places,
    given_up,
    late_list,
    place_code,
)
from tournaments.store.load import load
from tournaments.store.lock import stage_of
from tournaments.store.lots import chosen_by_hand, draw_lot, keep
from tournaments.store.repairs import StageRepair, repaired, settle


def stage_to_enter(event: Event, stage_id: int) -> Stage:
    """A drawn bracket of ``event`` that takes late entries; else 409, with the reason."""
    stage = stage_of(event, stage_id, Stage.ELIMINATIONS)
    if event.status not in EVENT_GOING_ON or stage.status not in TAKES_LATE:
        raise Conflict("late_entry.not_now", present=stage)
    if stage.fed_by_id is not None:
        raise Conflict("late_entry.fed", present=stage)
    return stage


def wanted_line(
    draw: Draw, places: Sequence[FreeLine], match: MatchNo | None, side: Side, seen: str = ""
) -> Target | None:
    """The line on this side of this ``match``, where it is free; None without a match: one of ``places`` by lot, where there are any."""
    wanted = Target(match, side) if match is not None else None
    for place in places if wanted is None else free_places(draw):
        same = wanted is not None and (place.match.number, place.side) == (wanted.match, wanted.side)
        if wanted is None or (same and seen in ("", place.opponent)):
            return wanted
    raise Conflict("late_entry.taken" if wanted is not None else "late_entry.none_free", present=draw.stage)


def _by_lot(draw: Draw, entry: Entry, places: Sequence[FreeLine]) -> Target:
    """One of the free lines, by lot; a row that everybody sees."""
    free = {place_code(place): Target(place.match.number, place.side) for place in places}
    listed = late_list(draw.stage, entry, list(free))
    lot, drawn = draw_lot(draw.stage, listed)
    code = place_from(listed, drawn)
    _keep(draw.stage, lot, code)
    return free[code]


def _by_hand(draw: Draw, entry: Entry, target: Target) -> None:
    """The director chose the place: a row that says so."""
    listed = late_list(draw.stage, entry, [place_code(place) for place in free_places(draw)])
    lot = chosen_by_hand(draw.stage, listed)
    _keep(draw.stage, lot, f"{target.match}{target.side}")


def _keep(stage: Stage, lot: Lot, code: str) -> None:
    """A late entry's place is seen where the draw is: at once where that is published."""
    lot.shown_at = lot.at if stage.status in DRAW_SHOWN else None
    keep(lot, {"place": code})


def place(
    actor: Actor,
    event: Event,
    draw: Draw,
    entry: Entry,
    wanted: Target | None,
    places: Sequence[FreeLine],
    *,
    is_new: bool,
) -> AuditEntry:
    """Put the entry on the line that was ``wanted``, or on one of ``places`` by lot."""
    target = wanted if wanted is not None else _by_lot(draw, entry, places)
    if wanted is not None:
        _by_hand(draw, entry, wanted)
    done: Consequence = place_late_entry(
        draw.bracket(), draw.results(), EntryId(entry.pk), target, draw.by_hand(), given_up(draw, entry)
    )
    hand = load(draw.stage)
    opponent = next(
        slot.name
        for match in draw.matches
        for slot in match.sides
        if match.number == target.match and slot.side is not target.side
    )
    # Whoever came in by this goes out again when it is undone, and stays on the list as withdrawn.
    stored = {entry.pk: EntryBefore(EntryStatus.WITHDRAWN, entry.name, entry.seed)}
    return repaired(
        event,
        StageRepair(hand, hand.after(settle(draw, done))),
        actor=actor,
        action=LateEntryPlaced(name=entry.name, match=target.match, opponent=opponent, by_lot=wanted is None),
        subject=entry,
        entries=stored if is_new else {},
    )
