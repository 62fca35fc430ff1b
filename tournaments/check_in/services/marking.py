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
from tournaments.engine.check_in import HereWay, link_in
from tournaments.engine.statuses import UNCONFIRMED
from tournaments.engine.trail.action import Named
from tournaments.engine.trail.check_in import EntriesHere, EntriesNotHere, HereTakenBack, WasHere
from tournaments.engine.types import EntryId
from tournaments.entries.services.entries import division_of, must_not_be_over
from tournaments.entries.services.registration import approve_here
from tournaments.models import CheckIn, Division, Entry, Event, Here
from tournaments.models.trail import read_row, scope_of
from tournaments.selectors.access.links import entry_of_token, today_of
from tournaments.selectors.check_in import COMING, check_in_of, open_check_ins, others_of_player
from tournaments.selectors.doubts import doubts_in
from tournaments.store.lock import changed, lock_at_desk
from tournaments.store.waiting import start_if_full


@dataclass(frozen=True, slots=True)
class Marked:
    """What marking did: ``new`` are here now, ``before`` were already; ``rows`` of the trail tell it. ``audit_id``: the one that an undo names; None if nothing is new."""

    new: tuple[Entry, ...]
    before: tuple[Entry, ...]
    rows: list[AuditEntry] = field(default_factory=list)

    @property
    def audit_id(self) -> int | None:
        return self.rows[-1].pk if self.rows else None


@durable
def mark_here(*, actor: Actor, event_id: int, entry_ids: Sequence[int], day: date | None = None) -> Marked:
    """These entries are here. All of them or, if one cannot be, none."""
    event = lock_at_desk(actor, event_id)
    return _mark(actor, event, entries_to_mark(event, entry_ids), day, HereWay.LIST)


@durable
def mark_by_code(*, actor: Actor, event_id: int, text: str, day: date | None = None) -> Marked:
    """Whoever shows this code is here: what a scanner types, or a camera reads, of a personal link. In all divisions whose check-in is open.

    Refused: what is no player's code (422, ``check_in.no_code``), or one of another event or revoked (404).
    """
    event = lock_at_desk(actor, event_id)
    return mark_player(actor, event, _shown(event, text), day, HereWay.CODE)


@durable
def unmark_by_code(
    *, actor: Actor, event_id: int, text: str, day: date | None = None
) -> Sequence[AuditEntry]:
    """Whoever shows this code is not here, in any division in which `mark_by_code` would have marked them; gives the rows of the trail."""
    event = lock_at_desk(actor, event_id)
    own, entries = _all_of(event, _shown(event, text), day)
    return unmark_entries(actor, event, entries, own)


@durable
def mark_rest_here(
    *,
    actor: Actor,
    event_id: int,
    division_id: int,
    but: Collection[int] = (),
    day: date | None = None,
    listed: Collection[int] | None = None,
) -> Marked:
    """All but these entries of the division are here. ``listed``: ids of those who stood on the director's list: who was entered since is not marked."""
    event = lock_at_desk(actor, event_id)
    division = division_of(event, division_id)
    rows = list(_rows().filter(division=division, status__in=COMING).exclude(pk__in=list(but)))
    if listed is not None:
        rows = [entry for entry in rows if entry.pk in listed]
    doubtful = doubts_in(event, rows)  # who they are is a question for each of them
    rows = [entry for entry in rows if entry.pk not in doubtful]
    if not rows:
        raise Invalid("entry.none_chosen", field="chosen")
    return _mark(actor, event, rows, day, HereWay.REST)


@durable
def mark_not_here(
    *, actor: Actor, event_id: int, entry_ids: Sequence[int], day: date | None = None
) -> AuditEntry | None:
    """These entries are not here: a mistake, or they have gone. Who is not here already stays so; gives the row, None if nothing is new."""
    event = lock_at_desk(actor, event_id)
    rows = unmark_entries(actor, event, entries_to_mark(event, entry_ids), day)
    return rows[-1] if rows else None


def mark_entries(
    actor: Actor, event: Event, entries: Sequence[Entry], day: date | None, way: HereWay
) -> list[AuditEntry]:
    """These are here; a row of the trail for each division with somebody new. Joins the transaction of whoever holds ``event``."""
    return _mark(actor, event, entries, day, way).rows


def unmark_entries(
    actor: Actor, event: Event, entries: Sequence[Entry], day: date | None
) -> list[AuditEntry]:
    """These are not here; a row for each division with somebody who was. Joins the transaction of whoever holds ``event``."""
    must_not_be_over(event)
    done = []
    for check_in, own in _by_check_in(event, entries, day):
        rows = list(Here.objects.filter(check_in=check_in, entry__in=own).select_related("entry"))
        if rows:
            was = tuple(_was(one) for one in rows)
            Here.objects.filter(pk__in=[one.pk for one in rows]).delete()
            action = EntriesNotHere(day=check_in.day, entries=was)
            done.append(changed(event, actor=actor, action=action, subject=check_in.division))
    return done


@durable
def take_mark_back(*, actor: Actor, event_id: int, division_id: int, audit_id: int) -> AuditEntry:
    """Undo what this row of the audit log marked or unmarked in the division, as far as it still stands; approvals stay. Return the row of the undo.

    ``Missing`` for a row of another division: one desk undoes nothing of another.
    """
    return take_marks_back(actor, lock_at_desk(actor, event_id), audit_id, division_id=division_id)


