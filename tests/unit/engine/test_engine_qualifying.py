"""Where a table is cut, by what, and how long somebody keeps their lives."""

import pytest

from tournaments.engine.pairing.history import PairedMatch, RestingEntry, SwissRound
from tournaments.engine.pairing.round_robin import group_schedules, round_robin
from tournaments.engine.pairing.swiss import swap_entries
from tournaments.engine.stages.swiss import (
    MAX_TIE_BREAKS,
    OFFERED_TIE_BREAKS,
    SwissSettings,
    check_swiss_settings,
    check_tie_break_count,
)
from tournaments.engine.standings.order import rank_entries
from tournaments.engine.standings.qualifying import cut_table, tied_groups
from tournaments.engine.standings.table import Crosstable
from tournaments.engine.types import EntryId


def won(a, b, score=5, against=0):
    return PairedMatch(EntryId(a), EntryId(b), 2, 0, True, score, against, 5)


def rounds(*all_meetings):
    return [SwissRound(tuple(meetings)) for meetings in all_meetings]


# 1 beats all; 2, 3 and 4 beat each other in a circle.
CIRCLE = rounds([won(1, 4), won(2, 3)], [won(1, 3), won(4, 2)], [won(1, 2), won(3, 4)])


def test_cut_where_points_decide_says_nothing_of_tie_breaks():
    found = cut_table(Crosstable(range(1, 5), CIRCLE), ["points", "lot"], 1)
    assert (found.advancing, found.decided_by, found.tied) == ((1,), "", ())


def test_cut_among_equals_is_by_lot_names_them_and_stays_as_drawn():
    codes = ["points", "head_to_head", "match_points_difference"]
    cuts = {seed: cut_table(Crosstable(range(1, 5), CIRCLE, seed=seed), codes, 2) for seed in range(30)}
    assert all(found.decided_by == "lot" and set(found.tied) == {2, 3, 4} for found in cuts.values())
    assert {found.advancing for found in cuts.values()} == {(1, 2), (1, 3), (1, 4)}
    assert cut_table(Crosstable(range(1, 5), CIRCLE, seed=7), codes, 2) == cuts[7]
    listed = cut_table(Crosstable(range(1, 5), CIRCLE, seed=7), [*codes, "lot", "wins"], 2)
    assert listed == cuts[7]  # the same where the director has put the lot on the list


def test_cut_says_where_a_lot_only_orders_those_who_go_on():
    book = Crosstable(range(1, 6), rounds([won(1, 2), won(3, 4)], [won(1, 5)], [won(3, 5)]), seed=3)
    found = cut_table(book, ["points"], 2)
    assert (found.decided_by, found.tied, found.groups_ordered_by_lot) == ("", (), ((1, 3),))
    at_the_border = cut_table(book, ["points"], 3)
    assert (at_the_border.decided_by, at_the_border.tied) == ("lot", (2, 4, 5))
    assert at_the_border.groups_ordered_by_lot == ((1, 3),)
    assert cut_table(book, ["points"], 5).groups_ordered_by_lot == ((1, 3), (2, 4, 5))
    assert cut_table(book, ["points", "lot"], 2).groups_ordered_by_lot == ()


def test_cut_names_the_tie_break_that_told_them_apart():
    played = rounds([won(1, 4, 5, 4), won(2, 3)], [won(1, 3), won(4, 2)], [won(1, 2), won(3, 4, 5, 1)])
    found = cut_table(
        Crosstable(range(1, 5), played), ["points", "head_to_head", "match_points_difference"], 2
    )
    assert (found.advancing, found.decided_by) == ((1, 4), "match_points_difference")


def test_cut_passes_over_who_has_left():
    found = cut_table(
        Crosstable(range(1, 5), CIRCLE, play_offs=[{2: 3, 3: 2, 4: 1}]),
        ["points", "play_off"],
        2,
        excluded={1},
    )
    assert (found.advancing, found.decided_by) == ((2, 3), "play_off")


@pytest.mark.parametrize("takes", [0, 4, 9])
def test_cut_at_an_end_of_the_table_has_nothing_to_decide(takes):
    found = cut_table(Crosstable(range(1, 5), CIRCLE), ["points"], takes)
    assert (len(found.advancing), found.decided_by) == (min(takes, 4), "")


