"""The state tables of live play: which status follows from which action.

One table for each of match, event, stage and entry. A pair that is not in the table is refused. Facts that are
no status live elsewhere: an objection flags a confirmed match and undoes nothing by itself (`may_object`), and
a draw that has been published is told apart from a later one by its seed, not by a state.

How the four hang together (the services see to it, in one transaction):
- publishing the draw takes its stage to *published* and its event from *draft* or *open* to *running*;
- the first call, start or report takes the stage to *running*;
- the last confirmed match takes the stage, and the last stage the event, to *finished*;
- a correction reopens what it needs: event and stage go back the same way.

What a repair may make of a match is a table of its own (`engine.changes.statuses`). Nothing else ever gives a match a status.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar, cast, overload

from tournaments.engine.errors import TransitionRefused


class MatchStatus(StrEnum):
    WAITING = "waiting"  # a side is not known yet
    READY = "ready"  # both sides known, nobody called
    CALLED = "called"  # sent to a table
    PLAYING = "playing"
    REPORTED = "reported"  # somebody said something that does not settle it yet
    DISPUTED = "disputed"  # the two sides say different things
    ADJOURNED = "adjourned"  # broken off, to go on another time: at no table, nothing counts yet
    CONFIRMED = "confirmed"
    VOID = "void"  # will not be played and counts for nothing


class Trait(StrEnum):
    """What a status says. Every set of statuses is made from these, so a new status is told here what it is."""

    AHEAD = "ahead"  # match: nobody was called to it yet; event: nothing of it is drawn
    AWAITED = "awaited"  # match: nobody sat down to it, and who plays in it is waited for
    PAIRED = "paired"  # match: both sides are known and no result stands
    AT_TABLE = "at_table"  # match: may hold a table of the hall
    BEGUN = "begun"  # match: somebody was called or said something, and no result stands
    IN_PLAY = "in_play"  # match: its players are busy with it
    UNSETTLED = "unsettled"  # match: somebody said something that does not settle it
    TO_PLAY = "to_play"  # match: it can be played, and nobody said how it ended
    GOING_ON = "going_on"  # event: it can still change
    PLAYED = "played"  # match: a result stands; event: it has results
    HIDDEN = "hidden"  # stage: only directors see its draw
    SHOWN = "shown"  # stage: everybody sees its draw
    UNDER_WAY = "under_way"  # stage: shown and not over
    OVER = "over"  # match, event: nothing is to be played in it
    LISTED = "listed"  # entry: everybody sees it among those who take part, or did
    HOLDS_PLACE = "holds_place"  # entry: counts towards how many its division takes
    QUEUES = "queues"  # entry: on the waiting list
    UNCONFIRMED = "unconfirmed"  # entry: nobody has said yet that it is really them; it speaks for nobody


class MatchAction(StrEnum):
    PAIR = "pair"  # the second side became known
    CALL = "call"
    START = "start"
    SEND_BACK = "send_back"  # called or started by mistake: the table is free again
    ADJOURN = "adjourn"  # broken off with score, cube and position; again: what was written down changes
    RESUME = "resume"  # it goes on: the match is ready for a table again
    REPORT = "report"
    DISPUTE = "dispute"
    CONFIRM = "confirm"
    PASS_BYE = "pass_bye"  # noqa: S105 (one side, or nobody on the other: settled without play)
    VOID = "void"  # nobody comes at all, or it is against an entry that is struck
    CORRECT = "correct"  # another result takes the place of the confirmed one: the way into a repair


class EventStatus(StrEnum):
    DRAFT = "draft"
    OPEN = "open"  # registration is open
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class EventAction(StrEnum):
    OPEN = "open"
    CLOSE = "close"
    START = "start"
    UNSTART = "unstart"  # the published draw was taken back before any match had begun
    FINISH = "finish"
    REOPEN = "reopen"
    CANCEL = "cancel"
    RESTORE = "restore"


class StageStatus(StrEnum):
    SETUP = "setup"
    DRAWN = "drawn"  # the director sees it and may redraw
    PUBLISHED = "published"  # everybody sees it; it can be taken back while no match has begun
    RUNNING = "running"
    FINISHED = "finished"


class StageAction(StrEnum):
    DRAW = "draw"
    DISCARD = "discard"
    PUBLISH = "publish"
    UNPUBLISH = "unpublish"
    START = "start"
    UNSTART = "unstart"
    FINISH = "finish"
    REOPEN = "reopen"


class EntryStatus(StrEnum):
    ACTIVE = "active"
    EXPECTED = "expected"  # says to be somebody who is known, or somebody new where all are approved; a place is kept
    WAITING = "waiting"  # on the waiting list
    UNSEEN = "unseen"  # the same as expected, on the waiting list
    WITHDRAWN = "withdrawn"


class EntryAction(StrEnum):
    APPROVE = "approve"  # a director knows that it is them
    MOVE_UP = "move_up"  # a place became free
    WITHDRAW = "withdraw"
    RETURN = "return"
    QUEUE = "queue"  # comes back while there is no place free: to the end of the waiting list
    MOVE_BACK = "move_back"  # the place was given by mistake: back to the waiting list
    UNAPPROVE = "unapprove"  # approved by mistake: nobody knows that it is them


Status = MatchStatus | EventStatus | StageStatus | EntryStatus
Action = MatchAction | EventAction | StageAction | EntryAction

# Each status and what it is: the one place that knows.
MATCH_STATUSES: Final[Mapping[MatchStatus, frozenset[Trait]]] = {
    MatchStatus.WAITING: frozenset({Trait.AHEAD, Trait.AWAITED}),
    MatchStatus.READY: frozenset({Trait.AHEAD, Trait.AWAITED, Trait.PAIRED, Trait.AT_TABLE, Trait.TO_PLAY}),
    MatchStatus.CALLED: frozenset(
        {Trait.AWAITED, Trait.PAIRED, Trait.AT_TABLE, Trait.TO_PLAY, Trait.BEGUN, Trait.IN_PLAY}
    ),
    MatchStatus.PLAYING: frozenset({Trait.PAIRED, Trait.AT_TABLE, Trait.TO_PLAY, Trait.BEGUN, Trait.IN_PLAY}),
    MatchStatus.REPORTED: frozenset({Trait.PAIRED, Trait.AT_TABLE, Trait.BEGUN, Trait.UNSETTLED}),
    MatchStatus.DISPUTED: frozenset({Trait.PAIRED, Trait.AT_TABLE, Trait.BEGUN, Trait.UNSETTLED}),
    MatchStatus.ADJOURNED: frozenset({Trait.PAIRED, Trait.TO_PLAY, Trait.BEGUN}),
    MatchStatus.CONFIRMED: frozenset({Trait.PLAYED, Trait.OVER}),
    MatchStatus.VOID: frozenset({Trait.OVER}),
}
EVENT_STATUSES: Final[Mapping[EventStatus, frozenset[Trait]]] = {
    EventStatus.DRAFT: frozenset({Trait.AHEAD, Trait.GOING_ON}),
    EventStatus.OPEN: frozenset({Trait.AHEAD, Trait.GOING_ON}),
    EventStatus.RUNNING: frozenset({Trait.GOING_ON, Trait.PLAYED}),
    EventStatus.FINISHED: frozenset({Trait.PLAYED, Trait.OVER}),
    EventStatus.CANCELLED: frozenset({Trait.OVER}),
}
STAGE_STATUSES: Final[Mapping[StageStatus, frozenset[Trait]]] = {
    StageStatus.SETUP: frozenset({Trait.HIDDEN}),
    StageStatus.DRAWN: frozenset({Trait.HIDDEN}),
    StageStatus.PUBLISHED: frozenset({Trait.SHOWN, Trait.UNDER_WAY}),
    StageStatus.RUNNING: frozenset({Trait.SHOWN, Trait.UNDER_WAY}),
    StageStatus.FINISHED: frozenset({Trait.SHOWN}),
}
ENTRY_STATUSES: Final[Mapping[EntryStatus, frozenset[Trait]]] = {
    EntryStatus.ACTIVE: frozenset({Trait.LISTED, Trait.HOLDS_PLACE}),
    EntryStatus.EXPECTED: frozenset({Trait.HOLDS_PLACE, Trait.UNCONFIRMED}),
    EntryStatus.WAITING: frozenset({Trait.QUEUES}),
    EntryStatus.UNSEEN: frozenset({Trait.QUEUES, Trait.UNCONFIRMED}),
    EntryStatus.WITHDRAWN: frozenset({Trait.LISTED}),
}

_S = TypeVar("_S", bound=StrEnum)


def _with(trait: Trait, statuses: Mapping[_S, frozenset[Trait]]) -> tuple[_S, ...]:
    return tuple(status for status, traits in statuses.items() if trait in traits)


AHEAD: Final = _with(Trait.AHEAD, MATCH_STATUSES)
AWAITED: Final = _with(Trait.AWAITED, MATCH_STATUSES)
PAIRED: Final = _with(Trait.PAIRED, MATCH_STATUSES)
AT_TABLE: Final = _with(Trait.AT_TABLE, MATCH_STATUSES)
BEGUN: Final = _with(Trait.BEGUN, MATCH_STATUSES)
IN_PLAY: Final = _with(Trait.IN_PLAY, MATCH_STATUSES)
UNSETTLED: Final = _with(Trait.UNSETTLED, MATCH_STATUSES)
TO_PLAY: Final = _with(Trait.TO_PLAY, MATCH_STATUSES)
PLAYED: Final = _with(Trait.PLAYED, MATCH_STATUSES)
OVER: Final = _with(Trait.OVER, MATCH_STATUSES)
EVENT_AHEAD: Final = _with(Trait.AHEAD, EVENT_STATUSES)
EVENT_GOING_ON: Final = _with(Trait.GOING_ON, EVENT_STATUSES)
EVENT_PLAYED: Final = _with(Trait.PLAYED, EVENT_STATUSES)
EVENT_OVER: Final = _with(Trait.OVER, EVENT_STATUSES)
DRAW_HIDDEN: Final = _with(Trait.HIDDEN, STAGE_STATUSES)
DRAW_SHOWN: Final = _with(Trait.SHOWN, STAGE_STATUSES)
UNDER_WAY: Final = _with(Trait.UNDER_WAY, STAGE_STATUSES)
ENTRY_LISTED: Final = _with(Trait.LISTED, ENTRY_STATUSES)
HOLDS_PLACE: Final = _with(Trait.HOLDS_PLACE, ENTRY_STATUSES)
QUEUES: Final = _with(Trait.QUEUES, ENTRY_STATUSES)
UNCONFIRMED: Final = _with(Trait.UNCONFIRMED, ENTRY_STATUSES)


def _from_each(
    statuses: Iterable[MatchStatus], action: MatchAction, to: MatchStatus
) -> dict[tuple[MatchStatus, MatchAction], MatchStatus]:
    return {(status, action): to for status in statuses}


MATCH_TABLE: Final[Mapping[tuple[MatchStatus, MatchAction], MatchStatus]] = {
    (MatchStatus.WAITING, MatchAction.PAIR): MatchStatus.READY,
    (MatchStatus.WAITING, MatchAction.PASS_BYE): MatchStatus.CONFIRMED,
    (MatchStatus.READY, MatchAction.CALL): MatchStatus.CALLED,
    (MatchStatus.READY, MatchAction.START): MatchStatus.PLAYING,
    (MatchStatus.CALLED, MatchAction.START): MatchStatus.PLAYING,
    (MatchStatus.CALLED, MatchAction.SEND_BACK): MatchStatus.READY,
    (MatchStatus.PLAYING, MatchAction.SEND_BACK): MatchStatus.READY,
    **_from_each(PAIRED, MatchAction.ADJOURN, MatchStatus.ADJOURNED),
    (MatchStatus.ADJOURNED, MatchAction.RESUME): MatchStatus.READY,
    **_from_each(PAIRED, MatchAction.REPORT, MatchStatus.REPORTED),
    **_from_each(PAIRED, MatchAction.DISPUTE, MatchStatus.DISPUTED),
    **_from_each(PAIRED, MatchAction.CONFIRM, MatchStatus.CONFIRMED),
    (MatchStatus.CONFIRMED, MatchAction.CORRECT): MatchStatus.CONFIRMED,
    (MatchStatus.WAITING, MatchAction.VOID): MatchStatus.VOID,
    (MatchStatus.READY, MatchAction.VOID): MatchStatus.VOID,
}

EVENT_TABLE: Final[Mapping[tuple[EventStatus, EventAction], EventStatus]] = {
    (EventStatus.DRAFT, EventAction.OPEN): EventStatus.OPEN,
    (EventStatus.OPEN, EventAction.CLOSE): EventStatus.DRAFT,
    (EventStatus.DRAFT, EventAction.START): EventStatus.RUNNING,
    (EventStatus.OPEN, EventAction.START): EventStatus.RUNNING,
    (EventStatus.RUNNING, EventAction.UNSTART): EventStatus.OPEN,
    (EventStatus.RUNNING, EventAction.FINISH): EventStatus.FINISHED,
    (EventStatus.FINISHED, EventAction.REOPEN): EventStatus.RUNNING,
    (EventStatus.DRAFT, EventAction.CANCEL): EventStatus.CANCELLED,
    (EventStatus.OPEN, EventAction.CANCEL): EventStatus.CANCELLED,
    (EventStatus.RUNNING, EventAction.CANCEL): EventStatus.CANCELLED,
    (EventStatus.CANCELLED, EventAction.RESTORE): EventStatus.DRAFT,
}

STAGE_TABLE: Final[Mapping[tuple[StageStatus, StageAction], StageStatus]] = {
    (StageStatus.SETUP, StageAction.DRAW): StageStatus.DRAWN,
    (StageStatus.DRAWN, StageAction.DRAW): StageStatus.DRAWN,
    (StageStatus.DRAWN, StageAction.DISCARD): StageStatus.SETUP,
    (StageStatus.DRAWN, StageAction.PUBLISH): StageStatus.PUBLISHED,
    (StageStatus.PUBLISHED, StageAction.UNPUBLISH): StageStatus.DRAWN,
    (StageStatus.PUBLISHED, StageAction.START): StageStatus.RUNNING,
    (StageStatus.RUNNING, StageAction.UNSTART): StageStatus.PUBLISHED,
    (StageStatus.RUNNING, StageAction.FINISH): StageStatus.FINISHED,
    (StageStatus.FINISHED, StageAction.REOPEN): StageStatus.RUNNING,
}

ENTRY_TABLE: Final[Mapping[tuple[EntryStatus, EntryAction], EntryStatus]] = {
    (EntryStatus.EXPECTED, EntryAction.APPROVE): EntryStatus.ACTIVE,
    (EntryStatus.UNSEEN, EntryAction.APPROVE): EntryStatus.WAITING,
    (EntryStatus.WAITING, EntryAction.MOVE_UP): EntryStatus.ACTIVE,
    (EntryStatus.UNSEEN, EntryAction.MOVE_UP): EntryStatus.EXPECTED,
    (EntryStatus.ACTIVE, EntryAction.WITHDRAW): EntryStatus.WITHDRAWN,
    (EntryStatus.WAITING, EntryAction.WITHDRAW): EntryStatus.WITHDRAWN,
    (EntryStatus.WITHDRAWN, EntryAction.RETURN): EntryStatus.ACTIVE,
    (EntryStatus.WITHDRAWN, EntryAction.QUEUE): EntryStatus.WAITING,
    (EntryStatus.ACTIVE, EntryAction.MOVE_BACK): EntryStatus.WAITING,
    (EntryStatus.EXPECTED, EntryAction.MOVE_BACK): EntryStatus.UNSEEN,
    (EntryStatus.ACTIVE, EntryAction.UNAPPROVE): EntryStatus.EXPECTED,
    (EntryStatus.WAITING, EntryAction.UNAPPROVE): EntryStatus.UNSEEN,
}

_Table = Mapping[tuple[StrEnum, StrEnum], StrEnum]


class _Noun(NamedTuple):
    """What belongs together. The tables stay apart: members of different enums with one value are equal."""

    name: str
    actions: type[StrEnum]
    table: _Table


_NOUNS: Final[Mapping[type[StrEnum], _Noun]] = {
    MatchStatus: _Noun("match", MatchAction, cast("_Table", MATCH_TABLE)),
    EventStatus: _Noun("event", EventAction, cast("_Table", EVENT_TABLE)),
    StageStatus: _Noun("stage", StageAction, cast("_Table", STAGE_TABLE)),
    EntryStatus: _Noun("entry", EntryAction, cast("_Table", ENTRY_TABLE)),
}

# Every code that `next_status` can refuse with; `messages` has a text for each.
REFUSAL_CODES: Final[frozenset[str]] = frozenset(
    f"{noun.name}.{action}_refused" for noun in _NOUNS.values() for action in noun.actions
)


@overload
def next_status(status: MatchStatus, action: MatchAction) -> MatchStatus: ...
@overload
def next_status(status: EventStatus, action: EventAction) -> EventStatus: ...
@overload
def next_status(status: StageStatus, action: StageAction) -> StageStatus: ...
@overload
def next_status(status: EntryStatus, action: EntryAction) -> EntryStatus: ...
def next_status(status: Status, action: Action) -> StrEnum:
    """The status after `action`; raises `TransitionRefused` when the table has no such pair."""
    noun = _NOUNS[type(status)]
    if not isinstance(action, noun.actions):
        raise TypeError(f"{action!r} is no action of a {noun.name}")
    try:
        return noun.table[status, action]
    except KeyError:
        raise TransitionRefused(f"{noun.name}.{action}_refused", status, action) from None


@overload
def allowed_actions(status: MatchStatus) -> tuple[MatchAction, ...]: ...
@overload
def allowed_actions(status: EventStatus) -> tuple[EventAction, ...]: ...
@overload
def allowed_actions(status: StageStatus) -> tuple[StageAction, ...]: ...
@overload
def allowed_actions(status: EntryStatus) -> tuple[EntryAction, ...]: ...
def allowed_actions(status: Status) -> tuple[StrEnum, ...]:
    """What can be done from here, in the order of the action's own list: the buttons of a page."""
    noun = _NOUNS[type(status)]
    return tuple(action for action in noun.actions if (status, action) in noun.table)


def may_report(status: MatchStatus) -> bool:
    """Whether a result can be told: both sides are known and none stands. An adjourned match may be played on anywhere."""
    return (status, MatchAction.REPORT) in MATCH_TABLE


def may_object(status: MatchStatus) -> bool:
    """An objection is heard once a result stands; it flags the director and changes no status."""
    return status is MatchStatus.CONFIRMED
