"""Services for the divisions of an event (Open, Intermediate, Doubles…): add, change, reorder, remove."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils import timezone

from faults import Conflict, Fault, Invalid, Missing, raise_faults
from people.actors import Actor
from people.rows import one_or_none
from people.text import clean_line, web_address_faults
from people.transactions import durable
from tournaments.engine.brackets.seeding import MAX_ENTRIES, MIN_ENTRIES
from tournaments.engine.limits import RatingLimit
from tournaments.engine.statuses import ENTRY_HOLDS_PLACE, ENTRY_ON_WAITING_LIST, StageStatus
from tournaments.engine.trail.divisions import (
    DivisionAdded,
    DivisionMoved,
    DivisionRemoved,
    DivisionUpdated,
    NextDivisionOpened,
)
from tournaments.events.services.limits import (
    LIMIT_FIELDS,
    limit_details,
    limit_set_action,
    rating_list_faults,
    typed_limit_faults,
    write_limit,
)
from tournaments.events.services.stages import (
    MAX_NAME_LENGTH,
    MAX_STAGES,
    StageDetails,
    create_stage,
    details_of_stage,
    plan_faults,
    refuse_if_over,
)
from tournaments.models import Division, Entry, EntryPlayer, Event, Stage
from tournaments.selectors.access.versions import settings_version
from tournaments.store.event_state import finish_event_if_over
from tournaments.store.lock import lock_for_director, record_action, refuse_if_changed
from tournaments.store.places import require_same_weights
from tournaments.store.waiting import fill_places, schedule_start_if_full

MAX_DIVISIONS: Final = 20
MAX_TEAM_SIZE: Final = 3
MAX_REENTRIES: Final = 9
MAX_PROMOTED: Final = 16
FIRST_YEAR: Final = 2000
LAST_YEAR: Final = 2200
_OWN_FIELDS: Final = (
    *("name", "team_size", "entries_until", "capacity", "starts_when_full", "reentries", "moving"),
    *LIMIT_FIELDS,
)
_MAX_NUMBER_DIGITS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionDetails:
    """Settings of a division with its ``stages`` in order.

    ``capacity``: number of entries with a place, further ones wait; None for no limit. ``starts_when_full``:
    the last of them triggers draw and publication, and the next such division opens. ``moving``: number of
    entries exchanged with the division below after a league season. ``limit_source`` to ``limit_refuses``:
    rating limit as in `engine.limits.RatingLimit`; without a source, none.
    """

    name: str = ""
    team_size: int = 1
    entries_until: datetime | None = None
    capacity: int | None = None
    starts_when_full: bool = False
    reentries: int = 0
    moving: int = 0
    limit_source: str = ""
    limit_least: float | None = None
    limit_most: float | None = None
    limit_refuses: bool = True
    stages: Sequence[StageDetails] = ()

    @property
    def limit(self) -> RatingLimit:
        """The limit as typed; its source is empty without a limit."""
        return RatingLimit(self.limit_source, self.limit_least, self.limit_most, self.limit_refuses)


@durable
def add_division(*, actor: Actor, event_id: int, division: DivisionDetails, first_name: str = "") -> Division:
    """Add a division at the end, with its stages.

    ``first_name``: name for the only division so far if it has none.
    """
    event = lock_for_director(actor, event_id)
    refuse_if_over(event)
    there = list(event.divisions.all())
    faults = division_faults(division, place=1, alone=True)
    if len(there) >= MAX_DIVISIONS:
        faults.append(Fault("division.too_many", "name", {"limit": MAX_DIVISIONS}))
    nameless = [one for one in there if not one.name]
    for one in nameless[:1]:
        one.name = clean_line(first_name)
        if not one.name:
            faults.append(Fault("division.name_missing", "first_name"))
        elif len(one.name) > MAX_NAME_LENGTH:
            faults.append(Fault("division.name_long", "first_name", {"limit": MAX_NAME_LENGTH}))
        faults += web_address_faults(one.name, "first_name")
    faults += _name_faults(division.name, [one.name for one in there])
    faults += rating_list_faults(event.club, division.limit)
    raise_faults(faults)
    for one in nameless[:1]:
        one.save(update_fields=["name"])
    made = create_division(event, division, position=there[-1].position + 1 if there else 1)
    record_action(event, actor=actor, action=DivisionAdded(name=made.name), subject=made)
    return made


@durable
def open_next_division(*, actor: Actor, event_id: int, division_id: int) -> Division:
    """Open another division like a drawn one: “Jackpot 2” after “Jackpot”, same settings, no entries.

    This lets side events continue all day: a full one is drawn and the next takes entries. A single division
    without a name gets the event's name. The waiting list of a division that starts when full moves to the
    new one.
    """
    event = lock_for_director(actor, event_id)
    refuse_if_over(event)
    found = _division(event, division_id)
    there = list(event.divisions.all())
    stages = list(found.stages.all())
    if len(there) >= MAX_DIVISIONS:
        raise Invalid("division.too_many", limit=MAX_DIVISIONS)
    if all(stage.status == StageStatus.SETUP for stage in stages):
        raise Conflict("division.still_open", present=event)
    if not found.name:
        found.name = event.name[:MAX_NAME_LENGTH]
        found.save(update_fields=["name"])
    now = timezone.now()
    details = DivisionDetails(
        name=next_division_name(found.name, [one.name for one in there]),
        team_size=found.team_size,
        entries_until=found.entries_until if found.entries_until and found.entries_until > now else None,
        capacity=found.capacity,
        starts_when_full=found.starts_when_full,
        reentries=found.reentries,
        moving=found.moving,
        **limit_details(found),
        stages=[details_of_stage(stage) for stage in stages],
    )
    made = create_division(event, details, position=there[-1].position + 1)
    made.prize_pool, made.withdrawn = found.prize_pool, found.withdrawn
    made.save(update_fields=["prize_pool", "withdrawn"])
    moved = _move_waiting_list(found, made) if found.starts_when_full else 0
    record_action(event, actor=actor, action=NextDivisionOpened(name=made.name, moved=moved), subject=made)
    if moved:
        fill_places(actor, event, made)
    return made


def _move_waiting_list(before: Division, after: Division) -> int:
    """Move the waiting list and the automatic start to the next division.

    Return the number of entries moved.
    """
    before.starts_when_full = False
    before.save(update_fields=["starts_when_full"])
    waiting = Entry.objects.filter(division=before, status__in=ENTRY_ON_WAITING_LIST)
    EntryPlayer.objects.filter(entry__in=waiting).update(division=after)
    return waiting.update(division=after)


def next_division_name(name: str, taken: Sequence[str]) -> str:
    """Return the first free name of “Jackpot” → “Jackpot 2” → “Jackpot 3”."""
    words, _blank, last = name.rpartition(" ")
    numbered = bool(words) and last.isascii() and last.isdecimal() and len(last) < _MAX_NUMBER_DIGITS
    stem, number = (words, int(last)) if numbered else (name, 1)
    used = {clean_line(other).casefold() for other in taken}
    names = (
        f"{stem[: MAX_NAME_LENGTH - _MAX_NUMBER_DIGITS - 1]} {after}" for after in itertools.count(number + 1)
    )
    return next(one for one in names if one.casefold() not in used)


@durable
def update_division(
    *, actor: Actor, event_id: int, division_id: int, division: DivisionDetails, seen: str = ""
) -> Division:
    """Change name, team size, cut-off and re-entries; stages are changed one by one.

    The size is fixed once there are entries. ``seen``: `division_settings_version` that was displayed. Raises
    ``Conflict`` if the settings have changed since.
    """
    event = lock_for_director(actor, event_id)
    found = _division(event, division_id)
    refuse_if_changed(seen, division_settings_version(found), event.status, found)
    others = [one.name for one in event.divisions.exclude(pk=found.pk)]
    faults = _own_faults(division)
    if others or division.name.strip():
        faults += _name_faults(division.name, others)
    if division.team_size != found.team_size and found.entries.exists():
        faults.append(Fault("division.has_entries", "team_size"))
    if division.starts_when_full:
        faults += _start_faults([(stage.system, stage.fed_by_id) for stage in found.stages.all()])
        have = Entry.objects.filter(division=found, status__in=ENTRY_HOLDS_PLACE).count()
        if division.capacity is not None and have > division.capacity:
            faults.append(Fault("division.full_already", "capacity"))
    faults += rating_list_faults(event.club, division.limit)
    raise_faults(faults)
    before = found.limit
    with require_same_weights(event):
        _write_fields(found, division)
        found.save()
    record_action(event, actor=actor, action=DivisionUpdated(name=str(found)), subject=found)
    if found.limit != before:
        record_action(event, actor=actor, action=limit_set_action(found), subject=found)
    fill_places(actor, event, found)
    schedule_start_if_full(found)
    return found


@durable
def set_limit(
    *, actor: Actor, event_id: int, division_id: int, limit: RatingLimit | None, seen: str = ""
) -> Division:
    """Set the rating limit of a division; None removes it.

    Existing entries stay. ``seen`` as in `update_division`. Raises ``Invalid`` for a limit without a source
    or a bound, a minimum above the maximum, or a rating list of another club.
    """
    event = lock_for_director(actor, event_id)
    found = _division(event, division_id)
    refuse_if_changed(seen, division_settings_version(found), event.status, found)
    wanted = limit or RatingLimit("")
    raise_faults([*typed_limit_faults(wanted), *rating_list_faults(event.club, wanted)])
    before = found.limit
    write_limit(found, wanted)
    if found.limit != before:
        found.save(update_fields=LIMIT_FIELDS)
        record_action(event, actor=actor, action=limit_set_action(found), subject=found)
    return found


@durable
def move_division(*, actor: Actor, event_id: int, division_id: int, places: int) -> Division:
    """Move a division down the list by ``places`` (negative: up), at most to either end."""
    event = lock_for_director(actor, event_id)
    found = _division(event, division_id)
    order = [one for one in event.divisions.all() if one.pk != found.pk]
    at = list(event.divisions.all()).index(found)
    order.insert(min(max(at + places, 0), len(order)), found)
    # Two steps, because the database rejects a duplicate position even within the transaction.
    highest = max(one.position for one in order)
    with require_same_weights(event):
        for shift in (highest, 0):
            for position, one in enumerate(order, start=1):
                one.position = position + shift
                one.save(update_fields=["position"])
    record_action(event, actor=actor, action=DivisionMoved(name=str(found)), subject=found)
    return found


@durable
def remove_division(*, actor: Actor, event_id: int, division_id: int) -> Event:
    """Remove a division without entries and draw. Raises ``Conflict`` for the last one."""
    event = lock_for_director(actor, event_id)
    found = _division(event, division_id)
    if event.divisions.count() == 1:
        raise Conflict("division.the_only_one", present=event)
    if found.entries.exists() or found.stages.exclude(status=StageStatus.SETUP).exists():
        raise Conflict("division.in_use", present=event)
    name = str(found)
    with require_same_weights(event):
        Stage.objects.filter(division=found).update(fed_by=None)
        found.delete()
    finish_event_if_over(event)
    record_action(event, actor=actor, action=DivisionRemoved(name=name))
    return event


def division_settings_version(division: Division) -> str:
    """Return the version of the division's own settings."""
    return settings_version({name: getattr(division, name) for name in _OWN_FIELDS})


