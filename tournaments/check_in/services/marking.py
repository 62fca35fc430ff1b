"""Check players in and undo it. Idempotent: two staff members or a scanner may send the same check-in twice.

Staff can check in whenever there is a check-in, also after it closes, because late players count. Checking in
approves a pending entry.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from django.db.models import QuerySet
from django.utils import timezone

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from people.models import AuditEntry, User
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.check_in import CheckInMethod, parse_link_token
from tournaments.engine.statuses import ENTRY_UNCONFIRMED
from tournaments.engine.trail.action import NamedEntry
from tournaments.engine.trail.check_in import (
    CheckedInEntry,
    CheckInUndone,
    EntriesCheckedIn,
    EntriesCheckedOut,
)
from tournaments.engine.types import EntryId
from tournaments.entries.services.entries import get_division, require_not_over
from tournaments.entries.services.registration import approve_at_check_in
from tournaments.models import CheckIn, Division, Entry, Event, Here
from tournaments.models.trail import audit_scope, parse_row
from tournaments.selectors.access.links import entry_from_token
from tournaments.selectors.check_in import (
    CHECK_IN_STATUSES,
    check_in_on,
    open_check_ins,
    other_entries_of_player,
)
from tournaments.selectors.doubts import doubts_by_entry
from tournaments.selectors.event_dates import event_today
from tournaments.store.lock import lock_for_staff, record_action
from tournaments.store.waiting import schedule_start_if_full


@dataclass(frozen=True, slots=True)
class CheckInResult:
    """Result of checking in entries.

    ``new``: checked in now; ``before``: already checked in; ``rows``: new audit log entries; ``audit_id``: id
    of the one to undo, None if nothing is new.
    """

    new: tuple[Entry, ...]
    before: tuple[Entry, ...]
    rows: list[AuditEntry] = field(default_factory=list)

    @property
    def audit_id(self) -> int | None:
        return self.rows[-1].pk if self.rows else None


@durable
def check_in_entries(
    *, actor: Actor, event_id: int, entry_ids: Sequence[int], day: date | None = None
) -> CheckInResult:
    """Check in these entries: all of them or, if one cannot be checked in, none. ``day``: default today."""
    event = lock_for_staff(actor, event_id)
    return _check_in(actor, event, lock_entries(event, entry_ids), day, CheckInMethod.LIST)


@durable
def check_in_by_code(*, actor: Actor, event_id: int, text: str, day: date | None = None) -> CheckInResult:
    """Check in the player whose personal link was scanned, in all divisions with open check-in.

    ``text``: what the scanner read. Raises ``Invalid`` (``check_in.no_code``) if it is no personal link,
    ``Missing`` if the link is revoked or of another event.
    """
    event = lock_for_staff(actor, event_id)
    return check_in_player(actor, event, _entry_by_code(event, text), day, CheckInMethod.CODE)


@durable
def uncheck_by_code(
    *, actor: Actor, event_id: int, text: str, day: date | None = None
) -> Sequence[AuditEntry]:
    """Undo the check-in of a player by code, in all divisions that `check_in_by_code` covers.

    Returns the new audit log entries.
    """
    event = lock_for_staff(actor, event_id)
    check_in_day, entries = _lock_entries_of_player(event, _entry_by_code(event, text), day)
    return uncheck_locked(actor, event, entries, check_in_day)


@durable
def check_in_others(
    *,
    actor: Actor,
    event_id: int,
    division_id: int,
    but: Collection[int] = (),
    day: date | None = None,
    listed: Collection[int] | None = None,
) -> CheckInResult:
    """Check in all entries of the division except ``but`` and those with doubtful names.

    ``listed``: ids of the entries on the director's list; entries made since are not checked in.
    """
    event = lock_for_staff(actor, event_id)
    division = get_division(event, division_id)
    rows = list(
        _locked_entries().filter(division=division, status__in=CHECK_IN_STATUSES).exclude(pk__in=list(but))
    )
    if listed is not None:
        rows = [entry for entry in rows if entry.pk in listed]
    doubtful = doubts_by_entry(event, rows)  # each needs its own decision
    rows = [entry for entry in rows if entry.pk not in doubtful]
    if not rows:
        raise Invalid("entry.none_chosen", field="chosen")
    return _check_in(actor, event, rows, day, CheckInMethod.REST)


@durable
def uncheck_entries(
    *, actor: Actor, event_id: int, entry_ids: Sequence[int], day: date | None = None
) -> AuditEntry | None:
    """Undo the check-in of these entries. Idempotent.

    Returns the last audit log entry, None if nothing changed.
    """
    event = lock_for_staff(actor, event_id)
    rows = uncheck_locked(actor, event, lock_entries(event, entry_ids), day)
    return rows[-1] if rows else None


def check_in_locked(
    actor: Actor, event: Event, entries: Sequence[Entry], day: date | None, method: CheckInMethod
) -> list[AuditEntry]:
    """Check in these entries; return an audit log entry for each division with newly checked-in ones.

    Joins the transaction of the caller, which holds ``event``.
    """
    return _check_in(actor, event, entries, day, method).rows


def uncheck_locked(
    actor: Actor, event: Event, entries: Sequence[Entry], day: date | None
) -> list[AuditEntry]:
    """Undo the check-in of these entries; return an audit log entry for each division with a change.

    Joins the transaction of the caller, which holds ``event``.
    """
    require_not_over(event)
    audit_rows = []
    for check_in, own_entries in _entries_by_check_in(event, entries, day):
        rows = list(Here.objects.filter(check_in=check_in, entry__in=own_entries).select_related("entry"))
        if rows:
            checked_out = tuple(_was_here(row) for row in rows)
            Here.objects.filter(pk__in=[row.pk for row in rows]).delete()
            action = EntriesCheckedOut(day=check_in.day, entries=checked_out)
            audit_rows.append(record_action(event, actor=actor, action=action, subject=check_in.division))
    return audit_rows


@durable
def undo_check_in_action(*, actor: Actor, event_id: int, division_id: int, audit_id: int) -> AuditEntry:
    """Undo an audit log entry about check-ins of the division, where unchanged since; approvals stay.

    Returns the audit log entry of the undo. Raises ``Missing`` for an entry about another division,
    ``Conflict`` if it is already undone or nothing is left to undo.
    """
    return undo_check_in_locked(actor, lock_for_staff(actor, event_id), audit_id, division_id=division_id)


def undo_check_in_locked(
    actor: Actor, event: Event, audit_id: int, *, division_id: int | None = None
) -> AuditEntry:
    """Undo as `undo_check_in_action` does, in any division if ``division_id`` is None.

    Joins the transaction of the caller, which holds ``event``.
    """
    require_not_over(event)
    kinds = (EntriesCheckedIn.kind, EntriesCheckedOut.kind)
    row = one_or_none(
        AuditEntry.objects.select_for_update(of=("self",)).filter(
            pk=audit_id, scope=audit_scope(event), action__in=kinds
        )
    )
    action = parse_row(row) if row is not None else None
    subject_id = row.subject_id if row is not None and row.subject_id is not None else 0
    division = one_or_none(Division.objects.filter(pk=subject_id, event=event))
    if division_id is not None and subject_id != division_id:
        raise Missing("check_in.mark_unknown")
    if row is None or division is None or not isinstance(action, EntriesCheckedIn | EntriesCheckedOut):
        raise Missing("check_in.mark_unknown")
    if row.undone_by_id is not None:
        raise Conflict("check_in.back_already", present=event)
    check_in = check_in_on(division, action.day, action.day)
    if check_in is None:
        raise Missing("check_in.unknown")
    if isinstance(action, EntriesCheckedIn):
        own_ids = [entry.entry for entry in action.entries]
        checked_in_at = datetime.fromisoformat(action.at)
        count, _each = Here.objects.filter(check_in=check_in, entry__in=own_ids, at=checked_in_at).delete()
    else:
        count = _restore_rows(check_in, action)
    if not count:
        raise Conflict("check_in.changed_since", present=event)
    undo_action = CheckInUndone(of=row.pk, what=row.action, entries=count)
    row.undone_by = record_action(event, actor=actor, action=undo_action, subject=division)
    row.save(update_fields=["undone_by"])
    return row.undone_by


def check_in_player(
    actor: Actor, event: Event, entry: Entry, day: date | None, method: CheckInMethod, *, phone: int = 0
) -> CheckInResult:
    """Check in an entry, and the same player's single entries in other divisions with open check-in.

    ``phone``: number of the player's own device. Joins the caller's transaction.
    """
    check_in_day, entries = _lock_entries_of_player(event, entry, day)
    return _check_in(actor, event, entries, check_in_day, method, phone=phone)


def _entry_by_code(event: Event, text: str) -> Entry:
    """Return the entry whose personal link is in ``text``. Raises ``Invalid`` or ``Missing``."""
    token = parse_link_token(text)
    if not token:
        raise Invalid("check_in.no_code", field="code")
    entry = entry_from_token(token)
    if entry.division.event_id != event.pk:
        raise Missing("check_in.other_event")
    return entry


def _lock_entries_of_player(event: Event, entry: Entry, day: date | None) -> tuple[date, list[Entry]]:
    """Return the date, and the locked entries: ``entry`` and the player's other ones with open check-in."""
    own_check_in = check_in_on(entry.division, day, event_today(event))
    if own_check_in is None:
        raise Conflict("check_in.none", present=event, division=str(entry.division))
    others = [
        other
        for check_in, other in other_entries_of_player(entry, open_check_ins(event, timezone.now()))
        if check_in.day == own_check_in.day
    ]
    return own_check_in.day, list(
        _locked_entries().filter(pk__in=[entry.pk, *(other.pk for other in others)])
    )


