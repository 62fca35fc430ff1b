"""A table is taken out of use, or put back."""

from django.db import transaction

from faults import Conflict, Invalid
from people.actors import Actor
from tournaments.engine.statuses import EVENT_OVER
from tournaments.engine.trail.events import TableClosed, TableOpened
from tournaments.models import Event
from tournaments.store.lock import changed, lock_for_director
from tournaments.store.tables import give_up_kept_tables, hand_out_tables


@transaction.atomic(durable=True)
def set_table_use(*, actor: Actor, event_id: int, table: int, in_use: bool) -> Event:
    """Take a table out of use, or put it back.

    A match that is called or being played there ends there; one that only waits for it gets another table.
    """
    event = lock_for_director(actor, event_id)
    if event.status in EVENT_OVER:
        raise Conflict("event.over", present=event)
    if not 1 <= table <= event.tables:
        raise Invalid("match.table_odd", field="table", limit=event.tables)
    if in_use is (table not in event.closed_tables):
        return event
    closed = {*event.closed_tables, table} if not in_use else {*event.closed_tables} - {table}
    if len([number for number in closed if number <= event.tables]) == event.tables:
        raise Conflict("table.last", field="table", present=event)
    event.closed_tables = sorted(closed)
    if not in_use:
        give_up_kept_tables(event, called=(), tables=[table])
    hand_out_tables(event)
    action = TableOpened(table=table) if in_use else TableClosed(table=table)
    changed(event, actor=actor, action=action)
    return event
