"""Staff notes, and what other staff did since the user's last action."""

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
from tournaments.engine.trail.matches import CallReplyGiven, CorrectionRequested, ResultAgreed, ResultReported
from tournaments.engine.trail.phones import CodesTried, PhoneRequested
from tournaments.models import DeskNote, Entry, Event
from tournaments.models.trail import audit_scope

MAX_ROWS: Final = 50  # rows of the trail, and notes that were seen to
_MAX_OWN_ROWS: Final = 400  # of one's own rows, for when one was here last
# Actions of players, also with an account; results count unless a director gave them.
_PLAYER_ACTIONS: Final = tuple(
    action_type.kind
    for action_type in (
        *(CallReplyGiven, ResultAgreed, CorrectionRequested, PhoneRequested, CodesTried),
        *(TimesOffered, TimesDeclined, TimeAgreed, AgreedTimeCancelled, MessagesReported),
    )
)
# Actions that assistants can take themselves.
_HELPER_ACTION_PREFIXES: Final = ("match.", "table.", "check_in.")
_EXTRA_HELPER_ACTIONS: Final = tuple(
    action_type.kind for action_type in (EntriesApproved, EntryDeclined, EntryMovedUp)
)


@dataclass(frozen=True, slots=True)
class ActivityWhileAway:
    """Actions of other staff since the user's own last action, newest first.

    ``since``: time of the user's last action, None if there was none; ``more``: there are more than ``rows``.
    """

    since: datetime | None
    rows: list[AuditEntry]
    more: bool


def can_read_all_notes(user: User | None, event: Event) -> bool:
    """Return whether the user may read all staff notes and the whole audit log.

    Directors and programs (None) may; assistants may read only the part for assistants.
    """
    return user is None or may_direct(user, event.club)


def staff_notes(event: Event, *, for_assistant: bool) -> list[DeskNote]:
    """Return the notes of ``event`` with their authors, newest first.

    All notes that are not done, and the last ``MAX_ROWS`` that were marked done. ``for_assistant``: only notes
    for assistants.
    """
    notes = DeskNote.objects.filter(event=event).select_related("author", "done_by")
    if for_assistant:
        notes = notes.filter(for_helpers=True)
    notes_to_show = [*notes.filter(done_at=None), *notes.exclude(done_at=None)[:MAX_ROWS]]
    return sorted(notes_to_show, key=lambda note: (note.at, note.pk), reverse=True)


def activity_while_away(event: Event, user: User, now: datetime, *, for_assistant: bool) -> ActivityWhileAway:
    """Return the actions of other staff in ``event`` since ``user`` was last active; two queries.

    ``for_assistant``: only actions that assistants can take. Actions of players are left out.
    """
    audit_rows = AuditEntry.objects.filter(scope=audit_scope(event))
    own_action_times = audit_rows.filter(actor=user).order_by("-pk").values_list("at", flat=True)
    since = last_action_before(now, own_action_times[:_MAX_OWN_ROWS])
    rows = audit_rows.exclude(actor=None).exclude(actor=user).exclude(action__in=_PLAYER_ACTIONS)
    rows = rows.exclude(Q(action=ResultReported.kind) & ~Q(data__by=Reporter.DIRECTOR.value))
    if since is not None:
        rows = rows.filter(at__gt=since)
    if for_assistant:
        rows = rows.filter(_helper_actions_q())
    other_actions = list(rows.order_by("-pk")[: MAX_ROWS + 1])
    return ActivityWhileAway(since, other_actions[:MAX_ROWS], len(other_actions) > MAX_ROWS)


def _helper_actions_q() -> Q:
    condition = Q(action__in=_EXTRA_HELPER_ACTIONS)
    for prefix in _HELPER_ACTION_PREFIXES:
        condition |= Q(action__startswith=prefix)
    return condition


def audit_rows_about(
    event: Event, subject: object, *, for_assistant: bool, limit: int = 3
) -> list[AuditEntry]:
    """Return the last audit rows about the subject of a conflict, newest first.

    ``subject``: the value of ``faults.Conflict.touched``: audit rows, an object of the event, or an action
    class. ``for_assistant``: only actions that assistants can take. Empty for any other subject.
    """
    audit_rows = AuditEntry.objects.filter(scope=audit_scope(event)).order_by("-pk")
    if isinstance(subject, tuple):
        audit_rows = audit_rows.filter(pk__in=[row.pk for row in subject if isinstance(row, AuditEntry)])
    elif isinstance(subject, Model):
        label = subject._meta.label_lower  # noqa: SLF001 (Django documents it)
        audit_rows = audit_rows.filter(subject_type=label, subject_id=subject.pk)
    elif isinstance(subject, type) and issubclass(subject, AuditAction):
        audit_rows = audit_rows.filter(action=subject.kind)
    else:
        return []
    return list((audit_rows.filter(_helper_actions_q()) if for_assistant else audit_rows)[:limit])


def entry_names_by_row(rows: Collection[AuditEntry]) -> dict[int, str]:
    """Return the entry's name for each audit row about an entry, as a dictionary keyed by row id."""
    label = Entry._meta.label_lower  # noqa: SLF001 (Django documents it)
    entry_id_by_row = {
        row.pk: row.subject_id for row in rows if row.subject_type == label and row.subject_id is not None
    }
    names = (
        dict(Entry.objects.filter(pk__in=list(entry_id_by_row.values())).values_list("pk", "name"))
        if entry_id_by_row
        else {}
    )
    return {pk: names[entry_id] for pk, entry_id in entry_id_by_row.items() if entry_id in names}


def last_changes(
    event: Event, subject: Model | None = None, *, kinds: Collection[str] = (), limit: int = 3
) -> list[AuditEntry]:
    """Return the last audit rows of ``event``, newest first; one query.

    ``subject``: only rows about this object; ``kinds``: only actions of these kinds.
    """
    rows = AuditEntry.objects.filter(scope=audit_scope(event)).order_by("-pk")
    if subject is not None:
        rows = rows.filter(subject_type=subject._meta.label_lower, subject_id=subject.pk)  # noqa: SLF001 (Django documents it)
    if kinds:
        rows = rows.filter(action__in=kinds)
    return list(rows[:limit])
