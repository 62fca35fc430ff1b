"""Staff notes, and the activity of other staff since the user's last action."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Model, Q

from people.models import AuditEntry, User
from people.permissions import may_direct
from tournaments.engine.desk.hand_over import last_action_before
from tournaments.engine.matches.reporting import Reporter
from tournaments.engine.trail.action import AuditAction
from tournaments.engine.trail.arranging import (
    AgreedTimeCancelled,
    MessagesReported,
    TimeAgreed,
    TimesDeclined,
    TimesOffered,
)
from tournaments.engine.trail.entries import EntriesApproved, EntryDeclined, EntryMovedUp
from tournaments.engine.trail.matches import CallReplyGiven, ResultAgreed, ResultObjected, ResultReported
from tournaments.engine.trail.phones import CodesTried, PhoneRequested
from tournaments.models import DeskNote, Entry, Event
from tournaments.models.trail import audit_scope

MAX_ROWS: Final = 50  # rows of the trail, and notes that were seen to
_MAX_OWN_ROWS: Final = 400  # of one's own rows, for when one was here last
# Actions of players, also with an account; results count unless a director gave them.
_PLAYER_ACTIONS: Final = tuple(
    one.kind
    for one in (
        *(CallReplyGiven, ResultAgreed, ResultObjected, PhoneRequested, CodesTried),
        *(TimesOffered, TimesDeclined, TimeAgreed, AgreedTimeCancelled, MessagesReported),
    )
)
# Actions that assistants can take themselves.
_HELPER_ACTION_PREFIXES: Final = ("match.", "table.", "check_in.")
_EXTRA_HELPER_ACTIONS: Final = tuple(one.kind for one in (EntriesApproved, EntryDeclined, EntryMovedUp))


@dataclass(frozen=True, slots=True)
class ActivityWhileAway:
    """Actions of other staff since the user's own last action, newest first.

    ``since`` None: no own action yet. ``more``: there are more than ``rows``.
    """

    since: datetime | None
    rows: list[AuditEntry]
    more: bool


def can_read_all_notes(user: User | None, event: Event) -> bool:
    """Return whether the user reads all notes and the whole audit log: directors and programs.

    Assistants a part.
    """
    return user is None or may_direct(user, event.club)


def staff_notes(event: Event, *, helps: bool) -> list[DeskNote]:
    """The notes of ``event`` with their authors, newest first: all open ones and the last ones marked done.

    ``helps``: only those for assistants.
    """
    notes = DeskNote.objects.filter(event=event).select_related("author", "done_by")
    if helps:
        notes = notes.filter(for_helpers=True)
    shown = [*notes.filter(done_at=None), *notes.exclude(done_at=None)[:MAX_ROWS]]
    return sorted(shown, key=lambda note: (note.at, note.pk), reverse=True)


def activity_while_away(event: Event, user: User, now: datetime, *, helps: bool) -> ActivityWhileAway:
    """Actions of other staff in ``event`` since ``user`` was last active; two queries.

    ``helps``: only the part for assistants.
    """
    trail = AuditEntry.objects.filter(scope=audit_scope(event))
    mine = trail.filter(actor=user).order_by("-pk").values_list("at", flat=True)
    since = last_action_before(now, mine[:_MAX_OWN_ROWS])
    rows = trail.exclude(actor=None).exclude(actor=user).exclude(action__in=_PLAYER_ACTIONS)
    rows = rows.exclude(Q(action=ResultReported.kind) & ~Q(data__by=Reporter.DIRECTOR.value))
    if since is not None:
        rows = rows.filter(at__gt=since)
    if helps:
        rows = rows.filter(_helper_actions_q())
    found = list(rows.order_by("-pk")[: MAX_ROWS + 1])
    return ActivityWhileAway(since, found[:MAX_ROWS], len(found) > MAX_ROWS)


def _helper_actions_q() -> Q:
    part = Q(action__in=_EXTRA_HELPER_ACTIONS)
    for kind in _HELPER_ACTION_PREFIXES:
        part |= Q(action__startswith=kind)
    return part


def audit_rows_about(event: Event, about: object, *, helps: bool, most: int = 3) -> list[AuditEntry]:
    """The last audit rows about the subject of a conflict (``faults.Conflict.touched``), newest first.

    ``about``: the rows, an object of the event, or a kind of action. ``helps``: only the part for assistants.
    """
    trail = AuditEntry.objects.filter(scope=audit_scope(event)).order_by("-pk")
    if isinstance(about, tuple):
        trail = trail.filter(pk__in=[row.pk for row in about if isinstance(row, AuditEntry)])
    elif isinstance(about, Model):
        label = about._meta.label_lower  # noqa: SLF001 (Django documents it)
        trail = trail.filter(subject_type=label, subject_id=about.pk)
    elif isinstance(about, type) and issubclass(about, AuditAction):
        trail = trail.filter(action=about.kind)
    else:
        return []
    return list((trail.filter(_helper_actions_q()) if helps else trail)[:most])


def entry_names_by_row(rows: Collection[AuditEntry]) -> dict[int, str]:
    """The name of the entry by row id, for rows about an entry."""
    label = Entry._meta.label_lower  # noqa: SLF001 (Django documents it)
    about = {
        row.pk: row.subject_id for row in rows if row.subject_type == label and row.subject_id is not None
    }
    names = dict(Entry.objects.filter(pk__in=list(about.values())).values_list("pk", "name")) if about else {}
    return {pk: names[entry] for pk, entry in about.items() if entry in names}


def last_changes(
    event: Event, about: Model | None = None, *, kinds: Collection[str] = (), most: int = 3
) -> list[AuditEntry]:
    """The last audit rows of ``event``, about one object, of these kinds, newest first; one query."""
    rows = AuditEntry.objects.filter(scope=audit_scope(event)).order_by("-pk")
    if about is not None:
        rows = rows.filter(subject_type=about._meta.label_lower, subject_id=about.pk)  # noqa: SLF001 (Django documents it)
    if kinds:
        rows = rows.filter(action__in=kinds)
    return list(rows[:most])
