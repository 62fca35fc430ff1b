"""Arrangements and messages between the two sides of a match, as the reader may see them.

An arrangement counts while both entries are in the match; an entry that a correction replaced no longer has
access.
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
    """An offered time for a match. ``number``: 1 to 3, in the order of preference."""

    number: int
    at: datetime
    place: str


@dataclass(frozen=True, slots=True)
class Message:
    """A message between the sides of a match. ``entry``: the id of the entry that wrote it."""

    public_id: str
    entry: int
    entry_public_id: str
    name: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ArrangementState:
    """What the two sides of a match have agreed so far.

    ``version``: 0 before any offer; ``agreed``: when they play, or None; ``offers``: times offered by the
    entry ``offered_by``; ``has_reported_messages``: messages were reported to a director who has not settled
    it yet.
    """

    version: int = 0
    agreed: datetime | None = None
    place: str = ""
    offers: tuple[TimeOffer, ...] = ()
    offered_by: int | None = None
    closed: bool = False
    has_reported_messages: bool = False
    reported_by: int | None = None
    changed: datetime | None = None


NO_ARRANGEMENT: Final = ArrangementState()


def current_arrangements() -> QuerySet[Arrangement]:
    """Return the arrangements whose two entries are both still in the match."""
    return Arrangement.objects.filter(match__slots__entry=F("first")).filter(match__slots__entry=F("second"))


def arrangements_by_match(matches: Collection[int]) -> Mapping[int, ArrangementState]:
    """Return the arrangements of these matches, keyed by match id; at most two queries."""
    if not matches:
        return {}
    rows = list(current_arrangements().filter(match__in=matches))
    offers: dict[int, list[OfferedTime]] = {}
    for offer in OfferedTime.objects.filter(arrangement__in=rows).order_by("number") if rows else ():
        offers.setdefault(offer.arrangement_id, []).append(offer)
    return {row.match_id: _arrangement_state(row, offers.get(row.pk, [])) for row in rows}


def _arrangement_state(row: Arrangement, offers: list[OfferedTime]) -> ArrangementState:
    return ArrangementState(
        version=row.version,
        agreed=row.starts_at if row.is_agreed else None,
        place=row.place if row.is_agreed else "",
        offers=tuple(TimeOffer(offer.number, offer.starts_at, offer.place) for offer in offers),
        offered_by=offers[0].entry_id if offers else None,
        closed=row.closed_at is not None,
        has_reported_messages=row.reported_at is not None and row.settled_at is None,
        reported_by=row.reported_by_id,
        changed=row.changed_at,
    )


def arrangement_of_match(match: Match) -> ArrangementState:
    """Return the arrangement of one match; ``NO_ARRANGEMENT`` if nothing was arranged."""
    return arrangements_by_match([match.pk]).get(match.pk, NO_ARRANGEMENT)


def match_messages(match: Match, *, for_director: bool = False) -> list[Message]:
    """Return the messages between the two sides, oldest first; at most the newest ``MAX_MESSAGES``.

    ``for_director``: only messages up to the time when they were reported, none without a report.
    """
    rows = MatchMessage.objects.filter(arrangement__in=current_arrangements().filter(match=match))
    if for_director:
        rows = rows.filter(at__lte=F("arrangement__reported_at"))
    rows = rows.select_related("entry").order_by("-at", "-pk")[:MAX_MESSAGES]
    return [_message(row) for row in reversed(rows)]


def _message(row: MatchMessage) -> Message:
    return Message(row.public_id, row.entry_id, row.entry.public_id, row.entry.name, row.text, row.at)


def last_messages(matches: Collection[int]) -> Mapping[int, Message]:
    """Return the last message of each of these matches, keyed by match id; one query."""
    message_by_match: dict[int, Message] = {}
    if not matches:
        return message_by_match
    arrangements = current_arrangements().filter(match__in=matches)
    rows = MatchMessage.objects.filter(arrangement__in=arrangements).exclude(
        arrangement__messages__pk__gt=F("pk")
    )
    for row in rows.select_related("entry", "arrangement"):
        message_by_match[row.arrangement.match_id] = _message(row)
    return message_by_match


def agreed_times(event: Event) -> Mapping[int, datetime]:
    """Return the agreed times of matches of ``event`` without a result, keyed by match id; one query."""
    rows = current_arrangements().filter(
        match__stage__division__event=event, match__status__in=AWAITING_RESULT, is_agreed=True
    )
    return {match: at for match, at in rows.order_by().values_list("match_id", "starts_at") if at is not None}


def reported_matches(event: Event) -> list[Match]:
    """Return the matches of ``event`` whose messages were reported and not settled, oldest report first."""
    rows = current_arrangements().filter(match__stage__division__event=event, settled_at=None)
    rows = rows.exclude(reported_at=None).select_related("match").order_by("reported_at")
    return [row.match for row in rows]


def is_self_arranged(match: Match) -> bool:
    """Return whether the two sides find a time themselves: the stage is by arrangement, no table assigned."""
    return match.stage.by_arrangement and match.table is None


def can_arrange(match: Match) -> bool:
    """Return whether times can be offered and agreed now; ``match`` needs stage, division and event."""
    return can_write_messages(match) and match.status in PLAYABLE


def can_write_messages(match: Match) -> bool:
    """Return whether the two sides may write to each other now, which they may until there is a result.

    ``match`` needs stage, division and event.
    """
    event = match.stage.division.event
    is_under_way = event.status == EventStatus.RUNNING and match.stage.status in STAGE_UNDER_WAY
    return is_under_way and is_self_arranged(match) and match.status in AWAITING_RESULT


def arrangement_deadline(match: Match, event: Event) -> ArrangementDeadline:
    """Return the last date on which the two sides may agree to play.

    It is the deadline of the round, or else the last date on which personal links work.
    """
    deadline = match.round.deadline
    return (
        ArrangementDeadline(deadline, is_round_deadline=True)
        if deadline is not None
        else ArrangementDeadline(last_link_day(event), is_round_deadline=False)
    )


def side_by_entry(match: Match) -> Mapping[int, Side]:
    """Return the sides of a match, keyed by entry id; one query."""
    slots = MatchSlot.objects.filter(match=match).exclude(entry=None).order_by("side")
    return {entry: Side(side) for entry, side in slots.values_list("entry_id", "side") if entry is not None}


def count_messages_since(entry: Entry, match: Match, since: datetime) -> int:
    """Return the number of messages that ``entry`` wrote about ``match`` since this time."""
    return MatchMessage.objects.filter(entry=entry, arrangement__match=match, at__gte=since).count()


@dataclass(frozen=True, slots=True)
class AgreedMeeting:
    """A match that begins soon at an agreed time; ``event`` and ``match`` are ids."""

    event: int
    match: int
    at: datetime


def agreed_matches_soon(now: datetime, lead_time: timedelta) -> list[AgreedMeeting]:
    """Return the matches of running events whose agreed time is at most ``lead_time`` away.

    Matches whose time was agreed later than ``lead_time`` before it are left out.
    """
    rows = current_arrangements().filter(
        is_agreed=True,
        starts_at__gt=now,
        starts_at__lte=now + lead_time,
        agreed_at__lte=F("starts_at") - lead_time,
        match__status__in=PLAYABLE,
        match__stage__status__in=STAGE_UNDER_WAY,
        match__stage__division__event__status=EventStatus.RUNNING,
    )
    agreed_rows = rows.order_by("pk").values_list("match__stage__division__event", "match_id", "starts_at")
    return [AgreedMeeting(event, match, at) for event, match, at in agreed_rows if at is not None]


def arrangements_of_entries(entries: Collection[int]) -> QuerySet[Arrangement]:
    """Return all arrangements of these entries, also about matches that they are no longer in."""
    return Arrangement.objects.filter(Q(first__in=entries) | Q(second__in=entries))