def create_division(event: Event, details: DivisionDetails, *, position: int) -> Division:
    """Write a division with its stages. Joins the caller's transaction; the details are already validated."""
    division = Division(event=event, position=position)
    _write_fields(division, details)
    division.save()
    made: list[Stage] = []
    for stage in details.stages:
        made.append(create_stage(division, stage, made))
    return division


def divisions_faults(divisions: Sequence[DivisionDetails]) -> list[Fault]:
    """Return all faults of the divisions of a new event.

    Fields have plain names (``lengths``) for an event of one stage, otherwise names with their place
    (``division-1-stage-2-lengths``).
    """
    if not divisions:
        return [Fault("division.none")]
    alone = len(divisions) == 1 and len(divisions[0].stages) == 1
    faults = (
        [Fault("division.too_many", None, {"limit": MAX_DIVISIONS})] if len(divisions) > MAX_DIVISIONS else []
    )
    names: list[str] = []
    for place, division in enumerate(divisions[:MAX_DIVISIONS], start=1):
        faults += division_faults(division, place=place, alone=alone)
        if len(divisions) > 1:
            faults += [
                fault.at(f"division-{place}-{fault.field}") for fault in _name_faults(division.name, names)
            ]
        names.append(clean_line(division.name))
    return faults


def division_faults(division: DivisionDetails, *, place: int, alone: bool) -> list[Fault]:
    """Return the faults of a division and its stages, with fields named as in ``divisions_faults``."""
    faults = [
        fault if alone else fault.at(f"division-{place}-{fault.field}") for fault in _own_faults(division)
    ]
    if division.starts_when_full:
        field = "starts_when_full" if alone else f"division-{place}-starts_when_full"
        starts = _start_faults([(stage.system, stage.fed_by) for stage in division.stages])
        faults += [fault.at(field) for fault in starts]
    if not division.stages:
        faults.append(Fault("division.no_stages", None if alone else f"division-{place}"))
    if len(division.stages) > MAX_STAGES:
        faults.append(Fault("stage.too_many", f"division-{place}", {"limit": MAX_STAGES}))
        return faults
    faults += [
        fault if alone else fault.at(f"division-{place}-stage-{number}-{fault.field}")
        for number, fault in plan_faults(division.stages)
    ]
    return faults


