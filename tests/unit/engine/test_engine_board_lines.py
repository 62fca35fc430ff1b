"""The director's board line by line: what stands on it, in which order and groups."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.engine.hall.lines import (
    DONE_FILTER,
    FILTERS,
    NOW_FILTER,
    STATE_FILTERS,
    UNSETTLED_FILTER,
    BoardMatch,
    BoardOrder,
    count_by_filter,
    group_matches,
    is_visible,
)
from tournaments.engine.statuses import AWAITING_RESULT, UNSETTLED, MatchStatus

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def line(key: int, status: str, table: int | None = None, **more) -> BoardMatch:
    return BoardMatch(key, MatchStatus(status), more.pop("number", key), more.pop("part", 0), table, **more)


def keys(lines, order: BoardOrder) -> list[list[int]]:
    return [[one.key for one in group.lines] for group in group_matches(lines, order)]


def ago(minutes: int) -> datetime:
    return NOON - timedelta(minutes=minutes)


def test_by_table_then_calling_order_then_what_waits_then_what_is_over_newest_first():
    lines = [
        line(1, "confirmed", 1, since=ago(30)),
        line(2, "confirmed", 2, since=ago(5)),
        line(3, "waiting"),
        line(4, "ready", turn=1),
        line(5, "ready", turn=0),
        line(6, "playing", 12),
        line(7, "disputed", 3),
        line(8, "ready", 4, turn=2),
    ]
    assert keys(lines, BoardOrder.TABLE) == [[7, 8, 6, 5, 4, 3, 2, 1]]


def test_by_table_when_a_match_goes_on_then_no_line_moves():
    before = [line(1, "called", 1, since=ago(9)), line(2, "playing", 2, since=ago(50)), line(3, "playing", 3)]
    after = [
        line(1, "playing", 1, since=ago(0)),
        line(2, "reported", 2, since=ago(0)),
        line(3, "disputed", 3),
    ]
    assert keys(before, BoardOrder.TABLE) == keys(after, BoardOrder.TABLE) == [[1, 2, 3]]


def test_by_time_whoever_has_waited_longest_first_and_unknown_last():
    lines = [
        line(1, "playing", 1, since=ago(5)),
        line(2, "ready"),
        line(3, "called", 2, since=ago(70)),
        line(4, "confirmed", since=ago(90)),
        line(5, "confirmed", since=ago(1)),
    ]
    assert keys(lines, BoardOrder.TIME) == [[3, 1, 2, 5, 4]]


def test_by_state_in_groups_what_needs_a_decision_first():
    lines = [line(1, "ready", turn=0), line(2, "playing", 2), line(3, "disputed", 9), line(4, "playing", 1)]
    groups = group_matches(lines, BoardOrder.STATE)
    assert [group.of for group in groups] == [FILTERS["disputed"], FILTERS["playing"], FILTERS["ready"]]
    assert keys(lines, BoardOrder.STATE) == [[3], [4, 2], [1]]


def test_states_when_grouped_then_in_the_order_in_which_a_director_needs_them():
    assert " ".join(dict.fromkeys(shown.code for shown in STATE_FILTERS.values())) == (
        "disputed reported playing called ready adjourned waiting done"
    )
    assert " ".join(FILTERS) == "now asks disputed reported playing called ready adjourned waiting done"


def test_by_division_in_groups_in_the_order_of_the_event():
    lines = [line(1, "playing", 2, part=1), line(2, "playing", 1, part=1), line(3, "ready", part=0)]
    assert [(group.of, len(group.lines)) for group in group_matches(lines, BoardOrder.DIVISION)] == [
        (0, 1),
        (1, 2),
    ]
    assert keys(lines, BoardOrder.DIVISION) == [[3], [2, 1]]


@pytest.mark.parametrize("status", MatchStatus)
def test_board_shows_what_can_be_played_and_who_searches_finds_the_rest(status):
    assert is_visible(status, NOW_FILTER) == (status in AWAITING_RESULT)
    assert is_visible(status, NOW_FILTER, searched=True) == (status is not MatchStatus.VOID)
    assert is_visible(status, UNSETTLED_FILTER) == (status in UNSETTLED)
    assert sum(is_visible(status, shown) for shown in set(STATE_FILTERS.values())) == (
        status in STATE_FILTERS
    )


def test_counts_say_how_many_each_narrowing_shows():
    found = count_by_filter(
        map(MatchStatus, ["playing", "playing", "disputed", "reported", "confirmed", "void"])
    )
    assert (found[NOW_FILTER], found[UNSETTLED_FILTER], found[FILTERS["playing"]], found[DONE_FILTER]) == (
        4,
        2,
        2,
        1,
    )
    assert found[FILTERS["adjourned"]] == 0


LINES = st.lists(
    st.builds(
        BoardMatch,
        st.integers(),
        st.sampled_from(list(STATE_FILTERS)),
        st.integers(1, 50),
        st.integers(0, 3),
        st.none() | st.integers(1, 9),
        st.none() | st.integers(0, 9),
        st.none() | st.integers(0, 500).map(ago),
    ),
    max_size=12,
)


@given(LINES, st.sampled_from(BoardOrder))
def test_every_order_keeps_every_line_and_does_not_depend_on_the_one_before(lines, order):
    groups = group_matches(lines, order)
    assert sorted(one.key for group in groups for one in group.lines) == sorted(one.key for one in lines)
    assert all(group.lines for group in groups)
    again = group_matches([one for group in groups for one in group.lines], order)
    assert again == groups
