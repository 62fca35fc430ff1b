"""What a change makes of a stage, in values alone: results, walk-overs of those who have left, repairs and their undo."""

import itertools
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.brackets.progression import Slot, SlotState, advance
from tournaments.engine.changes.next_state import (
    ClearResult,
    ConfirmResult,
    PassAbsentEntries,
    RepeatReport,
    ReplaceBracketResults,
    RestoreMatch,
    Ruling,
    SetLength,
    SetResult,
    VoidMatch,
    next_state,
)
from tournaments.engine.changes.state import (
    MatchColumns,
    MatchData,
    MatchNotLoaded,
    NewReport,
    StageState,
    StoredReport,
    slot_from_columns,
)
from tournaments.engine.changes.statuses import REPAIR_TRANSITIONS, RepairAction, repaired_status
from tournaments.engine.errors import TransitionRefused
from tournaments.engine.stages.elimination import BracketSettings, bracket_with_flights
from tournaments.engine.statuses import MATCH_TRANSITIONS, MatchStatus
from tournaments.engine.types import Claim, EntryId, MatchNo, Outcome, ResultKind, Side

NOW = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)
A, B, C, D = map(EntryId, (1, 2, 3, 4))
ONE, TWO, FINAL = map(MatchNo, (1, 2, 3))


def bracket(*entries):
    return bracket_with_flights("single_elimination", [7], BracketSettings(), list(entries))


def stage(drawn, *, gone=(), struck=()):
    """A bracket as it is drawn."""
    matches = {}
    for match in drawn.matches:
        state = advance(drawn, {}).matches[match.number]
        outcome = state.outcome
        columns = MatchColumns(state.status, 7)
        if outcome is not None:
            columns = replace(
                columns, result_kind=outcome.kind.value, winner_side=(outcome.winner or ""), confirmed_at=NOW
            )
        matches[match.number] = MatchData(
            match.number, state.a, state.b, columns, match.winner_to, match.loser_to
        )
    return StageState(matches, frozenset(gone), frozenset(struck))


def confirmed(state, number, a=7, b=3, *, pk=1):
    return next_state(state, [ConfirmResult(number, Claim(a, b), StoredReport(pk, 1), NOW)], NOW)


def test_seat_when_only_the_entry_is_told_then_nothing_was_done_by_hand_or_won_and_nobody_else_comes():
    assert slot_from_columns(A) == Slot(SlotState.ENTRY, A, has_won=False, is_manual=False)
    assert not slot_from_columns(A).is_manual  # which no comparison of slots looks at
    assert slot_from_columns(None) == Slot(SlotState.VACANT, None, has_won=False, is_manual=False)


def test_confirm_when_a_semifinal_is_over_then_its_winner_waits_in_the_final():
    before = stage(bracket(A, B, C, D))
    after = confirmed(before, ONE)
    assert set(before.changed(after)) == {ONE, FINAL}
    assert after.match(ONE).columns == replace(
        before.match(ONE).columns, status=MatchStatus.CONFIRMED, result_kind="played", winner_side="a", score_a=7,
        score_b=3, played_at=NOW, confirmed_at=NOW,
    )  # fmt: skip
    assert after.match(FINAL).a.entry == A
    assert after.match(FINAL).status is MatchStatus.WAITING
    assert confirmed(after, TWO).match(FINAL).status is MatchStatus.READY


def test_confirm_when_the_match_it_feeds_was_not_read_then_it_is_asked_for():
    before = stage(bracket(A, B, C, D))
    with pytest.raises(MatchNotLoaded) as unread:
        confirmed(replace(before, matches={ONE: before.match(ONE)}), ONE)
    assert unread.value.number == FINAL


def test_confirm_when_whoever_waits_has_left_then_the_next_match_is_a_walkover_at_once():
    before = confirmed(stage(bracket(A, B, C, D), gone=[A]), ONE)
    after = confirmed(before, TWO, 2, 7)
    final = after.match(FINAL)
    assert (final.status, final.columns.result_kind, final.columns.winner_side) == (
        "confirmed",
        "walkover",
        "b",
    )
    assert (final.columns.score_a, final.columns.score_b) == (0, 7)
    assert final.final == NewReport(Claim(0, 7, ResultKind.WALKOVER, Side.B), absent=True)


