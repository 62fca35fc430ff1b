"""What all tournament services share: the event's lock, its version, its audit scope, and refusals in one shape."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import models

from people.actors import Actor
from people.errors import Conflict, Fault, Invalid, Missing
from people.models import AuditEntry
from people.permissions import require_director
from people.services import audit
from tournaments.engine.errors import BadInput, TransitionRefused
from tournaments.models import Event


def lock_event(event_id: int) -> Event:
    """The event, locked until the transaction ends: every service of an event queues here, so none sees a half-done step."""
    event = Event.objects.select_for_update(of=("self",)).select_related("club").filter(pk=event_id).first()
    if event is None:
        raise Missing("event.unknown")
    return event


def lock_for_director(actor: Actor, event_id: int) -> Event:
    """``lock_event`` for somebody who must be a director of its club."""
    event = lock_event(event_id)
    require_director(actor, event.club)
    return event


def scope_of(event: Event) -> str:
    """The audit scope of an event."""
    return f"event:{event.pk}"


def changed(
    event: Event,
    *,
    actor: Actor,
    action: str,
    subject: models.Model | None = None,
    data: Mapping[str, Any] | None = None,
) -> AuditEntry:
    """Raise the event's version and leave the audit row: the last step of every service."""
    event.version += 1
    event.save()
    return audit.record(
        actor=actor,
        action=action,
        subject=subject if subject is not None else event,
        club=event.club,
        scope=scope_of(event),
        data=data,
    )


@contextmanager
def engine_refusals(present: Mapping[str, Any] | None = None) -> Iterator[None]:
    """Turn the engine's refusals into errors that pages and API know: moved on → 409, bad input → 422."""
    try:
        yield
    except TransitionRefused as refused:
        raise Conflict(
            refused.code, present=present, status=refused.status, action=refused.action
        ) from refused
    except BadInput as bad:
        raise Invalid(faults=[Fault(bad.code, None, bad.params)]) from bad
