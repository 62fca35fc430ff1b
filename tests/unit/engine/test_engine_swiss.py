"""Swiss pairings that a director can follow on paper. Points are half points: 2 is a win."""

import pytest

from tournaments.engine.errors import BadInput
from tournaments.engine.pairing.checker import BrokenCriterion, Criterion, check_swiss
from tournaments.engine.pairing.history import (
    Entrant,
    PairedMatch,
    RestingEntry,
    SwissRound,
    contenders_after,
    remaining_lives,
)
from tournaments.engine.pairing.matching import COST_BITS, cheapest_perfect_matching
from tournaments.engine.pairing.swiss import Contender, Costs, PairingRestrictions, pair_round, pairing_costs
from tournaments.engine.types import EntryId


def who(entry, points=0, *met, byes=0, down=0, up=0, apart=(), rank=None):
    return Contender(EntryId(entry), rank or entry, points, frozenset(met), byes, down, up, frozenset(apart))


def paired(*contenders, seed=1, **restrictions):
    return pair_round(contenders, seed=seed, restrictions=PairingRestrictions(**restrictions))


def won(a, b):
    return PairedMatch(EntryId(a), EntryId(b), 2, 0)


def field(count, **apart):
    return [Entrant(EntryId(n), n, frozenset(apart.get(f"e{n}", ()))) for n in range(1, count + 1)]


def test_first_round_folds_the_upper_half_onto_the_lower():
    assert paired(*map(who, range(1, 9))).pairs == ((1, 5), (2, 6), (3, 7), (4, 8))


def test_first_round_of_a_large_field_is_folded_too_though_not_every_pair_is_looked_at():
    assert paired(*map(who, range(1, 161))).pairs == tuple((n, n + 80) for n in range(1, 81))


def test_first_round_of_an_odd_field_gives_the_bye_to_the_last():
    found = paired(*map(who, range(1, 8)))
    assert found.bye == 7
    assert found.pairs == ((1, 4), (2, 5), (3, 6))


def test_later_rounds_pair_equal_scores_and_put_the_leaders_on_the_first_table():
    found = paired(who(1, 2, 3), who(2, 2, 4), who(3, 0, 1), who(4, 0, 2))
    assert found.pairs == ((1, 2), (3, 4))
    assert found.costs == Costs()


def test_a_rematch_is_avoided_at_the_price_of_unequal_scores():
    found = paired(who(1, 4, 2), who(2, 4, 1), who(3, 0, 4), who(4, 0, 3))
    assert set(found.pairs) in ({(1, 3), (2, 4)}, {(1, 4), (2, 3)})
    assert (found.costs.rematches, found.costs.score_gap) == (0, 2)  # unit: the smallest step in this field


def test_a_rematch_is_played_only_when_every_pairing_has_one():
    found = paired(who(1, 4, 2, 3), who(2, 2, 1, 4), who(3, 2, 1, 4), who(4, 0, 2, 3))
    assert found.costs.rematches == 0
    found = paired(who(1, 4, 2, 3, 4), who(2, 2, 1, 3, 4), who(3, 2, 1, 2, 4), who(4, 0, 1, 2, 3))
    assert found.costs.rematches == 2
    assert found.pairs == ((1, 2), (3, 4))  # then by the next level: scores as equal as possible


def test_the_bye_goes_to_whoever_had_none_then_to_the_lowest():
    assert paired(who(1, 4), who(2, 2), who(3, 0, byes=1)).bye == 2
    assert paired(who(1, 4), who(2, 2), who(3, 2), who(4, 2), who(5, 0)).bye == 5
    assert paired(who(1, 4, byes=1), who(2, 2, byes=1), who(3, 0, byes=1)).bye == 3


def test_the_bye_is_worth_more_than_equal_scores_but_not_than_a_rematch():
    # entry 5 is the lowest; if it rests, the others have all met but for one perfect set of unequal pairs
    found = paired(who(1, 6, 2, 3), who(2, 6, 1, 4), who(3, 2, 1, 4), who(4, 2, 2, 3), who(5, 0))
    assert found.bye == 5
    assert set(found.pairs) == {(1, 4), (2, 3)}
    # if 3 rested, 1 and 2 could not be paired without a rematch, so 2 has to
    assert paired(who(1, 4, 2), who(2, 2, 1), who(3, 0)).bye == 2


