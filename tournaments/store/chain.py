"""Write the audit log of an event as a hash chain (``engine.trail.chain``).

The caller holds the event's lock, so two entries never follow the same entry. A chain begins with the event.
The chain of an event that is older than this feature begins with its next entry: existing entries are sealed
as they are, and an entry of its own (``trail.begin``) states how many there were.
"""

import re

from django.db import models

from people.actors import Actor
from people.ids import new_secret
from people.models import AuditEntry
from people.services import audit
from tournaments.engine.trail import chain
from tournaments.engine.trail.action import AuditAction
from tournaments.engine.trail.events import AuditChainStarted, NameErased
from tournaments.models import Event
from tournaments.models.trail import audit_scope, serialize_action, to_chain_row
from tournaments.store.shown import raise_event_versions


def add_audit_row(event: Event, actor: Actor, action: AuditAction, subject: models.Model) -> AuditEntry:
    """Append an entry to the event's audit log and return it.

    Sets the new end of the hash chain on ``event`` without saving it; ``record_action`` saves it last.
    """
    if not event.trail_head:
        _begin_chain(event)
    row = audit.build_entry(
        actor=actor,
        action=action.kind,
        subject=subject,
        club=event.club,
        scope=audit_scope(event),
        data=serialize_action(action),
    )
    event.trail_head = _seal(row, event.trail_head)
    row.save(force_insert=True)
    return row


def _seal(row: AuditEntry, previous_link: str) -> str:
    chain_row = to_chain_row(row)
    seal = chain.seal_row(chain_row, previous_link, new_secret())
    row.seal, row.link = seal.data(), chain.chain_hash(chain_row, seal)
    return row.link


def _begin_chain(event: Event) -> None:
    event.trail_head = chain.initial_hash(event.public_id)
    earlier_rows = list(AuditEntry.objects.filter(scope=audit_scope(event)).order_by("pk"))
    if not earlier_rows:
        return
    for row in earlier_rows:
        event.trail_head = _seal(row, event.trail_head)
    AuditEntry.objects.bulk_update(earlier_rows, ["seal", "link"], batch_size=200)
    add_audit_row(event, Actor.program(), AuditChainStarted(rows=len(earlier_rows)), event)


def erase_name(event: Event, name: str, replacement: str) -> int:
    """Replace a name in the whole audit log of the event; return how many entries contained it.

    The event is locked. Only whole words match: “Ann” is not erased from “Ann Lee-Annan”, but it is from “Ann
    Lee”.
    """
    pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    rows = sum(
        _erase_in_row(row, pattern, replacement)
        for row in AuditEntry.objects.filter(scope=audit_scope(event))
    )
    if rows:
        add_audit_row(event, Actor.program(), NameErased(rows=rows), event)
        event.save(update_fields=["trail_head"])
        raise_event_versions([event])
    return rows


def _erase_in_row(row: AuditEntry, pattern: re.Pattern[str], replacement: str) -> bool:
    def replaced(text: str) -> str | None:
        return pattern.sub(lambda _found: replacement, text) if pattern.search(text) else None

    chain_row = to_chain_row(row)
    # An event whose chain has not begun has no seal to keep.
    seal = chain.RowSeal.of(row.seal) if row.link else chain.seal_row(chain_row, "", new_secret())
    new_row, new_seal = chain.replace_text(chain_row, seal, replaced)
    if new_row is chain_row:
        return False
    row.actor_label, row.data = new_row.label, new_row.data
    row.seal = new_seal.data() if row.link else {}
    row.save(update_fields=["actor_label", "data", "seal"])
    return True
