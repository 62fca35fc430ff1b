"""Corrections after the event has gone on, as a director would talk them through."""

import pytest

from tournaments.engine.brackets.consolation import add_first_match_consolation, add_progressive_consolation
from tournaments.engine.brackets.correction import (
    Repair,
    absence_result,
    award_walkovers,
    place_late_entry,
    preview_repairs,
    slots_for_late_entries,
)
from tournaments.engine.brackets.progression import SlotState, advance
from tournaments.engine.brackets.seeding import seeded_draw
from tournaments.engine.brackets.structure import SlotTarget, single_elimination
from tournaments.engine.errors import BadInput
from tournaments.engine.matches.reporting import check_score
from tournaments.engine.standings.ranking import elimination_places
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import Claim, EntryId, Outcome, ResultKind, Score, Side

A, B = Side.A, Side.B
A_WINS, B_WINS = Outcome(A), Outcome(B)


def drawn(count):
    return single_elimination(seeded_draw([EntryId(n) for n in range(1, count + 1)]))


def moves(consequence):
    return [(m.match, m.side.value, m.before.entry, m.after.entry) for m in consequence.moves]


# Eight entries: 1-8, 5-4, 3-6, 7-2; matches 5 and 6 the semi-finals, 7 the final.


def test_when_the_next_match_is_unplayed_then_the_right_entry_takes_the_place():
    repairs = preview_repairs(drawn(8), {1: A_WINS, 2: A_WINS}, 1, B_WINS)
    assert list(repairs) == [Repair.REPLACE]
    assert moves(repairs[Repair.REPLACE]) == [(5, "a", 1, 8)]
    assert repairs[Repair.REPLACE].results == {1: B_WINS, 2: A_WINS}
    assert repairs[Repair.REPLACE].cancelled_matches == ()


def test_who_stayed_in_the_final_on_paper_when_their_semi_final_falls_away_then_makes_room():
    """1 lost the semi-final on paper and stayed in the final; then it comes out that 1 was beaten before, by 8."""
    results = dict.fromkeys(range(1, 7), A_WINS)
    kept = preview_repairs(drawn(8), {**results, 7: A_WINS}, 5, B_WINS)[Repair.KEEP]
    assert kept.manual_slots == {SlotTarget(7, A): 1}
    void = preview_repairs(drawn(8), kept.results, 1, B_WINS, kept.manual_slots)[Repair.VOID]
    assert void.cancelled_matches == (5, 7)
    assert void.manual_slots == {}
    after = advance(drawn(8), void.results, void.manual_slots).matches
    assert (after[5].a.entry, after[7].a.entry, after[7].b.entry) == (8, None, 3)


def test_who_stayed_in_the_final_on_paper_when_they_still_play_the_semi_final_then_stays():
    results = dict.fromkeys(range(1, 8), A_WINS)
    kept = preview_repairs(drawn(8), results, 5, B_WINS)[Repair.KEEP]
    void = preview_repairs(drawn(8), kept.results, 2, B_WINS, kept.manual_slots)[Repair.VOID]
    assert void.cancelled_matches == (5,)
    assert void.manual_slots == {SlotTarget(7, A): 1}


def test_when_only_the_score_was_wrong_then_nobody_moves():
    results = dict.fromkeys(range(1, 8), A_WINS)
    repairs = preview_repairs(drawn(8), results, 1, A_WINS)
    assert list(repairs) == [Repair.REPLACE]
    assert repairs[Repair.REPLACE].moves == ()
    assert repairs[Repair.REPLACE].results == results


def test_when_later_matches_were_played_then_the_director_chooses():
    results = dict.fromkeys(range(1, 8), A_WINS)
    repairs = preview_repairs(drawn(8), results, 1, B_WINS)
    assert set(repairs) == {Repair.VOID, Repair.KEEP}
    void, keep = repairs[Repair.VOID], repairs[Repair.KEEP]
    assert void.cancelled_matches == (5, 7)
    assert moves(void) == [(5, "a", 1, 8), (7, "a", 1, None)]
    assert advance(drawn(8), void.results).matches[5].status is MatchStatus.READY
    assert keep.cancelled_matches == ()
    assert keep.moves == ()
    assert keep.manual_slots == {SlotTarget(5, A): 1}
    state = advance(drawn(8), keep.results, keep.manual_slots)
    assert state.finished
    assert state.matches[1].outcome == B_WINS
    assert (state.matches[5].a.entry, state.matches[7].winner().entry) == (1, 1)
    places = elimination_places(drawn(8), keep.results, by_hand=keep.manual_slots)
    assert places[1].last == 1
    assert (places[8].first, places[8].last, places[8].settled) == (
        5,
        8,
        True,
    )  # won on paper, went home in round 1


