"""Actions on a match that are not a result: call, start, return to the queue, assign another table."""

from collections.abc import Mapping
from typing import Final

from django.utils import timezone

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from people.models import AuditEntry, Club
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.hall.calling import next_calls
from tournaments.engine.statuses import (
    AT_TABLE,
    STAGE_UNDER_WAY,
    EventStatus,
    MatchAction,
    MatchStatus,
)
from tournaments.engine.trail.action import AuditAction, CalledMatch
from tournaments.engine.trail.matches import (
    CallsUndone,
    MatchCalled,
    MatchesCalled,
    MatchReturnedToQueue,
    MatchStarted,
    TableAssigned,
)
from tournaments.engine.types import MatchNo, TableNo
from tournaments.models import EntryPlayer, Event, Match
from tournaments.models.trail import audit_scope, parse_row
from tournaments.selectors.hall.calling import busy_players, ready_matches
from tournaments.store.event_state import start_stage, unstart_stage
from tournaments.store.lock import lock_for_director, lock_for_staff, record_action
from tournaments.store.matches import check_match_step, step_match, step_matches, write_match
from tournaments.store.results import current_match_state
from tournaments.store.shown import note_divisions
from tournaments.store.tables import (
    assign_free_tables,
    free_tables,
    release_other_tables,
    release_reserved_tables,
)

MOVE_AUDIT_ACTIONS: Final[Mapping[MatchAction, type[AuditAction]]] = {
    MatchAction.CALL: MatchCalled,
    MatchAction.START: MatchStarted,
    MatchAction.SEND_BACK: MatchReturnedToQueue,
}


@durable
def move_match(
    *, actor: Actor, event_id: int, match_id: int, action: MatchAction, seen: int | None = None
) -> Match:
    """Call or start a match, or return it to the end of the queue, as ``action`` says.

    A match cannot be called or started while a player still plays elsewhere in the club (``Conflict``).
    ``seen``: version of the match that the user saw; raises ``Conflict`` (409) if it has changed.
    """
    if action not in MOVE_AUDIT_ACTIONS:
        raise Invalid("match.action_unknown", action=action)
    event, match = _running_match(lock_for_staff(actor, event_id), match_id)
    check_match_step(match, action)
    if seen not in {None, match.version}:
        raise Conflict("match.changed_meanwhile", present=current_match_state(match))
    if action is not MatchAction.SEND_BACK:
        _refuse_busy(event, match)
    now = timezone.now()
    if action is MatchAction.CALL:
        step_match(match, action, called_at=now)
    elif action is MatchAction.START:
        step_match(match, action, started_at=now)
    else:  # it goes to the end of the queue
        step_match(match, action, called_at=None, started_at=None, table=None, sent_back_at=now, clock={})
    if action is MatchAction.SEND_BACK:
        unstart_stage(event, match.stage)
    else:
        start_stage(event, match.stage)
        release_other_tables(event, [match.pk])
    assign_free_tables(event)
    record_action(event, actor=actor, action=MOVE_AUDIT_ACTIONS[action](), subject=match)
    return match


@durable
def call_next(
    *, actor: Actor, event_id: int, everything: bool = False, match_id: int | None = None
) -> list[Match]:
    """Call the match that has waited longest and can be played, to its table or to the next free one.

    ``everything``: True calls all matches for which there is a table; ``match_id``: call only if this match
    is next. ``engine.hall.calling.next_calls`` decides order and tables. Raises ``Conflict`` with the reason
    if nothing can be called, or if another match is next.
    """
    event = lock_for_staff(actor, event_id)
    if event.status != EventStatus.RUNNING:
        raise Conflict("match.not_running", present=event)
    lock_club_calls(event)
    calls = list(callable_match_tables(event).items())
    if match_id is not None and calls[0][0] != match_id:
        raise Conflict("call.another_next", present=event)
    tables = dict(calls if everything else calls[:1])
    match_by_pk = {match.pk: match for match in Match.objects.filter(pk__in=tables).select_related("stage")}
    called = [match_by_pk[pk] for pk in tables]
    now = timezone.now()
    # A table reserved for a match whose players are busy elsewhere is released.
    release_reserved_tables(event, tables.keys(), tables.values())
    columns = {pk: {"called_at": now, "table": table} for pk, table in tables.items()}
    step_matches(called, MatchAction.CALL, columns)
    note_divisions(event, {match.stage.division_id for match in called})
    release_other_tables(event, list(tables))
    for stage in {match.stage_id: match.stage for match in called}.values():
        start_stage(event, stage)
    assign_free_tables(event)
    record_action(
        event,
        actor=actor,
        action=MatchesCalled(
            matches=tuple(
                CalledMatch(match.pk, MatchNo(match.number), TableNo(tables[match.pk])) for match in called
            )
        ),
        subject=called[0] if len(called) == 1 else None,
    )
    return called


