"""Services for the series of a club.

Create events on several dates, assign events, change name and points.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from itertools import pairwise
from typing import Final

from faults import Fault, Invalid, Missing, raise_faults
from people.actors import Actor
from people.models import Club
from people.permissions import require_director
from people.rows import one_or_none
from people.services import audit
from people.services.versions import raise_versions
from people.text import clean_line, web_address_faults
from people.transactions import durable
from people.versions import club_events_topic, club_topic
from tournaments.engine.series.days import MAX_DATES
from tournaments.engine.series.points import DEFAULT_RULE, PointsRule, check_rule
from tournaments.engine.statuses import EventAction
from tournaments.engine.trail.action import AuditAction
from tournaments.engine.trail.events import EventOpened
from tournaments.engine.trail.series import SeriesChanged, SeriesCreated, SeriesDatesCreated, SeriesSet
from tournaments.events.services.events import MAX_NAME_LENGTH
from tournaments.events.services.plans import move_plan, plan_from_event
from tournaments.models import Event, Series
from tournaments.models.settings import to_json
from tournaments.models.trail import serialize_action
from tournaments.selectors.access.versions import settings_version
from tournaments.selectors.copying import entries_to_copy, event_start_dates
from tournaments.series.services.copying import NO_REGULARS, CopyResult, day_faults, write_copy
from tournaments.store.event_state import step_event
from tournaments.store.lock import lock_for_director, record_action, refuse_if_changed

MAX_SERIES: Final = 200


@dataclass(frozen=True, slots=True)
class DatedSeries:
    """A series, and the events that were created for it, in order of date."""

    series: Series
    copies: tuple[CopyResult, ...]


@durable
def create_series_events(
    *,
    actor: Actor,
    event_id: int,
    days: Sequence[date],
    name: str = "",
    people: bool = False,
    opened: bool = False,
) -> DatedSeries:
    """Duplicate the event on each of ``days``: all of them or, if one is invalid, none.

    The events and the original form one series: the existing one of the event, otherwise a new one called
    ``name`` (by default like the event). ``people``: also copy the entries, as pending, to each event.
    ``opened``: the events are public at once, otherwise drafts. Raises ``Invalid`` with a fault for each date
    that is past, repeated, or has an event of the series or of that name.
    """
    source = lock_for_director(actor, event_id, called_off=True)
    series = _lock_series(source.club, source.series_id) if source.series_id is not None else None
    taken_dates = event_start_dates(source.club, source.name, source.series_id)
    raise_faults(_day_faults(source, days, taken_dates))
    if series is None:
        series = _create_series(actor, source.club, clean_line(name) or source.name)
        source.series = series
        record_action(source, actor=actor, action=SeriesSet(series=series.name, before=""))
    source.series = series
    divisions = list(source.divisions.all())
    plan, copied_entries = (
        plan_from_event(source),
        entries_to_copy(source, divisions) if people else NO_REGULARS,
    )
    copies = tuple(
        write_copy(actor, source, plan, day, source.name, divisions, copied_entries) for day in sorted(days)
    )
    for copy_result in copies if opened else ():
        step_event(copy_result.event, EventAction.OPEN)
        record_action(copy_result.event, actor=actor, action=EventOpened())
    first, last = min(days), max(days)
    action = SeriesDatesCreated(name=series.name, days=len(days), first=first, last=last)
    _record(actor, series, action)
    return DatedSeries(series, copies)


@durable
def create_series(*, actor: Actor, club_id: int, name: str) -> Series:
    """Create a series without events."""
    club = one_or_none(Club.objects.filter(pk=club_id))
    if club is None:
        raise Missing("club.unknown")
    require_director(actor, club)
    return _create_series(actor, club, clean_line(name))


@durable
def set_event_series(*, actor: Actor, event_id: int, series_id: int | None) -> Event:
    """Assign the event to a series of its club; None removes it from its series."""
    event = lock_for_director(actor, event_id, called_off=True)
    before = event.series.name if event.series is not None else ""
    event.series = _lock_series(event.club, series_id) if series_id is not None else None
    now = event.series.name if event.series is not None else ""
    record_action(event, actor=actor, action=SeriesSet(series=now, before=before))
    raise_versions([club_events_topic(event.club_id)])
    return event


@durable
def update_series(
    *,
    actor: Actor,
    club_id: int,
    series_id: int,
    name: str,
    rule: PointsRule,
    archived: bool = False,
    seen: str = "",
) -> Series:
    """Change the name of a series, its points, and whether it is archived. The table changes at once.

    ``seen``: the `series_version` that the user saw; raises ``Conflict`` if it has changed.
    """
    club = one_or_none(Club.objects.filter(pk=club_id))
    if club is None:
        raise Missing("club.unknown")
    require_director(actor, club)
    series = _lock_series(club, series_id)
    refuse_if_changed(seen, series_version(series), "")
    name = clean_line(name)
    raise_faults([*_name_faults(club, name, series.pk), *check_rule(rule)])
    before = _as_json(series)
    series.name, series.rule, series.archived = name, rule, archived
    series.save()
    after = _as_json(series)
    if before != after:
        _record(actor, series, SeriesChanged(name=name, before=before, after=after))
    return series


def series_version(series: Series) -> str:
    """Return the version of a series' settings."""
    return settings_version(_as_json(series))