def test_when_the_consolation_has_begun_then_both_ways_out_are_repaired():
    bracket = add_first_match_consolation(
        drawn(8)
    )  # matches 8, 9 the consolation's semi-finals, 10 its final
    results = {1: A_WINS, 2: A_WINS, 8: B_WINS}
    void = preview_repairs(bracket, results, 1, B_WINS)[Repair.VOID]
    assert moves(void) == [(5, "a", 1, 8), (8, "a", 8, 1), (10, "a", 4, None)]
    assert void.cancelled_matches == (8,)
    keep = preview_repairs(bracket, results, 1, B_WINS)[Repair.KEEP]
    assert keep.manual_slots == {SlotTarget(5, A): 1, SlotTarget(8, A): 8}
    state = advance(bracket, keep.results, keep.manual_slots)
    assert [state.matches[n].a.entry for n in (5, 8)] == [1, 8]


def test_a_place_that_was_given_up_is_free_again_when_the_match_that_fed_it_falls_away():
    bracket = add_progressive_consolation(drawn(8), 2)
    results = {
        1: A_WINS,
        2: A_WINS,
        5: B_WINS,
    }  # 1 has lost the semi-final, and gives up the consolation by buying back
    loser_to = bracket.match(5).loser_to
    given_up = {SlotTarget(loser_to.match, loser_to.side): None}
    void = preview_repairs(bracket, results, 1, B_WINS, given_up)[Repair.VOID]
    assert (void.cancelled_matches, void.manual_slots) == ((5,), {})
    state = advance(bracket, void.results | {5: A_WINS}, void.manual_slots).matches[loser_to.match]
    assert state.slot(loser_to.side).entry == 5
    keep = preview_repairs(bracket, results, 1, B_WINS, given_up)[Repair.KEEP]
    assert given_up.items() <= keep.manual_slots.items()


def test_a_result_that_is_not_there_cannot_be_corrected():
    with pytest.raises(BadInput) as refused:
        preview_repairs(drawn(8), {}, 1, A_WINS)
    assert refused.value.code == "result.none_to_correct"


# Six entries: 1 and 2 have byes (matches 1 and 4).


def test_a_late_entry_takes_a_free_bye_and_the_one_who_was_through_plays():
    bracket = drawn(6)
    assert slots_for_late_entries(bracket, {2: A_WINS}) == (SlotTarget(1, B), SlotTarget(4, A))
    placed = place_late_entry(bracket, {2: A_WINS}, EntryId(7), SlotTarget(1, B))
    assert moves(placed) == [(1, "b", None, 7), (5, "a", 1, None)]
    state = advance(bracket, placed.results, placed.manual_slots)
    assert state.matches[1].status is MatchStatus.READY
    assert slots_for_late_entries(bracket, placed.results, placed.manual_slots) == (SlotTarget(4, A),)
    assert sorted(elimination_places(bracket, placed.results, by_hand=placed.manual_slots)) == list(
        range(1, 8)
    )


def test_a_bye_is_no_longer_free_when_whoever_had_it_has_played_on():
    bracket, results = drawn(6), {2: A_WINS, 5: A_WINS}
    assert slots_for_late_entries(bracket, results) == (SlotTarget(4, A),)
    for entry, target, code in (
        (7, SlotTarget(1, B), "late_entry.no_free_bye"),
        (7, SlotTarget(2, A), "late_entry.no_free_bye"),
        (3, SlotTarget(4, A), "draw.entry_twice"),
    ):
        with pytest.raises(BadInput) as refused:
            place_late_entry(bracket, results, EntryId(entry), target)
        assert refused.value.code == code


def test_a_bye_is_not_free_when_its_vacant_place_in_the_consolation_was_used():
    bracket = add_first_match_consolation(
        drawn(7)
    )  # 1 has the bye; the loser of 5-4 has a bye in the consolation only if …
    results = {2: A_WINS, 3: A_WINS, 4: A_WINS, 5: A_WINS}
    # 5 beat 4, then lost to 1, who had the bye: 5 has won a match, so nobody comes beside 4 in match 8
    state = advance(bracket, results)
    assert state.matches[8].settled
    assert slots_for_late_entries(bracket, results) == ()


def test_an_empty_line_of_the_consolation_is_offered_only_when_it_is_asked_for():
    bracket = add_first_match_consolation(
        drawn(5)
    )  # 1, 2, 3 have byes; one line of the consolation stays empty
    main, consolation = (
        slots_for_late_entries(bracket, {}),
        slots_for_late_entries(bracket, {2: A_WINS, 6: A_WINS}, section="consolation"),
    )
    assert {bracket.rounds[bracket.match(t.match).round - 1].section for t in main} == {"main"}
    (line,) = consolation
    placed = place_late_entry(bracket, {2: A_WINS, 6: A_WINS}, EntryId(9), line)
    assert (
        advance(bracket, placed.results, placed.manual_slots).matches[line.match].status is MatchStatus.READY
    )


