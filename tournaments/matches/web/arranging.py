"""Template contexts of matches whose times the players arrange, for the players' and the staff's pages."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from tournaments.engine.matches.arranging import ArrangementDeadline
from tournaments.models import Entry, Event, Match
from tournaments.selectors.matches.arrangements import (
    NO_ARRANGEMENT,
    ArrangementState,
    Message,
    arrangement_of_match,
    arrangements_by_match,
    can_write_messages,
    last_messages,
    match_messages,
)
from tournaments.selectors.matches.player import MyMatch
from tournaments.shared.fragments.cards import Context
from tournaments.shared.words.names import date_and_time, date_label, weekday_and_time

EXCERPT_LENGTH = 160


def arrangement_contexts(entry: Entry, matches: Iterable[MyMatch]) -> Mapping[int, Context]:
    """Return the times and the last message of each match that the players arrange, keyed by database id.

    Matches in which no messages can be written now are left out. Three queries; none if no match is left.
    """
    event = entry.division.event
    arranged_matches = {
        match.match.pk: match
        for match in matches
        if match.match.stage.by_arrangement and can_write_messages(match.match)
    }
    arrangements, latest = arrangements_by_match(arranged_matches), last_messages(arranged_matches)
    return {
        pk: {
            **times_context(arrangements.get(pk, NO_ARRANGEMENT), entry, event),
            "last": _excerpt(latest.get(pk), entry, event),
        }
        for pk in arranged_matches
    }


def times_context(arrangement: ArrangementState, entry: Entry, event: Event) -> Context:
    """Return the template context of the agreed and the offered times, from the view of ``entry``."""
    return {
        "version": arrangement.version,
        "agreed": weekday_and_time(arrangement.agreed, event),
        "agreed_iso": arrangement.agreed.isoformat(timespec="minutes")
        if arrangement.agreed is not None
        else "",
        "place": arrangement.place,
        "offers": [
            {"number": offer.number, "when": weekday_and_time(offer.at, event), "place": offer.place}
            for offer in arrangement.offers
        ],
        "own_offers": arrangement.offered_by == entry.pk,
        "closed": arrangement.closed,
        "reported": arrangement.has_reported_messages,
        "reported_here": arrangement.has_reported_messages and arrangement.reported_by == entry.pk,
    }


def message_contexts(
    messages: Iterable[Message], event: Event, own_entry_id: int | None = None
) -> list[Context]:
    """Return template contexts of the messages; ``own_entry_id``: the entry whose page it is."""
    return [
        {
            "id": message.public_id,
            "name": message.name,
            "mine": message.entry == own_entry_id,
            "text": message.text,
            "when": date_and_time(message.at, event),
        }
        for message in messages
    ]


def conversation_context(match: Match, event: Event, *, can_read: bool) -> Context | None:
    """Return the template context of times and messages for the staff's page; None if nothing was arranged.

    ``can_read``: True for directors, who may read the messages; others get no messages.
    """
    arrangement = arrangement_of_match(match)
    if arrangement is NO_ARRANGEMENT:
        return None
    return {
        "agreed": weekday_and_time(arrangement.agreed, event),
        "place": arrangement.place,
        "offers": [weekday_and_time(offer.at, event) for offer in arrangement.offers],
        "reported": arrangement.has_reported_messages,
        "closed": arrangement.closed,
        "messages": message_contexts(match_messages(match, for_director=True), event) if can_read else [],
    }


def datetime_input_value(at: datetime, event: Event) -> str:
    """Return a time as the value of an HTML date and time field, in the event's time zone."""
    return at.astimezone(ZoneInfo(event.timezone)).strftime("%Y-%m-%dT%H:%M")


def until_context(deadline: ArrangementDeadline) -> Context:
    return {
        "day": date_label(deadline.day),
        "by_round": deadline.is_round_deadline,
        "last": f"{deadline.day.isoformat()}T23:59",
    }


def _excerpt(message: Message | None, entry: Entry, event: Event) -> Context | None:
    """Return the template context with the beginning of the last message; None if ``entry`` wrote it."""
    if message is None or message.entry == entry.pk:
        return None
    text = " ".join(message.text.split())
    excerpt = text if len(text) <= EXCERPT_LENGTH else f"{text[:EXCERPT_LENGTH].rstrip()}…"
    return {"name": message.name, "text": excerpt, "when": date_and_time(message.at, event)}