def test_tied_groups_are_those_who_share_a_place():
    assert tied_groups(rank_entries(Crosstable(range(1, 5), CIRCLE), ["points"])) == ((2, 3, 4),)
    assert tied_groups(rank_entries(Crosstable(range(1, 5), CIRCLE), ["points", "lot"])) == ()


def test_play_off_stands_before_the_lot_unless_the_director_put_it_elsewhere():
    orders = {
        ("buchholz", "lot"): ("points", "buchholz", "play_off", "lot"),
        ("lot", "wins"): ("points", "play_off", "lot", "wins"),
        ("play_off", "buchholz"): ("points", "play_off", "buchholz"),
        (): ("points", "play_off"),
    }
    for tie_breaks, order in orders.items():
        assert SwissSettings(tie_breaks=tie_breaks).order_including_play_off == order


def test_survival_puts_the_living_first_and_the_dead_by_their_last_round():
    half = PairedMatch(EntryId(1), EntryId(2), 1, 1)
    played = [
        SwissRound((half, won(3, 4))),
        SwissRound((won(1, 4), won(3, 2))),
        SwissRound(
            (won(1, 3),), (RestingEntry(EntryId(2), 2, is_allotted=True), RestingEntry(EntryId(4), 0))
        ),
    ]
    rows = rank_entries(Crosstable(range(1, 5), played, lives=2), ["survival"])
    assert [(row.entry, row.values["survival"]) for row in rows] == [(1, 5), (2, 4), (3, 4), (4, 2)]
    one = rank_entries(Crosstable(range(1, 5), played, lives=1), ["survival"])
    assert [(row.entry, row.values["survival"]) for row in one] == [(1, 4), (3, 3), (2, 2), (4, 1)]


@pytest.mark.parametrize("double", [False, True])
def test_groups_of_unequal_size_play_side_by_side_and_the_smaller_ones_are_done_first(double):
    groups = [(1, 2, 3, 4, 5), (6, 7), (8, 9, 10)]
    found = group_schedules(groups, double=double)
    assert [planned.number for planned in found] == list(range(1, len(found) + 1))
    for group in groups:
        own = [tuple(pair for pair in planned.pairs if pair[0] in group) for planned in found]
        alone = [planned.pairs for planned in round_robin(group, double=double)]
        assert own == alone + [()] * (len(found) - len(alone))
    assert all(
        len({e for pair in planned.pairs for e in pair} | set(planned.rests))
        == 2 * len(planned.pairs) + len(planned.rests)
        for planned in found
    )
    assert group_schedules([]) == ()


def test_swapped_entries_stand_in_each_others_place_which_may_be_the_bye():
    pairs = ((1, 2), (3, 4))
    assert swap_entries(pairs, None, 2, 3) == (((1, 3), (2, 4)), None)
    assert swap_entries(pairs, 5, 5, 1) == (((5, 2), (3, 4)), 1)
    assert swap_entries(*swap_entries(pairs, 5, 4, 1), 4, 1) == (pairs, 5)


def test_tie_breaks_are_five_at_most_where_no_longer_list_stands():
    six = OFFERED_TIE_BREAKS[: MAX_TIE_BREAKS + 1]
    (fault,) = check_tie_break_count(six, six[::-1])
    assert (fault.code, fault.field, fault.params) == ("tie_break.too_many", "tie_breaks", {"limit": 5})
    assert check_tie_break_count(six[1:]) == check_tie_break_count(six, list(six)) == ()


@pytest.mark.parametrize(
    ("settings", "code", "field"),
    [
        (SwissSettings(lives=-1), "swiss.lives_odd", "lives"),
        (SwissSettings(lives=10), "swiss.lives_odd", "lives"),
        (SwissSettings(group_count=0), "groups.count_odd", "group_count"),
        (SwissSettings(parties="perhaps"), "swiss.clubs_odd", "parties"),
        (SwissSettings(tie_breaks=("survival",)), "tie_break.unknown", "tie_break_1"),
    ],
)
def test_settings_that_are_odd_are_named_with_their_field(settings, code, field):
    assert [(fault.code, fault.field) for fault in check_swiss_settings(settings)] == [(code, field)]
