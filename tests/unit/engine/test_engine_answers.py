"""What a player answers before a match, when lateness counts, and when the word before the call is due."""

from datetime import UTC, datetime, timedelta

import pytest

from tournaments.engine.hall.near import MOST_TIMES, MOVED, Word, is_due
from tournaments.engine.matches.answers import (
    CALLED_EARLY,
    LATER_BY,
    REASON_LIMIT,
    CallReply,
    Coming,
    check_reply,
    late_from,
)
from tournaments.engine.statuses import AWAITED, MatchStatus

TEN = datetime(2027, 5, 1, 10, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("coming", "reason", "codes"),
    [
        (Coming.COMING, "", []),
        (Coming.LATER, "", []),
        (Coming.CANNOT, "", ["answer.reason_missing"]),
        (Coming.CANNOT, "x" * REASON_LIMIT, []),
        (Coming.CANNOT, "x" * (REASON_LIMIT + 1), ["answer.reason_long"]),
    ],
)
def test_reason_is_asked_of_who_cannot_play_alone(coming, reason, codes):
    assert [fault.code for fault in check_reply(coming, reason)] == codes


def test_second_tap_when_the_same_then_a_repetition_and_five_minutes_once_over_a_new_word():
    later = CallReply(Coming.LATER, TEN)
    assert later.by == TEN + LATER_BY
    assert CallReply(Coming.LATER, TEN + 4 * MINUTE).repeats(later)
    assert not CallReply(Coming.LATER, TEN + 5 * MINUTE).repeats(later)
    assert not CallReply(Coming.COMING, TEN).repeats(later)
    assert not later.repeats(None)
    cannot = CallReply(Coming.CANNOT, TEN, "Train")
    assert cannot.repeats(CallReply(Coming.CANNOT, TEN - 60 * MINUTE, "Train"))
    assert not cannot.repeats(CallReply(Coming.CANNOT, TEN, "Ill"))


def test_answer_counts_until_the_match_begins_and_coming_until_it_is_sent_back():
    for status in MatchStatus:
        assert CallReply(Coming.COMING, TEN).counts(status, None) == (status in AWAITED)
    back = TEN + MINUTE
    assert not CallReply(Coming.COMING, TEN).counts(MatchStatus.READY, back)
    assert CallReply(Coming.COMING, back).counts(MatchStatus.READY, back)
    assert CallReply(Coming.CANNOT, TEN, "Train").counts(MatchStatus.READY, back)


def test_lateness_when_called_before_the_announced_start_then_from_the_start_on():
    called = TEN - 10 * MINUTE
    assert late_from(called, TEN) == TEN
    assert late_from(called, None) == called
    assert late_from(TEN, TEN - MINUTE) == TEN
    assert late_from(TEN - CALLED_EARLY, TEN) == TEN
    assert late_from(TEN - CALLED_EARLY - MINUTE, TEN) == TEN - CALLED_EARLY - MINUTE  # the night before


def test_word_is_given_once_and_again_when_the_match_has_moved_by_much_but_not_for_ever():
    assert not is_due(TEN + 16 * MINUTE, TEN, 15, None)
    assert is_due(TEN + 15 * MINUTE, TEN, 15, None)
    assert not is_due(TEN, TEN, 0, None)
    before = Word(TEN + 12 * MINUTE, 1)
    assert not is_due(before.begins_at + MOVED - MINUTE, TEN, 15, before)
    assert is_due(before.begins_at + MOVED, TEN, 15, before)
    assert is_due(before.begins_at - MOVED, TEN, 15, before)
    assert not is_due(before.begins_at + MOVED, TEN, 0, before)
    assert not is_due(before.begins_at + MOVED, TEN, 15, Word(before.begins_at, MOST_TIMES))
