"""Tables and tie-breaks, small enough to be checked on paper. Points are half points: 2 is a win."""

import itertools
from fractions import Fraction

import pytest

from tournaments.engine.errors import BadInput
from tournaments.engine.pairing.history import PairedMatch, RestingEntry, SwissRound
from tournaments.engine.standings.order import rank_entries
from tournaments.engine.standings.table import Crosstable
from tournaments.engine.standings.tie_breaks import TIE_BREAKS, get_tie_break
from tournaments.engine.standings.unplayed import points_for_opponents
from tournaments.engine.types import EntryId


def won(a, b, score=0, against=0, length=None, *, played=True):
    return PairedMatch(EntryId(a), EntryId(b), 2, 0, played, score, against, length)


def rounds(*all_meetings):
    return [SwissRound(tuple(meetings)) for meetings in all_meetings]


def order(book, *codes):
    """Entries with their places, as on the printed table."""
    return [(row.entry, row.first, row.last) for row in rank_entries(book, codes)]


def value(book, code, entry):
    return get_tie_break(code).compute(book, book.entries)[entry]


ROUND_ROBIN = rounds(
    [won(1, 4), won(2, 3)], [won(4, 3), won(1, 2)], [won(2, 4), won(3, 1)]
)  # 1, 2: two wins each


def test_ties_are_shown_as_ties():
    assert order(Crosstable([1, 2, 3, 4], ROUND_ROBIN), "points") == [
        (1, 1, 2),
        (2, 1, 2),
        (3, 3, 4),
        (4, 3, 4),
    ]


def test_head_to_head_decides_when_all_tied_have_met():
    book = Crosstable([1, 2, 3, 4], ROUND_ROBIN)
    assert order(book, "points", "head_to_head") == [(1, 1, 1), (2, 2, 2), (4, 3, 3), (3, 4, 4)]
    (first, *_rest) = rank_entries(book, ["points", "head_to_head"])
    assert first.values == {"points": 4, "head_to_head": 2}


def test_head_to_head_says_nothing_when_two_of_the_tied_have_not_met_and_the_mini_table_does():
    book = Crosstable(
        [1, 2, 3, 4, 5, 6], rounds([won(1, 2), won(3, 4), won(5, 6)], [won(2, 3), won(4, 5), won(6, 1)])
    )
    everybody = [(entry, 1, 6) for entry in range(1, 7)]
    assert order(book, "points", "head_to_head") == everybody
    assert all("head_to_head" not in row.values for row in rank_entries(book, ["points", "head_to_head"]))
    assert order(book, "points", "mini_table") == everybody  # everybody has one win among the tied
    assert all(row.values["mini_table"] == 2 for row in rank_entries(book, ["points", "mini_table"]))


def test_mini_table_counts_only_meetings_of_the_tied():
    # 1 and 2 on two wins each and have met; 3 on one
    book = Crosstable(
        [1, 2, 3], rounds([won(1, 2, 7, 5)], [won(2, 3, 7, 0)], [won(2, 3, 7, 1)], [won(1, 3, 7, 6)])
    )
    assert order(book, "points", "mini_table")[:2] == [(1, 1, 1), (2, 2, 2)]
    rows = {row.entry: row.values for row in rank_entries(book, ["points", "mini_table_difference"])}
    assert (rows[1]["mini_table_difference"], rows[2]["mini_table_difference"]) == (2, -2)
    assert "mini_table_difference" not in rows[3]  # not tied


def test_head_to_head_is_asked_again_about_those_whom_it_left_tied():
    # among the four, 1 and 2 have two wins each and 3 and 4 one; then 1 has beaten 2 and 3 has beaten 4
    book = Crosstable(
        range(1, 5), rounds([won(1, 2), won(3, 4)], [won(1, 3), won(2, 4)], [won(4, 1), won(2, 3)])
    )
    assert order(book, "head_to_head") == [(1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4)]
    rows = rank_entries(book, ["head_to_head"])
    assert [row.values["head_to_head"] for row in rows] == [4, 4, 2, 2]
    assert [row.repeated_values["head_to_head"] for row in rows] == [2, 0, 2, 0]
    assert order(book, "points") == [(1, 1, 2), (2, 1, 2), (3, 3, 4), (4, 3, 4)]


