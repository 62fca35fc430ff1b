"""Actions on tables: take a table out of use or put it back, and swap the matches of two tables."""

from collections.abc import Mapping

from faults import Conflict, Invalid
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.statuses import AT_TABLE, EVENT_OVER, STAGE_UNDER_WAY, EventStatus
from tournaments.engine.trail.action import CalledMatch
from tournaments.engine.trail.events import TableClosed, TableOpened
from tournaments.engine.trail.matches import TablesSwapped
from tournaments.engine.types import MatchNo, TableNo
from tournaments.models import Event, Match
from tournaments.store.lock import lock_for_staff, record_action
from tournaments.store.matches import write_match
from tournaments.store.shown import note_divisions
from tournaments.store.tables import assign_free_tables, release_reserved_tables


@durable
def set_table_use(*, actor: Actor, event_id: int, table: int, in_use: bool) -> Event:
    """Take a table out of use, or put it back (``in_use``); return the event. Idempotent.

    A match that is called or being played there finishes there; one that is only assigned to the table gets
    another. Raises ``Conflict`` for the last table in use.
    """
    event = lock_for_staff(actor, event_id)
    if event.status in EVENT_OVER:
        raise Conflict("event.over", present=event)
    if not 1 <= table <= event.tables:
        raise Invalid("match.table_odd", field="table", limit=event.tables)
    if in_use is (table not in event.closed_tables):
        return event
    closed_tables = {*event.closed_tables, table} if not in_use else {*event.closed_tables} - {table}
    if len([number for number in closed_tables if number <= event.tables]) == event.tables:
        raise Conflict("table.last", field="table", present=event)
    event.closed_tables = sorted(closed_tables)
    if not in_use:
        release_reserved_tables(event, called_ids=(), tables=[table])
    assign_free_tables(event)
    action = TableOpened(table=table) if in_use else TableClosed(table=table)
    record_action(event, actor=actor, action=action)
    return event


@durable
def swap_tables(
    *, actor: Actor, event_id: int, first: int, second: int, seen: Mapping[int, int]
) -> list[Match]:
    """Swap the matches of two tables, of which one may be empty; return the matches that moved.

    ``seen``: versions of both tables' matches that the user saw, keyed by match id; raises ``Conflict`` (409)
    if they have changed or other matches are there now.
    """
    event = lock_for_staff(actor, event_id)
    if event.status != EventStatus.RUNNING:
        raise Conflict("match.not_running", present=event)
    for table in (first, second):
        if not 1 <= table <= event.tables:
            raise Invalid("match.table_odd", field="table", limit=event.tables)
    live_matches = Match.objects.filter(
        stage__division__event=event, stage__status__in=STAGE_UNDER_WAY, status__in=AT_TABLE
    )
    moved_matches = list(
        live_matches.filter(table__in=(first, second)).select_related("stage").order_by("table")
    )
    if {match.pk: match.version for match in moved_matches} != dict(seen):
        raise Conflict("match.changed_meanwhile", present=event)
    if not moved_matches or first == second:
        raise Invalid("desk.both_free", first=first, second=second)
    for match in moved_matches:
        new_table = second if match.table == first else first
        if new_table in event.closed_tables:
            raise Conflict("table.closed", table=new_table, present=event)
        write_match(match, table=new_table)
    note_divisions(event, {match.stage.division_id for match in moved_matches})
    assign_free_tables(event)
    moved_to = tuple(
        CalledMatch(match.pk, MatchNo(match.number), TableNo(match.table or 0)) for match in moved_matches
    )
    record_action(event, actor=actor, action=TablesSwapped(first=first, second=second, moved=moved_to))
    return moved_matches
