"""What the two sides of a match by arrangement settle between themselves: when they play, and what they write to each other. PURE.

A time is offered by one side and agreed to by the other. It is a promise of the two and no rule of the stage: only the round's last day closes a
match, and only a director moves that.
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
    """What became of times that were offered."""

    AGREED = "agreed"
    DECLINED = "declined"
    CALLED_OFF = "called_off"


@dataclass(frozen=True, slots=True)
class TimeProposal:
    """A time as it is asked for: by the clock of the event, or a moment with a zone of its own. ``place``: one line, may be empty."""

    at: datetime
    place: str = ""


@dataclass(frozen=True, slots=True)
class ArrangementDeadline:
    """The last ``day`` on which the two may agree to play: that of the round, or (``by_round`` false) of the event and its links."""

    day: date
    by_round: bool


def local_to_utc(local: datetime, zone: ZoneInfo) -> datetime | None:
    """The moment, in UTC, at which clocks of ``zone`` show ``local``; the earlier one where they show it twice, None where they leave it out.

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
    """The same proposals as moments in UTC, the first one first; raises ``BadInput`` with everything that is wrong, by the field ``time_1``, ``place_1`` …

    Refused: none or too many, the same one twice, one that is over, one after the last day, one that no clock shows, a long place.
    """
    if not proposals:
        raise BadInput(faults=[Fault("times.none", "time_1")])
    if len(proposals) > MAX_TIMES:
        raise BadInput(faults=[Fault("times.many", f"time_{MAX_TIMES + 1}", {"limit": MAX_TIMES})])
    found: list[TimeProposal] = []
    faults: list[Fault] = []
    for number, proposal in enumerate(proposals, start=1):
        field = f"time_{number}"
        try:
            at = local_to_utc(proposal.at, zone)
            day = at.astimezone(zone).date() if at is not None else None
        except (OverflowError, ValueError):  # the first and the last year that computers know
            faults.append(Fault("times.odd", field))
            continue
        if at is None or day is None:
            faults.append(Fault("times.left_out", field, {"zone": zone.key}))
        elif at <= now:
            faults.append(Fault("times.over", field))
        elif day > until.day:
            code = "times.after_round" if until.by_round else "times.after_event"
            faults.append(Fault(code, field, {"day": until.day}))
        elif at in {one.at for one in found}:
            faults.append(Fault("times.twice", field))
        else:
            found.append(TimeProposal(at, proposal.place))
        if len(proposal.place) > MAX_PLACE_LENGTH:
            faults.append(Fault("times.place_long", f"place_{number}", {"limit": MAX_PLACE_LENGTH}))
    if faults:
        raise BadInput(faults=faults)
    return tuple(sorted(found, key=lambda one: one.at))


def check_message(text: str) -> tuple[Fault, ...]:
    """What is wrong with a message, which is plain text.

    >>> [fault.code for fault in check_message("")]
    ['message.empty']
    """
    if not text:
        return (Fault("message.empty", "text"),)
    if len(text) > MAX_TEXT_LENGTH:
        return (Fault("message.long", "text", {"limit": MAX_TEXT_LENGTH, "count": len(text)}),)
    return ()
