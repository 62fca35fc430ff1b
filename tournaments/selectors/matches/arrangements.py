"""Arrangements and messages of the two sides of a match, as the reader may see them.

An arrangement counts while both entries are in the match; one replaced by a correction has no access any
more.
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
    """An offered time."""

    number: int
    at: datetime
    place: str


@dataclass(frozen=True, slots=True)
class Message:
    """A message. ``entry``: the database id of its author."""

    public_id: str
    entry: int
    entry_public_id: str
    name: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ArrangementState:
    """The state of an arrangement. ``agreed``: when they play; ``offers``: times offered by ``offered_by``.

    ``version`` is 0 before any offer. ``reported``: messages were reported to a director and are not dealt
    with.
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
    """Arrangements whose two entries are in the match now."""
    return Arrangement.objects.filter(match__slots__entry=F("first")).filter(match__slots__entry=F("second"))


def arrangements_by_match(matches: Collection[int]) -> Mapping[int, ArrangementState]:
    """Arrangements of these matches, by database id; two queries at most."""
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
        reported=row.reported_at is not None and row.settled_at is None,
        reported_by=row.reported_by_id,
        changed=row.changed_at,
    )


def arrangement_of_match(match: Match) -> ArrangementState:
    """The arrangement of one match."""
    return arrangements_by_match([match.pk]).get(match.pk, NO_ARRANGEMENT)


def match_messages(match: Match, *, for_director: bool = False) -> list[Message]:
    """Messages of the two sides, oldest first.

    A director reads those up to the report, and none without a report.
    """
    rows = MatchMessage.objects.filter(arrangement__in=current_arrangements().filter(match=match))
    if for_director:
        rows = rows.filter(at__lte=F("arrangement__reported_at"))
    rows = rows.select_related("entry").order_by("-at", "-pk")[:MAX_MESSAGES]
    return [_message(row) for row in reversed(rows)]


def _message(row: MatchMessage) -> Message:
    return Message(row.public_id, row.entry_id, row.entry.public_id, row.entry.name, row.text, row.at)


def last_messages(matches: Collection[int]) -> Mapping[int, Message]:
    """The last message of each of these matches, by database id; one query."""
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
    """Agreed times of open matches of ``event``, by match id; one query."""
    rows = current_arrangements().filter(
        match__stage__division__event=event, match__status__in=AWAITING_RESULT, is_agreed=True
    )
    return {match: at for match, at in rows.order_by().values_list("match_id", "starts_at") if at is not None}


def reported_matches(event: Event) -> list[Match]:
    """Matches of ``event`` with reported messages that are not dealt with, oldest report first."""
    rows = current_arrangements().filter(match__stage__division__event=event, settled_at=None)
    rows = rows.exclude(reported_at=None).select_related("match").order_by("reported_at")
    return [row.match for row in rows]


def is_self_arranged(match: Match) -> bool:
    """Return whether the two sides find a time themselves: by arrangement and without a table."""
    return match.stage.by_arrangement and match.table is None


def can_arrange(match: Match) -> bool:
    """Return whether times can be offered and agreed now; needs ``match`` with stage, division and event."""
    return can_write_messages(match) and match.status in PLAYABLE


def can_write_messages(match: Match) -> bool:
    """Return whether the two sides may write to each other now: until there is a result."""
    event = match.stage.division.event
    is_under_way = event.status == EventStatus.RUNNING and match.stage.status in STAGE_UNDER_WAY
    return is_under_way and is_self_arranged(match) and match.status in AWAITING_RESULT


def arrangement_deadline(match: Match, event: Event) -> ArrangementDeadline:
    """Until when the two sides may agree to play by themselves."""
    deadline = match.round.deadline
    return (
        ArrangementDeadline(deadline, by_round=True)
        if deadline is not None
        else ArrangementDeadline(last_link_day(event), by_round=False)
    )


def side_by_entry(match: Match) -> Mapping[int, Side]:
    """Sides by entry id of a match; one query."""
    slots = MatchSlot.objects.filter(match=match).exclude(entry=None).order_by("side")
    return {entry: Side(side) for entry, side in slots.values_list("entry_id", "side") if entry is not None}


def count_messages_since(entry: Entry, match: Match, since: datetime) -> int:
    """Number of messages that ``entry`` wrote in ``match`` since then."""
    return MatchMessage.objects.filter(entry=entry, arrangement__match=match, at__gte=since).count()


@dataclass(frozen=True, slots=True)
class AgreedMatch:
    """A match with an agreed time ``at`` soon."""

    event: int
    match: int
    at: datetime


def agreed_matches_soon(now: datetime, lead_time: timedelta) -> list[AgreedMatch]:
    """Matches of running events that begin within this time, and were agreed earlier than that."""
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
    return [AgreedMatch(event, match, at) for event, match, at in agreed_rows if at is not None]


def arrangements_of_entries(entries: Collection[int]) -> QuerySet[Arrangement]:
    """All arrangements of these entries, also in matches that they left."""
    return Arrangement.objects.filter(Q(first__in=entries) | Q(second__in=entries))
