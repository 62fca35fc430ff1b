"""Check-ins: who is checked in, who is missing, and which check-in a draw needs."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from people.models import AuditEntry
from tournaments.engine.check_in import CheckInState, current_check_in_day, required_check_in_day
from tournaments.engine.statuses import (
    DRAW_PUBLIC,
    ENTRY_HOLDS_PLACE,
    ENTRY_ON_WAITING_LIST,
    ENTRY_UNCONFIRMED,
    EntryStatus,
)
from tournaments.engine.trail.check_in import EntriesCheckedIn, EntriesCheckedOut
from tournaments.models import CheckIn, Division, Entry, EntryDetail, Event, Here, MatchSlot, Stage
from tournaments.models.trail import audit_scope, parse_row
from tournaments.selectors.event_dates import event_today

MARKABLE_STATUSES = (*ENTRY_HOLDS_PLACE, *ENTRY_ON_WAITING_LIST)  # statuses of whoever can be marked as here


@dataclass(frozen=True, slots=True)
class CheckInRow:
    """An entry on the list of a check-in.

    ``since`` None: not checked in. ``phones``: pairs of name and phone.
    """

    pk: int
    public_id: str
    name: str
    division_id: int
    status: EntryStatus
    since: datetime | None
    way: str
    by: str
    phones: tuple[tuple[str, str], ...]

    @property
    def here(self) -> bool:
        return self.since is not None

    @property
    def unconfirmed(self) -> bool:
        """Whether the entry is pending approval; staff approve it by checking it in."""
        return self.status in ENTRY_UNCONFIRMED

    @property
    def queues(self) -> bool:
        return self.status in ENTRY_ON_WAITING_LIST


def check_ins_by_day(divisions: Iterable[int]) -> dict[int, dict[date, CheckIn]]:
    """Check-ins of divisions by division id and day; an empty dictionary for divisions without. One query."""
    by_division: dict[int, dict[date, CheckIn]] = {pk: {} for pk in divisions}
    for check_in in CheckIn.objects.filter(division__in=list(by_division)).order_by("day"):
        by_division[check_in.division_id][check_in.day] = check_in
    return by_division


def check_in_on(division: Division, day: date | None, today: date) -> CheckIn | None:
    """The check-in of a division on a day; without a day, the current one for ``today``."""
    days = check_ins_by_day([division.pk])[division.pk]
    requested_day = day if day is not None else current_check_in_day(days, today)
    return days.get(requested_day) if requested_day is not None else None


def open_check_ins(event: Event, now: datetime) -> list[CheckIn]:
    """Open check-ins of the event, by division."""
    rows = CheckIn.objects.filter(division__event=event, opens_at__lte=now).select_related("division")
    rows = rows.order_by("division__position", "day")
    return [check_in for check_in in rows if check_in.stand(now) is CheckInState.OPEN]


def accepted_codes(check_in: CheckIn, now: datetime) -> list[str]:
    """The hall codes with which players can check in, the displayed one first.

    One code for all divisions of the event that are open on that day. Check-ins from before 0.4 each have
    their own; all are accepted.
    """
    open_now = open_check_ins(check_in.division.event, now)
    return list(
        dict.fromkeys(open_check_in.code for open_check_in in open_now if open_check_in.day == check_in.day)
    )


@dataclass(frozen=True, slots=True)
class HallCode:
    """What displays show during check-in: one ``code``, and the ``divisions`` that it is for."""

    code: str
    divisions: tuple[str, ...]
    is_for_all: bool


def hall_code(event: Event, now: datetime, places: Collection[int] = ()) -> HallCode | None:
    """The hall code for a display of divisions at these ``places`` (none: all).

    None if no check-in is open, or all are drawn.
    """
    open_now = open_check_ins(event, now)
    undrawn = [check_in for check_in in open_now if check_in.drawn_id is None]
    displayed = [check_in for check_in in undrawn if not places or check_in.division.position in places]
    if not displayed:
        return None
    names = tuple(dict.fromkeys(str(check_in.division) for check_in in displayed))
    code = next(check_in.code for check_in in open_now if check_in.day == displayed[0].day)
    return HallCode(code, names, len(names) == Division.objects.filter(event=event).count())


def code_of_day(event: Event, day: date) -> str:
    """The hall code of a check-in that exists on this day, or an empty string."""
    rows = CheckIn.objects.filter(division__event=event, day=day).order_by("division__position", "pk")
    return rows.values_list("code", flat=True).first() or ""


def open_check_in_for(entry: Entry, now: datetime) -> CheckIn | None:
    """The open check-in of the division of ``entry``; the latest day's if there are several."""
    rows = CheckIn.objects.filter(division=entry.division_id, opens_at__lte=now).order_by("-day")
    return next((check_in for check_in in rows if check_in.stand(now) is CheckInState.OPEN), None)


def required_check_in(event: Event, stage: Stage) -> CheckIn | None:
    """The check-in that has to be complete before ``stage`` shows something new today; None if none."""
    days = check_ins_by_day([stage.division_id])[stage.division_id]
    if not days:
        return None
    public_stages = Stage.objects.filter(division_id=stage.division_id, status__in=DRAW_PUBLIC)
    day = required_check_in_day(
        {check_in.day: check_in.drawn_id is not None for check_in in days.values()},
        event_today(event),
        first=not public_stages.exists(),
    )
    return days[day] if day is not None else None


