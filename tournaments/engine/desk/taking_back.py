"""What “undo” means: the last action of this director that still stands, and the way in which it is taken back.

The trail is read from its end. An action that takes another one back (a match sent back, an award taken back, a repair undone, a result
taken back, a table given back, an announcement taken away) covers that one, so that a second “undo” goes on to the action before it and never forth again.
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
    """How an action is taken back."""

    RESULT = "result"  # the result counts no more
    SEND_BACK = "send_back"  # the match is ready again
    CALLS = "calls"  # all that are still called wait again
    TABLE = "table"  # the match has the table again that it had
    SWAP = "swap"  # the tables are swapped again
    AWARD = "award"  # the points are taken back
    CLOCK = "clock"  # the clock is taken off
    ADJOURNMENT = "adjournment"  # the match is ready again, or what was written down before stands
    RESUMPTION = "resumption"  # the match is adjourned again
    REPAIR = "repair"  # everything as it was before the repair
    NOTICE = "notice"  # the announcement is taken away
    NONE = "none"  # not from here


@dataclass(frozen=True, slots=True)
class AuditRow:
    """A row of the trail: what was done to which match (its database id), and whether by this director."""

    pk: int
    action: AuditAction | UnknownAction
    match: int | None
    mine: bool


@dataclass(frozen=True, slots=True)
class UndoableAction:
    """The action to take back. ``since``: what was done to the same match afterwards and stands in the way."""

    done: AuditRow
    way: UndoMethod
    since: AuditRow | None = None

    @property
    def about(self) -> int | None:
        """The match that it was about."""
        return _match_id(self.done)


def last_undoable(rows: Sequence[AuditRow]) -> UndoableAction | None:
    """The director's last action among ``rows``, newest first. What players answer before a match stands in nobody's way."""
    covered: list[UndoKey] = []
    later: list[AuditRow] = []
    rows = [done for done in rows if not isinstance(done.action, _ANSWER_ACTIONS)]
    for place, done in enumerate(rows):
        key = _key(done)
        if key in covered:
            # Sent back from the table: whoever called and started it. A clock that is off: whoever put it on and wrote its score down.
            if not isinstance(done.action, (*_CALL_ACTIONS, ClockAdded)):
                covered.remove(key)
        elif covers := [*_undone_keys(done), *_reverted_keys(done, rows[place + 1 :])]:
            covered += covers
        elif done.mine:
            about = _match_id(done)
            since = next((one for one in later if about is not None and _match_id(one) == about), None)
            return UndoableAction(done, undo_method(done.action), since)
        else:
            later.append(done)
    return None


def undo_method(action: AuditAction | UnknownAction) -> UndoMethod:
    """How an action of this kind is taken back."""
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


def _match_id(done: AuditRow) -> int | None:
    if isinstance(done.action, MatchesCalled) and len(done.action.matches) == 1:
        return done.action.matches[0].pk
    return done.match


def _undone_keys(done: AuditRow) -> list[UndoKey]:
    """Which earlier actions this one has taken back, if it is nothing but that."""
    match done.action:
        case RepairUndone(of=pk) | CallsUndone(of=pk) | EntriesActionUndone(of=pk):
            return [("row", pk)]
        case MatchReturnedToQueue():
            return [("moved", done.match), ("clock", done.match)]  # a clock goes with the table
        case NoticeWithdrawn(notice=pk):
            return [("notice", pk)]
        case AwardRemoved():
            return [("award", done.match)]
        case ClockRemoved():
            return [("clock", done.match)]
        case MatchResumed(taken_back=True):
            return [("adjourned", done.match)]
        case ResultCorrected(after=after) if after.status != MatchStatus.CONFIRMED:
            return [("result", done.match), ("moved", done.match), ("adjourned", done.match)]
        case _:
            return []


def _reverted_keys(done: AuditRow, before: Sequence[AuditRow]) -> list[UndoKey]:
    """A match that has its former table again or is adjourned as it was, tables that are swapped again: the action before it is
    covered.
    """
    for other in before:
        match done.action, other.action:
            case TableAssigned(), TableAssigned() if done.match == other.match:
                back = (done.action.before, done.action.after) == (other.action.after, other.action.before)
                return [("row", other.pk)] if back else []
            case MatchAdjourned(), MatchResumed(taken_back=False) if done.match == other.match:
                same = done.action.adjourned == other.action.adjourned
                return [("row", other.pk)] if same else []
            case MatchAdjourned(again=True), MatchAdjourned(again=True) if done.match == other.match:
                back = done.action.adjourned == other.action.before
                return [("adjourned", done.match)] if back else []
            case TablesSwapped(), TablesSwapped():
                pair = {done.action.first, done.action.second}
                return [("row", other.pk)] if pair == {other.action.first, other.action.second} else []
    return []


def _key(done: AuditRow) -> UndoKey:
    match done.action:
        case MatchesCalled(matches=matches) if len(matches) != 1:
            return ("row", done.pk)
        case MatchCalled() | MatchStarted() | MatchesCalled():
            return ("moved", _match_id(done))
        case AnnouncementMade(notice=pk) | NoticeRestored(notice=pk):
            return ("notice", pk)
        case PointsAwarded():
            return ("award", done.match)
        case ClockAdded():
            return ("clock", done.match)
        case MatchAdjourned():
            return ("adjourned", done.match)
        case ResultAction(decision=MatchStatus.CONFIRMED):
            return ("result", done.match)
        case _:
            return ("row", done.pk)


def award_index(awards: Sequence[object], action: PointsAwarded) -> int | None:
    """Which of a match's awards the action gave; None if it is gone."""
    places = [place for place, award in enumerate(awards) if award == action.award]
    return places[-1] if places else None
