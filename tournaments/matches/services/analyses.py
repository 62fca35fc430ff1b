"""A director has the matches of an event analysed: one, those of a stage, all of them. Only records of confirmed matches, behind whatever players ask for.

It changes nothing of the event, so neither its version nor its trail: the analysis belongs to the record, and its two players see it.
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
    """Ask for those of a match, of a stage, or of the whole event. Asking again changes nothing, but that one that failed is tried again."""
    event, records = _event_and_record_ids(actor, event_id, stage_id, match_id)
    if not records:
        raise Conflict("analysis.no_games", present=event)
    try:
        wished = request_in_background(record_ids=records)
    except EngineError as error:
        raise Conflict(error.code, present=event) from error
    if wished.impossible_count and not wished.asked + wished.there:
        raise Conflict(NOT_FIT, present=event)
    return wished


def cancel_analyses(
    *, actor: Actor, event_id: int, stage_id: int | None = None, match_id: int | None = None
) -> int:
    """Ask no longer for what waits and was asked for here; how many. What a player asked for, and what is being made, stays."""
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
