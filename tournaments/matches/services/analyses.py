"""Requests by a director for computer analyses of confirmed matches.

A request is for one match, a stage or the whole event. These analyses wait in the queue behind those that
players requested. The event's version and audit log do not change: an analysis belongs to the game record,
and the two players of the match see it.
"""

from faults import Conflict, Missing
from games.analysis.port import NOT_FIT, EngineError
from games.services.many_analyses import BulkRequestResult, request_in_background
from games.services.many_analyses import cancel_requests as call_off_records
from people.actors import Actor
from people.permissions import require_director
from people.rows import one_or_none
from tournaments.models import Event, Match, Stage
from tournaments.selectors.matches.analysing import records_to_request


def request_analyses(
    *, actor: Actor, event_id: int, stage_id: int | None = None, match_id: int | None = None
) -> BulkRequestResult:
    """Queue the analyses of one match, one stage or, if neither is given, all matches of the event.

    Returns the numbers of analyses that were queued, existed already or are impossible. Idempotent, except
    that failed analyses are tried again. Raises ``Conflict`` if there is no game record, no engine is
    installed, or no record can be analysed.
    """
    event, records = _event_and_record_ids(actor, event_id, stage_id, match_id)
    if not records:
        raise Conflict("analysis.no_games", present=event)
    try:
        bulk_result = request_in_background(record_ids=records)
    except EngineError as error:
        raise Conflict(error.code, present=event) from error
    if bulk_result.impossible_count and not bulk_result.asked + bulk_result.there:
        raise Conflict(NOT_FIT, present=event)
    return bulk_result


def cancel_analyses(
    *, actor: Actor, event_id: int, stage_id: int | None = None, match_id: int | None = None
) -> int:
    """Cancel the waiting analyses that a director requested, and return how many were cancelled.

    Covers one match, one stage or, if neither is given, the whole event. Analyses that a player requested or
    that have started continue.
    """
    _event, records = _event_and_record_ids(actor, event_id, stage_id, match_id)
    return call_off_records(record_ids=records)


def _event_and_record_ids(
    actor: Actor, event_id: int, stage_id: int | None, match_id: int | None
) -> tuple[Event, list[int]]:
    event = one_or_none(Event.objects.select_related("club").filter(pk=event_id))
    if event is None:
        raise Missing("event.unknown")
    require_director(actor, event.club)
    stage = match = None
    if stage_id is not None:
        stage = one_or_none(Stage.objects.filter(pk=stage_id, division__event=event))
        if stage is None:
            raise Missing("stage.unknown")
    if match_id is not None:
        match = one_or_none(Match.objects.filter(pk=match_id, stage__division__event=event))
        if match is None:
            raise Missing("match.unknown")
    return event, records_to_request(event, stage=stage, match=match)
