"""What single people are told when it concerns them: each kind as one value, with how soon it is worth nothing. PURE.

A kind is its class here and its line in `ALERT_KINDS`, and its words in `tournaments/shared/words/alerts`. Where it follows from a kind of action,
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


class Channel(StrEnum):
    """How somebody is told who has no page open."""

    PUSH = "push"
    MAIL = "mail"


class Recipients(StrEnum):
    """Whose matter it is: `SIDES` of its match, the `OTHER` side of it, who plays in its `STAGE`, who is in its `DIVISION` (all of the
    event where it names none), or the `ENTRIES` that are named when it is told.
    """

    SIDES = "sides"
    OTHER = "other"
    STAGE = "stage"
    DIVISION = "division"
    ENTRIES = "entries"


class QuietHoursPolicy(StrEnum):
    """What becomes of it in somebody's quiet hours: it comes all the same, waits until they are over, or falls away."""

    SEND = "comes"
    DELAY = "waits"
    DROP = "falls"


PUSH_ONLY: Final = frozenset({Channel.PUSH})
ALL_CHANNELS: Final = frozenset(Channel)
QUIET_HOURS_START: Final = time(23)
QUIET_HOURS_END: Final = time(7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """What somebody is told. ``kind``: its code; ``lasts``: after that nobody needs it any more; ``usual``: the ways of whoever has chosen none.

    Its fields are the keys of the JSON that is kept of it. What has the same ``topic`` takes the place of what came before.
    """

    kind: ClassVar[str]
    recipients: ClassVar[Recipients]
    lasts: ClassVar[timedelta]
    quiet: ClassVar[QuietHoursPolicy] = QuietHoursPolicy.DELAY
    usual: ClassVar[frozenset[Channel]] = PUSH_ONLY

    @property
    def topic(self) -> str:
        """At most 20 characters of letters, digits and ``-``; the entry is added for each."""
        return self.kind.replace("_", "-")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchAlert(Alert):
    """About one match (its database id): whatever is told of it later takes the place of it."""

    match: int

    @property
    def topic(self) -> str:
        return f"match-{self.match}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCalled(MatchAlert):
    """Go to this table and play; none where the hall has no numbers."""

    kind: ClassVar[str] = "called"
    recipients: ClassVar[Recipients] = Recipients.SIDES
    lasts: ClassVar[timedelta] = timedelta(minutes=15)
    quiet: ClassVar[QuietHoursPolicy] = QuietHoursPolicy.SEND
    table: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchUpNext(MatchAlert):
    """The match is expected to begin at about this moment, in ISO form: the word before the call."""

    kind: ClassVar[str] = "near"
    recipients: ClassVar[Recipients] = Recipients.ENTRIES
    lasts: ClassVar[timedelta] = timedelta(minutes=15)
    quiet: ClassVar[QuietHoursPolicy] = QuietHoursPolicy.SEND
    begins: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCleared(MatchAlert):
    """The match was called and waits again."""

    kind: ClassVar[str] = "call_taken_back"
    recipients: ClassVar[Recipients] = Recipients.SIDES
    lasts: ClassVar[timedelta] = timedelta(minutes=15)
    quiet: ClassVar[QuietHoursPolicy] = QuietHoursPolicy.SEND


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultToConfirm(MatchAlert):
    """The other side has said how it ended, in the report of this version, and waits for a yes."""

    kind: ClassVar[str] = "to_confirm"
    recipients: ClassVar[Recipients] = Recipients.OTHER
    lasts: ClassVar[timedelta] = timedelta(hours=24)
    side: Side
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultDisputed(MatchAlert):
    """The two sides say different things, the last one in the report of this version."""

    kind: ClassVar[str] = "disputed"
    recipients: ClassVar[Recipients] = Recipients.SIDES
    lasts: ClassVar[timedelta] = timedelta(hours=6)
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlineNear(MatchAlert):
    """The last day of a match that is played by arrangement, in ISO form, is near."""

    kind: ClassVar[str] = "deadline_near"
    recipients: ClassVar[Recipients] = Recipients.SIDES
    lasts: ClassVar[timedelta] = timedelta(hours=36)
    usual: ClassVar[frozenset[Channel]] = ALL_CHANNELS
    day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrangedTimeAlert(MatchAlert):
    """About when the two of a match by arrangement play: the last word of it takes the place of those before."""

    recipients: ClassVar[Recipients] = Recipients.ENTRIES
    lasts: ClassVar[timedelta] = timedelta(days=3)
    usual: ClassVar[frozenset[Channel]] = ALL_CHANNELS

    @property
    def topic(self) -> str:
        return f"time-{self.match}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesOffered(ArrangedTimeAlert):
    """The other side offers times; ``version``: that of the arrangement."""

    kind: ClassVar[str] = "times_offered"
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesAnswered(ArrangedTimeAlert):
    """The other side agreed, declined or called off: ``what``, a `ProposalOutcome`."""

    kind: ClassVar[str] = "times_answered"
    what: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreedTimeNear(ArrangedTimeAlert):
    """The day before the two play, as they agreed: at ``at``, in ISO form."""

    kind: ClassVar[str] = "meeting_near"
    recipients: ClassVar[Recipients] = Recipients.SIDES
    lasts: ClassVar[timedelta] = timedelta(hours=20)
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageReceived(MatchAlert):
    """The other side has written: the message of this id. What it says stands on the page alone."""

    kind: ClassVar[str] = "written"
    recipients: ClassVar[Recipients] = Recipients.ENTRIES
    lasts: ClassVar[timedelta] = timedelta(days=3)
    usual: ClassVar[frozenset[Channel]] = ALL_CHANNELS
    message: int

    @property
    def topic(self) -> str:
        return f"talk-{self.match}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawPublished(Alert):
    """The draw of a stage is there for everybody."""

    kind: ClassVar[str] = "drawn"
    recipients: ClassVar[Recipients] = Recipients.STAGE
    lasts: ClassVar[timedelta] = timedelta(hours=24)
    usual: ClassVar[frozenset[Channel]] = ALL_CHANNELS
    stage: int

    @property
    def topic(self) -> str:
        return f"stage-{self.stage}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPublished(Alert):
    """The pairs of a round are there for everybody."""

    kind: ClassVar[str] = "paired"
    recipients: ClassVar[Recipients] = Recipients.STAGE
    lasts: ClassVar[timedelta] = timedelta(hours=6)
    stage: int
    round: int

    @property
    def topic(self) -> str:
        return f"stage-{self.stage}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventChanged(Alert):
    """Start or place is another one, or the event is on again: ``what``, codes out of `EVENT_CHANGE_CODES`."""

    kind: ClassVar[str] = "event_changed"
    recipients: ClassVar[Recipients] = Recipients.DIVISION
    lasts: ClassVar[timedelta] = timedelta(days=3)
    usual: ClassVar[frozenset[Channel]] = ALL_CHANNELS
    what: tuple[str, ...]

    @property
    def topic(self) -> str:
        return "event"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventCancelled(Alert):
    """The event is called off."""

    kind: ClassVar[str] = "called_off"
    recipients: ClassVar[Recipients] = Recipients.DIVISION
    lasts: ClassVar[timedelta] = timedelta(days=7)
    usual: ClassVar[frozenset[Channel]] = ALL_CHANNELS

    @property
    def topic(self) -> str:
        return "event"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncementMade(Alert):
    """A director announces something: the notice of this id, of that version."""

    kind: ClassVar[str] = "announced"
    recipients: ClassVar[Recipients] = Recipients.DIVISION
    lasts: ClassVar[timedelta] = timedelta(hours=3)
    notice: int
    version: int
    division: int | None = None

    @property
    def topic(self) -> str:
        return f"notice-{self.notice}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceReceived(Alert):
    """A place became free: whoever waited takes part."""

    kind: ClassVar[str] = "moved_up"
    recipients: ClassVar[Recipients] = Recipients.ENTRIES
    lasts: ClassVar[timedelta] = timedelta(days=7)
    usual: ClassVar[frozenset[Channel]] = ALL_CHANNELS


RESTORED: Final = "restored"
EVENT_CHANGE_CODES: Final = ("starts_on", "ends_on", "opens_at", "place", "timezone", RESTORED)
# In the order in which choices list them.
_ALERT_TYPES: Final = (
    MatchCalled,
    MatchUpNext,
    CallCleared,
    ResultToConfirm,
    ResultDisputed,
    DrawPublished,
    RoundPublished,
    AnnouncementMade,
    EventChanged,
    EventCancelled,
    PlaceReceived,
    DeadlineNear,
    MessageReceived,
    TimesOffered,
    TimesAnswered,
    AgreedTimeNear,
)
ALERT_KINDS: Final[Mapping[str, type[Alert]]] = {one.kind: one for one in _ALERT_TYPES}


def quiet_hours_end(now: datetime, begins: time, ends: time) -> datetime | None:
    """When the quiet hours end in which ``now``, a moment by the clock of whoever is told, lies. They may pass midnight, and there are none
    where they begin as they end. None outside of them.

    >>> quiet_hours_end(datetime(2026, 12, 3, 23, 30), time(23), time(7))
    datetime.datetime(2026, 12, 4, 7, 0)
    >>> quiet_hours_end(datetime(2026, 12, 3, 12, 0), time(23), time(7)) is None
    True
    """
    at = now.time()
    inside = begins <= at < ends if begins <= ends else at >= begins or at < ends
    if not inside:
        return None
    end = now.replace(hour=ends.hour, minute=ends.minute, second=0, microsecond=0)
    return end if end > now else end + timedelta(days=1)
