"""Which statuses a repair may take a match from and to: the table of repairs, beside that of live play in ``lifecycle``.

A repair says what a match *is* after it, not what happened at a table, so its table is one of its own: it may take a result
back or give one whatever is being played, and may never call, start, adjourn or dispute anything. An undo may go exactly the
ways back that repairs go.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from tournaments.engine.errors import TransitionRefused
from tournaments.engine.statuses import MatchStatus

_S = MatchStatus
_ALL_STATUSES: Final = frozenset(MatchStatus)


class RepairAction(StrEnum):
    RULE = "rule"  # a result is given, in the place of another one or of none
    SETTLE = "settle"  # by other results it waits, can be played, is a bye or falls away
    PLAY_ON = "play_on"  # what was reported no longer ends it
    STRIKE = "strike"  # it counts for nothing
    PUT_BACK = "put_back"  # as it was before a repair


_SETTLED: Final = frozenset({_S.WAITING, _S.READY, _S.CONFIRMED, _S.VOID})
_FORWARD_TRANSITIONS: Final[Mapping[RepairAction, Mapping[MatchStatus, frozenset[MatchStatus]]]] = {
    RepairAction.RULE: dict.fromkeys(MatchStatus, frozenset({_S.CONFIRMED})),
    RepairAction.SETTLE: dict.fromkeys(MatchStatus, _SETTLED),
    RepairAction.PLAY_ON: dict.fromkeys((_S.REPORTED, _S.DISPUTED), frozenset({_S.READY, _S.PLAYING})),
    RepairAction.STRIKE: dict.fromkeys(_ALL_STATUSES - {_S.WAITING, _S.VOID}, frozenset({_S.VOID})),
}


def _reverse_transitions() -> dict[MatchStatus, frozenset[MatchStatus]]:
    ways = {
        (to, status)
        for table in _FORWARD_TRANSITIONS.values()
        for status, all_to in table.items()
        for to in all_to
    }
    return {here: frozenset(there for status, there in ways if status is here) for here in MatchStatus}


# What each action may make of a match of each status; what is not there is refused. An undo leaves a status as it is, too.
REPAIR_TRANSITIONS: Final[Mapping[RepairAction, Mapping[MatchStatus, frozenset[MatchStatus]]]] = {
    **_FORWARD_TRANSITIONS,
    RepairAction.PUT_BACK: {status: ways | {status} for status, ways in _reverse_transitions().items()},
}


def repaired_status(status: MatchStatus, action: RepairAction, wanted: MatchStatus) -> MatchStatus:
    """``wanted``, if the table has it; raises `TransitionRefused` otherwise."""
    if wanted not in REPAIR_TRANSITIONS[action].get(status, frozenset()):
        raise TransitionRefused("match.repair_refused", status, action)
    return wanted
