"""Arrangements between the two sides of a match: times to play, and messages.

One side offers times, the other accepts one. An agreed time binds only the two players: a match ends at the
last day of its round, and only a director changes that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from faults import Fault
from tournaments.engine.errors import BadInput

MAX_TIMES: Final = 3
MAX_OFFERS_PER_DAY: Final = 10  # of one side in one match
MAX_MESSAGES_PER_DAY: Final = 20
MAX_PLACE_LENGTH: Final = 120  # characters
MAX_TEXT_LENGTH: Final = 1000


class ProposalOutcome(StrEnum):
    """What the other side did with the offered times, or either side with the agreed time."""

    AGREED = "agreed"
    DECLINED = "declined"
    CALLED_OFF = "called_off"


@dataclass(frozen=True, slots=True)
class TimeProposal:
    """A time that one side proposes for the match.

    ``at``: the local time of the event, or a time with its own zone; ``place``: where, on one line; may be
    empty.
    """

    at: datetime
    place: str = ""


@dataclass(frozen=True, slots=True)
class ArrangementDeadline:
    """The last day on which a match can be played.

    ``is_round_deadline``: True for the last day of the round, False for that of the event, when personal
    links end too.
    """

    day: date
    is_round_deadline: bool


def local_to_utc(local: datetime, zone: ZoneInfo) -> datetime | None:
    """Return the moment, in UTC, at which clocks in ``zone`` show ``local``.

    The earlier moment if clocks show that time twice, None if they skip it. A time with a zone of its own is
    converted.

    >>> local_to_utc(datetime(2027, 3, 28, 2, 30), ZoneInfo("Europe/Berlin")) is None
    True
    >>> local_to_utc(datetime(2027, 3, 28, 3, 30), ZoneInfo("Europe/Berlin")).hour
    1
    """
    if local.tzinfo is not None:
        return local.astimezone(UTC)
    moment = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
    return moment if moment.astimezone(zone).replace(tzinfo=None, fold=0) == local.replace(fold=0) else None


def resolve_proposals(
    proposals: Sequence[TimeProposal], zone: ZoneInfo, now: datetime, until: ArrangementDeadline
) -> tuple[TimeProposal, ...]:
    """Return the proposals in UTC, earliest first.

    ``zone``: the zone of times without one; ``until``: the last day to play. Raises ``BadInput`` with all
    errors, each at its field (``time_1``, ``place_1`` …): none or too many times, a time twice, in the past,
    after the last day or skipped by the clock change, a place that is too long.
    """
    if not proposals:
        raise BadInput(faults=[Fault("times.none", "time_1")])
    if len(proposals) > MAX_TIMES:
        raise BadInput(faults=[Fault("times.many", f"time_{MAX_TIMES + 1}", {"limit": MAX_TIMES})])
    resolved: list[TimeProposal] = []
    faults: list[Fault] = []
    for number, proposal in enumerate(proposals, start=1):
        field = f"time_{number}"
        try:
            at = local_to_utc(proposal.at, zone)
            day = at.astimezone(zone).date() if at is not None else None
        except (OverflowError, ValueError):  # outside the range of datetime
            faults.append(Fault("times.odd", field))
            continue
        if at is None or day is None:
            faults.append(Fault("times.left_out", field, {"zone": zone.key}))
        elif at <= now:
            faults.append(Fault("times.over", field))
        elif day > until.day:
            code = "times.after_round" if until.is_round_deadline else "times.after_event"
            faults.append(Fault(code, field, {"day": until.day}))
        elif at in {item.at for item in resolved}:
            faults.append(Fault("times.twice", field))
        else:
            resolved.append(TimeProposal(at, proposal.place))
        if len(proposal.place) > MAX_PLACE_LENGTH:
            faults.append(Fault("times.place_long", f"place_{number}", {"limit": MAX_PLACE_LENGTH}))
    if faults:
        raise BadInput(faults=faults)
    return tuple(sorted(resolved, key=lambda item: item.at))


def check_message(text: str) -> tuple[Fault, ...]:
    """Return the errors of a message, which is plain text: none, or that it is empty or too long.

    >>> [fault.code for fault in check_message("")]
    ['message.empty']
    """
    if not text:
        return (Fault("message.empty", "text"),)
    if len(text) > MAX_TEXT_LENGTH:
        return (Fault("message.long", "text", {"limit": MAX_TEXT_LENGTH, "count": len(text)}),)
    return ()
