"""Versions that a change raises: of the event, of divisions, of lists of events (``people.versions``).

The kind of action states its scope (``engine.trail.action.ChangeScope``). Functions whose effect goes further
(tables that go to another division, a stage that a result finishes) note that here, on the object of the
locked event.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import cast

from django.db.models import Model

from people import versions
from people.services.versions import raise_versions
from people.versions import Topic
from tournaments.engine.statuses import EventStatus
from tournaments.engine.trail.action import AuditAction, ChangeScope
from tournaments.models import Division, Entry, Event, Match, Stage


@dataclass(slots=True)
class _PendingVersions:
    """Versions that this transaction still has to raise: for the widest scope and the affected divisions."""

    scope: ChangeScope = ChangeScope.DIVISION
    moved: bool = False
    divisions: set[int] = field(default_factory=set)


def note_scope(event: Event, reach: ChangeScope) -> None:
    """Note that the change affects at least the pages of this scope."""
    pending = _pending_versions(event)
    pending.scope = max(pending.scope, reach)


def note_status_change(event: Event) -> None:
    """Note that the event's status changed: lists of events change, also to or from a draft."""
    pending = _pending_versions(event)
    pending.scope, pending.moved = ChangeScope.LISTS, True


def note_divisions(event: Event, divisions: Iterable[int]) -> None:
    """Note that these divisions (ids) have changed."""
    _pending_versions(event).divisions.update(divisions)


def note_action(event: Event, action: AuditAction, subject: Model) -> None:
    """Note the scope of an action; an action on a subject without a division concerns the whole event.

    An action for staff only raises the event's own version, which pages of directors and players use, and no
    other.
    """
    if action.reach is ChangeScope.STAFF:
        return
    division_id = _division_id(subject)
    if division_id is not None:
        note_divisions(event, [division_id])
    elif not _pending_versions(event).divisions:
        note_scope(event, ChangeScope.EVENT)
    note_scope(event, action.reach)


def write_versions(event: Event) -> None:
    """Raise the version numbers of all that was noted; the caller has raised ``event.version`` already."""
    pending = _pending_versions(event)
    del event.__dict__[_PENDING_ATTRIBUTE]
    version_by_topic = {versions.event_topic(event.pk): event.version}
    if pending.scope > ChangeScope.DIVISION:
        version_by_topic[versions.outline_topic(event.pk)] = event.version
    version_by_topic |= {versions.division_topic(pk): event.version for pk in pending.divisions}
    # Lists in the API name the version of each event: running events are read directly, others change rarely.
    has_list_change = pending.scope is ChangeScope.LISTS or event.status != EventStatus.RUNNING
    if event.status == EventStatus.DRAFT:
        has_list_change = pending.moved
    raise_versions(
        [versions.club_events_topic(event.club_id)] if has_list_change else [], numbers=version_by_topic
    )


def raise_event_versions(events: Collection[Event]) -> None:
    """Raise and save all versions of these locked events: names or texts on their pages have changed."""
    version_by_topic: dict[Topic, int] = {}
    for event in events:
        event.version += 1
        event.save(update_fields=["version"])
        version_by_topic |= dict.fromkeys(
            (versions.event_topic(event.pk), versions.outline_topic(event.pk)), event.version
        )
    raise_versions((), numbers=version_by_topic)


_PENDING_ATTRIBUTE = "_noted"


def _pending_versions(event: Event) -> _PendingVersions:
    return cast("_PendingVersions", event.__dict__.setdefault(_PENDING_ATTRIBUTE, _PendingVersions()))


def _division_id(subject: Model) -> int | None:
    match subject:
        case Division():
            return subject.pk
        case Stage() | Entry():
            return subject.division_id
        case Match():
            return subject.stage.division_id
        case _:
            return None
