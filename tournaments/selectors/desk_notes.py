"""What those at the desk have written to each other, and what was done there while somebody was away."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Model, Q

from people.models import AuditEntry, User
from people.permissions import may_direct
from tournaments.engine.desk.hand_over import last_here
from tournaments.engine.matches.reporting import Reporter
from tournaments.engine.trail.action import TrailAction
from tournaments.engine.trail.arranging import (
    TalkReported,
    TimeAgreed,
    TimeCalledOff,
    TimesDeclined,
    TimesOffered,
)
from tournaments.engine.trail.entries import EntriesApproved, EntryMovedUp, EntryTurnedAway
from tournaments.engine.trail.matches import CallAnswered, ResultAgreed, ResultObjected, ResultReported
from tournaments.engine.trail.phones import CodesTried, PhoneAsked
from tournaments.models import DeskNote, Entry, Event
from tournaments.models.trail import scope_of

SHOWN: Final = 50  # rows of the trail, and notes that were seen to
_LOOKED_AT: Final = 400  # of one's own rows, for when one was here last
# What players do, also by an account of theirs: of results those that no director has given.
_OF_PLAYERS: Final = tuple(
    one.kind
    for one in (
        *(CallAnswered, ResultAgreed, ResultObjected, PhoneAsked, CodesTried),
        *(TimesOffered, TimesDeclined, TimeAgreed, TimeCalledOff, TalkReported),
    )
)
# The part of those who help: what they can do themselves.
_OF_HELPERS: Final = ("match.", "table.", "check_in.")
_OF_HELPERS_TOO: Final = tuple(one.kind for one in (EntriesApproved, EntryTurnedAway, EntryMovedUp))


@dataclass(frozen=True, slots=True)
class Away:
    """What others did at the desk, newest first, since somebody did something there last; ``since`` None: they never have.

    ``more``: there is more of it than ``rows``.
    """

    since: datetime | None
    rows: list[AuditEntry]
    more: bool


def reads_all(user: User | None, event: Event) -> bool:
    """Whether somebody reads all notes and all of the trail: whoever directs, and the program itself. Who helps reads their part."""
    return user is None or may_direct(user, event.club)


def notes_of(event: Event, *, helps: bool) -> list[DeskNote]:
    """The notes of ``event`` with who wrote them, newest first: all that wait, and the last ones that somebody has seen to. ``helps``: those
    that helpers read.
    """
    notes = DeskNote.objects.filter(event=event).select_related("author", "done_by")
    if helps:
        notes = notes.filter(for_helpers=True)
    shown = [*notes.filter(done_at=None), *notes.exclude(done_at=None)[:SHOWN]]
    return sorted(shown, key=lambda note: (note.at, note.pk), reverse=True)


def done_while_away(event: Event, user: User, now: datetime, *, helps: bool) -> Away:
    """What others did at the desk of ``event`` since ``user`` was last here; two queries. ``helps``: the part of those who help."""
    trail = AuditEntry.objects.filter(scope=scope_of(event))
    mine = trail.filter(actor=user).order_by("-pk").values_list("at", flat=True)
    since = last_here(now, mine[:_LOOKED_AT])
    rows = trail.exclude(actor=None).exclude(actor=user).exclude(action__in=_OF_PLAYERS)
    rows = rows.exclude(Q(action=ResultReported.kind) & ~Q(data__by=Reporter.DIRECTOR.value))
    if since is not None:
        rows = rows.filter(at__gt=since)
    if helps:
        rows = rows.filter(_part_of_helpers())
    found = list(rows.order_by("-pk")[: SHOWN + 1])
    return Away(since, found[:SHOWN], len(found) > SHOWN)


def _part_of_helpers() -> Q:
    part = Q(action__in=_OF_HELPERS_TOO)
    for kind in _OF_HELPERS:
        part |= Q(action__startswith=kind)
    return part


def rows_about(event: Event, about: object, *, helps: bool, most: int = 3) -> list[AuditEntry]:
    """The last rows of the trail about what a conflict is about (`faults.Conflict.touched`): rows themselves, a thing in the event, or a kind of
    action; newest first. ``helps``: the part of those who help.
    """
    trail = AuditEntry.objects.filter(scope=scope_of(event)).order_by("-pk")
    if isinstance(about, tuple):
        trail = trail.filter(pk__in=[row.pk for row in about if isinstance(row, AuditEntry)])
    elif isinstance(about, Model):
        label = about._meta.label_lower  # noqa: SLF001 (Django documents it)
        trail = trail.filter(subject_type=label, subject_id=about.pk)
    elif isinstance(about, type) and issubclass(about, TrailAction):
        trail = trail.filter(action=about.kind)
    else:
        return []
    return list((trail.filter(_part_of_helpers()) if helps else trail)[:most])


def names_in(rows: Collection[AuditEntry]) -> dict[int, str]:
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
    rows = AuditEntry.objects.filter(scope=scope_of(event)).order_by("-pk")
    if about is not None:
        rows = rows.filter(subject_type=about._meta.label_lower, subject_id=about.pk)  # noqa: SLF001 (Django documents it)
    if kinds:
        rows = rows.filter(action__in=kinds)
    return list(rows[:most])