def missing_entries(check_in: CheckIn, entries: Collection[int]) -> list[Entry]:
    """Active entries among ``entries`` (ids) that are not checked in, by name."""
    rows = Entry.objects.filter(pk__in=entries, status=EntryStatus.ACTIVE).exclude(here__check_in=check_in)
    return sorted(rows, key=lambda entry: entry.name.casefold())


def entries_in_draw(stage: Stage) -> set[int]:
    """Ids of the entries that the draw of a bracket has placed."""
    slots = MatchSlot.objects.filter(match__stage=stage, entry__isnull=False)
    return set(slots.values_list("entry", flat=True))


def absentees(event: Event, stage: Stage, entries: Collection[int] | None = None) -> list[Entry]:
    """Entries (of these, or of the whole division) that ``stage`` would show today without being checked in.

    Empty if no check-in is required.
    """
    check_in = required_check_in(event, stage)
    if check_in is None:
        return []
    if entries is None:
        active = Entry.objects.filter(division=stage.division_id, status=EntryStatus.ACTIVE)
        entries = set(active.values_list("pk", flat=True))
    return missing_entries(check_in, entries)


def check_in_rows(check_in: CheckIn, *, contacts: bool) -> list[CheckInRow]:
    """All expected entries by name, checked in or missing.

    ``contacts``: with phone numbers, for directors only.
    """
    rows = Entry.objects.filter(division_id=check_in.division_id, status__in=MARKABLE_STATUSES)
    here_by_entry = {row.entry_id: row for row in Here.objects.filter(check_in=check_in).select_related("by")}
    phones: dict[int, list[tuple[str, str]]] = {}
    if contacts:
        details = EntryDetail.objects.filter(entry__in=rows.values("pk")).exclude(phone="")
        for pk, name, phone in details.values_list("entry", "player__name", "phone"):
            phones.setdefault(pk, []).append((name, phone))
    list_rows = []
    for entry in rows:
        row = here_by_entry.get(entry.pk)
        list_rows.append(
            CheckInRow(
                entry.pk,
                entry.public_id,
                entry.name,
                entry.division_id,
                EntryStatus(entry.status),
                row.at if row is not None else None,
                row.way if row is not None else "",
                (row.by.name or "") if row is not None and row.by is not None else "",
                tuple(phones.get(entry.pk, ())),
            )
        )
    return sorted(list_rows, key=lambda list_row: (list_row.name.casefold(), list_row.pk))


def check_in_counts(check_ins: Collection[CheckIn]) -> dict[int, tuple[int, int]]:
    """Checked-in and total entries by check-in id, counting entries with a place."""
    divisions = {counted.division_id for counted in check_ins}
    placed_ids: dict[int, set[int]] = {pk: set() for pk in divisions}
    rows = Entry.objects.filter(division__in=divisions, status__in=ENTRY_HOLDS_PLACE)
    for division, pk in rows.values_list("division", "pk"):
        placed_ids[division].add(pk)
    checked_in_ids: dict[int, set[int]] = {counted.pk: set() for counted in check_ins}
    for check_in, pk in Here.objects.filter(check_in__in=list(checked_in_ids)).values_list(
        "check_in", "entry"
    ):
        checked_in_ids[check_in].add(pk)
    return {
        counted.pk: (
            len(checked_in_ids[counted.pk] & placed_ids[counted.division_id]),
            len(placed_ids[counted.division_id]),
        )
        for counted in check_ins
    }


def here_since(entry: Entry, check_in: int) -> datetime | None:
    """Since when the entry is checked in in this check-in (id); None if not."""
    return Here.objects.filter(entry=entry, check_in=check_in).values_list("at", flat=True).first()


def last_attendance_action(
    check_in: CheckIn,
) -> tuple[AuditEntry, EntriesCheckedIn | EntriesCheckedOut] | None:
    """The latest check-in or check-out of this division and day that was not undone.

    None if there is none.
    """
    rows = AuditEntry.objects.filter(
        scope=audit_scope(check_in.division.event),
        action__in=(EntriesCheckedIn.kind, EntriesCheckedOut.kind),
        subject_type="tournaments.division",
        subject_id=check_in.division_id,
        data__day=check_in.day.isoformat(),
        undone_by=None,
    )
    for row in rows.order_by("-pk")[:1]:
        action = parse_row(row)
        if isinstance(action, EntriesCheckedIn | EntriesCheckedOut):
            return row, action
    return None


def other_entries_of_player(entry: Entry, check_ins: Sequence[CheckIn]) -> list[tuple[CheckIn, Entry]]:
    """Other entries of the single player of ``entry`` in divisions with these check-ins.

    A player who is checked in for one is checked in for all.
    """
    players = list(entry.entry_players.values_list("player_id", flat=True))
    if len(players) != 1:
        return []
    by_division = {
        check_in.division_id: check_in for check_in in check_ins if check_in.division_id != entry.division_id
    }
    rows = Entry.objects.filter(
        division__in=by_division,
        division__team_size=1,
        entry_players__player__in=players,
        status__in=MARKABLE_STATUSES,
    )
    return [(by_division[other.division_id], other) for other in rows.order_by("pk")]
