"""Late entries into a drawn bracket: an entry takes a free place, at random or, recorded as such, by choice.

A free place is a reserved one, or a bye: then its opponent plays after all, so the opponent must not have
been called to the next match. A stage with a feed takes no late entries.
"""

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from people.models import AuditEntry
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.brackets.seeding import MAX_ENTRIES
from tournaments.engine.new_entry import NewEntry, WhenFull
from tournaments.engine.statuses import EntryStatus
from tournaments.engine.types import MatchNo, Side
from tournaments.entries.services.entries import create_entries, require_before_cutoff
from tournaments.entries.services.teams import get_or_create_players
from tournaments.models import Division, Entry, Event, Stage
from tournaments.repairs.services.placing import late_entry_stage, place_entry, requested_line
from tournaments.repairs.services.reinstating import reinstate_locked
from tournaments.selectors.draws import load_draw
from tournaments.selectors.repairs.late import free_lines, lines_for_reentry
from tournaments.store.lock import lock_for_director
from tournaments.store.waiting import allocate_places


@durable
def add_late_entry(
    *,
    actor: Actor,
    event_id: int,
    stage_id: int,
    entry: NewEntry,
    match: MatchNo | None = None,
    side: Side = Side.A,
    when_full: WhenFull = WhenFull.ASK,
) -> Entry:
    """Add a late entry of a known or new player in a free place: at random, or on ``side`` of ``match``.

    A withdrawn entry of the player is reinstated. Raises ``Conflict`` (409) if the place is taken or none is
    free.
    """
    event = lock_for_director(actor, event_id)
    return add_late_entry_locked(actor, event, stage_id, entry, match, side, when_full)[0]


def add_late_entry_locked(
    actor: Actor,
    event: Event,
    stage_id: int,
    entry: NewEntry,
    match: MatchNo | None = None,
    side: Side = Side.A,
    when_full: WhenFull = WhenFull.ASK,
) -> tuple[Entry, AuditEntry | None]:
    """Add a late entry as `add_late_entry`; return it and the audit log entry for an undo.

    The caller has locked ``event``. The audit log entry is None where the reinstatement makes none.
    """
    stage = late_entry_stage(event, stage_id)
    entry_count = Entry.objects.filter(division=stage.division, status=EntryStatus.ACTIVE).count()
    if entry_count >= MAX_ENTRIES:
        raise Invalid("entry.too_many", field="name", limit=MAX_ENTRIES, have=entry_count)
    withdrawn = _withdrawn_entry(stage.division, entry)
    if withdrawn is not None:
        return reinstate_locked(
            actor,
            event,
            withdrawn.pk,
            overrule=entry.overrule,
            when_full=when_full,
            stage_id=stage_id,
            match=match,
            side=side,
        )
    require_before_cutoff(event, stage.division)
    # First who it is: "already entered" must not be hidden behind "no free line".
    teams = get_or_create_players(actor, event, stage.division, [entry])
    draw = load_draw(stage)
    places = free_lines(draw)
    line = requested_line(draw, places, match, side)
    allocate_places(actor, event, stage.division, 1, when_full, may_wait=False)
    created = create_entries(actor, event, stage.division, [entry], teams, source=Entry.Source.DIRECTOR)[0]
    return created, place_entry(actor, event, draw, created, line, places, is_new=True)


def _withdrawn_entry(division: Division, new_entry: NewEntry) -> Entry | None:
    """Return the withdrawn entry of the player, if they had one alone in this division, else None."""
    if new_entry.player_id is None or division.team_size > 1:
        return None
    rows = Entry.objects.filter(division=division, status=EntryStatus.WITHDRAWN, again=None)
    return rows.filter(entry_players__player=new_entry.player_id).order_by("-pk").first()


def place_at_random(actor: Actor, event: Event, stage_id: int, entry: Entry) -> AuditEntry:
    """Place an active entry that is not in the draw on a free place, at random; return the audit log entry.

    Joins the transaction that locked ``event``.
    """
    draw = load_draw(late_entry_stage(event, stage_id))
    places = lines_for_reentry(draw, entry)
    target = requested_line(draw, places, None, Side.A)
    return place_entry(actor, event, draw, entry, target, places, is_new=False)


def place_new_entry(
    actor: Actor, event: Event, stage: Stage, entry: Entry, match: MatchNo | None, side: Side
) -> None:
    """Place a new re-entry in a free place of the bracket; the caller holds the event's lock.

    An undo withdraws the entry. Raises ``Conflict`` if no place is free.
    """
    stage = late_entry_stage(event, stage.pk)
    draw = load_draw(stage)
    places = lines_for_reentry(draw, entry)
    if not places:
        raise Conflict("buy_back.no_place", present=stage)
    place_entry(actor, event, draw, entry, requested_line(draw, places, match, side), places, is_new=True)


@durable
def place_unplaced_entry(
    *,
    actor: Actor,
    event_id: int,
    stage_id: int,
    entry_id: int,
    match: MatchNo | None = None,
    side: Side = Side.A,
    seen: str = "",
) -> Entry:
    """Place an entry of the division that is not in the draw: at random, or on ``side`` of ``match``.

    An entry has no place after an undone re-entry, for example. ``seen``: the opponent's name that the user
    saw at that place; raises ``Conflict`` if another one is there.
    """
    event = lock_for_director(actor, event_id)
    stage = late_entry_stage(event, stage_id)
    entry = one_or_none(Entry.objects.filter(pk=entry_id, division=stage.division, status=EntryStatus.ACTIVE))
    if entry is None:
        raise Missing("entry.unknown")
    draw = load_draw(stage)
    places = lines_for_reentry(draw, entry)
    place_entry(
        actor, event, draw, entry, requested_line(draw, places, match, side, seen), places, is_new=False
    )
    return entry
