"""Duplication of an event on another date, with all settings and optionally its players."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import Final

from faults import Fault, Missing, raise_faults
from people.actors import Actor
from people.text import clean_line
from people.transactions import durable
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import EntryStatus
from tournaments.engine.trail.events import EventCopied
from tournaments.entries.services.entries import add_to_division
from tournaments.entries.services.teams import team_name
from tournaments.events.services.columns import copy_custom_fields
from tournaments.events.services.plans import EventPlan, create_event_from_plan, move_plan, plan_from_event
from tournaments.models import Division, Entry, Event
from tournaments.selectors.copying import CopiedEntries, CopiedEntry, entries_to_copy, event_start_dates
from tournaments.selectors.event_dates import event_today
from tournaments.store.check_in import copy_check_ins
from tournaments.store.lock import lock_for_director, record_action

NO_REGULARS: Final = CopiedEntries({}, 0)


@dataclass(frozen=True, slots=True)
class CopyResult:
    """The duplicate of an event. ``people``: number of copied entries, which are pending.

    ``left_out``: number of entries not copied; ``is_cutoff_dropped``: the closing time for late entries would
    be past and was left out.
    """

    event: Event
    people: int = 0
    left_out: int = 0
    is_cutoff_dropped: bool = False


@durable
def copy_event(
    *,
    actor: Actor,
    event_id: int,
    starts_on: date,
    name: str = "",
    people: bool = False,
    divisions: Collection[int] | None = None,
) -> CopyResult:
    """Duplicate the event as a draft that begins on ``starts_on``. ``name``: by default the same.

    ``divisions``: database ids of those to copy, None for all. ``people``: also copy the entries, as pending;
    they are approved on arrival. Settings are copied, nothing that happened (`events.services.plans`). Raises
    ``Invalid`` for a past date, and for one on which the club has an event of that name, which prevents
    accidental repetition.
    """
    source = lock_for_director(actor, event_id, called_off=True)
    all_divisions = list(source.divisions.all())
    if divisions is not None and set(divisions) - {division.pk for division in all_divisions}:
        raise Missing("division.unknown")
    chosen = [division for division in all_divisions if divisions is None or division.pk in divisions]
    name = clean_line(name) or source.name
    taken_dates = event_start_dates(source.club, name, source.series_id)
    raise_faults(day_faults(source, name, starts_on, taken_dates))
    copied_entries = entries_to_copy(source, chosen) if people else NO_REGULARS
    plan = plan_from_event(source, [division.pk for division in chosen])
    return write_copy(actor, source, plan, starts_on, name, chosen, copied_entries)


def day_faults(source: Event, name: str, day: date, taken_dates: Collection[date]) -> list[Fault]:
    """Return why ``source`` cannot be duplicated on ``day``, as faults; empty if it can.

    ``taken_dates``: dates of events with that name.
    """
    if day < event_today(source):
        return [Fault("again.past", "starts_on", {"day": day})]
    return (
        [Fault("again.there_already", "starts_on", {"day": day, "name": name})] if day in taken_dates else []
    )


def write_copy(
    actor: Actor,
    source: Event,
    plan: EventPlan,
    day: date,
    name: str,
    divisions: Sequence[Division],
    copied_entries: CopiedEntries,
) -> CopyResult:
    """Create the draft on ``day``, in the series of ``source``, and record it in the draft's audit log.

    ``divisions``: of ``source``, in the order of the plan. Joins the caller's transaction.
    """
    dated_plan = move_plan(plan, day, name)
    new_event = create_event_from_plan(dated_plan, actor=actor, club=source.club, series=source.series)
    series = source.series.name if source.series is not None else ""
    action = EventCopied(name=new_event.name, before=source.name, day=plan.details.starts_on, series=series)
    record_action(new_event, actor=actor, action=action)
    count = 0
    division_pairs = list(zip(divisions, new_event.divisions.all(), strict=True))
    copy_check_ins(actor, source, new_event, division_pairs)
    copy_custom_fields(source, new_event)
    for before, after in division_pairs:
        count += _add_pending_entries(actor, new_event, after, copied_entries.entries.get(before.pk, ()))
    return CopyResult(
        new_event,
        count,
        copied_entries.left_out,
        any(
            before.details.entries_until and not after.details.entries_until
            for before, after in zip(plan.divisions, dated_plan.divisions, strict=True)
        ),
    )


def _add_pending_entries(
    actor: Actor, event: Event, division: Division, copied_entries: Sequence[CopiedEntry]
) -> int:
    """Add entries as pending, first in the free places, then on the waiting list; return their number."""
    remaining = iter(copied_entries)
    room = len(copied_entries) if division.capacity is None else division.capacity
    for status, count in ((EntryStatus.PENDING, room), (EntryStatus.WAITING_PENDING, len(copied_entries))):
        if new_entries := [_new_entry(copied) for copied in islice(remaining, count)]:
            add_to_division(actor, event, division, new_entries, source=Entry.Source.DIRECTOR, status=status)
    return len(copied_entries)


def _new_entry(copied: CopiedEntry) -> NewEntry:
    """Return a new entry of the same players.

    A team name made of their names is made again from current ones.
    """
    first, *partners = copied.players
    return NewEntry(
        player_id=first,
        partners=tuple(NewEntry(player_id=player) for player in partners),
        team="" if copied.name == team_name(copied.names) else copied.name,
        marks=copied.marks,
    )
