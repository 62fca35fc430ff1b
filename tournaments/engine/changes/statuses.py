"""The statuses that a repair may give a match; those of live play are in `engine.statuses`.

A repair sets what a match *is*, not what happened at a table: it may delete or set a result in any status,
and may never call, start, adjourn or dispute a match. An undo may make exactly the reverse transitions.
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
    RULE = "rule"  # a result is set, replacing another or none
    SETTLE = "settle"  # by other results it waits, can be played, is a bye or void
    PLAY_ON = "play_on"  # the reported result no longer ends it
    STRIKE = "strike"  # it counts for nothing
    PUT_BACK = "put_back"  # restored to its state before a repair


_SETTLED: Final = frozenset({_S.WAITING, _S.READY, _S.CONFIRMED, _S.VOID})
_FORWARD_TRANSITIONS: Final[Mapping[RepairAction, Mapping[MatchStatus, frozenset[MatchStatus]]]] = {
    RepairAction.RULE: dict.fromkeys(MatchStatus, frozenset({_S.CONFIRMED})),
    RepairAction.SETTLE: dict.fromkeys(MatchStatus, _SETTLED),
    RepairAction.PLAY_ON: dict.fromkeys((_S.REPORTED, _S.DISPUTED), frozenset({_S.READY, _S.PLAYING})),
    RepairAction.STRIKE: dict.fromkeys(_ALL_STATUSES - {_S.WAITING, _S.VOID}, frozenset({_S.VOID})),
}


def _reverse_transitions() -> dict[MatchStatus, frozenset[MatchStatus]]:
    transitions = {
        (new_status, status)
        for table in _FORWARD_TRANSITIONS.values()
        for status, new_statuses in table.items()
        for new_status in new_statuses
    }
    return {
        current: frozenset(previous for status, previous in transitions if status is current)
        for current in MatchStatus
    }


# Statuses that each action may set, by present status; others are rejected. An undo may also leave the
# status.
REPAIR_TRANSITIONS: Final[Mapping[RepairAction, Mapping[MatchStatus, frozenset[MatchStatus]]]] = {
    **_FORWARD_TRANSITIONS,
    RepairAction.PUT_BACK: {
        status: old_statuses | {status} for status, old_statuses in _reverse_transitions().items()
    },
}


def repaired_status(status: MatchStatus, action: RepairAction, new_status: MatchStatus) -> MatchStatus:
    """Return ``new_status`` if a repair action may give it to a match that has ``status``.

    Raises `TransitionRefused` otherwise.
    """
    if new_status not in REPAIR_TRANSITIONS[action].get(status, frozenset()):
        raise TransitionRefused("match.repair_refused", status, action)
    return new_status
