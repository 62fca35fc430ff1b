"""Mark who is here, and take it back. Marked twice is once: two at the desk, a scanner that reads a code again.

The desk may mark as long as there is a check-in, open or not: who comes late is here, too. Whoever was expected is approved by it.
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
from tournaments.entries.services.entries import division_of, must_not_be_over
from tournaments.entries.services.registration import approve_at_check_in
from tournaments.models import CheckIn, Division, Entry, Event, Here
from tournaments.models.trail import audit_scope, parse_row
from tournaments.selectors.access.links import entry_from_token, event_today
from tournaments.selectors.check_in import (
    MARKABLE_STATUSES,
    check_in_on,
    open_check_ins,
    other_entries_of_player,
)
from tournaments.selectors.doubts import doubts_by_entry
from tournaments.store.lock import lock_for_staff, record_action
from tournaments.store.waiting import schedule_start_if_full


@dataclass(frozen=True, slots=True)
class CheckInResult:
    """What marking did: ``new`` are here now, ``before`` were already; ``rows`` of the trail tell it. ``audit_id``: the one that an undo names; None if nothing is new."""

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
    """These entries are here. All of them or, if one cannot be, none."""
    event = lock_for_staff(actor, event_id)
    return _check_in(actor, event, lock_entries(event, entry_ids), day, CheckInMethod.LIST)


@durable
def check_in_by_code(*, actor: Actor, event_id: int, text: str, day: date | None = None) -> CheckInResult:
    """Whoever shows this code is here: what a scanner types, or a camera reads, of a personal link. In all divisions whose check-in is open.

    Refused: what is no player's code (422, ``check_in.no_code``), or one of another event or revoked (404).
    """
    event = lock_for_staff(actor, event_id)
    return check_in_player(actor, event, _entry_by_code(event, text), day, CheckInMethod.CODE)


@durable
def uncheck_by_code(
    *, actor: Actor, event_id: int, text: str, day: date | None = None
) -> Sequence[AuditEntry]:
    """Whoever shows this code is not here, in any division in which `check_in_by_code` would have marked them; gives the rows of the trail."""
    event = lock_for_staff(actor, event_id)
    own, entries = _lock_entries_of_player(event, _entry_by_code(event, text), day)
    return uncheck_locked(actor, event, entries, own)


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
    """All but these entries of the division are here. ``listed``: ids of those who stood on the director's list: who was entered since is not marked."""
    event = lock_for_staff(actor, event_id)
    division = division_of(event, division_id)
    rows = list(
        _locked_entries().filter(division=division, status__in=MARKABLE_STATUSES).exclude(pk__in=list(but))
    )
    if listed is not None:
        rows = [entry for entry in rows if entry.pk in listed]
    doubtful = doubts_by_entry(event, rows)  # who they are is a question for each of them
    rows = [entry for entry in rows if entry.pk not in doubtful]
    if not rows:
        raise Invalid("entry.none_chosen", field="chosen")
    return _check_in(actor, event, rows, day, CheckInMethod.REST)


@durable
def uncheck_entries(
    *, actor: Actor, event_id: int, entry_ids: Sequence[int], day: date | None = None
) -> AuditEntry | None:
    """These entries are not here: a mistake, or they have gone. Who is not here already stays so; gives the row, None if nothing is new."""
    event = lock_for_staff(actor, event_id)
    rows = uncheck_locked(actor, event, lock_entries(event, entry_ids), day)
    return rows[-1] if rows else None


def check_in_locked(
    actor: Actor, event: Event, entries: Sequence[Entry], day: date | None, way: CheckInMethod
) -> list[AuditEntry]:
    """These are here; a row of the trail for each division with somebody new. Joins the transaction of whoever holds ``event``."""
    return _check_in(actor, event, entries, day, way).rows


