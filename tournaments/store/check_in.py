"""Check-in where it concerns draws, copies of events and entries that move to another division."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from faults import Conflict
from people.actors import Actor
from tournaments.engine.trail.check_in import CheckInSet
from tournaments.engine.types import EntryId
from tournaments.models import CheckIn, Division, Entry, Event, Here, Round, Stage
from tournaments.selectors.check_in import check_ins_by_day, missing_entries, required_check_in
from tournaments.selectors.draws import PLAY_OFF_CODE
from tournaments.store.lock import record_action

MAX_NAMES_LISTED = 5  # of those who are missing, in the words of a refusal


def require_checked_in(
    event: Event, stage: Stage, entries: Collection[int], absent: Collection[int]
) -> tuple[CheckIn | None, tuple[EntryId, ...]]:
    """Raise ``Conflict`` (``check_in.missing``) for ``entries`` that are neither checked in nor ``absent``.

    ``absent``: ids of entries that the director accepts as missing. Returns the check-in that applies (None
    if none does) and the ids of entries in the draw that are not checked in. Joins the caller's transaction,
    which holds the event's lock, so concurrent check-ins come before or after it.
    """
    check_in = required_check_in(event, stage)
    if check_in is None:
        return None, ()
    missing = missing_entries(check_in, entries)
    unexcused = [entry.name for entry in missing if entry.pk not in absent]
    if unexcused:
        raise Conflict(
            "check_in.missing",
            present={"status": stage.status, "missing": [entry.public_id for entry in missing]},
            count=len(unexcused),
            names=", ".join(unexcused[:MAX_NAMES_LISTED])
            + (", …" if len(unexcused) > MAX_NAMES_LISTED else ""),
        )
    return check_in, tuple(EntryId(entry.pk) for entry in missing)


def mark_check_in_used(check_in: CheckIn | None, stage: Stage) -> None:
    """Mark the check-in as used by the draw: rounds published later that day do not need it again.

    The mark points to the latest round, so discarding the draw removes it.
    """
    if check_in is not None:
        check_in.drawn = (
            Round.objects.filter(stage=stage).exclude(code=PLAY_OFF_CODE).order_by("-number").first()
        )
        check_in.save(update_fields=["drawn"])


def copy_check_ins(
    actor: Actor, source: Event, new_event: Event, divisions: Sequence[tuple[Division, Division]]
) -> None:
    """Copy the check-ins of divisions to a new event, without checked-in entries; ``divisions``: (old, new).

    Days move by the distance between the two events; times stay the same by the event's clock. Joins the
    caller's transaction.
    """
    zone, shift = ZoneInfo(source.timezone), new_event.starts_on - source.starts_on
    by_division = check_ins_by_day(old_division.pk for old_division, _new_division in divisions)
    for old_division, new_division in divisions:
        for check_in in by_division[old_division.pk].values():
            closes_at = (
                _shift_days(check_in.closes_at, shift, zone) if check_in.closes_at is not None else None
            )
            opens_at = _shift_days(check_in.opens_at, shift, zone)
            row = CheckIn(
                division=new_division, day=check_in.day + shift, opens_at=opens_at, closes_at=closes_at
            )
            row.save()
            action = CheckInSet(day=row.day, before={}, after=check_in_times(row, new_event))
            record_action(new_event, actor=actor, action=action, subject=new_division)


def check_in_times(row: CheckIn, event: Event) -> Mapping[str, str]:
    """Return when the check-in opens and closes, as the audit log stores it: ISO times in the event's zone.

    Keyed by field; "" where not set.
    """
    zone = ZoneInfo(event.timezone)
    moments = {"opens_at": row.opens_at, "closes_at": row.closes_at}
    return {name: at.astimezone(zone).isoformat() if at is not None else "" for name, at in moments.items()}


def _shift_days(at: datetime, days: timedelta, zone: ZoneInfo) -> datetime:
    """Return a moment moved by whole days at the same local time, without seconds.

    The time of a manual opening has seconds.
    """
    local_time = at.astimezone(zone).replace(tzinfo=None, second=0, microsecond=0)
    return (local_time + days).replace(tzinfo=zone)


def move_check_ins(entries: Sequence[Entry], target_division: Division) -> None:
    """Move the check-ins of ``entries`` to the check-ins of ``target_division`` on the same days.

    Where it has none on a day, they are deleted.
    """
    rows = list(Here.objects.filter(entry__in=entries).select_related("check_in"))
    if not rows:
        return
    check_in_by_day = check_ins_by_day([target_division.pk])[target_division.pk]
    for row in rows:
        check_in = check_in_by_day.get(row.check_in.day)
        if check_in is None:
            row.delete()
        else:
            row.check_in = check_in
            row.save(update_fields=["check_in"])