def test_confirm_when_both_have_left_then_nobody_wins():
    before = confirmed(stage(bracket(A, B, C, D), gone=[A, C]), ONE)
    final = confirmed(before, TWO).match(FINAL)
    assert (final.columns.result_kind, final.columns.winner_side) == ("double_walkover", "")


def test_confirm_when_walkovers_follow_each_other_then_they_run_through_the_bracket():
    """Eight entries: the winner of each half's first match has left before it meets anybody."""
    drawn = bracket(*map(EntryId, range(1, 9)))
    state = stage(drawn, gone=[EntryId(1)])
    for pk, number in enumerate((MatchNo(2), MatchNo(3), MatchNo(4)), start=1):
        state = confirmed(state, number, pk=pk)
    state = confirmed(state, MatchNo(6), pk=5)
    assert state.match(MatchNo(7)).status is MatchStatus.WAITING
    state = confirmed(state, ONE, pk=4)
    semifinal, final = state.match(MatchNo(5)), state.match(MatchNo(7))
    assert (semifinal.columns.result_kind, semifinal.columns.winner_side) == ("walkover", "b")
    assert (final.a.entry, final.status) == (EntryId(3), MatchStatus.READY)


def test_pass_absent_when_the_entry_is_struck_then_its_matches_count_for_nothing():
    before = stage(bracket(A, B, C, D), gone=[A, C], struck=[C])
    after = next_state(before, [PassAbsentEntries()], NOW)
    assert (after.match(ONE).status, after.match(ONE).columns.winner_side) == ("confirmed", "b")
    assert (after.match(TWO).status, after.match(TWO).columns.result_kind) == ("void", "")


def test_settle_when_a_match_is_under_way_that_nothing_touches_then_it_goes_on():
    drawn = bracket(A, B, C, D)
    state = confirmed(stage(drawn), ONE)
    other = state.match(TWO)
    state = replace(
        state,
        matches={
            **state.matches,
            TWO: replace(other, columns=replace(other.columns, status=MatchStatus.PLAYING)),
        },
    )
    results, now = {ONE: Outcome(Side.A)}, {ONE: Outcome(Side.B)}
    after = next_state(
        state, [ReplaceBracketResults(drawn, results, now, {}, {ONE: Ruling(Claim(3, 7), "fix")})], NOW
    )
    assert after.match(TWO).status is MatchStatus.PLAYING
    assert set(state.changed(after)) == {ONE, FINAL}


def test_settle_when_the_other_one_won_then_the_final_is_to_be_played_again():
    drawn = bracket(A, B, C, D)
    state = stage(drawn)
    for pk, number in enumerate((ONE, TWO, FINAL), start=1):
        state = confirmed(state, number, pk=pk)
    results = {number: Outcome(Side.A) for number in (ONE, TWO, FINAL)}
    now = {ONE: Outcome(Side.B), TWO: Outcome(Side.A)}
    change = ReplaceBracketResults(drawn, results, now, {}, {ONE: Ruling(Claim(3, 7), "fix")})
    after = next_state(state, [change], NOW)
    assert after.match(ONE).final == NewReport(Claim(3, 7), "fix")
    final = after.match(FINAL)
    assert (final.a.entry, final.status, final.final, final.columns.score_a) == (
        B,
        MatchStatus.READY,
        None,
        None,
    )
    assert set(state.changed(after)) == {ONE, FINAL}
    undo = [RestoreMatch(number, was.touched(then)) for number, (was, then) in state.changed(after).items()]
    back = next_state(after, undo, NOW)
    for number in (ONE, TWO, FINAL):
        assert back.match(number).columns == state.match(number).columns
        assert back.match(number).slots() == state.match(number).slots()
    assert back.match(ONE).final == NewReport(repeated_report_id=1)
    assert back.match(FINAL).final == NewReport(repeated_report_id=3)


def test_set_length_when_it_was_reported_then_the_report_is_set_aside_and_it_goes_on():
    match = stage(bracket(A, B)).match(ONE)
    playing = match.written(status=MatchStatus.REPORTED, started_at=NOW)
    state = StageState({ONE: replace(playing, open=(5,))})
    after = next_state(state, [SetLength(ONE, 9)], NOW).match(ONE)
    assert (after.status, after.columns.length, after.open) == (MatchStatus.PLAYING, 9, ())


