"""Undo in the command bar: which action of a director is undone next, and how.

The audit log is read from its end. An action that undoes another one (a match returned to the queue, an award
removed, a repair undone, a result or table reverted, an announcement withdrawn) hides the undone action, so
that a second "undo" goes on to the action before that, and never repeats an undone action.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tournaments.engine.statuses import MatchStatus
from tournaments.engine.trail.action import AuditAction, RepairAuditAction, UnknownAction
from tournaments.engine.trail.arranging import (
    AgreedTimeCancelled,
    MessagesReported,
    MessagesReviewed,
    TimeAgreed,
    TimesDeclined,
    TimesOffered,
)
from tournaments.engine.trail.draws import CommitmentPublicitySet, RandomnessFetched
from tournaments.engine.trail.entries import EntriesActionUndone
from tournaments.engine.trail.matches import (
    AwardRemoved,
    CallReplyDismissed,
    CallReplyGiven,
    CallsUndone,
    ClockAdded,
    ClockRemoved,
    MatchAdjourned,
    MatchCalled,
    MatchesCalled,
    MatchResumed,
    MatchReturnedToQueue,
    MatchStarted,
    PointsAwarded,
    ResultAction,
    TableAssigned,
    TablesSwapped,
)
from tournaments.engine.trail.notices import AnnouncementMade, NoticeRestored, NoticeWithdrawn
from tournaments.engine.trail.repairs import RepairUndone, ResultCorrected

UndoKey = tuple[str, int | None]
_ANSWER_ACTIONS: Final = (
    *(CallReplyGiven, CallReplyDismissed, TimesOffered, TimesDeclined, TimeAgreed, AgreedTimeCancelled),
    *(MessagesReported, MessagesReviewed, CommitmentPublicitySet, RandomnessFetched),
)
_CALL_ACTIONS: Final = (MatchCalled, MatchesCalled, MatchStarted)


class UndoMethod(StrEnum):
    """The way in which an action of a director can be undone."""

    RESULT = "result"  # the result no longer counts
    SEND_BACK = "send_back"  # the match is ready again
    CALLS = "calls"  # matches that are still called wait again
    TABLE = "table"  # the match gets its previous table
    SWAP = "swap"  # the tables are swapped back
    AWARD = "award"  # the points are removed
    CLOCK = "clock"  # the clock is removed
    ADJOURNMENT = "adjournment"  # the match is ready again, or the previous adjournment is restored
    RESUMPTION = "resumption"  # the match is adjourned again
    REPAIR = "repair"  # everything is restored as before the repair
    NOTICE = "notice"  # the announcement is withdrawn
    NONE = "none"  # not possible here


@dataclass(frozen=True, slots=True)
class AuditRow:
    """A row of the audit log.

    ``pk``: its database id; ``match``: the database id of the action's match, if any; ``is_own``: whether the
    director who wants to undo has done it.
    """

    pk: int
    action: AuditAction | UnknownAction
    match: int | None
    is_own: bool


@dataclass(frozen=True, slots=True)
class UndoableAction:
    """The action to undo.

    ``done``: its row of the audit log; ``method``: how the action is undone; ``since``: a later action of
    another person on the same match, which prevents the undo.
    """

    done: AuditRow
    method: UndoMethod
    since: AuditRow | None = None

    @property
    def about(self) -> int | None:
        """Database id of the match that the action is about, or None."""
        return _match_id(self.done)


def last_undoable(rows: Sequence[AuditRow]) -> UndoableAction | None:
    """Return the director's last action that has not been undone; None if there is none among ``rows``.

    ``rows``: the newest rows of the audit log, newest first. Players' answers do not prevent an undo.
    """
    covered_keys: list[UndoKey] = []
    later_rows: list[AuditRow] = []
    rows = [row for row in rows if not isinstance(row.action, _ANSWER_ACTIONS)]
    for place, row in enumerate(rows):
        key = _key(row)
        if key in covered_keys:
            # A match returned to the queue covers all calls and starts, a removed clock all its changes.
            if not isinstance(row.action, (*_CALL_ACTIONS, ClockAdded)):
                covered_keys.remove(key)
        elif new_keys := [*_undone_keys(row), *_reverted_keys(row, rows[place + 1 :])]:
            covered_keys += new_keys
        elif row.is_own:
            match_id = _match_id(row)
            later_row = next(
                (other for other in later_rows if match_id is not None and _match_id(other) == match_id), None
            )
            return UndoableAction(row, undo_method(row.action), later_row)
        else:
            later_rows.append(row)
    return None


def undo_method(action: AuditAction | UnknownAction) -> UndoMethod:
    """Return the way in which an action of this kind is undone."""
    match action:
        case ResultAction(decision=MatchStatus.CONFIRMED):
            return UndoMethod.RESULT
        case MatchCalled() | MatchStarted() | MatchesCalled(matches=(_,)):
            return UndoMethod.SEND_BACK
        case MatchesCalled():
            return UndoMethod.CALLS
        case TableAssigned():
            return UndoMethod.TABLE
        case TablesSwapped():
            return UndoMethod.SWAP
        case PointsAwarded():
            return UndoMethod.AWARD
        case ClockAdded():
            return UndoMethod.CLOCK
        case MatchAdjourned():
            return UndoMethod.ADJOURNMENT
        case MatchResumed():
            return UndoMethod.RESUMPTION
        case RepairAuditAction():
            return UndoMethod.REPAIR
        case AnnouncementMade() | NoticeRestored():
            return UndoMethod.NOTICE
        case _:
            return UndoMethod.NONE


def _match_id(row: AuditRow) -> int | None:
    if isinstance(row.action, MatchesCalled) and len(row.action.matches) == 1:
        return row.action.matches[0].pk
    return row.match


def _undone_keys(row: AuditRow) -> list[UndoKey]:
    """Return the keys of the earlier actions that this action has undone; empty if it does something else."""
    match row.action:
        case RepairUndone(of=pk) | CallsUndone(of=pk) | EntriesActionUndone(of=pk):
            return [("row", pk)]
        case MatchReturnedToQueue():
            return [("moved", row.match), ("clock", row.match)]  # a clock goes with the table
        case NoticeWithdrawn(notice=pk):
            return [("notice", pk)]
        case AwardRemoved():
            return [("award", row.match)]
        case ClockRemoved():
            return [("clock", row.match)]
        case MatchResumed(taken_back=True):
            return [("adjourned", row.match)]
        case ResultCorrected(after=after) if after.status != MatchStatus.CONFIRMED:
            return [("result", row.match), ("moved", row.match), ("adjourned", row.match)]
        case _:
            return []


def _reverted_keys(row: AuditRow, earlier_rows: Sequence[AuditRow]) -> list[UndoKey]:
    """Return the key of an earlier action that this action reversed, in a list; empty if there is none.

    The former table or adjournment was set again, or tables were swapped back.
    """
    for earlier in earlier_rows:
        match row.action, earlier.action:
            case TableAssigned(), TableAssigned() if row.match == earlier.match:
                is_reverse = (row.action.before, row.action.after) == (
                    earlier.action.after,
                    earlier.action.before,
                )
                return [("row", earlier.pk)] if is_reverse else []
            case MatchAdjourned(), MatchResumed(taken_back=False) if row.match == earlier.match:
                is_same = row.action.adjourned == earlier.action.adjourned
                return [("row", earlier.pk)] if is_same else []
            case MatchAdjourned(again=True), MatchAdjourned(again=True) if row.match == earlier.match:
                is_reverse = row.action.adjourned == earlier.action.before
                return [("adjourned", row.match)] if is_reverse else []
            case TablesSwapped(), TablesSwapped():
                tables = {row.action.first, row.action.second}
                return (
                    [("row", earlier.pk)] if tables == {earlier.action.first, earlier.action.second} else []
                )
    return []


def _key(row: AuditRow) -> UndoKey:
    match row.action:
        case MatchesCalled(matches=matches) if len(matches) != 1:
            return ("row", row.pk)
        case MatchCalled() | MatchStarted() | MatchesCalled():
            return ("moved", _match_id(row))
        case AnnouncementMade(notice=pk) | NoticeRestored(notice=pk):
            return ("notice", pk)
        case PointsAwarded():
            return ("award", row.match)
        case ClockAdded():
            return ("clock", row.match)
        case MatchAdjourned():
            return ("adjourned", row.match)
        case ResultAction(decision=MatchStatus.CONFIRMED):
            return ("result", row.match)
        case _:
            return ("row", row.pk)


def award_index(awards: Sequence[object], action: PointsAwarded) -> int | None:
    """Return the index in ``awards`` of the award that the action gave; None if the award was removed."""
    places = [place for place, award in enumerate(awards) if award == action.award]
    return places[-1] if places else None
