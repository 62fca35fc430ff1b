"""Times of check-in: when the check-in of a division is open on a date, by set times or by hand.

A division without a check-in requires none.
"""

from datetime import date, datetime, timedelta
from typing import Final

from django.utils import timezone

from faults import Conflict, Fault, Missing, raise_faults
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.check_in import CheckInState
from tournaments.engine.statuses import EVENT_CHANGEABLE
from tournaments.engine.trail.check_in import CheckInRemoved, CheckInSet
from tournaments.entries.services.entries import get_division
from tournaments.events.services.divisions import FIRST_YEAR, LAST_YEAR
from tournaments.models import CheckIn, Division, Event, Here
from tournaments.selectors.check_in import check_in_on, code_of_day
from tournaments.selectors.event_dates import event_today
from tournaments.store.check_in import check_in_times
from tournaments.store.lock import lock_for_director, record_action

GRACE_PERIOD: Final = timedelta(days=1)  # after the last day, because an event may continue past midnight


@durable
def set_check_in(
    *,
    actor: Actor,
    event_id: int,
    division_id: int,
    day: date,
    opens_at: datetime,
    closes_at: datetime | None = None,
) -> CheckIn:
    """Set when the check-in of this date opens and closes; create it if there is none. Idempotent."""
    event = lock_for_director(actor, event_id)
    _must_not_be_over(event)
    division = get_division(event, division_id)
    faults = []
    if not event.starts_on <= day <= event.ends_on + GRACE_PERIOD:
        faults.append(Fault("check_in.day_odd", "day", {"first": event.starts_on, "last": event.ends_on}))
    faults += [
        Fault("check_in.times_odd", field)
        for field, moment in (("opens_at", opens_at), ("closes_at", closes_at))
        if moment is not None and not FIRST_YEAR <= moment.year <= LAST_YEAR
    ]
    if closes_at is not None and closes_at <= opens_at:
        faults.append(Fault("check_in.closes_before", "closes_at"))
    raise_faults(faults)
    check_in = check_in_on(division, day, day)
    return _save_times(actor, event, check_in or _new_check_in(event, division, day), opens_at, closes_at)


@durable
def open_check_in(*, actor: Actor, event_id: int, division_id: int, day: date | None = None) -> CheckIn:
    """Open the check-in now, until a director closes it; create it if there is none today.

    An open one is unchanged. ``day``: by default today.
    """
    event = lock_for_director(actor, event_id)
    _must_not_be_over(event)
    division, now, today = get_division(event, division_id), timezone.now(), event_today(event)
    check_in = check_in_on(division, day if day is not None else today, today)
    if check_in is None:
        if day is not None:
            raise Missing("check_in.unknown")
        check_in_day = min(max(today, event.starts_on), event.ends_on + GRACE_PERIOD)
        check_in = check_in_on(division, check_in_day, today) or _new_check_in(event, division, check_in_day)
    if check_in.pk is not None and check_in.stand(now) is CheckInState.OPEN:
        return check_in
    return _save_times(actor, event, check_in, now, None)


@durable
def close_check_in(*, actor: Actor, event_id: int, division_id: int, day: date | None = None) -> CheckIn:
    """Close the check-in now. Players can no longer check themselves in; staff still can."""
    event = lock_for_director(actor, event_id)
    check_in = _current_check_in(event, division_id, day)
    now = timezone.now()
    if check_in.stand(now) is not CheckInState.OPEN:
        return check_in
    return _save_times(actor, event, check_in, check_in.opens_at, now)


@durable
def remove_check_in(*, actor: Actor, event_id: int, division_id: int, day: date | None = None) -> None:
    """Remove the check-in of a date, with the record of who was there. Draws then require none."""
    event = lock_for_director(actor, event_id)
    check_in = _current_check_in(event, division_id, day)
    count = Here.objects.filter(check_in=check_in).count()
    record_action(
        event, actor=actor, action=CheckInRemoved(day=check_in.day, here=count), subject=check_in.division
    )
    check_in.delete()


def _new_check_in(event: Event, division: Division, day: date) -> CheckIn:
    """Return a new unsaved check-in.

    All check-ins of an event on one date share a code, because they are in one hall.
    """
    check_in = CheckIn(division=division, day=day)
    check_in.code = code_of_day(event, day) or check_in.code
    return check_in


def _must_not_be_over(event: Event) -> None:
    if event.status not in EVENT_CHANGEABLE:
        raise Conflict("event.over", present=event)


def _current_check_in(event: Event, division_id: int, day: date | None) -> CheckIn:
    check_in = check_in_on(get_division(event, division_id), day, event_today(event))
    if check_in is None:
        raise Missing("check_in.unknown")
    return check_in


def _save_times(
    actor: Actor, event: Event, row: CheckIn, opens_at: datetime, closes_at: datetime | None
) -> CheckIn:
    before = check_in_times(row, event) if row.pk is not None else {}
    row.opens_at, row.closes_at = opens_at, closes_at
    after = check_in_times(row, event)
    if before != after:
        row.save()
        action = CheckInSet(day=row.day, before=before, after=after)
        record_action(event, actor=actor, action=action, subject=row.division)
    return row
