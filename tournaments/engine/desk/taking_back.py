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
from tournaments.engine.trail.action import Repaired, TrailAction, Unread
from tournaments.engine.trail.arranging import (
    TalkReported,
    TalkSettled,
    TimeAgreed,
    TimeCalledOff,
    TimesDeclined,
    TimesOffered,
)
from tournaments.engine.trail.draws import CommitmentsPublic, RandomnessFetched
from tournaments.engine.trail.entries import EntriesUndone
from tournaments.engine.trail.matches import (
    AnswerSetAside,
    AwardTakenBack,
    CallAnswered,
    CallsUndone,
    ClockPutOn,
    ClockTakenOff,
    MatchAdjourned,
    MatchCalled,
    MatchesCalled,
    MatchResumed,
    MatchSentBack,
    MatchStarted,
    PointsAwarded,
    ResultAction,
    TableGiven,
    TablesSwapped,
)
from tournaments.engine.trail.notices import Announced, NoticeShownAgain, NoticeWithdrawn
from tournaments.engine.trail.repairs import RepairUndone, ResultCorrected

Key = tuple[str, int | None]
_WORDS: Final = (
    *(CallAnswered, AnswerSetAside, TimesOffered, TimesDeclined, TimeAgreed, TimeCalledOff),
    *(TalkReported, TalkSettled, CommitmentsPublic, RandomnessFetched),
)
_MOVES: Final = (MatchCalled, MatchesCalled, MatchStarted)


class Way(StrEnum):
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
class Done:
    """A row of the trail: what was done to which match (its database id), and whether by this director."""

    pk: int
    action: TrailAction | Unread
    match: int | None
    mine: bool


@dataclass(frozen=True, slots=True)
class Last:
    """The action to take back. ``since``: what was done to the same match afterwards and stands in the way."""

    done: Done
    way: Way
    since: Done | None = None

    @property
    def about(self) -> int | None:
        """The match that it was about."""
        return _match_of(self.done)


def last_of(rows: Sequence[Done]) -> Last | None:
    """The director's last action among ``rows``, newest first. What players answer before a match stands in nobody's way."""
    covered: list[Key] = []
    later: list[Done] = []
    rows = [done for done in rows if not isinstance(done.action, _WORDS)]
    for place, done in enumerate(rows):
        key = _key(done)
        if key in covered:
            # Sent back from the table: whoever called and started it. A clock that is off: whoever put it on and wrote its score down.
            if not isinstance(done.action, (*_MOVES, ClockPutOn)):
                covered.remove(key)
        elif covers := [*_covers(done), *_there_and_back(done, rows[place + 1 :])]:
            covered += covers
        elif done.mine:
            about = _match_of(done)
            since = next((one for one in later if about is not None and _match_of(one) == about), None)
            return Last(done, way_of(done.action), since)
        else:
            later.append(done)
    return None


def way_of(action: TrailAction | Unread) -> Way:
    """How an action of this kind is taken back."""
    match action:
        case ResultAction(decision=MatchStatus.CONFIRMED):
            return Way.RESULT
        case MatchCalled() | MatchStarted() | MatchesCalled(matches=(_,)):
            return Way.SEND_BACK
        case MatchesCalled():
            return Way.CALLS
        case TableGiven():
            return Way.TABLE
        case TablesSwapped():
            return Way.SWAP
        case PointsAwarded():
            return Way.AWARD
        case ClockPutOn():
            return Way.CLOCK
        case MatchAdjourned():
            return Way.ADJOURNMENT
        case MatchResumed():
            return Way.RESUMPTION
        case Repaired():
            return Way.REPAIR
        case Announced() | NoticeShownAgain():
            return Way.NOTICE
        case _:
            return Way.NONE


def _match_of(done: Done) -> int | None:
    if isinstance(done.action, MatchesCalled) and len(done.action.matches) == 1:
        return done.action.matches[0].pk
    return done.match


def _covers(done: Done) -> list[Key]:
    """Which earlier actions this one has taken back, if it is nothing but that."""
    match done.action:
        case RepairUndone(of=pk) | CallsUndone(of=pk) | EntriesUndone(of=pk):
            return [("row", pk)]
        case MatchSentBack():
            return [("moved", done.match), ("clock", done.match)]  # a clock goes with the table
        case NoticeWithdrawn(notice=pk):
            return [("notice", pk)]
        case AwardTakenBack():
            return [("award", done.match)]
        case ClockTakenOff():
            return [("clock", done.match)]
        case MatchResumed(taken_back=True):
            return [("adjourned", done.match)]
        case ResultCorrected(after=after) if after.status != MatchStatus.CONFIRMED:
            return [("result", done.match), ("moved", done.match), ("adjourned", done.match)]
        case _:
            return []


def _there_and_back(done: Done, before: Sequence[Done]) -> list[Key]:
    """A match that has its former table again or is adjourned as it was, tables that are swapped again: the action before it is
    covered.
    """
    for other in before:
        match done.action, other.action:
            case TableGiven(), TableGiven() if done.match == other.match:
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


def _key(done: Done) -> Key:
    match done.action:
        case MatchesCalled(matches=matches) if len(matches) != 1:
            return ("row", done.pk)
        case MatchCalled() | MatchStarted() | MatchesCalled():
            return ("moved", _match_of(done))
        case Announced(notice=pk) | NoticeShownAgain(notice=pk):
            return ("notice", pk)
        case PointsAwarded():
            return ("award", done.match)
        case ClockPutOn():
            return ("clock", done.match)
        case MatchAdjourned():
            return ("adjourned", done.match)
        case ResultAction(decision=MatchStatus.CONFIRMED):
            return ("result", done.match)
        case _:
            return ("row", done.pk)


def number_of_award(awards: Sequence[object], action: PointsAwarded) -> int | None:
    """Which of a match's awards the action gave; None if it is gone."""
    places = [place for place, award in enumerate(awards) if award == action.award]
    return places[-1] if places else None
