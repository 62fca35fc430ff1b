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
    require_changeable_event,
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

    ``entries_until``: last time for entries; ``capacity``: number of entries with a place, further ones wait;
    None for no limit. ``starts_when_full``: the last of these entries triggers draw and publication, and
    another such division opens. ``reentries``: how often a player may re-enter. ``moving``: number of entries
    exchanged with the division below after a league season. ``limit_source`` to ``limit_refuses``: the rating
    limit, see `engine.limits.RatingLimit`; without a source, none.
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
        """The rating limit as typed; its source is empty if there is none."""
        return RatingLimit(self.limit_source, self.limit_least, self.limit_most, self.limit_refuses)


@durable
def add_division(*, actor: Actor, event_id: int, division: DivisionDetails, first_name: str = "") -> Division:
    """Add a division with its stages at the end of the event, and return it.

    ``first_name``: name for the only division so far, if it has none. Raises ``Invalid`` with all errors.
    """
    event = lock_for_director(actor, event_id)
    require_changeable_event(event)
    divisions = list(event.divisions.all())
    faults = division_faults(division, position=1, has_plain_names=True)
    if len(divisions) >= MAX_DIVISIONS:
        faults.append(Fault("division.too_many", "name", {"limit": MAX_DIVISIONS}))
    nameless = [other for other in divisions if not other.name]
    for other in nameless[:1]:
        other.name = clean_line(first_name)
        if not other.name:
            faults.append(Fault("division.name_missing", "first_name"))
        elif len(other.name) > MAX_NAME_LENGTH:
            faults.append(Fault("division.name_long", "first_name", {"limit": MAX_NAME_LENGTH}))
        faults += web_address_faults(other.name, "first_name")
    faults += _name_faults(division.name, [other.name for other in divisions])
    faults += rating_list_faults(event.club, division.limit)
    raise_faults(faults)
    for other in nameless[:1]:
        other.save(update_fields=["name"])
    created = create_division(event, division, position=divisions[-1].position + 1 if divisions else 1)
    record_action(event, actor=actor, action=DivisionAdded(name=created.name), subject=created)
    return created


@durable
def open_next_division(*, actor: Actor, event_id: int, division_id: int) -> Division:
    """Open another division like a drawn one, without entries, and return it: “Jackpot 2” after “Jackpot”.

    This lets side events continue all day: a full division is drawn and the next one takes entries. A single
    division without a name gets the event's name. The waiting list of a division that starts when full moves
    to the new one.
    """
    event = lock_for_director(actor, event_id)
    require_changeable_event(event)
    division = _division(event, division_id)
    divisions = list(event.divisions.all())
    stages = list(division.stages.all())
    if len(divisions) >= MAX_DIVISIONS:
        raise Invalid("division.too_many", limit=MAX_DIVISIONS)
    if all(stage.status == StageStatus.SETUP for stage in stages):
        raise Conflict("division.still_open", present=event)
    if not division.name:
        division.name = event.name[:MAX_NAME_LENGTH]
        division.save(update_fields=["name"])
    now = timezone.now()
    details = DivisionDetails(
        name=next_division_name(division.name, [other.name for other in divisions]),
        team_size=division.team_size,
        entries_until=division.entries_until
        if division.entries_until and division.entries_until > now
        else None,
        capacity=division.capacity,
        starts_when_full=division.starts_when_full,
        reentries=division.reentries,
        moving=division.moving,
        **limit_details(division),
        stages=[details_of_stage(stage) for stage in stages],
    )
    next_division = create_division(event, details, position=divisions[-1].position + 1)
    next_division.prize_pool, next_division.withdrawn = division.prize_pool, division.withdrawn
    next_division.save(update_fields=["prize_pool", "withdrawn"])
    moved_count = _move_waiting_list(division, next_division) if division.starts_when_full else 0
    record_action(
        event,
        actor=actor,
        action=NextDivisionOpened(name=next_division.name, moved=moved_count),
        subject=next_division,
    )
    if moved_count:
        fill_places(actor, event, next_division)
    return next_division


def _move_waiting_list(before: Division, after: Division) -> int:
    """Move the waiting list of ``before`` to ``after``, and end the automatic start of ``before``.

    Returns the number of entries moved.
    """
    before.starts_when_full = False
    before.save(update_fields=["starts_when_full"])
    waiting = Entry.objects.filter(division=before, status__in=ENTRY_ON_WAITING_LIST)
    EntryPlayer.objects.filter(entry__in=waiting).update(division=after)
    return waiting.update(division=after)