def uncheck_locked(
    actor: Actor, event: Event, entries: Sequence[Entry], day: date | None
) -> list[AuditEntry]:
    """These are not here; a row for each division with somebody who was. Joins the transaction of whoever holds ``event``."""
    must_not_be_over(event)
    done = []
    for check_in, own in _entries_by_check_in(event, entries, day):
        rows = list(Here.objects.filter(check_in=check_in, entry__in=own).select_related("entry"))
        if rows:
            was = tuple(_was_here(one) for one in rows)
            Here.objects.filter(pk__in=[one.pk for one in rows]).delete()
            action = EntriesCheckedOut(day=check_in.day, entries=was)
            done.append(record_action(event, actor=actor, action=action, subject=check_in.division))
    return done


@durable
def undo_check_in_action(*, actor: Actor, event_id: int, division_id: int, audit_id: int) -> AuditEntry:
    """Undo what this row of the audit log marked or unmarked in the division, as far as it still stands; approvals stay. Return the row of the undo.

    ``Missing`` for a row of another division: one desk undoes nothing of another.
    """
    return undo_check_in_locked(actor, lock_for_staff(actor, event_id), audit_id, division_id=division_id)


def undo_check_in_locked(
    actor: Actor, event: Event, audit_id: int, *, division_id: int | None = None
) -> AuditEntry:
    """As `undo_check_in_action`, of any division without one; joins the transaction of whoever holds ``event``."""
    must_not_be_over(event)
    kinds = (EntriesCheckedIn.kind, EntriesCheckedOut.kind)
    row = one_or_none(
        AuditEntry.objects.select_for_update(of=("self",)).filter(
            pk=audit_id, scope=audit_scope(event), action__in=kinds
        )
    )
    action = parse_row(row) if row is not None else None
    named = row.subject_id if row is not None and row.subject_id is not None else 0
    division = one_or_none(Division.objects.filter(pk=named, event=event))
    if division_id is not None and named != division_id:
        raise Missing("check_in.mark_unknown")
    if row is None or division is None or not isinstance(action, EntriesCheckedIn | EntriesCheckedOut):
        raise Missing("check_in.mark_unknown")
    if row.undone_by_id is not None:
        raise Conflict("check_in.back_already", present=event)
    check_in = check_in_on(division, action.day, action.day)
    if check_in is None:
        raise Missing("check_in.unknown")
    if isinstance(action, EntriesCheckedIn):
        own = [one.entry for one in action.entries]
        at = datetime.fromisoformat(action.at)
        number, _each = Here.objects.filter(check_in=check_in, entry__in=own, at=at).delete()
    else:
        number = _restore_rows(check_in, action)
    if not number:
        raise Conflict("check_in.changed_since", present=event)
    undo = CheckInUndone(of=row.pk, what=row.action, entries=number)
    row.undone_by = record_action(event, actor=actor, action=undo, subject=division)
    row.save(update_fields=["undone_by"])
    return row.undone_by


def check_in_player(
    actor: Actor, event: Event, entry: Entry, day: date | None, way: CheckInMethod, *, phone: int = 0
) -> CheckInResult:
    """One entry, and those of the same player alone in other divisions whose check-in is open. Joins the caller's transaction."""
    own, entries = _lock_entries_of_player(event, entry, day)
    return _check_in(actor, event, entries, own, way, phone=phone)


def _entry_by_code(event: Event, text: str) -> Entry:
    """Whose personal link this is."""
    token = parse_link_token(text)
    if not token:
        raise Invalid("check_in.no_code", field="code")
    entry = entry_from_token(token)
    if entry.division.event_id != event.pk:
        raise Missing("check_in.other_event")
    return entry


def _lock_entries_of_player(event: Event, entry: Entry, day: date | None) -> tuple[date, list[Entry]]:
    """The entry, locked, with those of the same player alone in other divisions whose check-in is open; and the day of these."""
    own = check_in_on(entry.division, day, event_today(event))
    if own is None:
        raise Conflict("check_in.none", present=event, division=str(entry.division))
    others = [
        other
        for check_in, other in other_entries_of_player(entry, open_check_ins(event, timezone.now()))
        if check_in.day == own.day
    ]
    return own.day, list(_locked_entries().filter(pk__in=[entry.pk, *(other.pk for other in others)]))