def test_a_walkover_is_no_meeting_for_head_to_head():
    book = Crosstable([1, 2], rounds([won(1, 2, played=False)], [won(2, 1, played=False)]))
    assert order(book, "points", "head_to_head") == [(1, 1, 2), (2, 1, 2)]
    assert value(book, "wins", 1) == 1
    assert value(book, "wins_played", 1) == 0


def test_match_points_are_capped_at_the_length():
    book = Crosstable([1, 2], rounds([won(1, 2, 9, 4, 7)]))  # F1: recorded as 9-4 in a match to 7
    assert value(book, "match_points_won", 1) == 7
    assert value(book, "match_points_lost", 2) == -7
    assert value(book, "match_points_difference", 2) == -3


def test_fewer_points_lost_is_better():
    book = Crosstable([1, 2, 3, 4], rounds([won(1, 3, 7, 6), won(2, 4, 7, 1)]))
    assert [row.entry for row in rank_entries(book, ["points", "match_points_lost"])][:2] == [2, 1]


def test_buchholz_and_its_cuts():
    played = rounds(
        [won(1, 4), won(2, 5), won(3, 6)],
        [won(1, 2), won(3, 4), won(5, 6)],
        [won(1, 3), won(2, 4), won(6, 5)],
    )
    book = Crosstable(range(1, 7), played)
    assert [book.points[n] for n in range(1, 7)] == [6, 4, 4, 0, 2, 2]
    # 1 met 4, 2, 3 on 0, 4, 4 half points
    assert value(book, "buchholz", 1) == 8
    assert value(book, "buchholz_cut_1", 1) == 8
    assert value(book, "buchholz_cut_2", 1) == 4
    assert value(book, "buchholz_median_1", 1) == 4
    assert value(book, "sonneborn_berger", 1) == 2 * (0 + 4 + 4)  # quarters
    assert value(book, "sonneborn_berger", 2) == 2 * (2 + 0)


def test_cuts_of_more_rounds_than_there_were_leave_nothing():
    book = Crosstable([1, 2], rounds([won(1, 2)]))
    assert value(book, "buchholz_cut_2", 1) == 0
    assert value(book, "buchholz_median_1", 1) == 0


def test_opponents_win_rate_has_a_floor_and_leaves_byes_out():
    played = [
        *rounds([won(1, 2), won(3, 4)]),
        SwissRound((won(1, 3),), (RestingEntry(EntryId(2), 2, is_allotted=True),)),
    ]
    book = Crosstable([1, 2, 3, 4], played)
    # 2 has half of the points of two rounds, 3 too
    assert value(book, "opponents_win_rate", 1) == Fraction(1, 2)
    assert value(book, "opponents_win_rate", 2) == 1
    assert value(book, "opponents_win_rate", 3) == (Fraction(33, 100) + 1) / 2
    assert value(Crosstable([1, 2], []), "opponents_win_rate", 1) == 0


def test_late_entries_have_a_line_for_every_round():
    book = Crosstable(
        [1, 2, 3], [*rounds([won(1, 2)]), SwissRound((won(3, 1),), (RestingEntry(EntryId(2), 1),))]
    )
    assert [len(lines) for lines in book.lines.values()] == [2, 2, 2]
    assert not book.lines[3][0].present
    assert book.points == {1: 2, 2: 1, 3: 2}
    # a round without a line counts for nothing, one asked off for half
    assert points_for_opponents(book) == {1: 2, 2: 1, 3: 2}


def test_the_play_off_speaks_only_about_a_group_that_has_played_it_off():
    played = ROUND_ROBIN
    assert order(Crosstable([1, 2, 3, 4], played, play_offs=[{1: 0, 2: 1}]), "points", "play_off") == [
        (2, 1, 1), (1, 2, 2), (3, 3, 4), (4, 3, 4),
    ]  # fmt: skip


