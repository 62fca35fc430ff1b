"""What two sides arrange between themselves, as shapes for the pages of both and of the desk."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from tournaments.engine.matches.arranging import Until
from tournaments.models import Entry, Event, Match
from tournaments.selectors.matches.arrangements import (
    NOTHING,
    Arranged,
    Message,
    arranged_in,
    arranged_of,
    last_messages,
    may_write,
    messages_of,
)
from tournaments.selectors.matches.player import MyMatch
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.words.names import day_and_time, day_words, weekday_and_time

EXCERPT = 160


def talk_shapes(entry: Entry, matches: Iterable[MyMatch]) -> Mapping[int, Shape]:
    """For the page of ``entry``, by database id: how far each of its matches by arrangement is; three queries, none where there is no such match."""
    event = entry.division.event
    asked = {one.match.pk: one for one in matches if one.match.stage.by_arrangement and may_write(one.match)}
    found, last = arranged_in(asked), last_messages(asked)
    return {
        pk: {
            **times_shape(found.get(pk, NOTHING), entry, event),
            "last": _excerpt(last.get(pk), entry, event),
        }
        for pk in asked
    }


def times_shape(found: Arranged, entry: Entry, event: Event) -> Shape:
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


def message_shapes(messages: Iterable[Message], event: Event, mine: int | None = None) -> list[Shape]:
    """Messages for a page; ``mine``: the entry whose page it is."""
    return [
        {
            "id": one.public_id,
            "name": one.name,
            "mine": one.entry == mine,
            "text": one.text,
            "when": day_and_time(one.at, event),
        }
        for one in messages
    ]


def talk_for_desk(match: Match, event: Event, *, reads: bool) -> Shape | None:
    """For the match's page at the desk; ``reads``: a director, who reads what was reported. None where nothing was arranged."""
    found = arranged_of(match)
    if found is NOTHING:
        return None
    return {
        "agreed": weekday_and_time(found.agreed, event),
        "place": found.place,
        "offers": [weekday_and_time(one.at, event) for one in found.offers],
        "reported": found.reported,
        "closed": found.closed,
        "messages": message_shapes(messages_of(match, for_director=True), event) if reads else [],
    }


def local_input(at: datetime, event: Event) -> str:
    """A moment as a field for day and time takes it, by the clock of the event."""
    return at.astimezone(ZoneInfo(event.timezone)).strftime("%Y-%m-%dT%H:%M")


def until_shape(until: Until) -> Shape:
    return {
        "day": day_words(until.day),
        "by_round": until.by_round,
        "last": f"{until.day.isoformat()}T23:59",
    }


def _excerpt(message: Message | None, entry: Entry, event: Event) -> Shape | None:
    """The last message, where it is the other side's."""
    if message is None or message.entry == entry.pk:
        return None
    text = " ".join(message.text.split())
    short = text if len(text) <= EXCERPT else f"{text[:EXCERPT].rstrip()}…"
    return {"name": message.name, "text": short, "when": day_and_time(message.at, event)}
