"""What all tournament services share: the event's lock, its version and audit row, and whether settings are still what was seen."""

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
    """The event, locked until the transaction ends: every service of an event queues here, so none sees a half-done step."""
    _require_service()
    event = one_or_none(
        Event.objects.select_for_update(of=("self",)).select_related("club").filter(pk=event_id)
    )
    if event is None:
        raise Missing("event.unknown")
    event.__dict__[_STORED_COLUMNS] = _column_values(event)
    return event


def lock_event_of_match(match_id: int) -> Event:
    """`lock_unless_removed` of a match, in one statement; ``Missing`` where there is no such match."""
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
    """A fault of ours, if names are read for others here: what is written is written of names as they are (`people.transactions`)."""
    if current_audience() is not Audience.FULL:
        raise RuntimeError("an event is locked outside of a service")


def lock_unless_removed(event_id: int) -> Event:
    """``lock_event`` for whoever plays or directs: one that an operator removed is not there."""
    event = lock_event(event_id)
    if is_removed(event):
        raise Missing("event.unknown")
    return event


def require_staff(actor: Actor, event: Event) -> None:
    """Refuse anybody who may not give results and calls of ``event``: its directors may, and its assistants until it is over."""
    if not (is_program(actor) or is_event_staff(actor.user, event)):
        raise NotAllowed("people.not_director")


def lock_for_staff(actor: Actor, event_id: int) -> Event:
    """As `lock_for_director`, for those who help with the event, too."""
    event = lock_unless_removed(event_id)
    require_staff(actor, event)
    if event.status == EventStatus.CANCELLED:
        raise Conflict("event.called_off", present=event)
    return event


def lock_for_director(actor: Actor, event_id: int, *, called_off: bool = False) -> Event:
    """``lock_event`` for somebody who must be a director of its club.

    An event that is called off stays as it is until it is restored: refused, unless the service says it wants it too.
    """
    event = lock_unless_removed(event_id)
    require_director(actor, event.club)
    if event.status == EventStatus.CANCELLED and not called_off:
        raise Conflict("event.called_off", present=event)
    return event


def get_stage(event: Event, stage_id: int, systems: Collection[str] = ()) -> Stage:
    """A stage of the locked event, with the stage that feeds it; refuses one of another system than these, if any are named.

    The event's lock keeps the stage, too: whoever changes a stage has locked its event.
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
    """Raise the versions of what shows it and leave the audit row of what was done: the last step of every service."""
    subject = subject if subject is not None else event
    event.version += 1
    turned = update_public_since(event)
    row = add_audit_row(event, actor, action, subject)
    if turned or (event.public_since is not None and action.has_new_commitments()):
        add_audit_row(event, actor, commitments_action(event), event)
    kept = event.__dict__.get(_STORED_COLUMNS, {})
    columns = _column_values(event)
    event.save(
        update_fields=[name for name, value in columns.items() if name not in kept or kept[name] != value]
    )
    event.__dict__[_STORED_COLUMNS] = columns
    note_action(event, action, subject)
    list_drawn_players(event, action)
    write_versions(event)
    notify_of_action(event, action, subject)
    return row


def save_before_audit(event: Event, *fields: str) -> None:
    """Write these fields before `record_action` does, for what reads them from the database on the way there."""
    event.save(update_fields=fields)
    event.__dict__.setdefault(_STORED_COLUMNS, {}).update({field: getattr(event, field) for field in fields})


_STORED_COLUMNS = "_kept"  # the columns of a locked event as the database has them: `record_action` writes those that differ


def _column_values(event: Event) -> dict[str, object]:
    fields = event._meta.concrete_fields  # noqa: SLF001 (Django documents it)
    return {field.attname: getattr(event, field.attname) for field in fields if not field.primary_key}


def refuse_if_changed(
    seen: str,
    now: str,
    status: str,
    about: models.Model | type[AuditAction] | None = None,
    *,
    must_name: bool = False,
) -> None:
    """Refuse when settings were saved since a director saw them; ``seen`` and ``now`` are versions. Without ``seen``: no guard, unless whoever
    saves ``must_name`` what they saw.

    ``about``: whose settings, or the kind of action that saves them.
    """
    if (seen or must_name) and seen != now:
        raise Conflict(SETTINGS_CHANGED, present={"status": status}, touched=about)