def next_division_name(name: str, taken_names: Sequence[str]) -> str:
    """Return the name of the next division like this one: “Jackpot 2”, or “Jackpot 3” if that is taken."""
    base, _blank, last = name.rpartition(" ")
    numbered = bool(base) and last.isascii() and last.isdecimal() and len(last) < _MAX_NUMBER_DIGITS
    stem, number = (base, int(last)) if numbered else (name, 1)
    used_names = {clean_line(other).casefold() for other in taken_names}
    names = (
        f"{stem[: MAX_NAME_LENGTH - _MAX_NUMBER_DIGITS - 1]} {next_number}"
        for next_number in itertools.count(number + 1)
    )
    return next(candidate for candidate in names if candidate.casefold() not in used_names)


@durable
def update_division(
    *, actor: Actor, event_id: int, division_id: int, division: DivisionDetails, seen: str = ""
) -> Division:
    """Change the settings of a division, without its stages; return the division.

    The team size is fixed once there are entries. ``seen``: `division_settings_version` that the director
    saw. Raises ``Conflict`` if the settings have changed since, and ``Invalid`` with all errors.
    """
    event = lock_for_director(actor, event_id)
    loaded_division = _division(event, division_id)
    refuse_if_changed(seen, division_settings_version(loaded_division), event.status, loaded_division)
    other_names = [other.name for other in event.divisions.exclude(pk=loaded_division.pk)]
    faults = _own_faults(division)
    if other_names or division.name.strip():
        faults += _name_faults(division.name, other_names)
    if division.team_size != loaded_division.team_size and loaded_division.entries.exists():
        faults.append(Fault("division.has_entries", "team_size"))
    if division.starts_when_full:
        faults += _start_faults([(stage.system, stage.fed_by_id) for stage in loaded_division.stages.all()])
        entry_count = Entry.objects.filter(division=loaded_division, status__in=ENTRY_HOLDS_PLACE).count()
        if division.capacity is not None and entry_count > division.capacity:
            faults.append(Fault("division.full_already", "capacity"))
    faults += rating_list_faults(event.club, division.limit)
    raise_faults(faults)
    previous_limit = loaded_division.limit
    with require_same_weights(event):
        _write_fields(loaded_division, division)
        loaded_division.save()
    record_action(
        event, actor=actor, action=DivisionUpdated(name=str(loaded_division)), subject=loaded_division
    )
    if loaded_division.limit != previous_limit:
        record_action(event, actor=actor, action=limit_set_action(loaded_division), subject=loaded_division)
    fill_places(actor, event, loaded_division)
    schedule_start_if_full(loaded_division)
    return loaded_division


@durable
def set_limit(
    *, actor: Actor, event_id: int, division_id: int, limit: RatingLimit | None, seen: str = ""
) -> Division:
    """Set the rating limit of a division; None removes it. Returns the division.

    Existing entries stay. ``seen``: `division_settings_version` that the director saw; raises ``Conflict`` if
    the settings have changed since. Raises ``Invalid`` for a limit without a source or a bound, a minimum
    above the maximum, or a rating list of another club.
    """
    event = lock_for_director(actor, event_id)
    division = _division(event, division_id)
    refuse_if_changed(seen, division_settings_version(division), event.status, division)
    new_limit = limit or RatingLimit("")
    raise_faults([*typed_limit_faults(new_limit), *rating_list_faults(event.club, new_limit)])
    previous_limit = division.limit
    write_limit(division, new_limit)
    if division.limit != previous_limit:
        division.save(update_fields=LIMIT_FIELDS)
        record_action(event, actor=actor, action=limit_set_action(division), subject=division)
    return division


@durable
def move_division(*, actor: Actor, event_id: int, division_id: int, places: int) -> Division:
    """Move a division down in the order by ``places`` (negative: up), at most to either end; return it."""
    event = lock_for_director(actor, event_id)
    division = _division(event, division_id)
    order = [row for row in event.divisions.all() if row.pk != division.pk]
    index = list(event.divisions.all()).index(division)
    order.insert(min(max(index + places, 0), len(order)), division)
    # Two steps, because the database rejects a duplicate position even within the transaction.
    highest = max(row.position for row in order)
    with require_same_weights(event):
        for shift in (highest, 0):
            for position, row in enumerate(order, start=1):
                row.position = position + shift
                row.save(update_fields=["position"])
    record_action(event, actor=actor, action=DivisionMoved(name=str(division)), subject=division)
    return division


