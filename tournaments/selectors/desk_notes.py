"""What those at the desk have written to each other, and what was done there while somebody was away."""

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
# What players do, also by an account of theirs: of results those that no director has given.
_PLAYER_ACTIONS: Final = tuple(
    one.kind
    for one in (
        *(CallReplyGiven, ResultAgreed, ResultObjected, PhoneRequested, CodesTried),
        *(TimesOffered, TimesDeclined, TimeAgreed, AgreedTimeCancelled, MessagesReported),
    )
)
# The part of those who help: what they can do themselves.
_HELPER_ACTION_PREFIXES: Final = ("match.", "table.", "check_in.")
_EXTRA_HELPER_ACTIONS: Final = tuple(one.kind for one in (EntriesApproved, EntryDeclined, EntryMovedUp))


@dataclass(frozen=True, slots=True)
class ActivityWhileAway:
    """What others did at the desk, newest first, since somebody did something there last; ``since`` None: they never have.

    ``more``: there is more of it than ``rows``.
    """

    since: datetime | None
    rows: list[AuditEntry]
    more: bool


def can_read_all_notes(user: User | None, event: Event) -> bool:
    """Whether somebody reads all notes and all of the trail: whoever directs, and the program itself. Who helps reads their part."""
    return user is None or may_direct(user, event.club)


def staff_notes(event: Event, *, helps: bool) -> list[DeskNote]:
    """The notes of ``event`` with who wrote them, newest first: all that wait, and the last ones that somebody has seen to. ``helps``: those
    that helpers read.
    """
    notes = DeskNote.objects.filter(event=event).select_related("author", "done_by")
    if helps:
        notes = notes.filter(for_helpers=True)
    shown = [*notes.filter(done_at=None), *notes.exclude(done_at=None)[:MAX_ROWS]]
    return sorted(shown, key=lambda note: (note.at, note.pk), reverse=True)


def activity_while_away(event: Event, user: User, now: datetime, *, helps: bool) -> ActivityWhileAway:
    """What others did at the desk of ``event`` since ``user`` was last here; two queries. ``helps``: the part of those who help."""
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
    """The last rows of the trail about what a conflict is about (`faults.Conflict.touched`): rows themselves, a thing in the event, or a kind of
    action; newest first. ``helps``: the part of those who help.
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
    """By row what its subject is called, of those that are about an entry."""
    label = Entry._meta.label_lower  # noqa: SLF001 (Django documents it)
    about = {
        row.pk: row.subject_id for row in rows if row.subject_type == label and row.subject_id is not None
    }
    names = dict(Entry.objects.filter(pk__in=list(about.values())).values_list("pk", "name")) if about else {}
    return {pk: names[entry] for pk, entry in about.items() if entry in names}


def last_changes(
    event: Event, about: Model | None = None, *, kinds: Collection[str] = (), most: int = 3
) -> list[AuditEntry]:
    """What was done last in ``event``, to this one thing in it, of these kinds, newest first; one query."""
    rows = AuditEntry.objects.filter(scope=audit_scope(event)).order_by("-pk")
    if about is not None:
        rows = rows.filter(subject_type=about._meta.label_lower, subject_id=about.pk)  # noqa: SLF001 (Django documents it)
    if kinds:
        rows = rows.filter(action__in=kinds)
    return list(rows[:most])
