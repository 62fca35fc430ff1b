"""State tables: which status follows from which action, for matches, events, stages and entries.

A pair that is not in its table is rejected. Facts that are no status are stored elsewhere: a correction
request flags a confirmed match and changes nothing by itself (`can_request_correction`), and a published draw differs
from a later one by its random seed.

How the four depend on each other (the services do this in one transaction):

- publishing the draw makes its stage *published* and its event *running*, from *draft* or *open*;
- the first call, start or report makes the stage *running*;
- the last confirmed match makes the stage, and the last stage the event, *finished*;
- a correction reopens what it needs: event and stage return the same way.

`engine.changes.statuses` has the separate table of what a repair may do to a match. No other code sets a
match's status.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar, cast, overload

from tournaments.engine.errors import TransitionRefused


class MatchStatus(StrEnum):
    WAITING = "waiting"  # a side is not known yet
    READY = "ready"  # both sides known, not called
    CALLED = "called"  # sent to a table
    PLAYING = "playing"
    REPORTED = "reported"  # a report that does not settle it yet
    DISPUTED = "disputed"  # the two sides report differently
    ADJOURNED = "adjourned"  # interrupted, to be resumed later: at no table, nothing counts yet
    CONFIRMED = "confirmed"
    VOID = "void"  # will not be played and counts for nothing


class Trait(StrEnum):
    """What a status means for other code, such as that players are busy.

    Every set of statuses is computed from these traits, so a new status only lists its traits.
    """

    UPCOMING = "ahead"  # match: not called yet; event: nothing is drawn yet
    NOT_STARTED = "awaited"  # match: not started, and its players are waited for
    AWAITING_RESULT = "paired"  # match: both sides known, no confirmed result
    AT_TABLE = "at_table"  # match: may occupy a table of the hall
    IN_PROGRESS = "begun"  # match: called or reported, no confirmed result
    PLAYERS_BUSY = "in_play"  # match: its players are busy with it
    UNSETTLED = "unsettled"  # match: reported, not settled
    PLAYABLE = "to_play"  # match: can be played, not reported
    CHANGEABLE = "going_on"  # event: it can still change
    HAS_RESULT = "played"  # match: has a confirmed result; event: has results
    HIDDEN = "hidden"  # stage: only directors see its draw
    PUBLIC = "shown"  # stage: its draw is public
    UNDER_WAY = "under_way"  # stage: public and not over
    OVER = "over"  # match, event: nothing is left to play
    LISTED = "listed"  # entry: publicly listed as taking part now or formerly
    HOLDS_PLACE = "holds_place"  # entry: counts towards the division's capacity
    ON_WAITING_LIST = "queues"  # entry: on the waiting list
    UNCONFIRMED = "unconfirmed"  # entry: identity not confirmed yet; represents no player


class MatchAction(StrEnum):
    PAIR = "pair"  # the second side became known
    CALL = "call"
    START = "start"
    SEND_BACK = "send_back"  # called or started by mistake: frees the table
    ADJOURN = "adjourn"  # interrupted with score, cube and position; repeated: changes what was saved
    RESUME = "resume"  # resumed: the match is ready for a table
    REPORT = "report"
    DISPUTE = "dispute"
    CONFIRM = "confirm"
    PASS_BYE = "pass_bye"  # noqa: S105 (one side or none: settled without play)
    VOID = "void"  # no side comes, or an opponent is cancelled
    CORRECT = "correct"  # replaces the confirmed result: the start of a repair


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
    UNSTART = "unstart"  # the published draw was undone before any match had begun
    FINISH = "finish"
    REOPEN = "reopen"
    CANCEL = "cancel"
    RESTORE = "restore"


class StageStatus(StrEnum):
    SETUP = "setup"
    DRAWN = "drawn"  # visible to directors, who may redraw
    PUBLISHED = "published"  # public; can be undone while no match has begun
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
    PENDING = "expected"  # claims to be a known player, or new where approval is required; holds a place
    WAITING = "waiting"  # on the waiting list
    WAITING_PENDING = "unseen"  # as PENDING, on the waiting list
    WITHDRAWN = "withdrawn"


class EntryAction(StrEnum):
    APPROVE = "approve"  # a director confirms the identity
    MOVE_UP = "move_up"  # a place became free
    WITHDRAW = "withdraw"
    RETURN = "return"
    QUEUE = "queue"  # returns while no place is free: to the end of the waiting list
    MOVE_BACK = "move_back"  # the place was given by mistake: back to the waiting list
    UNAPPROVE = "unapprove"  # approved by mistake: identity not confirmed


Status = MatchStatus | EventStatus | StageStatus | EntryStatus
Action = MatchAction | EventAction | StageAction | EntryAction

# The traits of each status, defined here only.
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
    statuses: Iterable[MatchStatus], action: MatchAction, new_status: MatchStatus
) -> dict[tuple[MatchStatus, MatchAction], MatchStatus]:
    return {(status, action): new_status for status in statuses}


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
    """The actions and transitions of one kind of status (of matches, events, stages or entries).

    Each kind has its own table, as members of different enums with the same value are equal.
    """

    name: str
    actions: type[StrEnum]
    table: _Transitions


_STATUS_MACHINES: Final[Mapping[type[StrEnum], _StatusMachine]] = {
    MatchStatus: _StatusMachine("match", MatchAction, cast("_Transitions", MATCH_TRANSITIONS)),
    EventStatus: _StatusMachine("event", EventAction, cast("_Transitions", EVENT_TRANSITIONS)),
    StageStatus: _StatusMachine("stage", StageAction, cast("_Transitions", STAGE_TRANSITIONS)),
    EntryStatus: _StatusMachine("entry", EntryAction, cast("_Transitions", ENTRY_TRANSITIONS)),
}

# Every code that `next_status` can raise; `messages` has a text for each.
REFUSAL_CODES: Final[frozenset[str]] = frozenset(
    f"{machine.name}.{action}_refused" for machine in _STATUS_MACHINES.values() for action in machine.actions
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
    """Return the status that follows from ``action`` in ``status``.

    Raises ``TransitionRefused`` if the action is not allowed then.
    """
    machine = _STATUS_MACHINES[type(status)]
    if not isinstance(action, machine.actions):
        raise TypeError(f"{action!r} is no action of a {machine.name}")
    try:
        return machine.table[status, action]
    except KeyError:
        raise TransitionRefused(f"{machine.name}.{action}_refused", status, action) from None


@overload
def allowed_actions(status: MatchStatus) -> tuple[MatchAction, ...]: ...
@overload
def allowed_actions(status: EventStatus) -> tuple[EventAction, ...]: ...
@overload
def allowed_actions(status: StageStatus) -> tuple[StageAction, ...]: ...
@overload
def allowed_actions(status: EntryStatus) -> tuple[EntryAction, ...]: ...
def allowed_actions(status: Status) -> tuple[StrEnum, ...]:
    """Return the actions allowed in ``status``, in the order of their enum.

    A page shows a button for each of them.
    """
    machine = _STATUS_MACHINES[type(status)]
    return tuple(action for action in machine.actions if (status, action) in machine.table)


def may_report(status: MatchStatus) -> bool:
    """Return whether a result can be reported for a match with this status.

    Both sides must be known and no result confirmed; adjourned matches are included.
    """
    return (status, MatchAction.REPORT) in MATCH_TRANSITIONS


def can_request_correction(status: MatchStatus) -> bool:
    """Return whether a player may request a correction of a match: only if its result is confirmed.

    A request changes no status.
    """
    return status is MatchStatus.CONFIRMED
