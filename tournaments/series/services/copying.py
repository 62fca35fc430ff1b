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
from tournaments.events.services.plans import EventPlan, create_event_from_plan, plan_of, plan_on_date
from tournaments.models import Division, Entry, Event
from tournaments.selectors.copying import CopiedEntries, CopiedEntry, entries_to_copy, event_start_dates
from tournaments.selectors.rounds.deadlines import event_today
from tournaments.store.check_in import copy_check_ins
from tournaments.store.lock import lock_for_director, record_action

NO_REGULARS: Final = CopiedEntries({}, 0)


@dataclass(frozen=True, slots=True)
class CopyResult:
    """Result of a duplication.

    ``people``: number of pending entries; ``left_out``: number of entries not copied; ``is_cutoff_dropped``:
    the cut-off would be past and was left out.
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

    ``divisions``: database ids of those to copy, None for all. ``people``: add the players as pending
    entries, approved on arrival. Settings are copied, nothing that happened (`events.services.plans`).

    Raises ``Invalid`` for a past date, and for one on which the club has an event of that name, which
    prevents accidental repetition.
    """
    source = lock_for_director(actor, event_id, called_off=True)
    there = list(source.divisions.all())
    if divisions is not None and set(divisions) - {one.pk for one in there}:
        raise Missing("division.unknown")
    chosen = [one for one in there if divisions is None or one.pk in divisions]
    name = clean_line(name) or source.name
    taken = event_start_dates(source.club, name, source.series_id)
    raise_faults(day_faults(source, name, starts_on, taken))
    regulars = entries_to_copy(source, chosen) if people else NO_REGULARS
    plan = plan_of(source, [one.pk for one in chosen])
    return write_copy(actor, source, plan, starts_on, name, chosen, regulars)


def day_faults(source: Event, name: str, day: date, taken: Collection[date]) -> list[Fault]:
    """Return why ``source`` cannot be duplicated on ``day``. ``taken``: dates of events with that name."""
    if day < event_today(source):
        return [Fault("again.past", "starts_on", {"day": day})]
    return [Fault("again.there_already", "starts_on", {"day": day, "name": name})] if day in taken else []


def write_copy(
    actor: Actor,
    source: Event,
    plan: EventPlan,
    day: date,
    name: str,
    divisions: Sequence[Division],
    regulars: CopiedEntries,
) -> CopyResult:
    """Create the draft on ``day``, in the series of ``source``, and record it in the draft's audit log.

    ``divisions``: of ``source``, in the order of the plan. Joins the caller's transaction.
    """
    later = plan_on_date(plan, day, name)
    made = create_event_from_plan(later, actor=actor, club=source.club, series=source.series)
    series = source.series.name if source.series is not None else ""
    action = EventCopied(name=made.name, before=source.name, day=plan.details.starts_on, series=series)
    record_action(made, actor=actor, action=action)
    count = 0
    both = list(zip(divisions, made.divisions.all(), strict=True))
    copy_check_ins(actor, source, made, both)
    copy_custom_fields(source, made)
    for before, after in both:
        count += _add_pending_entries(actor, made, after, regulars.entries.get(before.pk, ()))
    return CopyResult(
        made,
        count,
        regulars.left_out,
        any(
            before.details.entries_until and not after.details.entries_until
            for before, after in zip(plan.divisions, later.divisions, strict=True)
        ),
    )


def _add_pending_entries(
    actor: Actor, event: Event, division: Division, regulars: Sequence[CopiedEntry]
) -> int:
    """Add players as pending entries: with a place while there is room, then on the waiting list.

    Return their number.
    """
    rest = iter(regulars)
    room = len(regulars) if division.capacity is None else division.capacity
    for status, count in ((EntryStatus.PENDING, room), (EntryStatus.WAITING_PENDING, len(regulars))):
        if wanted := [_new_entry(one) for one in islice(rest, count)]:
            add_to_division(actor, event, division, wanted, source=Entry.Source.DIRECTOR, status=status)
    return len(regulars)


def _new_entry(one: CopiedEntry) -> NewEntry:
    """Return a new entry of the same players; a name made of theirs is made again from current names."""
    first, *others = one.players
    return NewEntry(
        player_id=first,
        partners=tuple(NewEntry(player_id=player) for player in others),
        team="" if one.name == team_name(one.names) else one.name,
        marks=one.marks,
    )