@durable
def undo_calls(*, actor: Actor, event_id: int, audit_id: int) -> CallsUndone:
    """Undo calls that were made together: matches still called return to their former places in the queue.

    ``audit_id``: row of the calls in the audit log. Returns the audit action, which names the returned and
    the unchanged matches. Matches that have begun, are reported or were called again stay as they are; if all
    have, raises ``Conflict`` (409, ``call.moved_on``).
    """
    event = lock_for_staff(actor, event_id)
    if event.status != EventStatus.RUNNING:
        raise Conflict("match.not_running", present=event)
    rows = AuditEntry.objects.select_for_update(of=("self",))
    row = one_or_none(rows.filter(pk=audit_id, scope=audit_scope(event), action=MatchesCalled.kind))
    action = parse_row(row) if row is not None else None
    if row is None or not isinstance(action, MatchesCalled):
        raise Missing("call.unknown")
    if row.undone_by_id is not None:
        raise Conflict("call.undone_already", present=event)
    tables = {called_match.pk: called_match.table for called_match in action.matches}
    matches = [
        match
        for match in Match.objects.filter(pk__in=tables).select_related("stage").order_by("pk")
        if match.status == MatchStatus.CALLED
        and match.table == tables[match.pk]
        and match.called_at is not None
        and match.called_at <= row.at
        and not match.clock
    ]
    if not matches:
        raise Conflict("call.moved_on", present=event)
    step_matches(
        matches, MatchAction.SEND_BACK, {match.pk: {"called_at": None, "table": None} for match in matches}
    )
    note_divisions(event, {match.stage.division_id for match in matches})
    for stage in {match.stage_id: match.stage for match in matches}.values():
        unstart_stage(event, stage)
    assign_free_tables(event)
    returned_ids = {match.pk for match in matches}
    undo = CallsUndone(
        of=row.pk,
        matches=tuple(called_match for called_match in action.matches if called_match.pk in returned_ids),
        kept=tuple(called_match for called_match in action.matches if called_match.pk not in returned_ids),
    )
    row.undone_by = record_action(event, actor=actor, action=undo)
    row.save(update_fields=["undone_by"])
    return undo


def callable_match_tables(event: Event) -> dict[int, TableNo]:
    """Return the tables of the matches that can be called, keyed by match id, in calling order.

    Raises ``Conflict`` with the reason if no match can be called.
    """
    ready = ready_matches(event)
    busy = busy_players(event)
    calls = next_calls([match.as_match_to_call for match in ready], busy, free_tables(event))
    if not calls:
        has_idle_players = any(match.people.isdisjoint(busy) for match in ready)
        code = "call.no_table" if has_idle_players else "call.all_busy" if ready else "call.nothing_ready"
        raise Conflict(code, present=event)
    return calls


@durable
def set_table(
    *, actor: Actor, event_id: int, match_id: int, table: int | None, seen: int | None = None
) -> Match:
    """Assign a table to a match, or remove its table (``table=None``).

    Raises ``Conflict`` if the table is closed or another match is at the table. ``seen``: version of the
    match that the user saw; raises ``Conflict`` if it has changed.
    """
    event, match = _running_match(lock_for_staff(actor, event_id), match_id)
    if seen not in {None, match.version}:
        raise Conflict("match.changed_meanwhile", present=current_match_state(match))
    if match.status not in AT_TABLE:
        raise Conflict("match.no_table_now", present=current_match_state(match))
    if table is not None:
        if not 1 <= table <= event.tables:
            raise Invalid("match.table_odd", field="table", limit=event.tables)
        if table in event.closed_tables and table != match.table:
            raise Conflict("table.closed", field="table", table=table, present=current_match_state(match))
        if (
            Match.objects.filter(stage__division__event=event, status__in=AT_TABLE, table=table)
            .exclude(pk=match.pk)
            .exists()
        ):
            raise Conflict(
                "match.table_taken", field="table", table=table, present=current_match_state(match)
            )
    previous_table = match.table
    write_match(match, table=table)
    if previous_table is not None and table is not None:
        assign_free_tables(event)
    record_action(event, actor=actor, action=TableAssigned(before=previous_table, after=table), subject=match)
    return match


def lock_club_calls(event: Event) -> None:
    """Lock the calls of all events of a club, so that no two of them call the same player at once."""
    one_or_none(Club.objects.select_for_update(of=("self",), no_key=True).filter(pk=event.club_id))


def _refuse_busy(event: Event, match: Match) -> None:
    lock_club_calls(event)
    people = EntryPlayer.objects.filter(entry__slots__match=match).values_list("player_id", flat=True)
    busy = [
        busy_player
        for busy_player in busy_players(event, list(people)).values()
        if busy_player.match_id != match.pk
    ]
    if busy:
        busy_player = busy[0]
        code = "match.player_busy" if busy_player.event_id == event.pk else "match.player_busy_elsewhere"
        raise Conflict(
            code,
            name=busy_player.player,
            number=busy_player.number,
            event=busy_player.event,
            present=current_match_state(match),
        )


def lock_running_match(actor: Actor, event_id: int, match_id: int) -> tuple[Event, Match]:
    """Lock the event for its director; return the event and a match of a published draw.

    Raises ``Conflict`` unless the event is running.
    """
    return _running_match(lock_for_director(actor, event_id), match_id)


def _running_match(event: Event, match_id: int) -> tuple[Event, Match]:
    match = one_or_none(
        Match.objects.select_related("stage").filter(pk=match_id, stage__division__event=event)
    )
    if match is None:
        raise Missing("match.unknown")
    is_public = match.stage.status in STAGE_UNDER_WAY
    if event.status != EventStatus.RUNNING or not is_public:
        raise Conflict("match.not_running", present=current_match_state(match))
    return event, match
