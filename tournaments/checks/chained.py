"""Verify the hash chain of an event's audit log.

Every row is hashed again, and every link followed to the head.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from people.models import AuditEntry
from tournaments.engine.trail import chain
from tournaments.models import Event, Lot
from tournaments.models.trail import audit_scope, to_chain_row


@dataclass(slots=True)
class ChainSummary:
    """Result of a verification besides its faults.

    Number of rows and erased texts, and whether a noted head occurs.
    """

    rows: int = 0
    erased: int = 0
    has_noted_head: bool = False


def broken_links(event: Event, looked: ChainSummary, noted: str = "") -> Iterator[str]:
    """Iterate over everything that does not fit, in words for the operator.

    An event from before hash chains has none until its next change. If it has a draw record (``Lot``), it had
    a chain when that was made: without one its audit log was emptied. ``noted``: a head that was written down
    earlier.
    """
    if not event.trail_head:
        if Lot.objects.filter(event=event).exists():
            yield "it has a draw but no hashed audit log: the log or its seals were deleted"
        return
    before = chain.initial_hash(event.public_id)
    looked.has_noted_head = noted == before
    for row in AuditEntry.objects.filter(scope=audit_scope(event)).order_by("pk").iterator():
        looked.rows += 1
        fault, after = _row_fault(row, before, looked)
        if fault:
            yield f"row {row.pk} ({row.action}): {fault}"
        before = after
        looked.has_noted_head = looked.has_noted_head or noted == row.link
    if before != event.trail_head:
        yield "the last row is not the head: rows at the end were removed or inserted, or the head was changed"


def _row_fault(row: AuditEntry, before: str, looked: ChainSummary) -> tuple[str, str]:
    """What is wrong with a row (empty if nothing), and the link that the next row has to follow."""
    try:
        seal = chain.RowSeal.of(row.seal)
    except KeyError:
        return "it has no seal: it was inserted outside the program", before
    looked.erased += len(seal.erased)
    facts = to_chain_row(row)
    if chain.chain_hash(facts, seal) != row.link or not chain.is_same_actor(facts, seal):
        return "it was changed", row.link
    if seal.before != before:
        return "it does not follow the previous row: a row was removed or inserted", row.link
    return "", row.link
