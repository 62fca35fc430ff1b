"""A match or a round had the wrong length (F9): give it the right one while there is no result.

A match under way goes on to its new length; what was reported of it and no longer fits is set aside. A match that is over
is corrected with its length (``repairs.services.correct``), because later matches stand on it.
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
    """Another length for one match that has no result. ``seen`` is the version that the director looked at."""
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
    hand = load_stage(match.stage)
    number = MatchNo(match.number)
    repair = StageRepair(
        hand, hand.after(SetLength(number, length), present=current_match_state(match)), also=[number]
    )
    action = MatchLengthSet(before=match.length, after=length)
    record_repair(event, repair, actor=actor, action=action, subject=match)
    return hand.rows[number]


@durable
def set_round_length(
    *, actor: Actor, event_id: int, stage_id: int, number: int, length: int, seen: int | None = None
) -> Round:
    """Another length for a round: for all its matches that have not begun. ``seen``: the length it had on the page."""
    event = lock_for_director(actor, event_id)
    stage = get_stage(event, stage_id)
    require_published_draw(event, stage)
    found = Round.objects.filter(stage=stage, number=number).first()
    if found is None:
        raise Missing("round.unknown")
    if seen is not None and seen != found.length:
        raise Conflict("correction.changed_meanwhile", present=stage)
    check_length(length)
    hand = load_stage(stage)
    changed = [
        number
        for number, match in hand.rows.items()
        if match.round_id == found.pk and can_take_round_length(match) and _has_room(match, length)
    ]
    after = hand.after(*(SetLength(match_number, length) for match_number in changed))
    before, found.length = found.length, length
    found.save(update_fields=["length"])
    record_repair(
        event,
        StageRepair(hand, after, also=changed),
        actor=actor,
        action=RoundLengthSet(
            round=number, code=found.code, before=before, after=length, matches=tuple(changed)
        ),
        subject=stage,
        lengths={found.pk: before},
    )
    return found


def can_take_round_length(match: Match) -> bool:
    """Whether a match takes the new length of its round: it has not begun, or nobody plays it."""
    return match.status in UPCOMING or match.result_kind == ResultKind.BYE


def _has_room(match: Match, length: int) -> bool:
    """Whether nobody has so many points before the first game (F10 F15) that the match would be over."""
    return length > max(match.start_a, match.start_b)
