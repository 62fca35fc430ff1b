"""What “undo” means, read from the end of a trail."""

import itertools

import pytest

from tournaments.engine.desk.taking_back import AuditRow, UndoMethod, award_index, last_undoable
from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.matches.reporting import Reporter
from tournaments.engine.matches.rulings import Award, AwardReason
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.trail.action import CalledMatch, MatchSnapshot, UnknownAction
from tournaments.engine.trail.events import TableClosed
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
    ResultReported,
    TableAssigned,
    TablesSwapped,
)
from tournaments.engine.trail.notices import AnnouncementMade, NoticeRestored, NoticeWithdrawn
from tournaments.engine.trail.repairs import RepairUndone, ResultCorrected
from tournaments.engine.types import Claim, Score, Side

LATE = Award(Side.B, 1, AwardReason.LATE, 12)
RESULT = ResultReported(claim=Claim(7, 3), decision=MatchStatus.CONFIRMED, by=Reporter.DIRECTOR, version=1)
CALL, START, BACK = MatchCalled(), MatchStarted(), MatchReturnedToQueue()
AWARD = PointsAwarded(award=LATE, start_a=0, start_b=1)
NO_AWARD = AwardRemoved(award=LATE, start_a=0, start_b=0)


FIRST, SECOND = Adjournment(Score(3, 2)), Adjournment(Score(3, 4))
BROKEN_OFF, GOES_ON = MatchAdjourned(adjourned=FIRST), MatchResumed(adjourned=FIRST)
NEVER_WAS = MatchResumed(adjourned=FIRST, taken_back=True)


def stood(status):
    return MatchSnapshot("m1", 4, status, 7, 3, "a")


OPEN_AGAIN = ResultCorrected(before=stood("confirmed"), after=stood("ready"))
CORRECTED = ResultCorrected(before=stood("confirmed"), after=stood("confirmed"))


def trail(*actions):
    """Oldest first; an action alone is mine and about match 1, (action, match) about another, (action, match, False) not mine."""
    numbers = itertools.count(1)
    rows = []
    for action in actions:
        what, match, mine = (
            (*action, True, True)[:3] if isinstance(action, tuple) and len(action) > 1 else (action, 1, True)
        )
        rows.append(AuditRow(next(numbers), what, match, mine))
    return rows[::-1]


def found(*actions):
    last = last_undoable(trail(*actions))
    return None if last is None else (last.done.action, last.method)


@pytest.mark.parametrize(
    ("action", "way"),
    [
        (RESULT, UndoMethod.RESULT),
        (CALL, UndoMethod.SEND_BACK),
        (START, UndoMethod.SEND_BACK),
        (MatchesCalled(matches=(CalledMatch(1, 1, 1),)), UndoMethod.SEND_BACK),
        (MatchesCalled(matches=(CalledMatch(1, 1, 1), CalledMatch(2, 2, 2))), UndoMethod.CALLS),
        (TableAssigned(before=1, after=2), UndoMethod.TABLE),
        (TablesSwapped(first=1, second=2, moved=()), UndoMethod.SWAP),
        (AWARD, UndoMethod.AWARD),
        (ClockAdded(), UndoMethod.CLOCK),
        (BROKEN_OFF, UndoMethod.ADJOURNMENT),
        (GOES_ON, UndoMethod.RESUMPTION),
        (CORRECTED, UndoMethod.REPAIR),
        (AnnouncementMade(notice=3, text="Coffee"), UndoMethod.NOTICE),
        (TableClosed(table=3), UndoMethod.NONE),
        (UnknownAction("of.tomorrow"), UndoMethod.NONE),
    ],
)
def test_last_when_it_stands_then_taken_back_in_its_own_way(action, way):
    assert found(CALL, action) == (action, way)


def test_last_when_somebody_else_was_later_then_still_mine():
    assert found(RESULT, (CALL, 2, False)) == (RESULT, UndoMethod.RESULT)
    assert found((RESULT, 2, False)) is None
    assert found() is None


def test_last_when_somebody_went_on_with_the_same_match_then_that_stands_in_the_way():
    last = last_undoable(trail(CALL, (START, 1, False)))
    assert last.since.action == START
    assert last_undoable(trail(CALL, (START, 2, False))).since is None


