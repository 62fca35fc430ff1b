"""Two sides of a match by arrangement write to each other through the site: neither sees an address of the other.

A message is no change of the event: no version of it, no row in its trail. A director reads what was written until a side reported it, and nothing else;
they may close it, and open it again.
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
from tournaments.selectors.access.phones import NO_PHONE, Phone
from tournaments.selectors.matches.arrangements import count_messages_since, current_arrangements
from tournaments.store.claims import check_submission_key
from tournaments.store.lock import lock_for_director, record_action


@durable
def write_message(
    *, match_id: int, entry: Entry, text: str, submission_key: str, phone: Phone = NO_PHONE
) -> MatchMessage:
    """Write to the other side. The same key again is the message that was written with it.

    Refused: who is no side (403); a conversation that a director has closed, a match that is over (409); nothing, or too much, or more than
    twenty messages of a side in a match and a day (422).
    """
    check_submission_key(submission_key)
    pair = LockedArrangement(match_id, entry, phone, times=False)
    row = pair.arrangement
    if row.pk is not None:
        known = MatchMessage.objects.filter(
            arrangement=row, entry=entry, submission_key=submission_key
        ).first()
        if known is not None:
            return known
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
def report_conversation(*, actor: Actor, match_id: int, entry: Entry, phone: Phone = NO_PHONE) -> Arrangement:
    """Ask a director to read what was written so far. Twice before they have seen to it is once. Refused (409): nothing was written."""
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
    """A director has seen to what was reported; ``closed``: nobody writes any more, else they may. As it is already: nothing happens."""
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