def test_who_has_floated_before_is_spared():
    # three on 2 points, one must float down to the one on 0; 3 would be natural but did it before
    found = paired(who(1, 2), who(2, 2), who(3, 2, down=1), who(4, 0))
    assert (3, 4) not in found.pairs
    assert found.costs.floats == 0
    found = paired(who(1, 2, 2), who(2, 2, 1), who(3, 0, up=1), who(4, 0, up=1))
    assert found.costs.floats == 2


def test_clubs_and_families_are_kept_apart_where_it_costs_no_more_important_level():
    found = paired(who(1, apart=["Bern"]), who(2), who(3, apart=["Bern"]), who(4))
    assert found.pairs in (((1, 4), (2, 3)), ((1, 2), (3, 4)))
    assert found.costs.preferences == 0
    only = paired(who(1, 2, apart=["Bern"]), who(2, 2, apart=["Bern"]), who(3), who(4))
    assert only.pairs == ((1, 2), (3, 4))
    assert only.costs.preferences == 1


def test_clubs_as_an_absolute_come_before_everything():
    field = [who(1, 2, 3, apart=["Bern"]), who(2, 2, 4, apart=["Bern"]), who(3, 0, 1), who(4, 0, 2)]
    found = pair_round(field, seed=1, restrictions=PairingRestrictions(forbidden_codes=frozenset({"Bern"})))
    assert set(found.pairs) == {(1, 4), (2, 3)}
    with pytest.raises(BadInput) as refused:
        paired(who(1, apart=["Bern"]), who(2, apart=["Bern"]), forbidden_codes=frozenset({"Bern"}))
    assert refused.value.code == "swiss.no_pairing"


def test_forbidden_pairs_never_meet_and_avoided_ones_only_at_need():
    pair = frozenset({frozenset({EntryId(1), EntryId(3)})})
    assert (1, 3) in paired(*map(who, range(1, 5))).pairs
    assert (1, 3) not in paired(*map(who, range(1, 5)), forbidden=pair).pairs
    assert (1, 3) not in paired(*map(who, range(1, 5)), avoided=pair).pairs
    alone = paired(who(1), who(3), avoided=pair)
    assert alone.costs.preferences == 1
    with pytest.raises(BadInput):
        paired(who(1), who(3), forbidden=pair)


def test_the_seed_alone_decides_where_nothing_else_does():
    contenders = [who(n, rank=1) for n in range(1, 31)]
    first = pair_round(contenders, seed=5)
    assert pair_round(contenders[::-1], seed=5) == first
    assert pair_round(contenders, seed=6) != first


def test_a_field_of_one_or_with_somebody_twice_is_refused():
    for contenders, code in (([who(1)], "swiss.too_few"), ([who(1), who(1)], "draw.entry_twice")):
        with pytest.raises(BadInput) as refused:
            pair_round(contenders, seed=1)
        assert refused.value.code == code


def test_matching_refuses_costs_that_the_library_could_not_hold():
    with pytest.raises(BadInput) as refused:
        cheapest_perfect_matching(2, [(0, 1, 1 << COST_BITS)])
    assert refused.value.code == "pairing.cost_too_large"


# History.


def test_contenders_after_counts_points_opponents_byes_and_floats_anew():
    rounds = [
        SwissRound((won(1, 3), won(2, 4)), (RestingEntry(EntryId(5), 2, is_allotted=True),)),
        SwissRound((won(1, 2), won(5, 3)), (RestingEntry(EntryId(4), 1),)),
    ]
    one, two, three, four, five = contenders_after(rounds, field(5))
    assert (one.points, one.met, one.byes) == (4, {3, 2}, 0)
    assert (two.points, two.floats_down, two.floats_up) == (2, 0, 0)
    assert (three.points, three.floats_up) == (0, 1)  # played 5, who had a point more from the bye
    assert (four.points, four.byes) == (1, 0)  # a half point asked for is no bye had
    assert (five.points, five.byes, five.floats_down, five.met) == (4, 1, 2, {3})


