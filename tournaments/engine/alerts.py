"""What single people are told when it concerns them: each kind as one value, with how soon it is worth nothing. PURE.

A kind is its class here and its line in `KINDS`, and its words in `tournaments/shared/words/alerts`. Where it follows from a kind of action,
`tournaments/store/notifying` says from which; what follows from no action is told by `tournaments/notices/services/notifying.notify`.
What a value holds are ids and codes alone: names are read when it is sent, by whoever they are for then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import ClassVar, Final

from tournaments.engine.types import Side


class Way(StrEnum):
    """How somebody is told who has no page open."""

    PUSH = "push"
    MAIL = "mail"


class Whom(StrEnum):
    """Whose matter it is: `SIDES` of its match, the `OTHER` side of it, who plays in its `STAGE`, who is in its `DIVISION` (all of the
    event where it names none), or the `ENTRIES` that are named when it is told.
    """

    SIDES = "sides"
    OTHER = "other"
    STAGE = "stage"
    DIVISION = "division"
    ENTRIES = "entries"


class Quiet(StrEnum):
    """What becomes of it in somebody's quiet hours: it comes all the same, waits until they are over, or falls away."""

    COMES = "comes"
    WAITS = "waits"
    FALLS = "falls"


PUSH_ALONE: Final = frozenset({Way.PUSH})
EVERY_WAY: Final = frozenset(Way)
QUIET_FROM: Final = time(23)
QUIET_UNTIL: Final = time(7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """What somebody is told. ``kind``: its code; ``lasts``: after that nobody needs it any more; ``usual``: the ways of whoever has chosen none.

    Its fields are the keys of the JSON that is kept of it. What has the same ``topic`` takes the place of what came before.
    """

    kind: ClassVar[str]
    whom: ClassVar[Whom]
    lasts: ClassVar[timedelta]
    quiet: ClassVar[Quiet] = Quiet.WAITS
    usual: ClassVar[frozenset[Way]] = PUSH_ALONE

    @property
    def topic(self) -> str:
        """At most 20 characters of letters, digits and ``-``; the entry is added for each."""
        return self.kind.replace("_", "-")


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutMatch(Alert):
    """About one match (its database id): whatever is told of it later takes the place of it."""

    match: int

    @property
    def topic(self) -> str:
        return f"match-{self.match}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCalled(AboutMatch):
    """Go to this table and play; none where the hall has no numbers."""

    kind: ClassVar[str] = "called"
    whom: ClassVar[Whom] = Whom.SIDES
    lasts: ClassVar[timedelta] = timedelta(minutes=15)
    quiet: ClassVar[Quiet] = Quiet.COMES
    table: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchNear(AboutMatch):
    """The match is expected to begin at about this moment, in ISO form: the word before the call."""

    kind: ClassVar[str] = "near"
    whom: ClassVar[Whom] = Whom.ENTRIES
    lasts: ClassVar[timedelta] = timedelta(minutes=15)
    quiet: ClassVar[Quiet] = Quiet.COMES
    begins: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTakenBack(AboutMatch):
    """The match was called and waits again."""

    kind: ClassVar[str] = "call_taken_back"
    whom: ClassVar[Whom] = Whom.SIDES
    lasts: ClassVar[timedelta] = timedelta(minutes=15)
    quiet: ClassVar[Quiet] = Quiet.COMES


@dataclass(frozen=True, slots=True, kw_only=True)
class ToConfirm(AboutMatch):
    """The other side has said how it ended, in the report of this version, and waits for a yes."""

    kind: ClassVar[str] = "to_confirm"
    whom: ClassVar[Whom] = Whom.OTHER
    lasts: ClassVar[timedelta] = timedelta(hours=24)
    side: Side
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultDisputed(AboutMatch):
    """The two sides say different things, the last one in the report of this version."""

    kind: ClassVar[str] = "disputed"
    whom: ClassVar[Whom] = Whom.SIDES
    lasts: ClassVar[timedelta] = timedelta(hours=6)
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlineNear(AboutMatch):
    """The last day of a match that is played by arrangement, in ISO form, is near."""

    kind: ClassVar[str] = "deadline_near"
    whom: ClassVar[Whom] = Whom.SIDES
    lasts: ClassVar[timedelta] = timedelta(hours=36)
    usual: ClassVar[frozenset[Way]] = EVERY_WAY
    day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutTimes(AboutMatch):
    """About when the two of a match by arrangement play: the last word of it takes the place of those before."""

    whom: ClassVar[Whom] = Whom.ENTRIES
    lasts: ClassVar[timedelta] = timedelta(days=3)
    usual: ClassVar[frozenset[Way]] = EVERY_WAY

    @property
    def topic(self) -> str:
        return f"time-{self.match}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesOffered(AboutTimes):
    """The other side offers times; ``version``: that of the arrangement."""

    kind: ClassVar[str] = "times_offered"
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesAnswered(AboutTimes):
    """The other side agreed, declined or called off: ``what``, a `TimeNews`."""

    kind: ClassVar[str] = "times_answered"
    what: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingNear(AboutTimes):
    """The day before the two play, as they agreed: at ``at``, in ISO form."""

    kind: ClassVar[str] = "meeting_near"
    whom: ClassVar[Whom] = Whom.SIDES
    lasts: ClassVar[timedelta] = timedelta(hours=20)
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Written(AboutMatch):
    """The other side has written: the message of this id. What it says stands on the page alone."""

    kind: ClassVar[str] = "written"
    whom: ClassVar[Whom] = Whom.ENTRIES
    lasts: ClassVar[timedelta] = timedelta(days=3)
    usual: ClassVar[frozenset[Way]] = EVERY_WAY
    message: int

    @property
    def topic(self) -> str:
        return f"talk-{self.match}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawShown(Alert):
    """The draw of a stage is there for everybody."""

    kind: ClassVar[str] = "drawn"
    whom: ClassVar[Whom] = Whom.STAGE
    lasts: ClassVar[timedelta] = timedelta(hours=24)
    usual: ClassVar[frozenset[Way]] = EVERY_WAY
    stage: int

    @property
    def topic(self) -> str:
        return f"stage-{self.stage}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundShown(Alert):
    """The pairs of a round are there for everybody."""

    kind: ClassVar[str] = "paired"
    whom: ClassVar[Whom] = Whom.STAGE
    lasts: ClassVar[timedelta] = timedelta(hours=6)
    stage: int
    round: int

    @property
    def topic(self) -> str:
        return f"stage-{self.stage}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventChanged(Alert):
    """Start or place is another one, or the event is on again: ``what``, codes out of `WHAT_CHANGED`."""

    kind: ClassVar[str] = "event_changed"
    whom: ClassVar[Whom] = Whom.DIVISION
    lasts: ClassVar[timedelta] = timedelta(days=3)
    usual: ClassVar[frozenset[Way]] = EVERY_WAY
    what: tuple[str, ...]

    @property
    def topic(self) -> str:
        return "event"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOff(Alert):
    """The event is called off."""

    kind: ClassVar[str] = "called_off"
    whom: ClassVar[Whom] = Whom.DIVISION
    lasts: ClassVar[timedelta] = timedelta(days=7)
    usual: ClassVar[frozenset[Way]] = EVERY_WAY

    @property
    def topic(self) -> str:
        return "event"


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced(Alert):
    """A director announces something: the notice of this id, of that version."""

    kind: ClassVar[str] = "announced"
    whom: ClassVar[Whom] = Whom.DIVISION
    lasts: ClassVar[timedelta] = timedelta(hours=3)
    notice: int
    version: int
    division: int | None = None

    @property
    def topic(self) -> str:
        return f"notice-{self.notice}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedUp(Alert):
    """A place became free: whoever waited takes part."""

    kind: ClassVar[str] = "moved_up"
    whom: ClassVar[Whom] = Whom.ENTRIES
    lasts: ClassVar[timedelta] = timedelta(days=7)
    usual: ClassVar[frozenset[Way]] = EVERY_WAY


RESTORED: Final = "restored"
WHAT_CHANGED: Final = ("starts_on", "ends_on", "opens_at", "place", "timezone", RESTORED)
# In the order in which choices list them.
_EVERY: Final = (
    MatchCalled,
    MatchNear,
    CallTakenBack,
    ToConfirm,
    ResultDisputed,
    DrawShown,
    RoundShown,
    Announced,
    EventChanged,
    EventOff,
    MovedUp,
    DeadlineNear,
    Written,
    TimesOffered,
    TimesAnswered,
    MeetingNear,
)
KINDS: Final[Mapping[str, type[Alert]]] = {one.kind: one for one in _EVERY}


def quiet_end(now: datetime, begins: time, ends: time) -> datetime | None:
    """When the quiet hours end in which ``now``, a moment by the clock of whoever is told, lies. They may pass midnight, and there are none
    where they begin as they end. None outside of them.

    >>> quiet_end(datetime(2026, 12, 3, 23, 30), time(23), time(7))
    datetime.datetime(2026, 12, 4, 7, 0)
    >>> quiet_end(datetime(2026, 12, 3, 12, 0), time(23), time(7)) is None
    True
    """
    at = now.time()
    inside = begins <= at < ends if begins <= ends else at >= begins or at < ends
    if not inside:
        return None
    end = now.replace(hour=ends.hour, minute=ends.minute, second=0, microsecond=0)
    return end if end > now else end + timedelta(days=1)
