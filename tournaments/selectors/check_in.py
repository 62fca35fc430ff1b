"""Check-ins: which entries are checked in or missing, and which check-in a draw requires."""

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

CHECK_IN_STATUSES = (*ENTRY_HOLDS_PLACE, *ENTRY_ON_WAITING_LIST)  # statuses of whoever can be marked as here


@dataclass(frozen=True, slots=True)
class CheckInRow:
    """An entry on the list of a check-in.

    ``since``: when it was checked in, None if it was not; ``channel`` and ``by``: how and by which user;
    ``phones``: pairs of a player's name and telephone number.
    """

    pk: int
    public_id: str
    name: str
    division_id: int
    status: EntryStatus
    since: datetime | None
    channel: str
    by: str
    phones: tuple[tuple[str, str], ...]

    @property
    def is_checked_in(self) -> bool:
        return self.since is not None

    @property
    def is_pending(self) -> bool:
        """Whether the entry is pending approval; staff approve it by checking it in."""
        return self.status in ENTRY_UNCONFIRMED

    @property
    def is_waiting(self) -> bool:
        return self.status in ENTRY_ON_WAITING_LIST


def check_ins_by_day(divisions: Iterable[int]) -> dict[int, dict[date, CheckIn]]:
    """Return the check-ins of divisions: division id to a dictionary of date to check-in. One query.

    A division without check-ins has an empty dictionary.
    """
    by_division: dict[int, dict[date, CheckIn]] = {pk: {} for pk in divisions}
    for check_in in CheckIn.objects.filter(division__in=list(by_division)).order_by("day"):
        by_division[check_in.division_id][check_in.day] = check_in
    return by_division


def check_in_on(division: Division, day: date | None, today: date) -> CheckIn | None:
    """Return the check-in of a division on ``day``, or None.

    Without a day, the check-in that applies ``today``.
    """
    days = check_ins_by_day([division.pk])[division.pk]
    requested_day = day if day is not None else current_check_in_day(days, today)
    return days.get(requested_day) if requested_day is not None else None


def open_check_ins(event: Event, now: datetime) -> list[CheckIn]:
    """Return the event's check-ins that are open at ``now``, sorted by division and date."""
    rows = CheckIn.objects.filter(division__event=event, opens_at__lte=now).select_related("division")
    rows = rows.order_by("division__position", "day")
    return [check_in for check_in in rows if check_in.stand(now) is CheckInState.OPEN]


def accepted_codes(check_in: CheckIn, now: datetime) -> list[str]:
    """Return the hall codes with which players can check in; the displayed code comes first.

    One code serves all divisions of the event that are open on that date. Check-ins created before version
    0.4 have a code each, and all of these are accepted.
    """
    open_now = open_check_ins(check_in.division.event, now)
    return list(
        dict.fromkeys(open_check_in.code for open_check_in in open_now if open_check_in.day == check_in.day)
    )


@dataclass(frozen=True, slots=True)
class HallCode:
    """The hall code that displays show during check-in.

    ``divisions``: names of the divisions that it is for; ``is_for_all``: they are all divisions of the event.
    """

    code: str
    divisions: tuple[str, ...]
    is_for_all: bool


def hall_code(event: Event, now: datetime, division_positions: Collection[int] = ()) -> HallCode | None:
    """Return the hall code for a display of the divisions at these ``division_positions`` (their positions; empty: all).

    None if no check-in is open there, or all its divisions are drawn.
    """
    open_now = open_check_ins(event, now)
    undrawn = [check_in for check_in in open_now if check_in.drawn_id is None]
    displayed = [
        check_in
        for check_in in undrawn
        if not division_positions or check_in.division.position in division_positions
    ]
    if not displayed:
        return None
    names = tuple(dict.fromkeys(str(check_in.division) for check_in in displayed))
    code = next(check_in.code for check_in in open_now if check_in.day == displayed[0].day)
    return HallCode(code, names, len(names) == Division.objects.filter(event=event).count())


