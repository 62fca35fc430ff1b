"""A match or a round had the wrong length (F9): give it the right one while there is no result.

A match under way goes on to its new length; what was reported of it and no longer fits is set aside. A match that is over
is corrected with its length (``repairs.services.correct``), because later matches stand on it.
"""

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.changes.next_state import SetLength
from tournaments.engine.statuses import AHEAD, OVER
from tournaments.engine.trail.repairs import MatchLengthSet, RoundLengthSet
from tournaments.engine.types import MatchNo, ResultKind
from tournaments.models import Match, Round
from tournaments.store.claims import check_length
from tournaments.store.load import load
from tournaments.store.lock import lock_for_director, stage_of
from tournaments.store.repairs import StageRepair, must_be_shown, repaired
from tournaments.store.results import present_of


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
    must_be_shown(event, match.stage)
    if match.status in OVER:
        raise Conflict("length.match_over", present=present_of(match))
    if seen is not None and seen != match.version:
        raise Conflict("correction.changed_meanwhile", present=present_of(match))
    check_length(length)
    if not _has_room(match, length):
        raise Invalid("length.below_start", field="length", length=length)
    hand = load(match.stage)
    number = MatchNo(match.number)
    repair = StageRepair(
        hand, hand.after(SetLength(number, length), present=present_of(match)), also=[number]
    )
    action = MatchLengthSet(before=match.length, after=length)
    repaired(event, repair, actor=actor, action=action, subject=match)
    return hand.rows[number]


@durable
def set_round_length(
    *, actor: Actor, event_id: int, stage_id: int, number: int, length: int, seen: int | None = None
) -> Round:
    """Another length for a round: for all its matches that have not begun. ``seen``: the length it had on the page."""
    event = lock_for_director(actor, event_id)
    stage = stage_of(event, stage_id)
    must_be_shown(event, stage)
    found = Round.objects.filter(stage=stage, number=number).first()
    if found is None:
        raise Missing("round.unknown")
    if seen is not None and seen != found.length:
        raise Conflict("correction.changed_meanwhile", present=stage)
    check_length(length)
    hand = load(stage)
    changed = [
        number
        for number, match in hand.rows.items()
        if match.round_id == found.pk and may_follow(match) and _has_room(match, length)
    ]
    after = hand.after(*(SetLength(match_number, length) for match_number in changed))
    before, found.length = found.length, length
    found.save(update_fields=["length"])
    repaired(
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


def may_follow(match: Match) -> bool:
    """Whether a match takes the new length of its round: it has not begun, or nobody plays it."""
    return match.status in AHEAD or match.result_kind == ResultKind.BYE


def _has_room(match: Match, length: int) -> bool:
    """Whether nobody has so many points before the first game (F10 F15) that the match would be over."""
    return length > max(match.start_a, match.start_b)
