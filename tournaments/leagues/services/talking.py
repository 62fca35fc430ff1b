"""Messages between the two sides of a match by arrangement, sent through the site without addresses.

A message does not change the event: no new version, no entry in the audit log. A director reads only what was
written before a side reported it, and can close and reopen the conversation.
"""

from django.utils import timezone

from faults import Conflict, Invalid, Missing, raise_faults
from people.actors import Actor
from people.rows import one_or_none
from people.text import clean_paragraphs
from people.transactions import durable
from tournaments.engine.alerts import MessageReceived
from tournaments.engine.matches.arranging import MAX_MESSAGES_PER_DAY, check_message
from tournaments.engine.trail.arranging import MessagesReported, MessagesReviewed
from tournaments.leagues.services.arranging import LockedArrangement
from tournaments.models import Arrangement, Entry, Match, MatchMessage
from tournaments.notices.services.notifying import notify
from tournaments.selectors.access.phones import NO_ORIGIN, RequestOrigin
from tournaments.selectors.matches.arrangements import count_messages_since, current_arrangements
from tournaments.store.claims import check_submission_key
from tournaments.store.lock import lock_for_director, record_action


@durable
def write_message(
    *, match_id: int, entry: Entry, text: str, submission_key: str, phone: RequestOrigin = NO_ORIGIN
) -> MatchMessage:
    """Send a message to the other side. Idempotent by ``submission_key``.

    Raises ``NotAllowed`` (403) for an entry that is not a side, ``Conflict`` (409) if a director has closed
    the conversation or the match is over, and ``Invalid`` (422) for an empty or too long text, or more than
    twenty messages of a side in a match and a day.
    """
    check_submission_key(submission_key)
    pair = LockedArrangement(match_id, entry, phone, times=False)
    row = pair.arrangement
    if row.pk is not None:
        existing = MatchMessage.objects.filter(
            arrangement=row, entry=entry, submission_key=submission_key
        ).first()
        if existing is not None:
            return existing
    if row.closed_at is not None:
        raise Conflict("message.closed", present={"closed": True})
    text = clean_paragraphs(text)
    raise_faults(check_message(text))
    if count_messages_since(entry, pair.match, pair.day_start) >= MAX_MESSAGES_PER_DAY:
        raise Invalid("message.often", field="text", limit=MAX_MESSAGES_PER_DAY)
    pair.keep()
    message = MatchMessage.objects.create(
        arrangement=row, entry=entry, text=text, at=pair.now, submission_key=submission_key
    )
    notify(pair.event, MessageReceived(match=pair.match.pk, message=message.pk), [pair.other])
    return message


@durable
def report_conversation(
    *, actor: Actor, match_id: int, entry: Entry, phone: RequestOrigin = NO_ORIGIN
) -> Arrangement:
    """Ask a director to read the messages written so far.

    Repeating this before a director has read them changes nothing. Raises ``Conflict`` (409) without
    messages.
    """
    pair = LockedArrangement(match_id, entry, phone, times=False)
    row = pair.arrangement
    last = MatchMessage.objects.filter(arrangement=row).last() if row.pk else None
    if last is None:
        raise Conflict("message.none", present={"messages": 0})
    if row.reported_at is not None and row.settled_at is None and last.at <= row.reported_at:
        return row
    row.reported_at, row.reported_by, row.settled_at = pair.now, entry, None
    pair.keep()
    record_action(
        pair.event, actor=actor, action=MessagesReported(by=pair.by, phone=pair.phone), subject=pair.match
    )
    return row


@durable
def settle_conversation(*, actor: Actor, event_id: int, match_id: int, closed: bool) -> None:
    """Record that a director has dealt with a reported conversation. Idempotent.

    ``closed``: no further messages are accepted.
    """
    event = lock_for_director(actor, event_id)
    match = one_or_none(Match.objects.filter(pk=match_id, stage__division__event=event))
    if match is None:
        raise Missing("match.unknown")
    row = current_arrangements().filter(match=match).first()
    if row is None or row.reported_at is None:
        raise Conflict("message.not_reported", present=match)
    if row.settled_at is not None and (row.closed_at is not None) is closed:
        return
    now = timezone.now()
    row.settled_at = row.changed_at = now
    row.closed_at = (row.closed_at or now) if closed else None
    row.save()
    record_action(event, actor=actor, action=MessagesReviewed(closed=closed), subject=match)