# Walk-overs for whoever meets an entry that is gone.


def test_when_an_entry_is_gone_then_its_match_is_a_walk_over_and_later_ones_as_they_come_up():
    done = award_walkovers(drawn(8), {1: A_WINS}, {EntryId(1), EntryId(4)})
    assert done.results == {1: A_WINS, 2: Outcome(A, ResultKind.WALKOVER), 5: Outcome(B, ResultKind.WALKOVER)}
    assert moves(done) == [(5, "b", None, 5), (7, "a", None, 5)]
    assert award_walkovers(drawn(8), done.results, {EntryId(1), EntryId(4)}).results == done.results


def test_when_two_who_are_gone_meet_then_nobody_wins():
    results = {1: A_WINS, 2: A_WINS}
    done = award_walkovers(drawn(8), results, {EntryId(1), EntryId(5)})
    assert done.results[5] == Outcome(None, ResultKind.DOUBLE_WALKOVER)
    assert advance(drawn(8), done.results).matches[7].a.state is SlotState.VACANT


def test_when_a_correction_puts_an_entry_that_is_gone_into_the_next_match_then_that_is_a_walk_over():
    repairs = preview_repairs(drawn(8), {1: A_WINS, 2: A_WINS}, 1, B_WINS, withdrawn={EntryId(8)})
    assert repairs[Repair.REPLACE].results[5] == Outcome(B, ResultKind.WALKOVER)
    assert moves(repairs[Repair.REPLACE]) == [(5, "a", 1, 8), (7, "a", None, 5)]


def test_when_a_match_has_to_be_played_on_then_what_stands_on_it_falls_away_and_cannot_be_kept():
    results = dict.fromkeys(range(1, 8), A_WINS)
    repairs = preview_repairs(drawn(8), results, 1, None)
    assert list(repairs) == [Repair.VOID]
    assert repairs[Repair.VOID].results.keys() == {2, 3, 4, 6}
    assert repairs[Repair.VOID].cancelled_matches == (5, 7)
    assert list(preview_repairs(drawn(8), {1: A_WINS}, 1, None)) == [Repair.REPLACE]


@pytest.mark.parametrize(
    ("absent", "claim"),
    [
        ([A], Claim(1, 7, ResultKind.WALKOVER, B)),
        ([B], Claim(7, 0, ResultKind.WALKOVER, A)),
        ([A, B], Claim(1, 0, ResultKind.DOUBLE_WALKOVER, None)),
    ],
)
def test_who_is_absent_stays_where_it_started_and_the_other_has_won_to_the_length(absent, claim):
    start = Score(1, 0)
    assert absence_result(7, start, absent) == claim
    assert check_score(7, claim, start=start) == ()


def test_places_when_who_stays_by_hand_lost_even_earlier_then_no_place_is_left_out_or_taken_twice():
    """3 stays in the final although 7 won the semi-final on paper; then the match before it turns out to have been nobody's."""
    results = dict.fromkeys((1, 2, 4, 5, 7), A_WINS) | {3: Outcome(None, ResultKind.DOUBLE_WALKOVER)}
    by_hand = {SlotTarget(7, B): EntryId(3)}
    assert advance(drawn(8), results, by_hand).matches[6].outcome == Outcome(B, ResultKind.BYE)
    places = elimination_places(drawn(8), results, by_hand=by_hand)
    told = {entry: (place.first, place.last) for entry, place in places.items()}
    assert told == {
        1: (1, 1), 3: (2, 2), 5: (3, 4), 7: (3, 4), 8: (5, 8), 4: (5, 8), 6: (5, 8), 2: (5, 8),
    }  # fmt: skip


@pytest.mark.parametrize("eight", [Outcome(None, ResultKind.DOUBLE_WALKOVER), A_WINS])
def test_places_when_who_stays_by_hand_came_from_outside_then_no_place_is_taken_twice(eight):
    """1 stays in the consolation's final although they had not lost at all: nobody of the match before is there for them."""
    results = dict.fromkeys((*range(1, 8), 9, 10), A_WINS) | {8: eight}
    by_hand = {SlotTarget(10, A): EntryId(1)}
    bracket = add_first_match_consolation(drawn(8))
    places = elimination_places(bracket, results, ("consolation",), by_hand=by_hand)
    told = {entry: (place.first, place.last) for entry, place in places.items()}
    assert told == {1: (1, 1), 6: (2, 2), 8: (3, 5), 4: (3, 5), 2: (3, 5)}
