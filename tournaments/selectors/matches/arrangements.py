"""What two sides have arranged between themselves, and what they wrote, as whoever reads it may see it.

It counts for as long as these two stand in the match: who was replaced, or put out of it by a correction, has nothing more to do with it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F, Q, QuerySet

from tournaments.engine.matches.arranging import ArrangementDeadline
from tournaments.engine.statuses import AWAITING_RESULT, PLAYABLE, STAGE_UNDER_WAY, EventStatus
from tournaments.engine.types import Side
from tournaments.models import Arrangement, Entry, Event, Match, MatchMessage, MatchSlot, OfferedTime
from tournaments.selectors.access.links import last_link_day

MAX_MESSAGES: Final = 200  # messages of a match at most, the newest


@dataclass(frozen=True, slots=True)
class TimeOffer:
    """A time that is offered."""

    number: int
    at: datetime
    place: str


@dataclass(frozen=True, slots=True)
class Message:
    """A message. ``entry``: the database id of whoever wrote it."""

    public_id: str
    entry: int
    entry_public_id: str
    name: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ArrangementState:
    """What stands between the two. ``agreed``: when they play; ``offers``: the times that ``offered_by`` (an entry) offers.

    ``version`` is 0 where nothing was ever said of times. ``reported``: a director was asked to read what was written, and has not seen to it.
    """

    version: int = 0
    agreed: datetime | None = None
    place: str = ""
    offers: tuple[TimeOffer, ...] = ()
    offered_by: int | None = None
    closed: bool = False
    reported: bool = False
    reported_by: int | None = None
    changed: datetime | None = None


NO_ARRANGEMENT: Final = ArrangementState()


def current_arrangements() -> QuerySet[Arrangement]:
    """Of those who stand in their match now."""
    return Arrangement.objects.filter(match__slots__entry=F("first")).filter(match__slots__entry=F("second"))


def arrangements_by_match(matches: Collection[int]) -> Mapping[int, ArrangementState]:
    """What stands in these matches, by database id; two queries at most."""
    if not matches:
        return {}
    rows = list(current_arrangements().filter(match__in=matches))
    offers: dict[int, list[OfferedTime]] = {}
    for one in OfferedTime.objects.filter(arrangement__in=rows).order_by("number") if rows else ():
        offers.setdefault(one.arrangement_id, []).append(one)
    return {row.match_id: _arrangement_state(row, offers.get(row.pk, [])) for row in rows}


def _arrangement_state(row: Arrangement, offers: list[OfferedTime]) -> ArrangementState:
    return ArrangementState(
        version=row.version,
        agreed=row.starts_at if row.is_agreed else None,
        place=row.place if row.is_agreed else "",
        offers=tuple(TimeOffer(one.number, one.starts_at, one.place) for one in offers),
        offered_by=offers[0].entry_id if offers else None,
        closed=row.closed_at is not None,
        reported=row.reported_at is not None and row.settled_at is None,
        reported_by=row.reported_by_id,
        changed=row.changed_at,
    )


def arrangement_of_match(match: Match) -> ArrangementState:
    """What stands in one match."""
    return arrangements_by_match([match.pk]).get(match.pk, NO_ARRANGEMENT)


def match_messages(match: Match, *, for_director: bool = False) -> list[Message]:
    """What the two wrote, the oldest first. A director reads what was written until one of them reported it, and nothing where nobody did."""
    rows = MatchMessage.objects.filter(arrangement__in=current_arrangements().filter(match=match))
    if for_director:
        rows = rows.filter(at__lte=F("arrangement__reported_at"))
    rows = rows.select_related("entry").order_by("-at", "-pk")[:MAX_MESSAGES]
    return [_message(row) for row in reversed(rows)]


def _message(row: MatchMessage) -> Message:
    return Message(row.public_id, row.entry_id, row.entry.public_id, row.entry.name, row.text, row.at)


def last_messages(matches: Collection[int]) -> Mapping[int, Message]:
    """The last message of each of these matches, by database id; one query."""
    found: dict[int, Message] = {}
    if not matches:
        return found
    talks = current_arrangements().filter(match__in=matches)
    rows = MatchMessage.objects.filter(arrangement__in=talks).exclude(arrangement__messages__pk__gt=F("pk"))
    for row in rows.select_related("entry", "arrangement"):
        found[row.arrangement.match_id] = _message(row)
    return found


def agreed_times(event: Event) -> Mapping[int, datetime]:
    """When matches of ``event`` that can be played are to begin as their two sides agreed, by database id; one query."""
    rows = current_arrangements().filter(
        match__stage__division__event=event, match__status__in=AWAITING_RESULT, is_agreed=True
    )
    return {match: at for match, at in rows.order_by().values_list("match_id", "starts_at") if at is not None}


def reported_matches(event: Event) -> list[Match]:
    """The matches of ``event`` whose messages a director was asked to read, and has not seen to; the oldest first."""
    rows = current_arrangements().filter(match__stage__division__event=event, settled_at=None)
    rows = rows.exclude(reported_at=None).select_related("match").order_by("reported_at")
    return [row.match for row in rows]


def is_self_arranged(match: Match) -> bool:
    """Whether the two find a time themselves, and nobody has given them a table."""
    return match.stage.by_arrangement and match.table is None


def can_arrange(match: Match) -> bool:
    """Whether times can be offered and agreed to now; ``match`` with stage, division and event."""
    return can_write_messages(match) and match.status in PLAYABLE


def can_write_messages(match: Match) -> bool:
    """Whether the two may write to each other now: until a result stands."""
    event = match.stage.division.event
    going_on = event.status == EventStatus.RUNNING and match.stage.status in STAGE_UNDER_WAY
    return going_on and is_self_arranged(match) and match.status in AWAITING_RESULT


def arrangement_deadline(match: Match, event: Event) -> ArrangementDeadline:
    """Until when the two may agree to play without asking anybody."""
    deadline = match.round.deadline
    return (
        ArrangementDeadline(deadline, by_round=True)
        if deadline is not None
        else ArrangementDeadline(last_link_day(event), by_round=False)
    )


def side_by_entry(match: Match) -> Mapping[int, Side]:
    """The entries of a match, by database id; one query."""
    slots = MatchSlot.objects.filter(match=match).exclude(entry=None).order_by("side")
    return {entry: Side(side) for entry, side in slots.values_list("entry_id", "side") if entry is not None}


def count_messages_since(entry: Entry, match: Match, since: datetime) -> int:
    """How many messages ``entry`` wrote in ``match`` since then."""
    return MatchMessage.objects.filter(entry=entry, arrangement__match=match, at__gte=since).count()


@dataclass(frozen=True, slots=True)
class AgreedMatch:
    """A match that two agreed to play at ``at`` soon."""

    event: int
    match: int
    at: datetime


def agreed_matches_soon(now: datetime, before: timedelta) -> list[AgreedMatch]:
    """Matches of running events that begin within this time as agreed, and were agreed on earlier than that."""
    rows = current_arrangements().filter(
        is_agreed=True,
        starts_at__gt=now,
        starts_at__lte=now + before,
        agreed_at__lte=F("starts_at") - before,
        match__status__in=PLAYABLE,
        match__stage__status__in=STAGE_UNDER_WAY,
        match__stage__division__event__status=EventStatus.RUNNING,
    )
    found = rows.order_by("pk").values_list("match__stage__division__event", "match_id", "starts_at")
    return [AgreedMatch(event, match, at) for event, match, at in found if at is not None]


def arrangements_of_entries(entries: Collection[int]) -> QuerySet[Arrangement]:
    """All that these entries ever arranged, whoever stands in the match now."""
    return Arrangement.objects.filter(Q(first__in=entries) | Q(second__in=entries))
