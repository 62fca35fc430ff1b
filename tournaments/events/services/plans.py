"""Plan of an event: all settings of its director, for creating other events, and nothing that happened in it.

It contains the event's settings, divisions with prize pool and last time for entries, stages with all
settings, deadlines of rounds and tables out of use. It does not contain entries, draws, results, audit log,
links, secrets, announcements or assistants.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.utils import timezone

from faults import Fault, raise_faults
from people.actors import Actor
from people.models import Club
from tournaments.engine.series.days import is_existing_time, shift_days
from tournaments.engine.standings.leaving import WithdrawnRights
from tournaments.engine.statuses import EventStatus
from tournaments.events.services.divisions import FIRST_YEAR, LAST_YEAR, DivisionDetails, create_division
from tournaments.events.services.events import EventDetails, details_of_event, event_faults, write_event
from tournaments.events.services.limits import limit_details
from tournaments.events.services.stages import details_of_stage
from tournaments.models import Division, Event, Round, Series, Stage
from tournaments.selectors.arranged import planned_deadlines
from tournaments.store.arranged import write_deadlines


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionPlan:
    """A division in a plan, with its prize pool and the rights of players who withdraw.

    ``deadlines``: last day of each round, keyed by the place of the stage (from 1), then by the number of the
    round.
    """

    details: DivisionDetails
    pool: Decimal | None = None
    withdrawn: WithdrawnRights = WithdrawnRights.PLACE
    deadlines: Mapping[int, Mapping[int, date]]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPlan:
    """All settings of an event, with the dates on which it is held.

    ``currency``: ISO 4217 code for the prizes, or empty; ``approves_all``: new names also wait for approval;
    ``closed_tables``: numbers of the tables out of use.
    """

    details: EventDetails
    divisions: tuple[DivisionPlan, ...]
    currency: str = ""
    approves_all: bool = True
    closed_tables: tuple[int, ...] = ()


def plan_from_event(event: Event, divisions: Collection[int] | None = None) -> EventPlan:
    """Return the plan of ``event``. ``divisions``: ids of the divisions to include, None for all."""
    rows = [division for division in event.divisions.all() if divisions is None or division.pk in divisions]
    return EventPlan(
        details=details_of_event(event),
        divisions=tuple(_division_plan(division) for division in rows),
        currency=event.currency,
        approves_all=event.approves_all,
        closed_tables=tuple(event.closed_tables),
    )


def move_plan(plan: EventPlan, day: date, name: str = "") -> EventPlan:
    """Return the plan moved so that the event begins on ``day``.

    ``name``: name of the new event, empty to keep it.

    All dates keep their distance, and times of day stay. A last time for entries that would be past is left
    out, because nothing could be entered. Raises ``Invalid`` if a time does not exist on its day, because
    clocks go forward, or if the year is out of range.
    """
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise_faults([Fault("event.day_odd", "starts_on", {"first": FIRST_YEAR, "last": LAST_YEAR})])
    details = plan.details
    days = (day - details.starts_on).days
    new_details = replace(
        details,
        name=name or details.name,
        starts_on=day,
        ends_on=details.ends_on + timedelta(days=days),
    )
    raise_faults(_nonexistent_hour_faults(new_details))
    return replace(
        plan,
        details=new_details,
        divisions=tuple(
            replace(
                division,
                details=replace(
                    division.details,
                    entries_until=_shifted_cutoff(division.details.entries_until, days, details.timezone),
                ),
                deadlines={
                    place: {number: deadline + timedelta(days=days) for number, deadline in rounds.items()}
                    for place, rounds in division.deadlines.items()
                },
            )
            for division in plan.divisions
        ),
    )


def create_event_from_plan(
    plan: EventPlan, *, actor: Actor, club: Club, series: Series | None = None
) -> Event:
    """Create a draft event from ``plan``, in ``series`` if given, and return it.

    Joins the caller's transaction; the caller records the action (`store.lock.record_action`). Raises
    ``Invalid`` for invalid settings of the event. Settings of stages are not validated again.
    """
    raise_faults(
        [*event_faults(plan.details), *([] if plan.divisions else [Fault("division.none", "divisions")])]
    )
    event = Event(club=club, created_by=actor.user, status=EventStatus.DRAFT, series=series)
    write_event(event, plan.details)
    event.currency, event.approves_all = plan.currency, plan.approves_all
    event.closed_tables = [table for table in plan.closed_tables if table <= event.tables]
    event.save()
    for position, division_plan in enumerate(plan.divisions, start=1):
        division = create_division(event, division_plan.details, position=position)
        if (division_plan.pool, division_plan.withdrawn) != (division.prize_pool, division.withdrawn):
            division.prize_pool, division.withdrawn = division_plan.pool, division_plan.withdrawn
            division.save(update_fields=["prize_pool", "withdrawn"])
        if division_plan.deadlines:
            stages: Sequence[Stage] = list(division.stages.all())
            for place, rounds in division_plan.deadlines.items():
                write_deadlines(stages[place - 1], dict(rounds))
    return event


def _division_plan(division: Division) -> DivisionPlan:
    stages = list(division.stages.all())
    deadlines = {place: _deadlines(stage) for place, stage in enumerate(stages, start=1)}
    return DivisionPlan(
        details=DivisionDetails(
            name=division.name,
            team_size=division.team_size,
            entries_until=division.entries_until,
            capacity=division.capacity,
            starts_when_full=division.starts_when_full,
            reentries=division.reentries,
            moving=division.moving,
            **limit_details(division),
            # The number of rounds that was set, not the number played.
            stages=[replace(details_of_stage(stage), swiss=stage.settings.swiss) for stage in stages],
        ),
        pool=division.prize_pool,
        withdrawn=WithdrawnRights(division.withdrawn),
        deadlines={place: rounds for place, rounds in deadlines.items() if rounds},
    )


def _deadlines(stage: Stage) -> dict[int, date]:
    """Return the deadlines of published and planned rounds, keyed by the number of the round."""
    if stage.system not in Stage.IN_ROUNDS:
        return {}
    published = Round.objects.filter(stage=stage, deadline__isnull=False).values_list("number", "deadline")
    return {number: day for number, day in published if day is not None} | dict(planned_deadlines(stage))


def _nonexistent_hour_faults(details: EventDetails) -> list[Fault]:
    """Return errors for times of day that do not exist on the first day; none if the time zone is unknown."""
    if any(fault.field == "timezone" for fault in event_faults(details)):
        return []
    clocks = {name: getattr(details, name) for name in ("opens_at", "closes_at", "break_from", "break_until")}
    return [
        _nonexistent_hour_fault(details.starts_on, clock.strftime("%H:%M"), details.timezone)
        for clock in clocks.values()
        if clock is not None and not is_existing_time(details.starts_on, clock, details.timezone)
    ]


def _nonexistent_hour_fault(day: date, clock: str, zone: str) -> Fault:
    return Fault("event.no_such_hour", "starts_on", {"day": day, "time": clock, "zone": zone})


def _shifted_cutoff(until: datetime | None, days: int, zone: str) -> datetime | None:
    """Return a division's last time for entries, ``days`` later; None if there is none or it would be past.

    Raises ``Invalid`` if the time does not exist on the new day.
    """
    if until is None:
        return None
    shifted = shift_days(until, days, zone)
    if shifted is None:
        local = timezone.localtime(until, timezone=ZoneInfo(zone)) + timedelta(days=days)
        raise_faults([_nonexistent_hour_fault(local.date(), local.strftime("%H:%M"), zone)])
    return shifted if shifted is not None and shifted > timezone.now() else None
