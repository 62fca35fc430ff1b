"""Write the audit log in a service's transaction: a change and its entry are saved together or not at all."""

from collections.abc import Mapping
from typing import Any

from django.db import models

from people.actors import Actor
from people.models import AuditEntry, Club


def record_action(
    *,
    actor: Actor,
    action: str,
    subject: models.Model,
    club: Club | None = None,
    scope: str = "",
    data: Mapping[str, Any] | None = None,
) -> AuditEntry:
    """Save and return an entry of the audit log: ``actor`` did ``action`` (``noun.verb``) to ``subject``.

    ``club``: in whose log it appears; ``scope``: of an event, such as "event:17"; ``data`` must be JSON.
    """
    row = build_entry(actor=actor, action=action, subject=subject, club=club, scope=scope, data=data)
    row.save(force_insert=True)
    return row


def build_entry(
    *,
    actor: Actor,
    action: str,
    subject: models.Model,
    club: Club | None = None,
    scope: str = "",
    data: Mapping[str, Any] | None = None,
) -> AuditEntry:
    """Return an unsaved entry of the audit log; arguments as for ``record_action``."""
    return AuditEntry(
        actor=actor.user,
        actor_label=actor.label,
        club=club,
        scope=scope,
        action=action,
        subject_type=type(subject)._meta.label_lower,  # noqa: SLF001 (public API of Django models)
        subject_id=subject.pk,
        data=dict(data or {}),
    )
