"""Answers of players to a call or up-next notice: coming, in 5 minutes, or cannot play.

An answer has no automatic effect: no walkover, no other order of calls, no later start of lateness (rule
F15). The last answer counts; repeating an answer, by a second tap or from another device, changes nothing.
The staff can dismiss an answer.
"""

from django.utils import timezone

from faults import Conflict, Missing, NotAllowed, raise_faults
from people.actors import Actor
from people.rows import one_or_none
from people.text import clean_line
from people.transactions import durable
from tournaments.engine.matches.answers import CallReply, ReplyChoice, check_reply
from tournaments.engine.matches.reporting import Reporter
from tournaments.engine.statuses import NOT_STARTED, STAGE_UNDER_WAY, EventStatus, MatchStatus
from tournaments.engine.trail.matches import CallReplyDismissed, CallReplyGiven
from tournaments.engine.types import Side
from tournaments.models import CallAnswer, Entry, Event, Match, MatchSlot
from tournaments.selectors.access.phones import NO_ORIGIN, RequestOrigin
from tournaments.store.lock import lock_event_of_match, lock_for_staff, record_action
from tournaments.store.phones import authorize_device
from tournaments.store.results import current_match_state


@durable
def answer_call(
    *,
    actor: Actor,
    match_id: int,
    entry: Entry,
    coming: ReplyChoice | None,
    reason: str = "",
    phone: RequestOrigin = NO_ORIGIN,
) -> CallAnswer | None:
    """Save the answer of ``entry`` about its match; return the stored row, or None without an answer.

    ``coming=None`` removes the answer; ``reason`` is needed for "cannot play". Raises ``NotAllowed`` (403) if
    the entry does not play in the match or its device has no access (``phone.other``), ``Conflict`` (409) if
    the match has begun or is not public, and ``Invalid`` (422) if the reason is missing or too long.
    """
    event = lock_event_of_match(match_id)
    match, side = _match_and_side(event, match_id, entry)
    reason = clean_line(reason) if coming is ReplyChoice.CANNOT else ""
    if coming is not None:
        raise_faults(check_reply(coming, reason))
    previous_answer = CallAnswer.objects.filter(match=match, entry=entry).first()
    current_reply = _current_reply(previous_answer, match)
    new_reply = CallReply(coming, timezone.now(), reason) if coming is not None else None
    phone_number = authorize_device(event, entry, phone)
    if (new_reply is None and current_reply is None) or (
        new_reply is not None and new_reply.is_repeat_of(current_reply)
    ):
        return previous_answer if current_reply is not None else None
    row = None
    if new_reply is None and previous_answer is not None:
        previous_answer.delete()
    elif new_reply is not None:
        values = {"coming": new_reply.coming.value, "reason": new_reply.reason, "at": new_reply.at}
        row, _made = CallAnswer.objects.update_or_create(match=match, entry=entry, defaults=values)
    action = CallReplyGiven(
        by=Reporter.for_side(side), coming=new_reply.coming.value if new_reply else "", phone=phone_number
    )
    record_action(event, actor=actor, action=action, subject=match)
    return row


@durable
def dismiss_answer(*, actor: Actor, event_id: int, match_id: int, entry_id: str) -> None:
    """Delete the answer of the entry with public id ``entry_id``, for the staff. Idempotent."""
    event = lock_for_staff(actor, event_id)
    rows = CallAnswer.objects.select_related("match__stage")
    row = rows.filter(match=match_id, entry__public_id=entry_id, match__stage__division__event=event).first()
    if row is None:
        return
    side = MatchSlot.objects.filter(match=match_id, entry=row.entry_id).values_list("side", flat=True).first()
    row.delete()
    if side is not None:
        action = CallReplyDismissed(by=Reporter.for_side(Side(side)), coming=row.coming)
        record_action(event, actor=actor, action=action, subject=row.match)


def _match_and_side(event: Event, match_id: int, entry: Entry) -> tuple[Match, Side]:
    """Return the match and the side of ``entry`` in it.

    Raises ``Conflict`` if answers to the match are not accepted now, ``NotAllowed`` if the entry does not
    play in the match.
    """
    match = one_or_none(Match.objects.select_related("stage").filter(pk=match_id))
    if match is None:
        raise Missing("match.unknown")
    side = MatchSlot.objects.filter(match=match, entry=entry).values_list("side", flat=True).first()
    if side is None:
        raise NotAllowed("report.not_your_match")
    is_upcoming = match.status in NOT_STARTED and match.stage.status in STAGE_UNDER_WAY
    if event.status != EventStatus.RUNNING or not is_upcoming:
        raise Conflict("answer.too_late", present=current_match_state(match))
    return match, Side(side)


def _current_reply(row: CallAnswer | None, match: Match) -> CallReply | None:
    """Return the answer stored in ``row`` if it still counts for the match, else None."""
    if row is None or not row.reply.counts(MatchStatus(match.status), match.sent_back_at):
        return None
    return row.reply
