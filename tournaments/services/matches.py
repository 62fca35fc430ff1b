"""What a director does with a match that is not a result: call it, start it, send it back, give it another table."""

from django.db import transaction
from django.utils import timezone

from people.actors import Actor
from people.errors import Conflict, Invalid, Missing
from tournaments.engine.lifecycle import EventStatus, MatchAction, MatchStatus, StageStatus, next_status
from tournaments.models import Event, Match
from tournaments.services.common import changed, engine_refusals, lock_for_director
from tournaments.services.results import begin_stage, present_of, rest_stage
from tournaments.services.tables import AT_TABLE, hand_out_tables


@transaction.atomic(durable=True)
def move_match(*, actor: Actor, event_id: int, match_id: int, action: MatchAction) -> Match:
    """Call, start or send back a match."""
    if action not in {MatchAction.CALL, MatchAction.START, MatchAction.SEND_BACK}:
        raise Invalid("match.action_unknown", action=action)
    event, match = _locked(actor, event_id, match_id)
    with engine_refusals(present_of(match)):
        match.status = next_status(MatchStatus(match.status), action)
    now = timezone.now()
    if action is MatchAction.CALL:
        match.called_at = now
    elif action is MatchAction.START:
        match.started_at = now
    else:
        match.called_at = match.started_at = None
    match.version += 1
    match.save()
    if action is MatchAction.SEND_BACK:
        rest_stage(match.stage)
    else:
        begin_stage(match.stage)
    changed(event, actor=actor, action=f"match.{action}", subject=match)
    return match


@transaction.atomic(durable=True)
def set_table(*, actor: Actor, event_id: int, match_id: int, table: int | None) -> Match:
    """Give a match a certain table, or take it away; a table with a live match on it is refused."""
    event, match = _locked(actor, event_id, match_id)
    if match.status not in AT_TABLE:
        raise Conflict("match.no_table_now", present=present_of(match))
    if table is not None:
        if not 1 <= table <= event.tables:
            raise Invalid("match.table_odd", field="table", limit=event.tables)
        if (
            Match.objects.filter(stage__division__event=event, status__in=AT_TABLE, table=table)
            .exclude(pk=match.pk)
            .exists()
        ):
            raise Conflict("match.table_taken", field="table", table=table, present=present_of(match))
    before, match.table = match.table, table
    match.version += 1
    match.save(update_fields=["table", "version"])
    if before is not None and table is not None:
        hand_out_tables(event)
    changed(event, actor=actor, action="match.table", subject=match, data={"before": before, "after": table})
    return match


def _locked(actor: Actor, event_id: int, match_id: int) -> tuple[Event, Match]:
    event = lock_for_director(actor, event_id)
    match = Match.objects.select_related("stage").filter(pk=match_id, stage__division__event=event).first()
    if match is None:
        raise Missing("match.unknown")
    shown = match.stage.status in {StageStatus.PUBLISHED, StageStatus.RUNNING}
    if event.status != EventStatus.RUNNING or not shown:
        raise Conflict("match.not_running", present=present_of(match))
    return event, match
