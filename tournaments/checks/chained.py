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
    """Statistics of a verified hash chain: number of rows and erased texts.

    ``has_noted_head``: whether the hash that was noted earlier occurs in it.
    """

    rows: int = 0
    erased: int = 0
    has_noted_head: bool = False


def broken_links(event: Event, summary: ChainSummary, noted_head: str = "") -> Iterator[str]:
    """Yield a message for the operator for everything in the hash chain that does not fit; fill ``summary``.

    An event from before hash chains has no chain until its next change. If it has a draw record (``Lot``), it
    had a chain when that was made: without one its audit log was emptied. ``noted_head``: the last hash of
    the chain as it was written down earlier.
    """
    if not event.trail_head:
        if Lot.objects.filter(event=event).exists():
            yield "it has a draw but no hashed audit log: the log or its seals were deleted"
        return
    previous_link = chain.initial_hash(event.public_id)
    summary.has_noted_head = noted_head == previous_link
    for row in AuditEntry.objects.filter(scope=audit_scope(event)).order_by("pk").iterator():
        summary.rows += 1
        fault, row_link = _row_fault(row, previous_link, summary)
        if fault:
            yield f"row {row.pk} ({row.action}): {fault}"
        previous_link = row_link
        summary.has_noted_head = summary.has_noted_head or noted_head == row.link
    if previous_link != event.trail_head:
        yield "the last row is not the head: rows at the end were removed or inserted, or the head was changed"


def _row_fault(row: AuditEntry, previous_link: str, summary: ChainSummary) -> tuple[str, str]:
    """Return what is wrong with a row ("" if nothing), and the hash that the next row has to follow."""
    try:
        seal = chain.RowSeal.of(row.seal)
    except KeyError:
        return "it has no seal: it was inserted outside the program", previous_link
    summary.erased += len(seal.erased)
    chain_row = to_chain_row(row)
    if chain.chain_hash(chain_row, seal) != row.link or not chain.is_same_actor(chain_row, seal):
        return "it was changed", row.link
    if seal.before != previous_link:
        return "it does not follow the previous row: a row was removed or inserted", row.link
    return "", row.link
