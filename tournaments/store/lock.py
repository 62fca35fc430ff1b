"""Shared parts of all tournament services: lock of the event, permissions, versions and audit log entry."""

from collections.abc import Collection

from django.db import models

from faults import Conflict, Missing, NotAllowed
from people.actors import Actor
from people.audience import Audience, current_audience
from people.models import AuditEntry
from people.permissions import is_program, require_director
from people.rows import one_or_none
from tournaments.engine.statuses import EventStatus
from tournaments.engine.trail.action import AuditAction
from tournaments.models import Event, Match, Stage
from tournaments.selectors.access.versions import SETTINGS_CHANGED
from tournaments.selectors.access.visibility import is_event_staff, is_removed
from tournaments.store.chain import add_audit_row
from tournaments.store.notifying import notify_of_action
from tournaments.store.public_pages import list_drawn_players
from tournaments.store.publicity import commitments_action, update_public_since
from tournaments.store.shown import note_action, write_versions


def lock_event(event_id: int) -> Event:
    """Return the event, locked until the transaction ends. Raises ``Missing`` if it does not exist.

    All services of an event wait for this lock, so none sees an incomplete change.
    """
    _require_service()
    event = one_or_none(
        Event.objects.select_for_update(of=("self",)).select_related("club").filter(pk=event_id)
    )
    if event is None:
        raise Missing("event.unknown")
    event.__dict__[_STORED_COLUMNS] = _column_values(event)
    return event


def lock_event_of_match(match_id: int) -> Event:
    """Lock and return the event of a match, in one query; as ``lock_unless_removed``.

    Raises ``Missing`` if the match does not exist or an operator removed the event.
    """
    _require_service()
    events = Event.objects.select_for_update(of=("self",)).select_related("club")
    event = one_or_none(
        events.filter(pk=Match.objects.filter(pk=match_id).values("stage__division__event")[:1])
    )
    if event is None:
        raise Missing("match.unknown")
    if is_removed(event):
        raise Missing("event.unknown")
    event.__dict__[_STORED_COLUMNS] = _column_values(event)
    return event


def _require_service() -> None:
    """Raise ``RuntimeError`` outside of a service, where names may be abbreviated."""
    if current_audience() is not Audience.FULL:
        raise RuntimeError("an event is locked outside of a service")


def lock_unless_removed(event_id: int) -> Event:
    """Lock and return the event. Raises ``Missing`` if it does not exist or an operator removed it."""
    event = lock_event(event_id)
    if is_removed(event):
        raise Missing("event.unknown")
    return event


def require_staff(actor: Actor, event: Event) -> None:
    """Raise ``NotAllowed`` unless the actor may enter results and call matches of ``event``.

    Allowed are its directors, its assistants until it is over, and programs.
    """
    if not (is_program(actor) or is_event_staff(actor.user, event)):
        raise NotAllowed("people.not_director")


def lock_for_staff(actor: Actor, event_id: int) -> Event:
    """Lock and return the event, if the actor is its director or assistant; else raise ``NotAllowed``.

    Raises ``Conflict`` if the event is cancelled.
    """
    event = lock_unless_removed(event_id)
    require_staff(actor, event)
    if event.status == EventStatus.CANCELLED:
        raise Conflict("event.called_off", present=event)
    return event


def lock_for_director(actor: Actor, event_id: int, *, called_off: bool = False) -> Event:
    """Lock and return the event, if the actor is a director of its club; else raise ``NotAllowed``.

    A cancelled event cannot be changed until it is restored: raises ``Conflict`` unless ``called_off`` is
    true.
    """
    event = lock_unless_removed(event_id)
    require_director(actor, event.club)
    if event.status == EventStatus.CANCELLED and not called_off:
        raise Conflict("event.called_off", present=event)
    return event


def get_stage(event: Event, stage_id: int, systems: Collection[str] = ()) -> Stage:
    """Return a stage of the locked event with the stage that feeds it. Raises ``Missing`` if there is none.

    ``systems``: raise ``Conflict`` if the stage has none of these systems. The event's lock covers the stage,
    too.
    """
    stage = one_or_none(
        Stage.objects.select_related("division", "fed_by").filter(pk=stage_id, division__event=event)
    )
    if stage is None:
        raise Missing("stage.unknown")
    if systems and stage.system not in systems:
        raise Conflict("stage.other_system", present=stage)
    return stage


def record_action(
    event: Event,
    *,
    actor: Actor,
    action: AuditAction,
    subject: models.Model | None = None,
) -> AuditEntry:
    """Save the event and add an entry to its audit log, which is returned: the last step of every service.

    Raises the versions of all pages that show the change, saves the columns of the event that changed since
    it was locked, and creates notifications. ``subject``: what was changed; by default the event.
    """
    subject = subject if subject is not None else event
    event.version += 1
    has_changed = update_public_since(event)
    row = add_audit_row(event, actor, action, subject)
    if has_changed or (event.public_since is not None and action.has_new_commitments()):
        add_audit_row(event, actor, commitments_action(event), event)
    stored_columns = event.__dict__.get(_STORED_COLUMNS, {})
    columns = _column_values(event)
    event.save(
        update_fields=[
            name
            for name, value in columns.items()
            if name not in stored_columns or stored_columns[name] != value
        ]
    )
    event.__dict__[_STORED_COLUMNS] = columns
    note_action(event, action, subject)
    list_drawn_players(event, action)
    write_versions(event)
    notify_of_action(event, action, subject)
    return row


def save_before_audit(event: Event, *fields: str) -> None:
    """Save these fields before ``record_action`` does, for code that reads them from the database first."""
    event.save(update_fields=fields)
    event.__dict__.setdefault(_STORED_COLUMNS, {}).update({field: getattr(event, field) for field in fields})


_STORED_COLUMNS = "_kept"  # the columns of a locked event as the database has them: `record_action` writes those that differ


def _column_values(event: Event) -> dict[str, object]:
    fields = event._meta.concrete_fields  # noqa: SLF001 (Django documents it)
    return {field.attname: getattr(event, field.attname) for field in fields if not field.primary_key}


def refuse_if_changed(
    expected_version: str,
    current_version: str,
    status: str,
    subject: models.Model | type[AuditAction] | None = None,
    *,
    is_required: bool = False,
) -> None:
    """Raise ``Conflict`` if settings were saved since the version that the director saw.

    An empty ``expected_version`` disables the check unless ``is_required``. ``subject``: whose settings, or
    the kind of action that saves them.
    """
    if (expected_version or is_required) and expected_version != current_version:
        raise Conflict(SETTINGS_CHANGED, present={"status": status}, touched=subject)