@durable
def remove_division(*, actor: Actor, event_id: int, division_id: int) -> Event:
    """Remove a division that has neither entries nor a draw; return the event. Raises ``Conflict`` otherwise.

    The last division of an event cannot be removed.
    """
    event = lock_for_director(actor, event_id)
    division = _division(event, division_id)
    if event.divisions.count() == 1:
        raise Conflict("division.the_only_one", present=event)
    if division.entries.exists() or division.stages.exclude(status=StageStatus.SETUP).exists():
        raise Conflict("division.in_use", present=event)
    name = str(division)
    with require_same_weights(event):
        Stage.objects.filter(division=division).update(fed_by=None)
        division.delete()
    finish_event_if_over(event)
    record_action(event, actor=actor, action=DivisionRemoved(name=name))
    return event


def division_settings_version(division: Division) -> str:
    """Return the version (a hash) of a division's own settings, without those of its stages."""
    return settings_version({name: getattr(division, name) for name in _OWN_FIELDS})


def create_division(event: Event, details: DivisionDetails, *, position: int) -> Division:
    """Create a division with its stages from validated details. Joins the caller's transaction.

    ``position``: place in the order of the event's divisions.
    """
    division = Division(event=event, position=position)
    _write_fields(division, details)
    division.save()
    created_stages: list[Stage] = []
    for stage in details.stages:
        created_stages.append(create_stage(division, stage, created_stages))
    return division


def new_event_division_faults(divisions: Sequence[DivisionDetails]) -> list[Fault]:
    """Return all errors of the divisions of a new event.

    For an event of one stage, fields have plain names (``lengths``), otherwise names with the place of
    division and stage (``division-1-stage-2-lengths``).
    """
    if not divisions:
        return [Fault("division.none")]
    alone = len(divisions) == 1 and len(divisions[0].stages) == 1
    faults = (
        [Fault("division.too_many", None, {"limit": MAX_DIVISIONS})] if len(divisions) > MAX_DIVISIONS else []
    )
    names: list[str] = []
    for position, division in enumerate(divisions[:MAX_DIVISIONS], start=1):
        faults += division_faults(division, position=position, has_plain_names=alone)
        if len(divisions) > 1:
            faults += [
                fault.at(f"division-{position}-{fault.field}") for fault in _name_faults(division.name, names)
            ]
        names.append(clean_line(division.name))
    return faults


def division_faults(division: DivisionDetails, *, position: int, has_plain_names: bool) -> list[Fault]:
    """Return the errors of a division and its stages.

    ``has_plain_names``: True names fields plainly (``lengths``), False with the place of division and stage
    (``division-1-stage-2-lengths``); ``position``: place of the division.
    """
    faults = [
        fault if has_plain_names else fault.at(f"division-{position}-{fault.field}")
        for fault in _own_faults(division)
    ]
    if division.starts_when_full:
        field = "starts_when_full" if has_plain_names else f"division-{position}-starts_when_full"
        starts = _start_faults([(stage.system, stage.fed_by) for stage in division.stages])
        faults += [fault.at(field) for fault in starts]
    if not division.stages:
        faults.append(Fault("division.no_stages", None if has_plain_names else f"division-{position}"))
    if len(division.stages) > MAX_STAGES:
        faults.append(Fault("stage.too_many", f"division-{position}", {"limit": MAX_STAGES}))
        return faults
    faults += [
        fault if has_plain_names else fault.at(f"division-{position}-stage-{number}-{fault.field}")
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
    """Return an error unless the only stage is a bracket: nothing else can start automatically.

    ``stages``: pairs of system and the stage that feeds it.
    """
    if len(stages) == 1 and stages[0][0] in Stage.ELIMINATIONS:
        return []
    return [Fault("division.full_of_one_bracket", "starts_when_full")]


def _name_faults(typed_name: str, others: Sequence[str]) -> list[Fault]:
    name = clean_line(typed_name)
    if not name:
        return [Fault("division.name_missing", "name")]
    if len(name) > MAX_NAME_LENGTH:
        return [Fault("division.name_long", "name", {"limit": MAX_NAME_LENGTH})]
    if name.casefold() in {clean_line(other).casefold() for other in others}:
        return [Fault("division.name_twice", "name", {"name": name})]
    return web_address_faults(name)


def _division(event: Event, division_id: int) -> Division:
    division = one_or_none(Division.objects.filter(pk=division_id, event=event))
    if division is None:
        raise Missing("division.unknown")
    return division


def _write_fields(division: Division, details: DivisionDetails) -> None:
    for name in _OWN_FIELDS:
        setattr(division, name, getattr(details, name))
    division.name = clean_line(details.name)
    write_limit(division, details.limit)