def _day_faults(source: Event, days: Sequence[date], taken_dates: Collection[date]) -> list[Fault]:
    if not days:
        return [Fault("series.no_days", "days")]
    if len(days) > MAX_DATES:
        return [Fault("series.many_days", "days", {"limit": MAX_DATES, "count": len(days)})]
    order = sorted(days)
    repeated_days = {first for first, second in pairwise(order) if first == second}
    faults = [Fault("series.day_twice", "days", {"day": day}) for day in sorted(repeated_days)]
    plan = plan_from_event(source)
    for day in dict.fromkeys(order):
        new_faults = day_faults(source, source.name, day, taken_dates)
        if not new_faults:
            try:
                move_plan(plan, day)
            except Invalid as error:
                new_faults = list(error.faults)
        faults += [fault.at("days") for fault in new_faults]
    return faults


def refused_dates(source: Event, days: Sequence[date]) -> Mapping[date, Fault]:
    """Return the faults of impossible dates, keyed by date: the preview of `create_series_events`."""
    taken_dates = event_start_dates(source.club, source.name, source.series_id)
    fault_by_day: dict[date, Fault] = {}
    for day in dict.fromkeys(days):
        faults = _day_faults(source, [day], taken_dates)
        if faults:
            fault_by_day[day] = faults[0]
    return fault_by_day


def _create_series(actor: Actor, club: Club, name: str) -> Series:
    faults = _name_faults(club, name, None)
    if not faults and Series.objects.filter(club=club).count() >= MAX_SERIES:
        faults = [Fault("series.too_many", "name", {"limit": MAX_SERIES})]
    raise_faults(faults)
    series = Series(club=club, name=name)
    series.rule = DEFAULT_RULE
    series.save()
    _record(actor, series, SeriesCreated(name=name))
    return series


def _name_faults(club: Club, name: str, except_id: int | None) -> list[Fault]:
    if not name:
        return [Fault("series.name_missing", "name")]
    if len(name) > MAX_NAME_LENGTH:
        return [Fault("series.name_long", "name", {"limit": MAX_NAME_LENGTH})]
    if faults := web_address_faults(name):
        return faults
    same_name = Series.objects.filter(club=club, name__iexact=name, archived=False).exclude(pk=except_id or 0)
    return [Fault("series.name_taken", "name", {"name": name})] if same_name.exists() else []


def _lock_series(club: Club, series_id: int) -> Series:
    series = one_or_none(Series.objects.select_for_update().filter(pk=series_id, club=club))
    if series is None:
        raise Missing("series.unknown")
    return series


def _record(actor: Actor, series: Series, action: AuditAction) -> None:
    """Add the action to the club's audit log, and raise the versions of pages that name the series."""
    audit.record_action(
        actor=actor, action=action.kind, subject=series, club=series.club, data=serialize_action(action)
    )
    raise_versions([club_events_topic(series.club_id), club_topic(series.club_id)])


def _as_json(series: Series) -> dict[str, str]:
    rule = to_json(series.rule)
    rule_values = {field.name: rule[field.name] for field in fields(PointsRule)}
    return {
        "name": series.name,
        **{
            name: ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            for name, value in rule_values.items()
        },
        "archived": str(series.archived),
    }
