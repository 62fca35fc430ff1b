"""Late entries into a bracket that is drawn: whoever comes takes a line that is still free, by lot or, marked so, by hand.

A line is held open for them, or it is a bye: then the entry that had it plays after all, so it must not have been called to its
next match yet. A stage that is fed takes nobody: its players come from another one.
"""

from collections.abc import Sequence

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from people.models import AuditEntry
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.brackets.correction import Consequence, place_late_entry
from tournaments.engine.brackets.seeding import MAX_ENTRIES
from tournaments.engine.brackets.structure import Target
from tournaments.engine.changes.trail import EntryBefore
from tournaments.engine.lots.lists import place_from
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import DRAW_SHOWN, EVENT_GOING_ON, EntryAction, EntryStatus
from tournaments.engine.trail.repairs import LateEntryPlaced
from tournaments.engine.types import EntryId, MatchNo, Side
from tournaments.entries.services.entries import make_entries, must_be_in_time, must_not_be_bought_back
from tournaments.entries.services.limits import must_fit_again
from tournaments.models import Entry, Event, Lot, Stage
from tournaments.selectors.draws import Draw, draw_of
from tournaments.selectors.repairs.late import (
    TAKES_LATE,
    FreeLine,
    free_places,
    given_up,
    late_list,
    place_code,
    places_for,
)
from tournaments.store.event_state import step_entry
from tournaments.store.load import load
from tournaments.store.lock import lock_for_director, stage_of
from tournaments.store.lots import chosen_by_hand, draw_lot, keep
from tournaments.store.repairs import StageRepair, repaired, settle


@durable
def add_late_entry(
    *,
    actor: Actor,
    event_id: int,
    stage_id: int,
    entry: NewEntry,
    match: MatchNo | None = None,
    side: Side = Side.A,
) -> Entry:
    """Enter a player, known or new, on a free line: by lot, or on this side of this ``match``. A player whose entry withdrew before the draw comes back with
    that entry. Taken meanwhile, or none is free: 409.
    """
    event = lock_for_director(actor, event_id)
    return enter_late(actor, event, stage_id, entry, match, side)[0]


def enter_late(
    actor: Actor,
    event: Event,
    stage_id: int,
    entry: NewEntry,
    match: MatchNo | None = None,
    side: Side = Side.A,
) -> tuple[Entry, AuditEntry]:
    """As `add_late_entry`, with the row that an undo names; joins the transaction of whoever holds ``event``."""
    stage = _stage_to_enter(event, stage_id)
    must_be_in_time(event, stage.division)
    draw = draw_of(stage)
    places = free_places(draw)
    back = _reinstated(actor, event, draw, entry)
    wanted = _wanted(draw, places, match, side)
    have = Entry.objects.filter(division=stage.division, status=EntryStatus.ACTIVE).count()
    if have >= MAX_ENTRIES:
        raise Invalid("entry.too_many", field="name", limit=MAX_ENTRIES, have=have)
    made = back or make_entries(actor, event, stage.division, [entry], source=Entry.Source.DIRECTOR)[0]
    return made, _place(actor, event, draw, made, wanted, places, is_new=True)


def _reinstated(actor: Actor, event: Event, draw: Draw, wanted: NewEntry) -> Entry | None:
    """The entry of this player that withdrew before the draw, taking part again with its payment and its link; None where there is none.

    An entry that the draw has a place for keeps that: then 409 ``late_entry.was_drawn``.
    """
    if wanted.player_id is None:
        return None
    rows = Entry.objects.select_for_update(of=("self",)).filter(
        division=draw.stage.division, division__team_size=1, status=EntryStatus.WITHDRAWN
    )
    found = rows.filter(entry_players__player=wanted.player_id, again=None).order_by("-pk").first()
    if found is None:
        return None
    if found.slots.exists():
        raise Conflict("late_entry.was_drawn", present=found, name=found.name)
    must_not_be_bought_back(found, also_again=False)
    must_fit_again(actor, event, found, wanted.overrule)
    step_entry(found, EntryAction.RETURN)
    found.seed = None
    found.save(update_fields=["status", "seed"])
    return found


def place_by_lot(actor: Actor, event: Event, stage_id: int, entry: Entry) -> AuditEntry:
    """Put an entry that takes part and has no place in the draw on a free line, by lot. Joins the transaction of whoever holds ``event``."""
    draw = draw_of(_stage_to_enter(event, stage_id))
    places = places_for(draw, entry)
    wanted = _wanted(draw, places, None, Side.A)
    return _place(actor, event, draw, entry, wanted, places, is_new=False)


def place_new(
    actor: Actor, event: Event, stage: Stage, entry: Entry, match: MatchNo | None, side: Side
) -> None:
    """Put an entry that was just made, by buying back, on a free line; the caller holds the event's lock.

    An undo takes it out again.
    """
    stage = _stage_to_enter(event, stage.pk)
    draw = draw_of(stage)
    places = places_for(draw, entry)
    if not places:
        raise Conflict("buy_back.no_place", present=stage)
    _place(actor, event, draw, entry, _wanted(draw, places, match, side), places, is_new=True)


@durable
def place_on_bye(
    *,
    actor: Actor,
    event_id: int,
    stage_id: int,
    entry_id: int,
    match: MatchNo | None = None,
    side: Side = Side.A,
    seen: str = "",
) -> Entry:
    """Put an entry that has no place in the draw, as after a buy-back that was taken back, on a free line: by lot, or on this side of this ``match``.

    ``seen``: the name that stood beside that place.
    """
    event = lock_for_director(actor, event_id)
    stage = _stage_to_enter(event, stage_id)
    entry = one_or_none(Entry.objects.filter(pk=entry_id, division=stage.division, status=EntryStatus.ACTIVE))
    if entry is None:
        raise Missing("entry.unknown")
    draw = draw_of(stage)
    places = places_for(draw, entry)
    _place(actor, event, draw, entry, _wanted(draw, places, match, side, seen), places, is_new=False)
    return entry


def _stage_to_enter(event: Event, stage_id: int) -> Stage:
    stage = stage_of(event, stage_id, Stage.ELIMINATIONS)
    if event.status not in EVENT_GOING_ON or stage.status not in TAKES_LATE:
        raise Conflict("late_entry.not_now", present=stage)
    if stage.fed_by_id is not None:
        raise Conflict("late_entry.fed", present=stage)
    return stage


def _wanted(
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


def _place(
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