def _own_faults(division: DivisionDetails) -> list[Fault]:
    faults = []
    if not 1 <= division.team_size <= MAX_TEAM_SIZE:
        faults.append(Fault("division.team_size_odd", "team_size", {"limit": MAX_TEAM_SIZE}))
    if not 0 <= division.reentries <= MAX_REENTRIES:
        faults.append(Fault("division.reentries_odd", "reentries", {"limit": MAX_REENTRIES}))
    if division.capacity is not None and not MIN_ENTRIES <= division.capacity <= MAX_ENTRIES:
        params = {"least": MIN_ENTRIES, "limit": MAX_ENTRIES}
        faults.append(Fault("division.capacity_odd", "capacity", params))
    if division.starts_when_full and division.capacity is None:
        faults.append(Fault("division.full_without_end", "capacity"))
    until = division.entries_until
    if until is not None and not FIRST_YEAR <= until.year <= LAST_YEAR:
        faults.append(Fault("division.until_odd", "entries_until"))
    if not 0 <= division.moving <= MAX_PROMOTED:
        faults.append(Fault("division.moving_odd", "moving", {"limit": MAX_PROMOTED}))
    return [*faults, *typed_limit_faults(division.limit)]


def _start_faults(stages: Sequence[tuple[str, int | None]]) -> list[Fault]:
    """Return a fault unless the only stage is a bracket: nothing else can start automatically."""
    if len(stages) == 1 and stages[0][0] in Stage.ELIMINATIONS:
        return []
    return [Fault("division.full_of_one_bracket", "starts_when_full")]


def _name_faults(given: str, others: Sequence[str]) -> list[Fault]:
    name = clean_line(given)
    if not name:
        return [Fault("division.name_missing", "name")]
    if len(name) > MAX_NAME_LENGTH:
        return [Fault("division.name_long", "name", {"limit": MAX_NAME_LENGTH})]
    if name.casefold() in {clean_line(other).casefold() for other in others}:
        return [Fault("division.name_twice", "name", {"name": name})]
    return web_address_faults(name)


def _division(event: Event, division_id: int) -> Division:
    found = one_or_none(Division.objects.filter(pk=division_id, event=event))
    if found is None:
        raise Missing("division.unknown")
    return found


def _write_fields(division: Division, details: DivisionDetails) -> None:
    for name in _OWN_FIELDS:
        setattr(division, name, getattr(details, name))
    division.name = clean_line(details.name)
    write_limit(division, details.limit)