def test_reset_strike_and_restate_when_there_is_a_result():
    state = confirmed(stage(bracket(A, B)), ONE)
    reset = next_state(state, [ClearResult(ONE)], NOW).match(ONE)
    assert (reset.columns, reset.final) == (MatchColumns(MatchStatus.READY, 7), None)
    struck = next_state(state, [VoidMatch(ONE)], NOW).match(ONE)
    assert (struck.status, struck.columns.score_a, struck.final) == (MatchStatus.VOID, 7, StoredReport(1, 1))
    restated = next_state(state, [RepeatReport(ONE)], NOW).match(ONE)
    assert restated == replace(state.match(ONE), final=NewReport(repeated_report_id=1))
    ruled = next_state(state, [SetResult(ONE, Ruling(Claim(4, 7), note=" so it was "))], NOW).match(ONE)
    assert (ruled.columns.winner_side, ruled.final) == ("b", NewReport(Claim(4, 7), note="so it was"))
    assert ruled.columns.played_at == state.match(ONE).columns.played_at


@pytest.mark.parametrize(
    ("action", "status", "wanted"), list(itertools.product(RepairAction, MatchStatus, MatchStatus))
)
def test_repair_when_the_table_has_no_such_way_then_refused(action, status, wanted):
    if wanted in REPAIR_TRANSITIONS[action].get(status, ()):
        assert repaired_status(status, action, wanted) is wanted
    else:
        with pytest.raises(TransitionRefused) as refused:
            repaired_status(status, action, wanted)
        assert refused.value.code == "match.repair_refused"


def test_repair_table_when_held_against_live_play_then_neither_does_the_other_s_work():
    """No repair ever calls, starts, adjourns, reports or disputes; no live action takes a result back."""
    forward = {
        (status, to)
        for action, ways in REPAIR_TRANSITIONS.items()
        if action is not RepairAction.PUT_BACK
        for status, targets in ways.items()
        for to in targets
    }
    assert {to for _status, to in forward} == {"waiting", "ready", "playing", "confirmed", "void"}
    assert {status for status, to in forward if to == "playing"} == {"reported", "disputed"}
    assert {to for (status, _action), to in MATCH_TRANSITIONS.items() if status in {"confirmed", "void"}} == {
        "confirmed"
    }
    back = {
        (status, to)
        for status, targets in REPAIR_TRANSITIONS[RepairAction.PUT_BACK].items()
        for to in targets
    }
    assert back == {(to, status) for status, to in forward} | {(status, status) for status in MatchStatus}
    assert len(back) < len(MatchStatus) ** 2


columns = st.builds(
    MatchColumns,
    status=st.sampled_from([MatchStatus.WAITING, MatchStatus.READY, MatchStatus.CONFIRMED, MatchStatus.VOID]),
    length=st.integers(1, 25),
    table=st.none() | st.integers(1, 99),
    result_kind=st.sampled_from(["", "played", "walkover"]),
    winner_side=st.sampled_from(["", "a", "b"]),
    score_a=st.none() | st.integers(0, 25),
    start_b=st.integers(0, 3),
    awards=st.lists(st.fixed_dictionaries({"points": st.integers(1, 3)}), max_size=2),
    called_at=st.none() | st.datetimes(timezones=st.just(UTC)),
    confirmed_at=st.none() | st.datetimes(timezones=st.just(UTC)),
)
seats = st.builds(
    lambda entry, by_hand, has_won: slot_from_columns(entry, by_hand=by_hand, has_won=has_won),
    st.none() | st.integers(1, 9).map(EntryId), st.booleans(), st.booleans(),
)  # fmt: skip


@given(columns, columns, seats, seats, seats)
def test_put_back_when_anything_changed_then_the_match_is_as_it_was(before, after, a, b, other):
    was = MatchData(ONE, a, b, before)
    then = MatchData(ONE, other, b, after)
    assert was.differs(then) is (was.columns != then.columns or was.slots() != then.slots())
    back = next_state(StageState({ONE: then}), [RestoreMatch(ONE, was.touched(then))], NOW).match(ONE)
    assert (back.columns, back.slots()) == (was.columns, was.slots())


def test_seat_when_nobody_stands_there_then_vacant_unless_somebody_may_come():
    assert slot_from_columns(None).state is SlotState.VACANT
    assert slot_from_columns(None, open_=True).state is SlotState.OPEN
    assert slot_from_columns(A, open_=True).state is SlotState.ENTRY
