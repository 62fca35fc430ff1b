"""Kinds of notifications to individual people, each as one value with its lifetime. Pure.

A new kind needs a class here, its line in `ALERT_KINDS`, and its messages in
`tournaments/shared/words/alerts`. Kinds that follow from an audit action are derived in
`tournaments/store/notifying`; others are sent by `tournaments/notices/services/notifying.notify`. Values hold
ids and codes only: names are read at delivery, as the recipient may see them then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import ClassVar, Final

from tournaments.engine.types import Side


class Channel(StrEnum):
    """How a person without an open page is notified."""

    PUSH = "push"
    MAIL = "mail"


class Recipients(StrEnum):
    """Who is notified.

    Both `SIDES` of the match, its `OTHER` side, the players of the `STAGE` or `DIVISION` (of the whole event
    if no division is named), or the `ENTRIES` given to `notify`.
    """

    SIDES = "sides"
    OTHER = "other"
    STAGE = "stage"
    DIVISION = "division"
    ENTRIES = "entries"


class QuietHoursPolicy(StrEnum):
    """What to do with a notification in the recipient's quiet hours: send, delay until their end, or drop."""

    SEND = "comes"
    DELAY = "waits"
    DROP = "falls"


PUSH_ONLY: Final = frozenset({Channel.PUSH})
ALL_CHANNELS: Final = frozenset(Channel)
QUIET_HOURS_START: Final = time(23)
QUIET_HOURS_END: Final = time(7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """A notification to one person about something that happened or is due.

    ``kind``: the code of the notification; ``lifetime``: how long it is worth delivering;
    ``default_channels``: the channels for recipients who have chosen none. The fields of an instance are the
    keys of the stored JSON. A newer notification with the same ``topic`` replaces the older one.
    """

    kind: ClassVar[str]
    recipients: ClassVar[Recipients]
    lifetime: ClassVar[timedelta]
    quiet_hours_policy: ClassVar[QuietHoursPolicy] = QuietHoursPolicy.DELAY
    default_channels: ClassVar[frozenset[Channel]] = PUSH_ONLY

    @property
    def topic(self) -> str:
        """Topic, a text of at most 20 letters, digits and ``-``.

        Delivery appends the recipient's entry id to the topic.
        """
        return self.kind.replace("_", "-")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchAlert(Alert):
    """A notification about one match.

    ``match``: its database id. Later notifications about the same match replace earlier ones.
    """

    match: int

    @property
    def topic(self) -> str:
        return f"match-{self.match}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCalled(MatchAlert):
    """The match was called to ``table`` (a table number); None if tables have no numbers."""

    kind: ClassVar[str] = "called"
    recipients: ClassVar[Recipients] = Recipients.SIDES
    lifetime: ClassVar[timedelta] = timedelta(minutes=15)
    quiet_hours_policy: ClassVar[QuietHoursPolicy] = QuietHoursPolicy.SEND
    table: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchUpNext(MatchAlert):
    """Up-next notice: the match is expected to begin at about ``begins`` (ISO 8601)."""

    kind: ClassVar[str] = "near"
    recipients: ClassVar[Recipients] = Recipients.ENTRIES
    lifetime: ClassVar[timedelta] = timedelta(minutes=15)
    quiet_hours_policy: ClassVar[QuietHoursPolicy] = QuietHoursPolicy.SEND
    begins: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCleared(MatchAlert):
    """The call of the match to a table was undone; the match waits to be called again."""

    kind: ClassVar[str] = "call_taken_back"
    recipients: ClassVar[Recipients] = Recipients.SIDES
    lifetime: ClassVar[timedelta] = timedelta(minutes=15)
    quiet_hours_policy: ClassVar[QuietHoursPolicy] = QuietHoursPolicy.SEND


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultToConfirm(MatchAlert):
    """The opponents have reported a result, and the recipients are asked to confirm it.

    ``side``: the side that reported; ``version``: the version of the match's report.
    """

    kind: ClassVar[str] = "to_confirm"
    recipients: ClassVar[Recipients] = Recipients.OTHER
    lifetime: ClassVar[timedelta] = timedelta(hours=24)
    side: Side
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultDisputed(MatchAlert):
    """The two sides have reported different results.

    ``version``: the version of the match's report with the latest of them.
    """

    kind: ClassVar[str] = "disputed"
    recipients: ClassVar[Recipients] = Recipients.SIDES
    lifetime: ClassVar[timedelta] = timedelta(hours=6)
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlineNear(MatchAlert):
    """Reminder that the last day of a match that its players arrange themselves is near.

    ``day``: that day, in ISO form.
    """

    kind: ClassVar[str] = "deadline_near"
    recipients: ClassVar[Recipients] = Recipients.SIDES
    lifetime: ClassVar[timedelta] = timedelta(hours=36)
    default_channels: ClassVar[frozenset[Channel]] = ALL_CHANNELS
    day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrangedTimeAlert(MatchAlert):
    """A notification about the agreed time of a match that its players arrange themselves.

    Later notifications about this match's time replace earlier ones.
    """

    recipients: ClassVar[Recipients] = Recipients.ENTRIES
    lifetime: ClassVar[timedelta] = timedelta(days=3)
    default_channels: ClassVar[frozenset[Channel]] = ALL_CHANNELS

    @property
    def topic(self) -> str:
        return f"time-{self.match}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesOffered(ArrangedTimeAlert):
    """The other side offers times for the match.

    ``version``: the version of the match's arrangement that contains the offer.
    """

    kind: ClassVar[str] = "times_offered"
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesAnswered(ArrangedTimeAlert):
    """The other side agreed to a time, declined the offered times, or cancelled the agreed time.

    ``what``: which of these, a value of `ProposalOutcome`; ``version``: the version of the match's
    arrangement.
    """

    kind: ClassVar[str] = "times_answered"
    what: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreedTimeNear(ArrangedTimeAlert):
    """Reminder on the day before a match at an agreed time.

    ``at``: the time on which the two sides have agreed, in ISO form.
    """

    kind: ClassVar[str] = "meeting_near"
    recipients: ClassVar[Recipients] = Recipients.SIDES
    lifetime: ClassVar[timedelta] = timedelta(hours=20)
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageReceived(MatchAlert):
    """The other side of the match has written a message.

    ``message``: the id of the message; its text is shown on the page only.
    """

    kind: ClassVar[str] = "written"
    recipients: ClassVar[Recipients] = Recipients.ENTRIES
    lifetime: ClassVar[timedelta] = timedelta(days=3)
    default_channels: ClassVar[frozenset[Channel]] = ALL_CHANNELS
    message: int

    @property
    def topic(self) -> str:
        return f"talk-{self.match}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawPublished(Alert):
    """The draw of a stage was published; ``stage``: the database id of the stage."""

    kind: ClassVar[str] = "drawn"
    recipients: ClassVar[Recipients] = Recipients.STAGE
    lifetime: ClassVar[timedelta] = timedelta(hours=24)
    default_channels: ClassVar[frozenset[Channel]] = ALL_CHANNELS
    stage: int

    @property
    def topic(self) -> str:
        return f"stage-{self.stage}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPublished(Alert):
    """The pairings of a round were published.

    ``stage``: the database id of the stage; ``round``: the number of the round.
    """

    kind: ClassVar[str] = "paired"
    recipients: ClassVar[Recipients] = Recipients.STAGE
    lifetime: ClassVar[timedelta] = timedelta(hours=6)
    stage: int
    round: int

    @property
    def topic(self) -> str:
        return f"stage-{self.stage}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventChanged(Alert):
    """The start or place of the event was changed, or the cancelled event was restored.

    ``what``: what was changed, as codes of `EVENT_CHANGE_CODES`.
    """

    kind: ClassVar[str] = "event_changed"
    recipients: ClassVar[Recipients] = Recipients.DIVISION
    lifetime: ClassVar[timedelta] = timedelta(days=3)
    default_channels: ClassVar[frozenset[Channel]] = ALL_CHANNELS
    what: tuple[str, ...]

    @property
    def topic(self) -> str:
        return "event"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventCancelled(Alert):
    """The event was cancelled."""

    kind: ClassVar[str] = "called_off"
    recipients: ClassVar[Recipients] = Recipients.DIVISION
    lifetime: ClassVar[timedelta] = timedelta(days=7)
    default_channels: ClassVar[frozenset[Channel]] = ALL_CHANNELS

    @property
    def topic(self) -> str:
        return "event"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncementMade(Alert):
    """A director has made an announcement.

    ``notice``: the id of the announcement; ``version``: its version; ``division``: the division whose players
    are notified, None for the whole event.
    """

    kind: ClassVar[str] = "announced"
    recipients: ClassVar[Recipients] = Recipients.DIVISION
    lifetime: ClassVar[timedelta] = timedelta(hours=3)
    notice: int
    version: int
    division: int | None = None

    @property
    def topic(self) -> str:
        return f"notice-{self.notice}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceReceived(Alert):
    """A place in the division became free, and the entry has moved up from the waiting list."""

    kind: ClassVar[str] = "moved_up"
    recipients: ClassVar[Recipients] = Recipients.ENTRIES
    lifetime: ClassVar[timedelta] = timedelta(days=7)
    default_channels: ClassVar[frozenset[Channel]] = ALL_CHANNELS


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
ALERT_KINDS: Final[Mapping[str, type[Alert]]] = {alert_type.kind: alert_type for alert_type in _ALERT_TYPES}


def quiet_hours_end(now: datetime, begins: time, ends: time) -> datetime | None:
    """Return the time at which the quiet hours around ``now`` end, or None if ``now`` is outside of them.

    ``now`` is in the recipient's local time. Quiet hours may pass midnight; there are none if ``begins`` and
    ``ends`` are the same time.

    >>> quiet_hours_end(datetime(2026, 12, 3, 23, 30), time(23), time(7))
    datetime.datetime(2026, 12, 4, 7, 0)
    >>> quiet_hours_end(datetime(2026, 12, 3, 12, 0), time(23), time(7)) is None
    True
    """
    at = now.time()
    is_quiet = begins <= at < ends if begins <= ends else at >= begins or at < ends
    if not is_quiet:
        return None
    end = now.replace(hour=ends.hour, minute=ends.minute, second=0, microsecond=0)
    return end if end > now else end + timedelta(days=1)