def _check_in(
    actor: Actor,
    event: Event,
    entries: Sequence[Entry],
    day: date | None,
    method: CheckInMethod,
    *,
    phone: int = 0,
) -> CheckInResult:
    require_not_over(event)
    for entry in entries:
        if entry.status not in CHECK_IN_STATUSES:
            raise Conflict("check_in.left", present=entry, name=entry)
    now = timezone.now()
    new_entries: list[Entry] = []
    already_in: list[Entry] = []
    rows: list[AuditEntry] = []
    for check_in, own_entries in _entries_by_check_in(event, entries, day):
        present_ids = set(
            Here.objects.filter(check_in=check_in, entry__in=own_entries).values_list("entry", flat=True)
        )
        already_in += [entry for entry in own_entries if entry.pk in present_ids]
        arrived = [entry for entry in own_entries if entry.pk not in present_ids]
        if not arrived:
            continue
        pending = [entry for entry in arrived if entry.status in ENTRY_UNCONFIRMED]
        if pending:
            approve_at_check_in(actor, event, pending)
        _create_rows(check_in, arrived, now, method, actor.user)
        new_entries += arrived
        action = EntriesCheckedIn(
            day=check_in.day,
            entries=tuple(NamedEntry(EntryId(entry.pk), entry.name) for entry in arrived),
            at=now.astimezone(UTC).isoformat(),
            way=method.value,
            phone=phone,
        )
        rows.append(record_action(event, actor=actor, action=action, subject=check_in.division))
        schedule_start_if_full(check_in.division)
    return CheckInResult(tuple(new_entries), tuple(already_in), rows)