def test_a_walkover_is_no_meeting_but_a_bye_had_for_the_one_who_was_there():
    walkover = PairedMatch(EntryId(1), EntryId(2), 2, 0, played=False)
    one, two = contenders_after([SwissRound((walkover,))], field(2))
    assert (one.byes, one.met, two.byes, two.met) == (1, frozenset(), 0, frozenset())


def test_a_full_point_without_play_is_a_bye_had_however_it_came():
    rests = (
        RestingEntry(EntryId(1), 2),
        RestingEntry(EntryId(2), 1),
        RestingEntry(EntryId(3), 0),
        RestingEntry(EntryId(4), 2, is_allotted=True),
    )
    found = contenders_after([SwissRound((), rests)], field(4))
    assert [(c.points, c.byes, c.floats_down) for c in found] == [(2, 1, 0), (1, 0, 0), (0, 0, 0), (2, 1, 1)]


def test_floats_of_the_last_two_rounds_count_and_those_of_the_last_one_first():
    """C.04.3: who has points without play has floated down, however they came; what is farther back is forgotten."""
    rounds = [
        SwissRound((won(1, 2), won(3, 4)), (RestingEntry(EntryId(5), 2, is_allotted=True),)),
        SwissRound(
            (won(1, 4), PairedMatch(EntryId(5), EntryId(2), 2, 0, played=False)),
            (RestingEntry(EntryId(3), 1),),
        ),
        SwissRound((won(1, 3), won(2, 4)), (RestingEntry(EntryId(5), 0),)),
        SwissRound((won(5, 1), won(2, 3), won(4, 6))),
    ]
    more = 2 * 6 + 1  # more than all floats of the round before can be

    def floats(rounds):
        return {
            int(c.entry): (c.floats_down, c.floats_up) for c in contenders_after(rounds, field(6), floats=2)
        }

    assert floats(rounds[:2]) == {
        1: (more, 0),
        2: (0, 0),
        3: (more, 0),
        4: (0, more),
        5: (more + 1, 0),
        6: (0, 0),
    }
    assert floats(rounds[:3]) == {1: (more + 1, 0), 2: (0, 0), 3: (1, more), 4: (0, 1), 5: (1, 0), 6: (0, 0)}
    assert floats(rounds) == {
        1: (more + 1, 0),
        2: (0, more),
        3: (more, 1),
        4: (0, 0),
        5: (0, more),
        6: (0, 0),
    }


def test_leaving_and_coming_back_does_not_bring_a_second_bye():
    rounds = [
        SwissRound((won(1, 2),), (RestingEntry(EntryId(3), 2, is_allotted=True),)),
        SwissRound((won(1, 4),), (RestingEntry(EntryId(2), 0), RestingEntry(EntryId(3), 0))),
    ]
    playing = [EntryId(1), EntryId(2), EntryId(3)]
    found = pair_round(contenders_after(rounds, field(4), playing), seed=1)
    assert found.bye != 3


def test_history_with_somebody_who_was_never_entered_is_refused():
    rounds = [SwissRound((won(1, 9),))]
    for ask in (
        lambda: contenders_after(rounds, field(2)),
        lambda: remaining_lives(rounds, [EntryId(1), EntryId(2)], 2),
    ):
        with pytest.raises(BadInput) as refused:
            ask()
        assert refused.value.code == "swiss.not_entered"
        assert refused.value.params == {"entry": 9}


