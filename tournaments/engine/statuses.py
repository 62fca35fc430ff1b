"""The state tables of live play: which status follows from which action.

One table for each of match, event, stage and entry. A pair that is not in the table is refused. Facts that are
no status live elsewhere: an objection flags a confirmed match and undoes nothing by itself (`can_object`), and
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

    UPCOMING = "ahead"  # match: nobody was called to it yet; event: nothing of it is drawn
    NOT_STARTED = "awaited"  # match: nobody sat down to it, and who plays in it is waited for
    AWAITING_RESULT = "paired"  # match: both sides are known and no result stands
    AT_TABLE = "at_table"  # match: may hold a table of the hall
    IN_PROGRESS = "begun"  # match: somebody was called or said something, and no result stands
    PLAYERS_BUSY = "in_play"  # match: its players are busy with it
    UNSETTLED = "unsettled"  # match: somebody said something that does not settle it
    PLAYABLE = "to_play"  # match: it can be played, and nobody said how it ended
    CHANGEABLE = "going_on"  # event: it can still change
    HAS_RESULT = "played"  # match: a result stands; event: it has results
    HIDDEN = "hidden"  # stage: only directors see its draw
    PUBLIC = "shown"  # stage: everybody sees its draw
    UNDER_WAY = "under_way"  # stage: shown and not over
    OVER = "over"  # match, event: nothing is to be played in it
    LISTED = "listed"  # entry: everybody sees it among those who take part, or did
    HOLDS_PLACE = "holds_place"  # entry: counts towards how many its division takes
    ON_WAITING_LIST = "queues"  # entry: on the waiting list
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
    PENDING = "expected"  # says to be somebody who is known, or somebody new where all are approved; a place is kept
    WAITING = "waiting"  # on the waiting list
    WAITING_PENDING = "unseen"  # the same as expected, on the waiting list
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
MATCH_STATUS_TRAITS: Final[Mapping[MatchStatus, frozenset[Trait]]] = {
    MatchStatus.WAITING: frozenset({Trait.UPCOMING, Trait.NOT_STARTED}),
    MatchStatus.READY: frozenset(
        {Trait.UPCOMING, Trait.NOT_STARTED, Trait.AWAITING_RESULT, Trait.AT_TABLE, Trait.PLAYABLE}
    ),
    MatchStatus.CALLED: frozenset(
        {
            Trait.NOT_STARTED,
            Trait.AWAITING_RESULT,
            Trait.AT_TABLE,
            Trait.PLAYABLE,
            Trait.IN_PROGRESS,
            Trait.PLAYERS_BUSY,
        }
    ),
    MatchStatus.PLAYING: frozenset(
        {Trait.AWAITING_RESULT, Trait.AT_TABLE, Trait.PLAYABLE, Trait.IN_PROGRESS, Trait.PLAYERS_BUSY}
    ),
    MatchStatus.REPORTED: frozenset(
        {Trait.AWAITING_RESULT, Trait.AT_TABLE, Trait.IN_PROGRESS, Trait.UNSETTLED}
    ),
    MatchStatus.DISPUTED: frozenset(
        {Trait.AWAITING_RESULT, Trait.AT_TABLE, Trait.IN_PROGRESS, Trait.UNSETTLED}
    ),
    MatchStatus.ADJOURNED: frozenset({Trait.AWAITING_RESULT, Trait.PLAYABLE, Trait.IN_PROGRESS}),
    MatchStatus.CONFIRMED: frozenset({Trait.HAS_RESULT, Trait.OVER}),
    MatchStatus.VOID: frozenset({Trait.OVER}),
}
EVENT_STATUS_TRAITS: Final[Mapping[EventStatus, frozenset[Trait]]] = {
    EventStatus.DRAFT: frozenset({Trait.UPCOMING, Trait.CHANGEABLE}),
    EventStatus.OPEN: frozenset({Trait.UPCOMING, Trait.CHANGEABLE}),
    EventStatus.RUNNING: frozenset({Trait.CHANGEABLE, Trait.HAS_RESULT}),
    EventStatus.FINISHED: frozenset({Trait.HAS_RESULT, Trait.OVER}),
    EventStatus.CANCELLED: frozenset({Trait.OVER}),
}
STAGE_STATUS_TRAITS: Final[Mapping[StageStatus, frozenset[Trait]]] = {
    StageStatus.SETUP: frozenset({Trait.HIDDEN}),
    StageStatus.DRAWN: frozenset({Trait.HIDDEN}),
    StageStatus.PUBLISHED: frozenset({Trait.PUBLIC, Trait.UNDER_WAY}),
    StageStatus.RUNNING: frozenset({Trait.PUBLIC, Trait.UNDER_WAY}),
    StageStatus.FINISHED: frozenset({Trait.PUBLIC}),
}
ENTRY_STATUS_TRAITS: Final[Mapping[EntryStatus, frozenset[Trait]]] = {
    EntryStatus.ACTIVE: frozenset({Trait.LISTED, Trait.HOLDS_PLACE}),
    EntryStatus.PENDING: frozenset({Trait.HOLDS_PLACE, Trait.UNCONFIRMED}),
    EntryStatus.WAITING: frozenset({Trait.ON_WAITING_LIST}),
    EntryStatus.WAITING_PENDING: frozenset({Trait.ON_WAITING_LIST, Trait.UNCONFIRMED}),
    EntryStatus.WITHDRAWN: frozenset({Trait.LISTED}),
}

_S = TypeVar("_S", bound=StrEnum)


def _statuses_with(trait: Trait, statuses: Mapping[_S, frozenset[Trait]]) -> tuple[_S, ...]:
    return tuple(status for status, traits in statuses.items() if trait in traits)


UPCOMING: Final = _statuses_with(Trait.UPCOMING, MATCH_STATUS_TRAITS)
NOT_STARTED: Final = _statuses_with(Trait.NOT_STARTED, MATCH_STATUS_TRAITS)
AWAITING_RESULT: Final = _statuses_with(Trait.AWAITING_RESULT, MATCH_STATUS_TRAITS)
AT_TABLE: Final = _statuses_with(Trait.AT_TABLE, MATCH_STATUS_TRAITS)
IN_PROGRESS: Final = _statuses_with(Trait.IN_PROGRESS, MATCH_STATUS_TRAITS)
PLAYERS_BUSY: Final = _statuses_with(Trait.PLAYERS_BUSY, MATCH_STATUS_TRAITS)
UNSETTLED: Final = _statuses_with(Trait.UNSETTLED, MATCH_STATUS_TRAITS)
PLAYABLE: Final = _statuses_with(Trait.PLAYABLE, MATCH_STATUS_TRAITS)
HAS_RESULT: Final = _statuses_with(Trait.HAS_RESULT, MATCH_STATUS_TRAITS)
OVER: Final = _statuses_with(Trait.OVER, MATCH_STATUS_TRAITS)
EVENT_UPCOMING: Final = _statuses_with(Trait.UPCOMING, EVENT_STATUS_TRAITS)
EVENT_CHANGEABLE: Final = _statuses_with(Trait.CHANGEABLE, EVENT_STATUS_TRAITS)
EVENT_HAS_RESULTS: Final = _statuses_with(Trait.HAS_RESULT, EVENT_STATUS_TRAITS)
EVENT_OVER: Final = _statuses_with(Trait.OVER, EVENT_STATUS_TRAITS)
DRAW_HIDDEN: Final = _statuses_with(Trait.HIDDEN, STAGE_STATUS_TRAITS)
DRAW_PUBLIC: Final = _statuses_with(Trait.PUBLIC, STAGE_STATUS_TRAITS)
STAGE_UNDER_WAY: Final = _statuses_with(Trait.UNDER_WAY, STAGE_STATUS_TRAITS)
ENTRY_LISTED: Final = _statuses_with(Trait.LISTED, ENTRY_STATUS_TRAITS)
ENTRY_HOLDS_PLACE: Final = _statuses_with(Trait.HOLDS_PLACE, ENTRY_STATUS_TRAITS)
ENTRY_ON_WAITING_LIST: Final = _statuses_with(Trait.ON_WAITING_LIST, ENTRY_STATUS_TRAITS)
ENTRY_UNCONFIRMED: Final = _statuses_with(Trait.UNCONFIRMED, ENTRY_STATUS_TRAITS)


def _transitions_from(
    statuses: Iterable[MatchStatus], action: MatchAction, to: MatchStatus
) -> dict[tuple[MatchStatus, MatchAction], MatchStatus]:
    return {(status, action): to for status in statuses}


MATCH_TRANSITIONS: Final[Mapping[tuple[MatchStatus, MatchAction], MatchStatus]] = {
    (MatchStatus.WAITING, MatchAction.PAIR): MatchStatus.READY,
    (MatchStatus.WAITING, MatchAction.PASS_BYE): MatchStatus.CONFIRMED,
    (MatchStatus.READY, MatchAction.CALL): MatchStatus.CALLED,
    (MatchStatus.READY, MatchAction.START): MatchStatus.PLAYING,
    (MatchStatus.CALLED, MatchAction.START): MatchStatus.PLAYING,
    (MatchStatus.CALLED, MatchAction.SEND_BACK): MatchStatus.READY,
    (MatchStatus.PLAYING, MatchAction.SEND_BACK): MatchStatus.READY,
    **_transitions_from(AWAITING_RESULT, MatchAction.ADJOURN, MatchStatus.ADJOURNED),
    (MatchStatus.ADJOURNED, MatchAction.RESUME): MatchStatus.READY,
    **_transitions_from(AWAITING_RESULT, MatchAction.REPORT, MatchStatus.REPORTED),
    **_transitions_from(AWAITING_RESULT, MatchAction.DISPUTE, MatchStatus.DISPUTED),
    **_transitions_from(AWAITING_RESULT, MatchAction.CONFIRM, MatchStatus.CONFIRMED),
    (MatchStatus.CONFIRMED, MatchAction.CORRECT): MatchStatus.CONFIRMED,
    (MatchStatus.WAITING, MatchAction.VOID): MatchStatus.VOID,
    (MatchStatus.READY, MatchAction.VOID): MatchStatus.VOID,
}

EVENT_TRANSITIONS: Final[Mapping[tuple[EventStatus, EventAction], EventStatus]] = {
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

STAGE_TRANSITIONS: Final[Mapping[tuple[StageStatus, StageAction], StageStatus]] = {
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

ENTRY_TRANSITIONS: Final[Mapping[tuple[EntryStatus, EntryAction], EntryStatus]] = {
    (EntryStatus.PENDING, EntryAction.APPROVE): EntryStatus.ACTIVE,
    (EntryStatus.WAITING_PENDING, EntryAction.APPROVE): EntryStatus.WAITING,
    (EntryStatus.WAITING, EntryAction.MOVE_UP): EntryStatus.ACTIVE,
    (EntryStatus.WAITING_PENDING, EntryAction.MOVE_UP): EntryStatus.PENDING,
    (EntryStatus.ACTIVE, EntryAction.WITHDRAW): EntryStatus.WITHDRAWN,
    (EntryStatus.WAITING, EntryAction.WITHDRAW): EntryStatus.WITHDRAWN,
    (EntryStatus.WITHDRAWN, EntryAction.RETURN): EntryStatus.ACTIVE,
    (EntryStatus.WITHDRAWN, EntryAction.QUEUE): EntryStatus.WAITING,
    (EntryStatus.ACTIVE, EntryAction.MOVE_BACK): EntryStatus.WAITING,
    (EntryStatus.PENDING, EntryAction.MOVE_BACK): EntryStatus.WAITING_PENDING,
    (EntryStatus.ACTIVE, EntryAction.UNAPPROVE): EntryStatus.PENDING,
    (EntryStatus.WAITING, EntryAction.UNAPPROVE): EntryStatus.WAITING_PENDING,
}

_Transitions = Mapping[tuple[StrEnum, StrEnum], StrEnum]


class _StatusMachine(NamedTuple):
    """What belongs together. The tables stay apart: members of different enums with one value are equal."""

    name: str
    actions: type[StrEnum]
    table: _Transitions


_STATUS_MACHINES: Final[Mapping[type[StrEnum], _StatusMachine]] = {
    MatchStatus: _StatusMachine("match", MatchAction, cast("_Transitions", MATCH_TRANSITIONS)),
    EventStatus: _StatusMachine("event", EventAction, cast("_Transitions", EVENT_TRANSITIONS)),
    StageStatus: _StatusMachine("stage", StageAction, cast("_Transitions", STAGE_TRANSITIONS)),
    EntryStatus: _StatusMachine("entry", EntryAction, cast("_Transitions", ENTRY_TRANSITIONS)),
}

# Every code that `next_status` can refuse with; `messages` has a text for each.
REFUSAL_CODES: Final[frozenset[str]] = frozenset(
    f"{noun.name}.{action}_refused" for noun in _STATUS_MACHINES.values() for action in noun.actions
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
    noun = _STATUS_MACHINES[type(status)]
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
    noun = _STATUS_MACHINES[type(status)]
    return tuple(action for action in noun.actions if (status, action) in noun.table)


def may_report(status: MatchStatus) -> bool:
    """Whether a result can be told: both sides are known and none stands. An adjourned match may be played on anywhere."""
    return (status, MatchAction.REPORT) in MATCH_TRANSITIONS


def can_object(status: MatchStatus) -> bool:
    """An objection is heard once a result stands; it flags the director and changes no status."""
    return status is MatchStatus.CONFIRMED