def test_the_lot_is_drawn_from_the_seed_and_does_not_depend_on_who_is_tied():
    def drawn(seed, points):
        table = [RestingEntry(EntryId(entry), half) for entry, half in points.items()]
        book = Crosstable(points, [SwissRound((), tuple(table))], seed=seed)
        return [row.entry for row in rank_entries(book, ["points", "lot"])]

    everybody = drawn(7, dict.fromkeys(range(1, 21), 0))
    assert drawn(7, dict.fromkeys(range(1, 21), 0)) == everybody != drawn(8, dict.fromkeys(range(1, 21), 0))
    low = dict.fromkeys(range(1, 21), 0) | dict.fromkeys(everybody[:3], 2)
    assert drawn(7, low) == everybody


def test_the_lot_speaks_about_the_tied_alone():
    rows = rank_entries(
        Crosstable([1, 2, 3, 4], rounds([won(1, 2), won(3, 4)], [won(1, 3), won(4, 2)])), ["points", "lot"]
    )
    assert {row.entry: "lot" in row.values for row in rows} == {1: False, 2: False, 3: True, 4: True}


def test_meeting_whose_score_nobody_told_counts_no_points_of_a_match():
    book = Crosstable([1, 2], [SwissRound((PairedMatch(EntryId(1), EntryId(2), 2, 0),))])
    assert [value(book, "match_points_won", entry) for entry in (1, 2)] == [0, 0]


def test_the_order_of_tie_breaks_is_the_directors():
    book = Crosstable(
        [1, 2, 3, 4], rounds([won(1, 3, 7, 6), won(2, 4, 7, 1)], [won(4, 1, 7, 6), won(2, 3, 7, 6)])
    )
    assert [row.entry for row in rank_entries(book, ["points", "match_points_won"])] == [2, 1, 4, 3]
    assert [row.entry for row in rank_entries(book, ["match_points_won", "points"])] == [2, 1, 3, 4]
    assert order(book) == [(1, 1, 4), (2, 1, 4), (3, 1, 4), (4, 1, 4)]


def test_standings_do_not_depend_on_the_order_of_meetings_or_entries():
    meetings = [won(1, 2, 7, 3), won(3, 4, 7, 6), won(5, 6, 7, 0)]
    codes = list(TIE_BREAKS)
    tables = {
        tuple(
            (row.entry, row.first, tuple(row.values.items()))
            for row in rank_entries(Crosstable(who, rounds(list(m))), codes)
        )
        for m in itertools.permutations(meetings)
        for who in ([1, 2, 3, 4, 5, 6], [6, 4, 2, 1, 3, 5])
    }
    assert len(tables) == 1


def test_every_tie_break_is_shown_in_units_that_people_count_in():
    """Points are kept in halves, and products of them in quarters."""
    shown = {code: breaker.counted(12) for code, breaker in TIE_BREAKS.items()}
    halves = {code for code, counted in shown.items() if counted == 6}
    assert halves == {
        *("points", "head_to_head", "mini_table", "progressive", "progressive_cut_1", "koya"),
        *("buchholz", "buchholz_cut_1", "buchholz_cut_2", "buchholz_median_1", "buchholz_median_2"),
        *("average_buchholz", "fore_buchholz"),
    }
    assert {code: counted for code, counted in shown.items() if counted not in {6, 12}} == {
        "sonneborn_berger": 3,
        "sonneborn_berger_cut_1": 3,
        "match_points_lost": -12,
    }


def test_f13_every_tie_break_has_a_source_and_a_version_and_speaks_about_an_empty_book():
    for code, breaker in TIE_BREAKS.items():
        assert breaker.code == code
        assert breaker.source
        assert breaker.version
        assert [row.last for row in rank_entries(Crosstable([1, 2], []), [code])][-1] == 2
    assert rank_entries(Crosstable([], []), ["points"]) == ()


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        (lambda: get_tie_break("luck"), "tie_break.unknown"),
        (lambda: rank_entries(Crosstable([1], []), ["luck"]), "tie_break.unknown"),
        (lambda: Crosstable([1], rounds([won(1, 2)])), "swiss.not_entered"),
        (lambda: Crosstable([1, 2, 3], rounds([won(1, 2), won(1, 3)])), "standings.entry_twice"),
        (
            lambda: Crosstable([1, 2], [SwissRound((won(1, 2),), (RestingEntry(1, 0),))]),
            "standings.entry_twice",
        ),
    ],
)
def test_what_is_no_table_is_refused(ask, code):
    with pytest.raises(BadInput) as refused:
        ask()
    assert refused.value.code == code
