"""Filling brackets, by hand."""

import pytest

from tournaments.engine.brackets.progression import (
    FilledSlot,
    SettledMatch,
    SlotState,
    advance,
    opening_state,
    result_effects,
)
from tournaments.engine.brackets.seeding import seeded_draw
from tournaments.engine.brackets.structure import single_elimination
from tournaments.engine.errors import BadInput
from tournaments.engine.standings.ranking import Place, elimination_places
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import EntryId, Outcome, ResultKind, Side

A, B = Side.A, Side.B
A_WINS, B_WINS = Outcome(A), Outcome(B)
BOTH_AWAY = Outcome(None, ResultKind.DOUBLE_WALKOVER)
THROUGH_A = Outcome(A, ResultKind.BYE)


def drawn(count, **options):
    return single_elimination(seeded_draw([EntryId(n) for n in range(1, count + 1)]), **options)


def card(state, number):
    """A match as one reads it: who stands there (None: open, "-": nobody comes) and its status."""
    match = state.matches[number]
    names = [slot.entry or ("-" if slot.state is SlotState.VACANT else None) for slot in (match.a, match.b)]
    return (*names, match.status.value)


def places(bracket, results):
    return {
        entry: str(place).replace("\N{EN DASH}", "-")
        for entry, place in elimination_places(bracket, results).items()
    }


# Six entries: 1 and 2 have byes; match 2 is 5 v 4, match 3 is 3 v 6.


def test_opening_state_of_six_lets_the_top_two_through():
    state = opening_state(drawn(6))
    assert [card(state, n) for n in range(1, 8)] == [
        (1, "-", "confirmed"),
        (5, 4, "ready"),
        (3, 6, "ready"),
        ("-", 2, "confirmed"),
        (1, None, "waiting"),
        (None, 2, "waiting"),
        (None, None, "waiting"),
    ]
    assert state.matches[1].outcome == THROUGH_A
    assert not state.finished


def test_advance_winners_go_up_and_the_last_result_finishes():
    results = {2: B_WINS, 3: A_WINS, 5: A_WINS, 6: B_WINS, 7: B_WINS}
    state = advance(drawn(6), results)
    assert card(state, 5) == (1, 4, "confirmed")
    assert card(state, 7) == (1, 2, "confirmed")
    assert state.finished
    assert places(drawn(6), results) == {2: "1", 1: "2", 3: "3-4", 4: "3-4", 5: "5-6", 6: "5-6"}


def test_fills_after_says_what_one_result_changes():
    bracket = drawn(6)
    step = result_effects(opening_state(bracket).matches, 2, B_WINS)
    assert step.fills == (FilledSlot(5, B, EntryId(4), has_won=True),)
    assert step.ready == (5,)
    assert step.settled == ()


def test_fills_after_the_final_changes_nothing_elsewhere():
    bracket = drawn(2)
    step = result_effects(opening_state(bracket).matches, 1, A_WINS)
    assert (step.fills, step.settled, step.ready) == ((), (), ())


def test_fills_after_when_losers_play_for_third_place_then_both_go_somewhere():
    bracket = drawn(4, third_place=True)
    step = result_effects(opening_state(bracket).matches, 1, B_WINS)
    assert step.fills == (FilledSlot(3, A, EntryId(4), has_won=True), FilledSlot(4, A, EntryId(1)))


def test_a_double_walkover_leaves_the_next_match_to_whoever_comes():
    bracket = drawn(8)
    opened = opening_state(bracket)
    step = result_effects(opened.matches, 1, BOTH_AWAY)
    assert step.fills == (FilledSlot(5, A, None),)
    assert step.settled == ()  # the other side of match 5 is still open
    state = advance(bracket, {1: BOTH_AWAY})
    assert card(state, 5) == ("-", None, "waiting")
    step = result_effects(state.matches, 2, A_WINS)
    assert step.fills == (
        FilledSlot(5, B, EntryId(5), has_won=True),
        FilledSlot(7, A, EntryId(5), has_won=True),
    )
    assert step.settled == (SettledMatch(5, MatchStatus.CONFIRMED, Outcome(B, ResultKind.BYE)),)


def test_two_double_walkovers_void_the_match_between_and_the_rest_goes_on():
    bracket = drawn(8)
    state = advance(bracket, {1: BOTH_AWAY})
    step = result_effects(state.matches, 2, BOTH_AWAY)
    assert step.fills == (FilledSlot(5, B, None), FilledSlot(7, A, None))
    assert step.settled == (SettledMatch(5, MatchStatus.VOID, Outcome(None, ResultKind.BYE)),)
    results = {1: BOTH_AWAY, 2: BOTH_AWAY, 3: A_WINS, 4: B_WINS, 6: A_WINS}
    assert card(advance(bracket, results), 7) == ("-", 3, "confirmed")
    assert advance(bracket, results).finished
    assert places(bracket, results) == {
        3: "1", 2: "2", 1: "3-8", 4: "3-8", 5: "3-8", 6: "3-8", 7: "3-8", 8: "3-8",
    }  # fmt: skip


def test_a_double_walkover_in_the_final_leaves_two_firsts_to_the_director():
    assert places(drawn(4), {1: A_WINS, 2: B_WINS, 3: BOTH_AWAY}) == {1: "1-2", 2: "1-2", 3: "3-4", 4: "3-4"}


def test_a_walkover_sends_the_present_side_up():
    state = advance(drawn(4), {1: Outcome(B, ResultKind.WALKOVER)})
    assert card(state, 3) == (4, None, "waiting")


@pytest.mark.parametrize("number", [1, 5, 7])
def test_a_result_for_a_match_that_nobody_can_play_is_refused(number):
    bracket = drawn(6)
    for ask in (
        lambda: advance(bracket, {number: A_WINS}),
        lambda: result_effects(opening_state(bracket).matches, number, A_WINS),
    ):
        with pytest.raises(BadInput) as refused:
            ask()
        assert refused.value.code == "result.match_not_ready"


def test_a_result_for_a_match_that_does_not_exist_is_refused():
    with pytest.raises(BadInput):
        advance(drawn(4), {9: A_WINS})


# Places.


def test_places_while_running_say_what_is_possible_and_what_is_safe():
    ranking = elimination_places(drawn(6), {2: B_WINS})
    assert ranking[1] == Place(1, 4, settled=False)  # a bye is not a lost match: at least 4th
    assert ranking[4] == Place(1, 4, settled=False)
    assert ranking[5] == Place(5, 6, settled=True)
    assert ranking[3] == Place(1, 6, settled=False)


def test_places_with_a_third_place_match_are_single_from_one_to_four():
    bracket = drawn(8, third_place=True)
    results = {1: A_WINS, 2: B_WINS, 3: A_WINS, 4: B_WINS, 5: A_WINS, 6: A_WINS}
    assert elimination_places(bracket, results)[4] == Place(3, 4, settled=False)
    results |= {7: B_WINS, 8: B_WINS}
    assert places(bracket, results) == {
        3: "1", 1: "2", 2: "3", 4: "4", 5: "5-8", 6: "5-8", 7: "5-8", 8: "5-8",
    }  # fmt: skip
    both_away = results | {8: BOTH_AWAY}
    assert [places(bracket, both_away)[n] for n in (2, 4)] == ["3-4", "3-4"]


def test_places_of_three_give_the_third_without_a_match():
    bracket = drawn(3, third_place=True)
    results = {2: A_WINS, 3: A_WINS}
    assert places(bracket, results) == {1: "1", 3: "2", 2: "3"}
    assert advance(bracket, results).finished