def test_with_lives_who_has_lost_so_often_is_out_until_one_is_left():
    double_walkover = PairedMatch(EntryId(3), EntryId(4), 0, 0, played=False)
    rounds = [SwissRound((won(1, 2), double_walkover)), SwissRound((won(1, 3), won(2, 4)))]
    assert remaining_lives(rounds, range(1, 5), lives=2) == {1: 2, 2: 1}
    assert remaining_lives(rounds, range(1, 5), lives=3) == {1: 3, 2: 2, 3: 1, 4: 1}
    entrants, rounds = field(11), []
    while len(alive := remaining_lives(rounds, range(1, 12), lives=3)) > 1:
        found = pair_round(contenders_after(rounds, entrants, alive), seed=len(rounds))
        rest = () if found.bye is None else (RestingEntry(found.bye, 2, is_allotted=True),)
        rounds.append(SwissRound(tuple(won(a, b) for a, b in found.pairs), rest))
    assert alive.keys() == {1}
    assert len(rounds) < 12


def test_half_a_point_each_costs_no_life():
    unfinished = SwissRound((PairedMatch(EntryId(1), EntryId(2), 1, 1),), (RestingEntry(EntryId(3), 0),))
    assert remaining_lives([unfinished], range(1, 4), lives=1) == {1: 1, 2: 1, 3: 1}


# The checker.


def test_checker_finds_nothing_where_our_own_pairing_was_played():
    entrants, rounds = field(9), []
    for seed in range(5):
        found = pair_round(contenders_after(rounds, entrants), seed=seed)
        rest = (RestingEntry(found.bye, 2, is_allotted=True),)
        rounds.append(SwissRound(tuple(won(a, b) for a, b in found.pairs), rest))
    assert check_swiss(rounds, entrants) == ()


def test_checker_names_a_rematch_and_what_it_would_have_cost_at_best():
    rounds = [SwissRound((won(1, 3), won(2, 4))), SwissRound((won(1, 3), won(2, 4)))]
    broken = check_swiss(rounds, field(4))
    assert broken[0] == BrokenCriterion(2, Criterion.REMATCH, found=2, best=0, entries=(1, 3, 2, 4))
    assert {b.criterion for b in broken} == {Criterion.REMATCH, Criterion.SCORE_GAP}


def test_checker_names_a_second_bye_an_unequal_pairing_and_an_entry_in_two_places():
    first = SwissRound((won(1, 2),), (RestingEntry(EntryId(3), 2, is_allotted=True),))
    again = SwissRound((won(2, 1),), (RestingEntry(EntryId(3), 2, is_allotted=True),))
    assert BrokenCriterion(2, Criterion.BYE_AGAIN, 1, 0, (3,)) in check_swiss([first, again], field(3))
    rounds = [SwissRound((won(1, 3), won(2, 4))), SwissRound((won(1, 4), won(2, 3)))]
    (gap,) = check_swiss(rounds, field(4))
    assert (gap.criterion, gap.found, gap.best) == (Criterion.SCORE_GAP, 2, 0)
    twice = SwissRound((won(1, 2), won(1, 3)))
    assert check_swiss([twice], field(3)) == (BrokenCriterion(1, Criterion.ENTRY_TWICE, 1, 0, (1,)),)


def test_checker_names_forbidden_pairs_and_clubs_that_must_not_meet():
    pair = frozenset({frozenset({EntryId(1), EntryId(3)})})
    played = [SwissRound((won(1, 3), won(2, 4)))]
    broken = check_swiss(played, field(4), restrictions=PairingRestrictions(forbidden=pair))
    assert BrokenCriterion(1, Criterion.FORBIDDEN, 1, 0, (1, 3)) in broken
    clubs = field(4, e1=["Bern"], e3=["Bern"])
    assert {b.criterion for b in check_swiss(played, clubs)} == {Criterion.PREFERENCES}
    strict = check_swiss(played, clubs, restrictions=PairingRestrictions(forbidden_codes=frozenset({"Bern"})))
    assert {b.criterion for b in strict} == {Criterion.FORBIDDEN, Criterion.PREFERENCES}


def test_assess_costs_what_pair_round_says_its_own_pairing_costs():
    contenders = [who(n, points=n % 3, down=n % 2, apart=[f"club {n % 4}"]) for n in range(1, 14)]
    found = pair_round(contenders, seed=1)
    assert pairing_costs(contenders, found.pairs, found.bye) == found.costs
