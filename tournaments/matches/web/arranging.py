"""What two sides arrange between themselves, as shapes for the pages of both and of the desk."""

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
    """For the page of ``entry``, by database id: how far each of its matches by arrangement is; three queries, none where there is no such match."""
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
    """When the two play, and what is offered by whom, seen from ``entry``."""
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
    """Messages for a page; ``mine``: the entry whose page it is."""
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
    """For the match's page at the desk; ``reads``: a director, who reads what was reported. None where nothing was arranged."""
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
    """A moment as a field for day and time takes it, by the clock of the event."""
    return at.astimezone(ZoneInfo(event.timezone)).strftime("%Y-%m-%dT%H:%M")


def until_context(until: ArrangementDeadline) -> Context:
    return {
        "day": date_label(until.day),
        "by_round": until.by_round,
        "last": f"{until.day.isoformat()}T23:59",
    }


def _excerpt(message: Message | None, entry: Entry, event: Event) -> Context | None:
    """The last message, where it is the other side's."""
    if message is None or message.entry == entry.pk:
        return None
    text = " ".join(message.text.split())
    short = text if len(text) <= EXCERPT_LENGTH else f"{text[:EXCERPT_LENGTH].rstrip()}…"
    return {"name": message.name, "text": short, "when": date_and_time(message.at, event)}