def take_marks_back(
    actor: Actor, event: Event, audit_id: int, *, division_id: int | None = None
) -> AuditEntry:
    """As `take_mark_back`, of any division without one; joins the transaction of whoever holds ``event``."""
    must_not_be_over(event)
    kinds = (EntriesHere.kind, EntriesNotHere.kind)
    row = one_or_none(
        AuditEntry.objects.select_for_update(of=("self",)).filter(
            pk=audit_id, scope=scope_of(event), action__in=kinds
        )
    )
    action = read_row(row) if row is not None else None
    named = row.subject_id if row is not None and row.subject_id is not None else 0
    division = one_or_none(Division.objects.filter(pk=named, event=event))
    if division_id is not None and named != division_id:
        raise Missing("check_in.mark_unknown")
    if row is None or division is None or not isinstance(action, EntriesHere | EntriesNotHere):
        raise Missing("check_in.mark_unknown")
    if row.undone_by_id is not None:
        raise Conflict("check_in.back_already", present=event)
    check_in = check_in_of(division, action.day, action.day)
    if check_in is None:
        raise Missing("check_in.unknown")
    if isinstance(action, EntriesHere):
        own = [one.entry for one in action.entries]
        at = datetime.fromisoformat(action.at)
        number, _each = Here.objects.filter(check_in=check_in, entry__in=own, at=at).delete()
    else:
        number = _put_back(check_in, action)
    if not number:
        raise Conflict("check_in.changed_since", present=event)
    undo = HereTakenBack(of=row.pk, what=row.action, entries=number)
    row.undone_by = changed(event, actor=actor, action=undo, subject=division)
    row.save(update_fields=["undone_by"])
    return row.undone_by


def mark_player(
    actor: Actor, event: Event, entry: Entry, day: date | None, way: HereWay, *, phone: int = 0
) -> Marked:
    """One entry, and those of the same player alone in other divisions whose check-in is open. Joins the caller's transaction."""
    own, entries = _all_of(event, entry, day)
    return _mark(actor, event, entries, own, way, phone=phone)


def _shown(event: Event, text: str) -> Entry:
    """Whose personal link this is."""
    token = link_in(text)
    if not token:
        raise Invalid("check_in.no_code", field="code")
    entry = entry_of_token(token)
    if entry.division.event_id != event.pk:
        raise Missing("check_in.other_event")
    return entry


def _all_of(event: Event, entry: Entry, day: date | None) -> tuple[date, list[Entry]]:
    """The entry, locked, with those of the same player alone in other divisions whose check-in is open; and the day of these."""
    own = check_in_of(entry.division, day, today_of(event))
    if own is None:
        raise Conflict("check_in.none", present=event, division=str(entry.division))
    others = [
        other
        for check_in, other in others_of_player(entry, open_check_ins(event, timezone.now()))
        if check_in.day == own.day
    ]
    return own.day, list(_rows().filter(pk__in=[entry.pk, *(other.pk for other in others)]))


def _mark(
    actor: Actor,
    event: Event,
    entries: Sequence[Entry],
    day: date | None,
    way: HereWay,
    *,
    phone: int = 0,
) -> Marked:
    must_not_be_over(event)
    for entry in entries:
        if entry.status not in COMING:
            raise Conflict("check_in.left", present=entry, name=entry)
    at = timezone.now()
    new: list[Entry] = []
    before: list[Entry] = []
    rows: list[AuditEntry] = []
    for check_in, own in _by_check_in(event, entries, day):
        there = set(Here.objects.filter(check_in=check_in, entry__in=own).values_list("entry", flat=True))
        before += [entry for entry in own if entry.pk in there]
        come = [entry for entry in own if entry.pk not in there]
        if not come:
            continue
        expected = [entry for entry in come if entry.status in UNCONFIRMED]
        if expected:
            approve_here(actor, event, expected)
        _write(check_in, come, at, way, actor.user)
        new += come
        action = EntriesHere(
            day=check_in.day,
            entries=tuple(Named(EntryId(entry.pk), entry.name) for entry in come),
            at=at.astimezone(UTC).isoformat(),
            way=way.value,
            phone=phone,
        )
        rows.append(changed(event, actor=actor, action=action, subject=check_in.division))
        start_if_full(check_in.division)
    return Marked(tuple(new), tuple(before), rows)


def _write(check_in: CheckIn, entries: Iterable[Entry], at: datetime, way: HereWay, by: User | None) -> None:
    Here.objects.bulk_create(
        Here(check_in=check_in, entry=entry, at=at, way=way.value, by=by) for entry in entries
    )


def _by_check_in(
    event: Event, entries: Sequence[Entry], day: date | None
) -> list[tuple[CheckIn, list[Entry]]]:
    """The check-ins that are meant, each with the entries of its division; refused where a division has none."""
    today = today_of(event)
    divisions = {entry.division_id: entry.division for entry in entries}
    found = []
    for pk, division in sorted(divisions.items()):
        check_in = check_in_of(division, day, today)
        if check_in is None:
            raise Conflict("check_in.none", present=event, division=str(division))
        found.append((check_in, [entry for entry in entries if entry.division_id == pk]))
    return found


def _put_back(check_in: CheckIn, action: EntriesNotHere) -> int:
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


def _was(row: Here) -> WasHere:
    at = row.at.astimezone(UTC).isoformat()
    return WasHere(EntryId(row.entry_id), row.entry.name, at, row.way, row.by_id or 0)


def _rows() -> QuerySet[Entry]:
    return Entry.objects.select_for_update(of=("self",)).select_related("division").order_by("pk")


def entries_to_mark(event: Event, entry_ids: Sequence[int]) -> list[Entry]:
    """The entries of these ids, locked; one that is not of ``event`` is refused."""
    if not entry_ids:
        raise Invalid("entry.none_chosen", field="chosen")
    found = list(_rows().filter(pk__in=entry_ids, division__event=event))
    if len(found) < len(set(entry_ids)):
        raise Missing("entry.unknown")
    return found