def code_of_day(event: Event, day: date) -> str:
    """Return the hall code of the event's check-in on this date, or an empty string."""
    rows = CheckIn.objects.filter(division__event=event, day=day).order_by("division__position", "pk")
    return rows.values_list("code", flat=True).first() or ""


def open_check_in_for(entry: Entry, now: datetime) -> CheckIn | None:
    """Return the open check-in of the division of ``entry``, or None; of several, that of the latest date."""
    rows = CheckIn.objects.filter(division=entry.division_id, opens_at__lte=now).order_by("-day")
    return next((check_in for check_in in rows if check_in.stand(now) is CheckInState.OPEN), None)


def required_check_in(event: Event, stage: Stage) -> CheckIn | None:
    """Return the check-in that has to be complete before ``stage`` publishes anything today, or None."""
    days = check_ins_by_day([stage.division_id])[stage.division_id]
    if not days:
        return None
    public_stages = Stage.objects.filter(division_id=stage.division_id, status__in=DRAW_PUBLIC)
    day = required_check_in_day(
        {check_in.day: check_in.drawn_id is not None for check_in in days.values()},
        event_today(event),
        is_first_publication=not public_stages.exists(),
    )
    return days[day] if day is not None else None


def missing_entries(check_in: CheckIn, entries: Collection[int]) -> list[Entry]:
    """Return the active entries among ``entries`` (ids) that are not checked in, sorted by name."""
    rows = Entry.objects.filter(pk__in=entries, status=EntryStatus.ACTIVE).exclude(here__check_in=check_in)
    return sorted(rows, key=lambda entry: entry.name.casefold())


def entries_in_draw(stage: Stage) -> set[int]:
    """Return the ids of the entries that a bracket's draw has placed in matches."""
    slots = MatchSlot.objects.filter(match__stage=stage, entry__isnull=False)
    return set(slots.values_list("entry", flat=True))


def absentees(event: Event, stage: Stage, entries: Collection[int] | None = None) -> list[Entry]:
    """Return the entries that ``stage`` would publish today although they are not checked in.

    ``entries``: entry ids to look at; None: all active entries of the division. Empty if no check-in is
    required.
    """
    check_in = required_check_in(event, stage)
    if check_in is None:
        return []
    if entries is None:
        active = Entry.objects.filter(division=stage.division_id, status=EntryStatus.ACTIVE)
        entries = set(active.values_list("pk", flat=True))
    return missing_entries(check_in, entries)


def check_in_rows(check_in: CheckIn, *, with_phone_numbers: bool) -> list[CheckInRow]:
    """Return all entries expected at a check-in, sorted by name, whether checked in or missing.

    ``with_phone_numbers``: include telephone numbers; for directors only.
    """
    rows = Entry.objects.filter(division_id=check_in.division_id, status__in=CHECK_IN_STATUSES)
    here_by_entry = {row.entry_id: row for row in Here.objects.filter(check_in=check_in).select_related("by")}
    phones: dict[int, list[tuple[str, str]]] = {}
    if with_phone_numbers:
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
    """Return the numbers of checked-in entries and of all entries, keyed by check-in id.

    Counted are entries with a place in the division, not those on a waiting list.
    """
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


def checked_in_since(entry: Entry, check_in: int) -> datetime | None:
    """Return when the entry was checked in at the check-in of this id; None if it is not checked in."""
    return Here.objects.filter(entry=entry, check_in=check_in).values_list("at", flat=True).first()


def last_attendance_action(
    check_in: CheckIn,
) -> tuple[AuditEntry, EntriesCheckedIn | EntriesCheckedOut] | None:
    """Return the latest check-in or check-out that was not undone, as audit row and action; None if none.

    Only actions of the division and date of ``check_in`` count.
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
    """Return the other entries of the only player of ``entry``, each with the check-in of its division.

    Only divisions with one of ``check_ins`` count. They are to be checked in together, because the player is
    present for all of them. Empty for an entry with several players.
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
        status__in=CHECK_IN_STATUSES,
    )
    return [(by_division[other.division_id], other) for other in rows.order_by("pk")]
