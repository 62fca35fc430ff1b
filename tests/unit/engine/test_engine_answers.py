"""What a player answers before a match, when lateness counts, and when the word before the call is due."""

from datetime import UTC, datetime, timedelta

import pytest

from tournaments.engine.hall.near import MAX_NOTICES, MIN_SHIFT, UpNextNotice, is_notice_due
from tournaments.engine.matches.answers import (
    EARLY_CALL_LEAD,
    LATER_DELAY,
    MAX_REASON_LENGTH,
    CallReply,
    ReplyChoice,
    check_reply,
    late_since,
)
from tournaments.engine.statuses import NOT_STARTED, MatchStatus

TEN = datetime(2027, 5, 1, 10, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("coming", "reason", "codes"),
    [
        (ReplyChoice.COMING, "", []),
        (ReplyChoice.LATER, "", []),
        (ReplyChoice.CANNOT, "", ["answer.reason_missing"]),
        (ReplyChoice.CANNOT, "x" * MAX_REASON_LENGTH, []),
        (ReplyChoice.CANNOT, "x" * (MAX_REASON_LENGTH + 1), ["answer.reason_long"]),
    ],
)
def test_reason_is_asked_of_who_cannot_play_alone(coming, reason, codes):
    assert [fault.code for fault in check_reply(coming, reason)] == codes


def test_second_tap_when_the_same_then_a_repetition_and_five_minutes_once_over_a_new_word():
    later = CallReply(ReplyChoice.LATER, TEN)
    assert later.by == TEN + LATER_DELAY
    assert CallReply(ReplyChoice.LATER, TEN + 4 * MINUTE).is_repeat_of(later)
    assert not CallReply(ReplyChoice.LATER, TEN + 5 * MINUTE).is_repeat_of(later)
    assert not CallReply(ReplyChoice.COMING, TEN).is_repeat_of(later)
    assert not later.is_repeat_of(None)
    cannot = CallReply(ReplyChoice.CANNOT, TEN, "Train")
    assert cannot.is_repeat_of(CallReply(ReplyChoice.CANNOT, TEN - 60 * MINUTE, "Train"))
    assert not cannot.is_repeat_of(CallReply(ReplyChoice.CANNOT, TEN, "Ill"))


def test_answer_counts_until_the_match_begins_and_coming_until_it_is_sent_back():
    for status in MatchStatus:
        assert CallReply(ReplyChoice.COMING, TEN).counts(status, None) == (status in NOT_STARTED)
    back = TEN + MINUTE
    assert not CallReply(ReplyChoice.COMING, TEN).counts(MatchStatus.READY, back)
    assert CallReply(ReplyChoice.COMING, back).counts(MatchStatus.READY, back)
    assert CallReply(ReplyChoice.CANNOT, TEN, "Train").counts(MatchStatus.READY, back)


def test_lateness_when_called_before_the_announced_start_then_from_the_start_on():
    called = TEN - 10 * MINUTE
    assert late_since(called, TEN) == TEN
    assert late_since(called, None) == called
    assert late_since(TEN, TEN - MINUTE) == TEN
    assert late_since(TEN - EARLY_CALL_LEAD, TEN) == TEN
    assert (
        late_since(TEN - EARLY_CALL_LEAD - MINUTE, TEN) == TEN - EARLY_CALL_LEAD - MINUTE
    )  # the night before


def test_word_is_given_once_and_again_when_the_match_has_moved_by_much_but_not_for_ever():
    assert not is_notice_due(TEN + 16 * MINUTE, TEN, 15, None)
    assert is_notice_due(TEN + 15 * MINUTE, TEN, 15, None)
    assert not is_notice_due(TEN, TEN, 0, None)
    before = UpNextNotice(TEN + 12 * MINUTE, 1)
    assert not is_notice_due(before.begins_at + MIN_SHIFT - MINUTE, TEN, 15, before)
    assert is_notice_due(before.begins_at + MIN_SHIFT, TEN, 15, before)
    assert is_notice_due(before.begins_at - MIN_SHIFT, TEN, 15, before)
    assert not is_notice_due(before.begins_at + MIN_SHIFT, TEN, 0, before)
    assert not is_notice_due(
        before.begins_at + MIN_SHIFT, TEN, 15, UpNextNotice(before.begins_at, MAX_NOTICES)
    )