def _create_rows(
    check_in: CheckIn, entries: Iterable[Entry], at: datetime, method: CheckInMethod, user: User | None
) -> None:
    Here.objects.bulk_create(
        Here(check_in=check_in, entry=entry, at=at, way=method.value, by=user) for entry in entries
    )


def _entries_by_check_in(
    event: Event, entries: Sequence[Entry], day: date | None
) -> list[tuple[CheckIn, list[Entry]]]:
    """Return the check-ins of the date, each with the entries of its division.

    Raises ``Conflict`` if a division has none.
    """
    today = event_today(event)
    divisions = {entry.division_id: entry.division for entry in entries}
    pairs = []
    for pk, division in sorted(divisions.items()):
        check_in = check_in_on(division, day, today)
        if check_in is None:
            raise Conflict("check_in.none", present=event, division=str(division))
        pairs.append((check_in, [entry for entry in entries if entry.division_id == pk]))
    return pairs


def _restore_rows(check_in: CheckIn, action: EntriesCheckedOut) -> int:
    """Restore the check-ins that an action undid, and return their number.

    Not if the entry is checked in again or in another division.
    """
    present_ids = set(Here.objects.filter(check_in=check_in).values_list("entry", flat=True))
    own_ids = set(
        Entry.objects.filter(
            division=check_in.division_id, pk__in=[previous.entry for previous in action.entries]
        ).values_list("pk", flat=True)
    )
    users = User.objects.in_bulk([previous.by for previous in action.entries if previous.by])
    restored = [previous for previous in action.entries if previous.entry in own_ids - present_ids]
    Here.objects.bulk_create(
        Here(
            check_in=check_in,
            entry_id=previous.entry,
            at=datetime.fromisoformat(previous.at),
            way=previous.way,
            by=users.get(previous.by),
        )
        for previous in restored
    )
    return len(restored)


def _was_here(row: Here) -> CheckedInEntry:
    since = row.at.astimezone(UTC).isoformat()
    return CheckedInEntry(EntryId(row.entry_id), row.entry.name, since, row.way, row.by_id or 0)


def _locked_entries() -> QuerySet[Entry]:
    return Entry.objects.select_for_update(of=("self",)).select_related("division").order_by("pk")


def lock_entries(event: Event, entry_ids: Sequence[int]) -> list[Entry]:
    """Return the entries with these ids, locked. Raises ``Missing`` if one is not of ``event``."""
    if not entry_ids:
        raise Invalid("entry.none_chosen", field="chosen")
    entries = list(_locked_entries().filter(pk__in=entry_ids, division__event=event))
    if len(entries) < len(set(entry_ids)):
        raise Missing("entry.unknown")
    return entries
