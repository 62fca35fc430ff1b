"""Late entries into a bracket that is drawn: whoever comes takes a bye that is still free.

The entry that had the bye plays after all, so it must not have been called to its next match yet.
"""

from django.db import transaction

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from tournaments.engine.brackets.correction import Consequence, place_late_entry
from tournaments.engine.brackets.seeding import MAX_ENTRIES
from tournaments.engine.brackets.structure import Target
from tournaments.engine.changes.trail import EntryBefore
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import EVENT_GOING_ON, EntryStatus
from tournaments.engine.trail.repairs import LateEntryPlaced
from tournaments.engine.types import EntryId, MatchNo, Side
from tournaments.entries.services.entries import make_entries, must_be_in_time
from tournaments.models import Entry, Event, Stage
from tournaments.selectors.draws import Draw, draw_of
from tournaments.selectors.repairs.late import TAKES_LATE, free_places
from tournaments.store.load import load
from tournaments.store.lock import lock_for_director, stage_of
from tournaments.store.repairs import StageRepair, repaired, settle


@transaction.atomic(durable=True)
def add_late_entry(
    *, actor: Actor, event_id: int, stage_id: int, entry: NewEntry, match: MatchNo, side: Side
) -> Entry:
    """Enter somebody, known or new, on the free bye that is this side of this match. Taken meanwhile: 409."""
    event = lock_for_director(actor, event_id)
    stage = _stage_to_enter(event, stage_id)
    must_be_in_time(event, stage.division)
    draw = draw_of(stage)
    _must_be_free(draw, match, side)
    have = Entry.objects.filter(division=stage.division, status=EntryStatus.ACTIVE).count()
    if have >= MAX_ENTRIES:
        raise Invalid("entry.too_many", field="name", limit=MAX_ENTRIES, have=have)
    made = make_entries(actor, event, stage.division, [entry], source=Entry.Source.DIRECTOR)[0]
    _place(actor, event, draw, made, Target(match, side), is_new=True)
    return made


@transaction.atomic(durable=True)
def place_on_bye(
    *, actor: Actor, event_id: int, stage_id: int, entry_id: int, match: MatchNo, side: Side, seen: str = ""
) -> Entry:
    """Put an entry that has no place in the draw, as after a buy-back, on a free bye. ``seen``: the name that stood beside it."""
    event = lock_for_director(actor, event_id)
    stage = _stage_to_enter(event, stage_id)
    entry = Entry.objects.filter(pk=entry_id, division=stage.division, status=EntryStatus.ACTIVE).first()
    if entry is None:
        raise Missing("entry.unknown")
    draw = draw_of(stage)
    _must_be_free(draw, match, side, seen)
    _place(actor, event, draw, entry, Target(match, side), is_new=False)
    return entry


def _stage_to_enter(event: Event, stage_id: int) -> Stage:
    stage = stage_of(event, stage_id, Stage.ELIMINATIONS)
    if event.status not in EVENT_GOING_ON or stage.status not in TAKES_LATE:
        raise Conflict("late_entry.not_now", present=stage)
    return stage


def _must_be_free(draw: Draw, match: MatchNo, side: Side, seen: str = "") -> None:
    for place in free_places(draw):
        if (place.match.number, place.side) == (match, side) and seen in ("", place.opponent):
            return
    raise Conflict("late_entry.taken", present=draw.stage)


def _place(actor: Actor, event: Event, draw: Draw, entry: Entry, target: Target, *, is_new: bool) -> None:
    done: Consequence = place_late_entry(
        draw.bracket(), draw.results(), EntryId(entry.pk), target, draw.by_hand()
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
    repaired(
        event,
        StageRepair(hand, hand.after(settle(draw, done))),
        actor=actor,
        action=LateEntryPlaced(name=entry.name, match=target.match, opponent=opponent),
        subject=entry,
        entries=stored if is_new else {},
    )
