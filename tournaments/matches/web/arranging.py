"""Contexts of arranged matches for the pages of both sides and of the staff."""

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
    """Return the arrangement of each of the entry's matches by arrangement, by database id.

    Three queries; none if there is no such match.
    """
    event = entry.division.event
    asked = {
        one.match.pk: one
        for one in matches
        if one.match.stage.by_arrangement and can_write_messages(one.match)
    }
    found, last = arrangements_by_match(asked), last_messages(asked)
    return {
        pk: {
            **times_context(found.get(pk, NO_ARRANGEMENT), entry, event),
            "last": _excerpt(last.get(pk), entry, event),
        }
        for pk in asked
    }


def times_context(found: ArrangementState, entry: Entry, event: Event) -> Context:
    """Return the agreed and the offered times, from the view of ``entry``."""
    return {
        "version": found.version,
        "agreed": weekday_and_time(found.agreed, event),
        "agreed_iso": found.agreed.isoformat(timespec="minutes") if found.agreed is not None else "",
        "place": found.place,
        "offers": [
            {"number": one.number, "when": weekday_and_time(one.at, event), "place": one.place}
            for one in found.offers
        ],
        "own_offers": found.offered_by == entry.pk,
        "closed": found.closed,
        "reported": found.reported,
        "reported_here": found.reported and found.reported_by == entry.pk,
    }


def message_contexts(messages: Iterable[Message], event: Event, mine: int | None = None) -> list[Context]:
    """Return messages for a page; ``mine``: the entry whose page it is."""
    return [
        {
            "id": one.public_id,
            "name": one.name,
            "mine": one.entry == mine,
            "text": one.text,
            "when": date_and_time(one.at, event),
        }
        for one in messages
    ]


def conversation_context(match: Match, event: Event, *, reads: bool) -> Context | None:
    """Return the conversation for the staff's page of the match; None if nothing was arranged.

    ``reads``: the reader is a director, who may read reported messages.
    """
    found = arrangement_of_match(match)
    if found is NO_ARRANGEMENT:
        return None
    return {
        "agreed": weekday_and_time(found.agreed, event),
        "place": found.place,
        "offers": [weekday_and_time(one.at, event) for one in found.offers],
        "reported": found.reported,
        "closed": found.closed,
        "messages": message_contexts(match_messages(match, for_director=True), event) if reads else [],
    }


def datetime_input_value(at: datetime, event: Event) -> str:
    """Return a time as the value of a date and time field, in the event's time zone."""
    return at.astimezone(ZoneInfo(event.timezone)).strftime("%Y-%m-%dT%H:%M")


def until_context(until: ArrangementDeadline) -> Context:
    return {
        "day": date_label(until.day),
        "by_round": until.by_round,
        "last": f"{until.day.isoformat()}T23:59",
    }


def _excerpt(message: Message | None, entry: Entry, event: Event) -> Context | None:
    """Return the last message if it is the other side's."""
    if message is None or message.entry == entry.pk:
        return None
    text = " ".join(message.text.split())
    short = text if len(text) <= EXCERPT_LENGTH else f"{text[:EXCERPT_LENGTH].rstrip()}…"
    return {"name": message.name, "text": short, "when": date_and_time(message.at, event)}
