"""Write the trail of an event as a chain (`engine.trail.chain`). The caller holds the event's lock, so that no two rows follow the same one.

A chain begins with the event. One that was there before there were chains begins with its next row: what exists is sealed as it
is, and a row of its own (``trail.begin``) says how many rows that were.
"""

import re

from django.db import models

from people.actors import Actor
from people.ids import new_secret
from people.models import AuditEntry
from people.services import audit
from tournaments.engine.trail import chain
from tournaments.engine.trail.action import TrailAction
from tournaments.engine.trail.events import NameErased, TrailBegun
from tournaments.models import Event
from tournaments.models.trail import chain_row, data_of, scope_of
from tournaments.store.shown import raise_events


def add_row(event: Event, actor: Actor, action: TrailAction, subject: models.Model) -> AuditEntry:
    """One more row of the event's trail. The head on ``event`` rises with it and is not saved here: `changed` does, last of all."""
    if not event.trail_head:
        _begin(event)
    row = audit.row_of(
        actor=actor,
        action=action.kind,
        subject=subject,
        club=event.club,
        scope=scope_of(event),
        data=data_of(action),
    )
    event.trail_head = _seal(row, event.trail_head)
    row.save(force_insert=True)
    return row


def _seal(row: AuditEntry, before: str) -> str:
    facts = chain_row(row)
    seal = chain.seal(facts, before, new_secret())
    row.seal, row.link = seal.data(), chain.link(facts, seal)
    return row.link


def _begin(event: Event) -> None:
    event.trail_head = chain.first_link(event.public_id)
    before = list(AuditEntry.objects.filter(scope=scope_of(event)).order_by("pk"))
    if not before:
        return
    for row in before:
        event.trail_head = _seal(row, event.trail_head)
    AuditEntry.objects.bulk_update(before, ["seal", "link"], batch_size=200)
    add_row(event, Actor.program(), TrailBegun(rows=len(before)), event)


def erase_name(event: Event, name: str, instead: str) -> int:
    """Put another word in the place of a name in all rows of the event's trail; how many named it. The event is locked.

    The name stands for itself: “Ann” is not erased from “Ann Lee-Annan”, but it is from “Ann Lee”.
    """
    pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    rows = sum(_erase(row, pattern, instead) for row in AuditEntry.objects.filter(scope=scope_of(event)))
    if rows:
        add_row(event, Actor.program(), NameErased(rows=rows), event)
        event.save(update_fields=["trail_head"])
        raise_events([event])
    return rows


def _erase(row: AuditEntry, pattern: re.Pattern[str], instead: str) -> bool:
    def replaced(text: str) -> str | None:
        return pattern.sub(lambda _found: instead, text) if pattern.search(text) else None

    facts = chain_row(row)
    # Of an event whose chain has not begun there is nothing to keep.
    seal = chain.Seal.of(row.seal) if row.link else chain.seal(facts, "", new_secret())
    new, kept = chain.without_words(facts, seal, replaced)
    if new is facts:
        return False
    row.actor_label, row.data = new.label, new.data
    row.seal = kept.data() if row.link else {}
    row.save(update_fields=["actor_label", "data", "seal"])
    return True