def _check_in(
    actor: Actor,
    event: Event,
    entries: Sequence[Entry],
    day: date | None,
    way: CheckInMethod,
    *,
    phone: int = 0,
) -> CheckInResult:
    must_not_be_over(event)
    for entry in entries:
        if entry.status not in MARKABLE_STATUSES:
            raise Conflict("check_in.left", present=entry, name=entry)
    at = timezone.now()
    new: list[Entry] = []
    before: list[Entry] = []
    rows: list[AuditEntry] = []
    for check_in, own in _entries_by_check_in(event, entries, day):
        there = set(Here.objects.filter(check_in=check_in, entry__in=own).values_list("entry", flat=True))
        before += [entry for entry in own if entry.pk in there]
        come = [entry for entry in own if entry.pk not in there]
        if not come:
            continue
        expected = [entry for entry in come if entry.status in ENTRY_UNCONFIRMED]
        if expected:
            approve_at_check_in(actor, event, expected)
        _create_rows(check_in, come, at, way, actor.user)
        new += come
        action = EntriesCheckedIn(
            day=check_in.day,
            entries=tuple(NamedEntry(EntryId(entry.pk), entry.name) for entry in come),
            at=at.astimezone(UTC).isoformat(),
            way=way.value,
            phone=phone,
        )
        rows.append(record_action(event, actor=actor, action=action, subject=check_in.division))
        schedule_start_if_full(check_in.division)
    return CheckInResult(tuple(new), tuple(before), rows)


def _create_rows(
    check_in: CheckIn, entries: Iterable[Entry], at: datetime, way: CheckInMethod, by: User | None
) -> None:
    Here.objects.bulk_create(
        Here(check_in=check_in, entry=entry, at=at, way=way.value, by=by) for entry in entries
    )


def _entries_by_check_in(
    event: Event, entries: Sequence[Entry], day: date | None
) -> list[tuple[CheckIn, list[Entry]]]:
    """The check-ins that are meant, each with the entries of its division; refused where a division has none."""
    today = event_today(event)
    divisions = {entry.division_id: entry.division for entry in entries}
    found = []
    for pk, division in sorted(divisions.items()):
        check_in = check_in_on(division, day, today)
        if check_in is None:
            raise Conflict("check_in.none", present=event, division=str(division))
        found.append((check_in, [entry for entry in entries if entry.division_id == pk]))
    return found


def _restore_rows(check_in: CheckIn, action: EntriesCheckedOut) -> int:
    """Who was unmarked is here again as before; not who is marked anew or was moved to another division."""
    there = set(Here.objects.filter(check_in=check_in).values_list("entry", flat=True))
    own = set(
        Entry.objects.filter(
            division=check_in.division_id, pk__in=[was.entry for was in action.entries]
        ).values_list("pk", flat=True)
    )
    users = User.objects.in_bulk([was.by for was in action.entries if was.by])
    back = [was for was in action.entries if was.entry in own - there]
    Here.objects.bulk_create(
        Here(
            check_in=check_in,
            entry_id=was.entry,
            at=datetime.fromisoformat(was.at),
            way=was.way,
            by=users.get(was.by),
        )
        for was in back
    )
    return len(back)


def _was_here(row: Here) -> CheckedInEntry:
    at = row.at.astimezone(UTC).isoformat()
    return CheckedInEntry(EntryId(row.entry_id), row.entry.name, at, row.way, row.by_id or 0)


def _locked_entries() -> QuerySet[Entry]:
    return Entry.objects.select_for_update(of=("self",)).select_related("division").order_by("pk")


def lock_entries(event: Event, entry_ids: Sequence[int]) -> list[Entry]:
    """The entries of these ids, locked; one that is not of ``event`` is refused."""
    if not entry_ids:
        raise Invalid("entry.none_chosen", field="chosen")
    found = list(_locked_entries().filter(pk__in=entry_ids, division__event=event))
    if len(found) < len(set(entry_ids)):
        raise Missing("entry.unknown")
    return found
