"""Wrong length of a match or round (rule F9): set the right one before the result.

A match that has begun continues to its new length; reports that no longer fit are discarded. A match that is
over is corrected with its length (``repairs.services.correct``), because later matches depend on it.
"""

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.changes.next_state import SetLength
from tournaments.engine.statuses import OVER, UPCOMING
from tournaments.engine.trail.repairs import MatchLengthSet, RoundLengthSet
from tournaments.engine.types import MatchNo, ResultKind
from tournaments.models import Match, Round
from tournaments.store.claims import check_length
from tournaments.store.load import load_stage
from tournaments.store.lock import get_stage, lock_for_director
from tournaments.store.repairs import StageRepair, record_repair, require_published_draw
from tournaments.store.results import current_match_state


@durable
def set_match_length(
    *, actor: Actor, event_id: int, match_id: int, length: int, seen: int | None = None
) -> Match:
    """Set the length of a match that has no result; the audit log allows an undo.

    ``seen``: the version of the match that the user saw; raises ``Conflict`` if it has changed.
    """
    event = lock_for_director(actor, event_id)
    match = one_or_none(
        Match.objects.select_related("stage").filter(pk=match_id, stage__division__event=event)
    )
    if match is None:
        raise Missing("match.unknown")
    require_published_draw(event, match.stage)
    if match.status in OVER:
        raise Conflict("length.match_over", present=current_match_state(match))
    if seen is not None and seen != match.version:
        raise Conflict("correction.changed_meanwhile", present=current_match_state(match))
    check_length(length)
    if not _has_room(match, length):
        raise Invalid("length.below_start", field="length", length=length)
    loaded_stage = load_stage(match.stage)
    number = MatchNo(match.number)
    repair = StageRepair(
        loaded_stage,
        loaded_stage.after(SetLength(number, length), present=current_match_state(match)),
        further_matches=[number],
    )
    action = MatchLengthSet(before=match.length, after=length)
    record_repair(event, repair, actor=actor, action=action, subject=match)
    return loaded_stage.rows[number]


@durable
def set_round_length(
    *, actor: Actor, event_id: int, stage_id: int, number: int, length: int, seen: int | None = None
) -> Round:
    """Set the length of a round and of all its matches that have not begun; the audit log allows an undo.

    ``seen``: the length that the user saw; raises ``Conflict`` if it has changed.
    """
    event = lock_for_director(actor, event_id)
    stage = get_stage(event, stage_id)
    require_published_draw(event, stage)
    round_ = Round.objects.filter(stage=stage, number=number).first()
    if round_ is None:
        raise Missing("round.unknown")
    if seen is not None and seen != round_.length:
        raise Conflict("correction.changed_meanwhile", present=stage)
    check_length(length)
    loaded_stage = load_stage(stage)
    changed_numbers = [
        number
        for number, match in loaded_stage.rows.items()
        if match.round_id == round_.pk and can_take_round_length(match) and _has_room(match, length)
    ]
    state_after = loaded_stage.after(*(SetLength(match_number, length) for match_number in changed_numbers))
    length_before, round_.length = round_.length, length
    round_.save(update_fields=["length"])
    record_repair(
        event,
        StageRepair(loaded_stage, state_after, further_matches=changed_numbers),
        actor=actor,
        action=RoundLengthSet(
            round=number, code=round_.code, before=length_before, after=length, matches=tuple(changed_numbers)
        ),
        subject=stage,
        lengths={round_.pk: length_before},
    )
    return round_


def can_take_round_length(match: Match) -> bool:
    """Return whether a match gets the new length of its round: it has not begun, or is a bye."""
    return match.status in UPCOMING or match.result_kind == ResultKind.BYE


def _has_room(match: Match, length: int) -> bool:
    """Return whether ``length`` is more than the starting score of both sides (rules F10, F15)."""
    return length > max(match.start_a, match.start_b)