def test_taken_back_when_undone_again_then_the_action_before_it():
    assert found(AWARD, RESULT, OPEN_AGAIN) == (AWARD, UndoMethod.AWARD)
    assert found((TableClosed(table=3), 9), CALL, START, BACK) == (TableClosed(table=3), UndoMethod.NONE)
    assert found(CALL, AWARD, NO_AWARD) == (CALL, UndoMethod.SEND_BACK)
    assert found(CALL, ClockAdded(), ClockRemoved()) == (CALL, UndoMethod.SEND_BACK)
    assert found(AWARD, CALL, ClockAdded(), BACK) == (AWARD, UndoMethod.AWARD)
    assert found(CALL, ClockAdded(), ClockAdded(score_a=3, score_b=2), ClockRemoved()) == (
        CALL,
        UndoMethod.SEND_BACK,
    )
    assert found(CALL, AWARD, AWARD, NO_AWARD) == (AWARD, UndoMethod.AWARD)
    # A match whose result was taken back is ready: nobody sends it back once more.
    assert found((RESULT, 2), CALL, RESULT, OPEN_AGAIN) == (RESULT, UndoMethod.RESULT)


def test_repair_when_undone_then_the_action_before_it():
    rows = trail(RESULT, CORRECTED)
    undone = AuditRow(9, RepairUndone(of=rows[0].pk, what="match.correct"), 1, is_own=True)
    assert last_undoable([undone, *rows]).done.action == RESULT


def test_announcement_when_taken_away_then_the_action_before_it():
    said, gone, again = (
        AnnouncementMade(notice=3, text="x"),
        NoticeWithdrawn(notice=3),
        NoticeRestored(notice=3),
    )
    assert found(CALL, said, gone) == (CALL, UndoMethod.SEND_BACK)
    assert found(CALL, said, gone, again) == (again, UndoMethod.NOTICE)
    assert found(CALL, said, gone, again, gone) == (CALL, UndoMethod.SEND_BACK)
    assert found(CALL, said, NoticeWithdrawn(notice=4)) == (said, UndoMethod.NOTICE)


def test_tables_when_as_they_were_then_neither_way_is_undone_again():
    there, back = TableAssigned(before=1, after=2), TableAssigned(before=2, after=1)
    assert found(CALL, there, back) == (CALL, UndoMethod.SEND_BACK)
    assert found(CALL, there) == (there, UndoMethod.TABLE)
    swap, again = TablesSwapped(first=1, second=2, moved=()), TablesSwapped(first=2, second=1, moved=())
    assert found(CALL, swap, again) == (CALL, UndoMethod.SEND_BACK)
    assert found(CALL, swap, again, swap) == (swap, UndoMethod.SWAP)


def test_adjournment_when_taken_back_then_the_action_before_it():
    assert found(CALL, BROKEN_OFF, NEVER_WAS) == (CALL, UndoMethod.SEND_BACK)
    # Goes on, and is adjourned again as it was: that was the undo of going on.
    assert found(CALL, BROKEN_OFF, GOES_ON, BROKEN_OFF) == (BROKEN_OFF, UndoMethod.ADJOURNMENT)
    again = MatchAdjourned(adjourned=SECOND, before=FIRST, again=True)
    there = MatchAdjourned(adjourned=FIRST, before=SECOND, again=True)
    assert found(CALL, BROKEN_OFF, again) == (again, UndoMethod.ADJOURNMENT)
    assert found(CALL, BROKEN_OFF, again, there) == (BROKEN_OFF, UndoMethod.ADJOURNMENT)


def test_award_when_looked_for_then_the_last_of_its_kind_or_none():
    assert award_index([LATE, LATE], AWARD) == 1
    assert award_index([], AWARD) is None


def test_call_when_a_player_has_answered_it_then_it_is_still_the_last_action_and_nothing_stands_in_its_way():
    answer = CallReplyGiven(by=Reporter.SIDE_A, coming="coming")
    seen_to = CallReplyDismissed(by=Reporter.SIDE_A, coming="coming")
    last = last_undoable(trail(CALL, (answer, 1, False), seen_to))
    assert last is not None
    assert (last.done.action, last.method, last.since) == (CALL, UndoMethod.SEND_BACK, None)


def test_calls_made_together_are_taken_back_as_one_and_only_once():
    together = MatchesCalled(matches=(CalledMatch(1, 1, 1), CalledMatch(2, 2, 2)))
    rows = [
        AuditRow(9, BACK, 1, is_own=True),
        AuditRow(8, together, None, is_own=True),
        AuditRow(7, CALL, 5, is_own=True),
    ]
    last = last_undoable(rows)
    assert (last.done.pk, last.method) == (8, UndoMethod.CALLS)
    undone = CallsUndone(of=8, matches=(CalledMatch(2, 2, 2),), kept=(CalledMatch(1, 1, 1),))
    last = last_undoable([AuditRow(10, undone, None, is_own=True), *rows])
    assert (last.done.pk, last.method) == (7, UndoMethod.SEND_BACK)
